package tools

import (
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
)

// profile is a set of tools over the one engine, and how their answers are
// written.
type profile struct {
	name         string
	words        func(told) string // what is told in this set
	instructions string
	tools        []tool
	byName       map[string]*tool
	encode       func(t *tool, a *Answer, structured bool) *mcp.CallToolResult
	connects     string            // the tool that connects; without it, sessions do so when they need to
	strict       bool              // wrong arguments are errors of the protocol
	follows      bool              // its tools follow the state of the browser and the page
	retired      map[string]string // names that are not its tools', with what to call instead
	hooks
}

// hooks are what a set does at points in the life of a session, beyond what all
// sets do; any may be nil.
type hooks struct {
	begin     func(*Session)                   // a session is made
	serve     func(*Session, *mcp.Server)      // in place of the profile's tools
	find      func(*Session, string) *tool     // a tool by its name, in place of the profile's
	acting    func(*Session) *Session          // which session a call is for
	connected func(*Session, *adapter.Browser) // with mu held
	resumed   func(*Session)                   // the session goes on where another process ended
	end       func(*Session)                   // the session is closed
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
			encode: func(_ *tool, a *Answer, structured bool) *mcp.CallToolResult { return a.result(structured) }, connects: "browser_connect",
		},
		{name: "facade", words: func(t told) string { return t.facade }, instructions: facadeInstructions, tools: facade, encode: facadeResult, retired: retired, hooks: hooks{
			begin: func(s *Session) { s.instances = &instances{home: s} },
			connected: func(s *Session, b *adapter.Browser) {
				go s.copyDownloads(b) // ends with the connection
			},
			acting: (*Session).acting,
			end:    (*Session).closeInstances,
		}},
		{name: "minimal", words: func(t told) string { return t.minimal }, instructions: minimalInstructions, tools: minimal, encode: minimalResult, strict: true},
		{name: "dynamic", words: func(t told) string { return t.dynamic }, instructions: dynamicInstructions, tools: dynamicCore, encode: dynamicResult, connects: "connect_browser", follows: true, hooks: hooks{
			begin:     func(s *Session) { s.dynamic = newDynamic(s) },
			serve:     (*Session).serveDynamic,
			find:      func(s *Session, name string) *tool { return s.dynamic.list.find(name) },
			connected: func(s *Session, b *adapter.Browser) { go s.dynamic.follow(b) }, // ends with the connection
			resumed:   func(s *Session) { s.dynamic.resume() },
		}},
	}
	for _, p := range profiles {
		p.byName = map[string]*tool{}
		for i := range p.tools {
			p.byName[p.tools[i].name] = &p.tools[i]
		}
	}
}

// toolNamed returns a tool of the session's set, or nil.
func (s *Session) toolNamed(name string) *tool {
	if s.profile.find != nil {
		return s.profile.find(s, name)
	}
	return s.profile.byName[name]
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
