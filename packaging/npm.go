package main

import (
	_ "embed"
	"encoding/json"
	"fmt"
)

// starter is what `npx tabrelay` runs: it finds the program and becomes it.
//
//go:embed npm/tabrelay.js
var starter []byte

// nodeNames are what Node calls systems and processors.
var nodeNames = map[string]string{"linux": "linux", "darwin": "darwin", "windows": "win32", "amd64": "x64", "arm64": "arm64"}

// manifest is a package.json.
type manifest struct {
	Name         string            `json:"name"`
	Version      string            `json:"version"`
	Description  string            `json:"description"`
	License      string            `json:"license"`
	Homepage     string            `json:"homepage"`
	Repository   map[string]string `json:"repository"`
	MCPName      string            `json:"mcpName,omitempty"`
	Bin          map[string]string `json:"bin,omitempty"`
	Engines      map[string]string `json:"engines,omitempty"`
	OS           []string          `json:"os,omitempty"`
	CPU          []string          `json:"cpu,omitempty"`
	Optional     map[string]string `json:"optionalDependencies,omitempty"`
	PreferUnplug bool              `json:"preferUnplugged,omitempty"`
}

func (r *release) manifest(name, description string) manifest {
	return manifest{Name: name, Version: r.version, Description: description, License: license, Homepage: home, Repository: map[string]string{"type": "git", "url": "git+" + home + ".git"}}
}

// addNPM makes the package that holds the program for one platform.
func (r *release) addNPM(p platform, program, notices []byte) error {
	system, cpu := nodeNames[p.os], nodeNames[p.arch]
	name := "@tabrelay/" + system + "-" + cpu
	m := r.manifest(name, fmt.Sprintf("The program of tabrelay for %s on %s", system, cpu))
	m.OS, m.CPU, m.PreferUnplug = []string{system}, []string{cpu}, true
	r.npm = append(r.npm, name)
	return r.npmPackage(fmt.Sprintf("npm-tabrelay-%s-%s-%s.tgz", system, cpu, r.version), m,
		file{"bin/" + p.program(), 0o755, program}, file{noticesName, 0o644, notices})
}

// finishNPM makes the package that people name; npm installs the one it needs of
// its optional dependencies.
func (r *release) finishNPM() error {
	m := r.manifest("tabrelay", summary)
	m.MCPName, m.Bin, m.Engines, m.Optional = serverName, map[string]string{"tabrelay": "tabrelay.js"}, map[string]string{"node": ">=18"}, map[string]string{}
	for _, name := range r.npm {
		m.Optional[name] = r.version
	}
	return r.npmPackage(fmt.Sprintf("npm-tabrelay-%s.tgz", r.version), m, file{"tabrelay.js", 0o755, starter}, file{"README.md", 0o644, r.of("README.md")})
}

func (r *release) npmPackage(name string, m manifest, files ...file) error {
	text, err := json.MarshalIndent(m, "", "  ")
	if err != nil {
		return err
	}
	files = append(files, file{"package.json", 0o644, append(text, '\n')}, file{"LICENSE", 0o644, r.of("LICENSE")})
	r.files[name], err = tarball("package/", files, r.time)
	return err
}
