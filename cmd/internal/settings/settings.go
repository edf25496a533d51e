// Package settings holds what a person sets: by flag, environment or file, and as
// it goes with an agent to the daemon.
package settings

import (
	"fmt"
	"path/filepath"
	"slices"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/tools"
)

// Choice says which browser to use; several commands have it.
type Choice struct {
	Browser     string `json:"browser,omitempty" help:"chrome, brave, edge or chromium (also chrome-beta and the like), or the name of a connected browser; default: any." placeholder:"NAME"`
	BrowserPath string `json:"browserPath,omitempty" help:"The browser's executable, if it is not found automatically." placeholder:"FILE"`
	Profile     string `json:"profile,omitempty" help:"A managed browser's profile, by a name of your choice." placeholder:"NAME"`
	NoSandbox   bool   `json:"noSandbox,omitempty" help:"Start managed browsers without their sandbox (containers only)."`
}

// Noted says whether a history is kept.
type Noted struct {
	History bool `json:"history" default:"true" negatable:"" help:"Keep a history of who does what on which site, without content of pages: see tabrelay log."`
}

// Fleet says where browsers of other machines are.
type Fleet struct {
	Fleet      string `json:"fleet,omitempty" help:"NATS server of a fleet: its browsers can be used, too, as NAME@MACHINE or label:LABEL." placeholder:"URL"`
	FleetCreds string `json:"fleetCreds,omitempty" help:"The fleet's NATS credentials, or an nkey's seed." placeholder:"FILE"`
	FleetCA    string `json:"fleetCA,omitempty" name:"fleet-ca" help:"Certificates of the authority of the fleet's servers; default: the system's." placeholder:"FILE"`
}

// Resolved returns the settings with whole paths.
func (f Fleet) Resolved() (Fleet, error) {
	for _, file := range []*string{&f.FleetCreds, &f.FleetCA} {
		if *file == "" {
			continue
		}
		path, err := filepath.Abs(*file)
		if err != nil {
			return f, err
		}
		*file = path
	}
	return f, nil
}

// Agent is every setting of one agent. Its front was given them; the daemon has
// none of its own.
type Agent struct {
	Choice
	Headless bool `json:"headless,omitempty" help:"Use a managed browser without a window."`
	tools.Settings
	Noted
	Fleet
	OnExit  string `json:"onExit,omitempty" enum:"leave,close" default:"leave" help:"What to do with an agent's tabs when it exits: ${enum}."`
	NoGroup bool   `json:"noGroup,omitempty" help:"Do not put an agent's tabs into a tab group of its name."`

	Display []string `json:"display,omitempty" kong:"-"` // where its windows open, as lines of an environment
}

// Resolved returns the settings with all that the working directory and the
// environment say made plain, for a process that has others.
func (a Agent) Resolved() (Agent, error) {
	var err error
	a.Root = slices.Clone(a.Root)
	if path := a.BrowserPath; path != "" && filepath.Base(path) != path { // else it is looked for in PATH
		if a.BrowserPath, err = filepath.Abs(path); err != nil {
			return a, fmt.Errorf("--browser-path: %w", err)
		}
	}
	if err := a.bind(); err != nil {
		return a, fmt.Errorf("--policy %s: %w", a.Policy, err)
	}
	for i, dir := range a.Root {
		if a.Root[i], err = readFolder(dir); err != nil {
			return a, fmt.Errorf("--root %s: %w", dir, err)
		}
	}
	if a.Output, err = outputFolder(a.Output); err != nil {
		return a, fmt.Errorf("--output %s: %w", a.Output, err)
	}
	if a.Policy != "" && holds(a.Output, a.Policy) {
		return a, fmt.Errorf("--policy: %s is in %s, where agents write files: keep it elsewhere", a.Policy, a.Output)
	}
	if a.Secrets != "" {
		if a.Vault, err = readSecrets(a.Secrets, append(slices.Clone(a.Root), a.Output)); err != nil {
			return a, fmt.Errorf("--secrets: %w", err)
		}
	}
	if a.Fleet, err = a.Fleet.Resolved(); err != nil {
		return a, err
	}
	a.Display = browser.Display()
	return a, nil
}
