package tools

import "github.com/modelcontextprotocol/go-sdk/mcp"

// profile is a set of tools over the one engine, and how their answers are
// written.
type profile struct {
	name         string
	words        func(told) string // what is told in this set
	instructions string
	tools        []tool
	byName       map[string]*tool
	encode       func(t *tool, a *Answer, structured bool) *mcp.CallToolResult
	connects     bool              // its sessions connect by themselves when they need to
	instances    bool              // its sessions may have several browsers
	strict       bool              // wrong arguments are errors of the protocol
	follows      bool              // its tools follow the state of the browser and the page
	retired      map[string]string // names that are not its tools', with what to call instead
}

// defaultProfile is what an agent gets that does not choose.
const defaultProfile = "full"

// profiles are the sets to choose from. They are set by init because their
// tools lead back to them.
var profiles []*profile

func init() {
	profiles = []*profile{
		{
			name: defaultProfile, words: func(t told) string { return t.full }, instructions: instructions, tools: all(),
			encode: func(_ *tool, a *Answer, structured bool) *mcp.CallToolResult { return a.result(structured) },
		},
		{name: "facade", words: func(t told) string { return t.facade }, instructions: facadeInstructions, tools: facade, encode: facadeResult, connects: true, instances: true, retired: retired},
		{name: "minimal", words: func(t told) string { return t.minimal }, instructions: minimalInstructions, tools: minimal, encode: minimalResult, connects: true, strict: true},
		{name: "dynamic", words: func(t told) string { return t.dynamic }, instructions: dynamicInstructions, tools: dynamicCore, encode: dynamicResult, follows: true},
	}
	for _, p := range profiles {
		p.byName = map[string]*tool{}
		for i := range p.tools {
			p.byName[p.tools[i].name] = &p.tools[i]
		}
	}
}

// Profiles returns the names of the sets of tools.
func Profiles() []string {
	names := make([]string, len(profiles))
	for i, p := range profiles {
		names[i] = p.name
	}
	return names
}

// profileNamed returns a set of tools; the default one where there is no such.
func profileNamed(name string) *profile {
	for _, p := range profiles {
		if p.name == name {
			return p
		}
	}
	return profiles[0]
}
