package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"text/template"
)

// serverName is what the registry of MCP servers knows it by.
const serverName = "io.github.tabrelay/tabrelay"

// addServer makes what the registry of MCP servers is told: that npm has it.
func (r *release) addServer() error {
	return r.json("server.json", map[string]any{
		"$schema":     "https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json",
		"name":        serverName,
		"title":       "Tabrelay",
		"description": summary + ": logged in, in background tabs",
		"version":     r.version,
		"websiteUrl":  home,
		"repository":  map[string]string{"url": home, "source": "github"},
		"packages": []any{map[string]any{
			"registryType": "npm", "identifier": "tabrelay", "version": r.version,
			"transport": map[string]string{"type": "stdio"},
		}},
	})
}

// addScoop makes the manifest of Scoop, for Windows.
func (r *release) addScoop() error {
	type place struct {
		URL  string `json:"url"`
		Hash string `json:"hash"`
	}
	places := map[string]place{}
	for arch, key := range map[string]string{"amd64": "64bit", "arm64": "arm64"} {
		if name := r.archive("windows", arch, ".zip"); r.files[name] != nil {
			places[key] = place{r.url + "/" + name, r.sum(name)}
		}
	}
	return r.json("scoop-tabrelay.json", map[string]any{
		"version": r.version, "description": summary, "homepage": home, "license": license, "architecture": places, "bin": "tabrelay.exe",
	})
}

func (r *release) json(name string, value any) error {
	text, err := json.MarshalIndent(value, "", "  ")
	r.files[name] = append(text, '\n')
	return err
}

func (r *release) archive(system, arch, suffix string) string {
	return fmt.Sprintf("tabrelay_%s_%s_%s%s", r.version, system, arch, suffix)
}

var formula = template.Must(template.New("formula").Parse(`class Tabrelay < Formula
  desc "{{.Summary}}"
  homepage "{{.Home}}"
  version "{{.Version}}"
  license "{{.License}}"
{{range .Systems}}
  on_{{.Name}} do
{{- range .Places}}
    on_{{.Name}} do
      url "{{.URL}}"
      sha256 "{{.Sum}}"
    end
{{- end}}
  end
{{end}}
  def install
    bin.install "tabrelay"
    man1.install "man/tabrelay.1"
    bash_completion.install "completions/tabrelay.bash" => "tabrelay"
    zsh_completion.install "completions/_tabrelay"
    fish_completion.install "completions/tabrelay.fish"
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/tabrelay --version")
  end
end
`))

// addHomebrew makes the formula of Homebrew, for macOS and Linux.
func (r *release) addHomebrew() error {
	type place struct{ Name, URL, Sum string }
	type system struct {
		Name   string
		Places []place
	}
	var systems []system
	for _, s := range []struct{ brew, os string }{{"macos", "darwin"}, {"linux", "linux"}} {
		one := system{Name: s.brew}
		for _, a := range []struct{ brew, arch string }{{"arm", "arm64"}, {"intel", "amd64"}} {
			if name := r.archive(s.os, a.arch, ".tar.gz"); r.files[name] != nil {
				one.Places = append(one.Places, place{a.brew, r.url + "/" + name, r.sum(name)})
			}
		}
		if len(one.Places) > 0 {
			systems = append(systems, one)
		}
	}
	var out bytes.Buffer
	err := formula.Execute(&out, map[string]any{"Summary": summary, "Home": home, "Version": r.version, "License": license, "Systems": systems})
	r.files["tabrelay.rb"] = out.Bytes()
	return err
}
