package tools

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Config is what a configuration file says of tools, in its section mcp. The
// zero value is the usual one.
type Config struct {
	Limits facadeLimits `yaml:"tool_limits" json:"limits"`
	Search searchConfig `yaml:"web_search" json:"search"`
}

// facadeLimits are the bytes that answers of the facade may have.
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

// searchConfig are the engines of web_search beyond those that are known.
type searchConfig struct {
	Engine  string            `yaml:"engine"`  // the one to ask: a name, or a template with {query}
	Engines map[string]string `yaml:"engines"` // templates by name
}

// maxConfig is how many bytes a configuration file may have.
const maxConfig = 1 << 20

// ReadConfig reads a YAML file, and returns also what it says beside the section
// mcp.
func ReadConfig(name string) (c Config, rest map[string]any, err error) {
	f, err := os.Open(name)
	if err != nil {
		return Config{}, nil, fmt.Errorf("configuration: %w", err)
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, maxConfig+1))
	if err == nil && len(text) > maxConfig {
		err = fmt.Errorf("it has more than %d bytes", maxConfig)
	}
	if err == nil {
		c, rest, err = parseConfig(text)
	}
	if err != nil {
		return Config{}, nil, fmt.Errorf("configuration %s: %w", name, err)
	}
	return c, rest, nil
}

func parseConfig(text []byte) (Config, map[string]any, error) {
	var file struct {
		MCP  Config         `yaml:"mcp"`
		Rest map[string]any `yaml:",inline"`
	}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&file); err != nil && !errors.Is(err, io.EOF) {
		return Config{}, nil, errors.New(unknownKey.ReplaceAllString(strings.Join(strings.Fields(err.Error()), " "), `unknown key "$1"`))
	}
	if err := file.MCP.check(); err != nil {
		return Config{}, nil, err
	}
	return file.MCP, file.Rest, nil
}

// unknownKey is how the decoder says that it does not know a key.
var unknownKey = regexp.MustCompile(`field (\S+) not found in type \S+`)

func (c *Config) check() error {
	l := &c.Limits
	for _, n := range []int{l.GlobalMax, l.Defaults.Response, l.Chunks.Size, l.Chunks.Max,
		l.Text.least(), l.Execute.least(), l.Evaluate.least(), l.HTML.least()} {
		if n < 0 {
			return errors.New("a limit of mcp.tool_limits is negative")
		}
	}
	for name, template := range c.Search.Engines {
		if _, err := searchTemplate(template); err != nil {
			return fmt.Errorf("mcp.web_search.engines.%s: %w", name, err)
		}
	}
	if _, _, err := c.Search.engine(""); err != nil {
		return fmt.Errorf("mcp.web_search.engine: %w", err)
	}
	return nil
}

func (l textLimits) least() int { return min(l.Response, l.Chunk, l.Ellipsis) }

// complete puts the usual limits where none are given.
func (c *Config) complete() {
	l := &c.Limits
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
		t.limits.Response = min(cmp.Or(t.limits.Response, l.Defaults.Response, t.usual.Response), l.GlobalMax)
		t.limits.Chunk = min(cmp.Or(t.limits.Chunk, l.Chunks.Size, t.usual.Chunk), l.Chunks.Max)
		t.limits.Ellipsis = cmp.Or(t.limits.Ellipsis, t.usual.Ellipsis)
	}
}

// names lists the engines that have a name.
func (c *searchConfig) names() []string {
	var list []string
	for name := range c.Engines {
		list = append(list, name)
	}
	for name := range engines {
		if c.Engines[name] == "" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}
