// Package settings holds what a person sets: by flag, environment or file, and as
// it goes with an agent to the daemon.
package settings

import "github.com/tabrelay/tabrelay/tools"

// Choice choose the browser; several commands have them.
type Choice struct {
	Browser     string `help:"chrome, brave, edge or chromium (also chrome-beta and the like), or the name of a connected one; any if not given." placeholder:"NAME"`
	BrowserPath string `help:"The browser's executable, if it is not found by itself." placeholder:"FILE"`
	Profile     string `help:"A managed browser's profile, by a name of your choice." placeholder:"NAME"`
	NoSandbox   bool   `help:"Start managed browsers without their sandbox (containers only)."`
}

// Agent are the settings of one agent, which its front was given.
type Agent struct {
	Choice
	Headless   bool     `json:"headless,omitempty"`
	Tools      string   `json:"tools,omitempty"`
	Snapshot   string   `json:"snapshot,omitempty"`
	Structured bool     `json:"structured,omitempty"`
	AllowFile  bool     `json:"allowFile,omitempty"`
	Roots      []string `json:"roots,omitempty"`
	OnExit     string   `json:"onExit,omitempty"`
	NoGroup    bool     `json:"noGroup,omitempty"`
	Display    []string `json:"display,omitempty"` // where its windows open, as lines of an environment

	DynamicCall bool `json:"dynamicCall,omitempty"`

	Filter tools.Filter `json:"filter,omitzero"`
	Config tools.Config `json:"config,omitzero"`
}
