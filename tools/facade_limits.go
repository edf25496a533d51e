package tools

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"

	"go.yaml.in/yaml/v3"
)

// facadeLimits are the bytes that answers of the facade may have: the section
// mcp.tool_limits of a configuration file.
type facadeLimits struct {
	GlobalMax int `yaml:"global_max_bytes"`
	Defaults  struct {
		Response int `yaml:"response_bytes"`
	} `yaml:"defaults"`
	Text     textLimits `yaml:"browser_get_text"`
	Execute  textLimits `yaml:"browser_execute"`
	Evaluate textLimits `yaml:"browser_evaluate"`
	HTML     textLimits `yaml:"browser_get_html"`
	Chunks   struct {
		Size int `yaml:"default_chunk_size_bytes"`
		Max  int `yaml:"max_chunk_bytes"`
	} `yaml:"chunks"`
}

// textLimits are those of one sort of text; zero is the file's default, or ours.
type textLimits struct {
	Response int `yaml:"response_bytes"`
	Chunk    int `yaml:"chunk_bytes"`
	Ellipsis int `yaml:"ellipsize_text_after"`
}

// maxConfig is how many bytes of a configuration file are read.
const maxConfig = 1 << 20

// readLimits reads the limits from a YAML file; without a name they are the
// usual ones.
func readLimits(name string) (facadeLimits, error) {
	var file struct {
		MCP struct {
			Limits facadeLimits `yaml:"tool_limits"`
		} `yaml:"mcp"`
	}
	if name != "" {
		f, err := os.Open(name)
		if err != nil {
			return facadeLimits{}, fmt.Errorf("configuration: %w", err)
		}
		defer f.Close()
		text, err := io.ReadAll(io.LimitReader(f, maxConfig))
		if err != nil {
			return facadeLimits{}, fmt.Errorf("configuration: %w", err)
		}
		if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&file); err != nil && !errors.Is(err, io.EOF) {
			return facadeLimits{}, fmt.Errorf("configuration %s: %w", name, err)
		}
	}
	return file.MCP.Limits.complete(name)
}

// complete puts the usual limits where none are given.
func (l facadeLimits) complete(name string) (facadeLimits, error) {
	for _, n := range []int{l.GlobalMax, l.Defaults.Response, l.Chunks.Size, l.Chunks.Max} {
		if n < 0 {
			return l, fmt.Errorf("configuration %s: a limit of mcp.tool_limits is negative", name)
		}
	}
	l.GlobalMax = cmp.Or(l.GlobalMax, 256_000)
	l.Chunks.Max = min(cmp.Or(l.Chunks.Max, 128_000), l.GlobalMax)
	for _, t := range []struct {
		limits *textLimits
		usual  textLimits
	}{
		{&l.Text, textLimits{64_000, 16_000, 128}},
		{&l.Execute, textLimits{32_000, 12_000, 0}},
		{&l.Evaluate, textLimits{32_000, 12_000, 0}},
		{&l.HTML, textLimits{128_000, 32_000, 128}},
	} {
		if min(t.limits.Response, t.limits.Chunk, t.limits.Ellipsis) < 0 {
			return l, fmt.Errorf("configuration %s: a limit of mcp.tool_limits is negative", name)
		}
		t.limits.Response = min(cmp.Or(t.limits.Response, l.Defaults.Response, t.usual.Response), l.GlobalMax)
		t.limits.Chunk = min(cmp.Or(t.limits.Chunk, l.Chunks.Size, t.usual.Chunk), l.Chunks.Max)
		t.limits.Ellipsis = cmp.Or(t.limits.Ellipsis, t.usual.Ellipsis)
	}
	return l, nil
}

// config is the configuration file that a session reads.
func (o *Options) config() string { return cmp.Or(o.ConfigFile, os.Getenv("TABRELAY_CONFIG")) }
