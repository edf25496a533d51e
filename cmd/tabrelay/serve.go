package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/front"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// serveCommand is what runs when no command is named.
type serveCommand struct{}

// serveFlags are the settings that most commands share.
type serveFlags struct {
	settings.Choice
	Headless   bool     `help:"Use a managed browser without a window."`
	Transport  string   `enum:"stdio,http" default:"stdio" help:"How agents speak to it: ${enum}."`
	Port       *int     `help:"The port on 127.0.0.1 for the extension, CDP clients and HTTP; 8765 if not given, 0 for any. With it, this process shares nothing with others." placeholder:"PORT"`
	Tools      string   `enum:"${tools}" default:"full" help:"The set of tools: ${enum} (43 precise tools, nine, four, or those of the page in focus)."`
	AllowTools []string `help:"Offer only these tools of the set: globs such as browser_tab_*." placeholder:"GLOB"`
	DenyTools  []string `help:"Do not offer these tools: globs such as browser_set_*." placeholder:"GLOB"`
	Snapshot   string   `enum:"diff,full,none" default:"diff" help:"What an action tells of the page: ${enum}."`
	Structured bool     `help:"Give each answer also as structured content, with a schema."`
	AllowFile  bool     `help:"Permit file: addresses."`
	OnExit     string   `enum:"leave,close" default:"leave" help:"What becomes of the tabs that an agent opened when it goes: ${enum}."`
	NoGroup    bool     `help:"Do not show the tabs that an agent opens as a tab group of its name."`
	Root       []string `help:"A folder that files may be read from and written to; the working directory and an output folder if not given. Repeatable." placeholder:"DIR" sep:"none"`

	DynamicCall bool `help:"With --tools dynamic: list a tool that calls any other by its name, for clients that read the list once."`

	config tools.Config // of the file of --config
}

// filter is what --allow-tools and --deny-tools say.
func (s *serveFlags) filter() tools.Filter {
	return tools.Filter{Allow: s.AllowTools, Deny: s.DenyTools}
}

func (serveCommand) Run(ctx context.Context, c console, s *serveFlags) error {
	host := hostOptions{Choice: s.Choice, Headless: s.Headless, Log: c.log}
	if s.Port != nil {
		host.Port, host.AnyPort = *s.Port, *s.Port == 0
		if err := checkPort(host.Port); err != nil && !host.AnyPort {
			return err
		}
	}
	host.Strict = s.Transport == "http"
	sets := []string{s.Tools}
	if s.Transport == "http" { // each agent chooses
		sets = tools.Profiles()
	}
	if err := s.filter().Check(sets...); err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	agent, err := s.agent()
	if err != nil {
		return err
	}
	if s.Port == nil {
		if s.Transport == "http" {
			return front.HTTP(ctx, agent, c.streams())
		}
		return front.Stdio(ctx, agent, c.streams())
	}
	h, err := openHost(host)
	if err != nil {
		return err
	}
	defer h.close()
	o := tools.Options{
		Connect: h.connect, Launch: h.launch, Tools: s.Tools, DynamicCall: s.DynamicCall, Snapshot: s.Snapshot, Structured: s.Structured, AllowFile: s.AllowFile,
		Filters: []tools.Filter{s.filter()}, Config: s.config, Roots: agent.Roots, Claims: &tools.Claims{}, Logger: c.log, Version: release.Text(),
	}
	if s.Transport == "http" {
		return serveHTTP(ctx, h, o, s.OnExit, c)
	}
	return serveStdio(ctx, o, s.OnExit, c)
}

// agent returns what goes with an agent to the daemon, which has settings of
// nobody: whatever another working directory would change is made plain here.
func (s *serveFlags) agent() (settings.Agent, error) {
	roots, err := s.roots()
	if err != nil {
		return settings.Agent{}, err
	}
	choice := s.Choice
	if path := choice.BrowserPath; path != "" && filepath.Base(path) != path { // else it is looked for in PATH
		if choice.BrowserPath, err = filepath.Abs(choice.BrowserPath); err != nil {
			return settings.Agent{}, fmt.Errorf("--browser-path: %w", err)
		}
	}
	return settings.Agent{Choice: choice, Headless: s.Headless, Tools: s.Tools, DynamicCall: s.DynamicCall, Snapshot: s.Snapshot,
		Structured: s.Structured, AllowFile: s.AllowFile, Roots: roots, OnExit: s.OnExit, NoGroup: s.NoGroup, Display: browser.Display(),
		Filter: s.filter(), Config: s.config}, nil
}

// roots returns the folders for files, which exist. The first takes what is
// named without a folder.
func (s *serveFlags) roots() ([]string, error) {
	list := s.Root
	if len(list) == 0 {
		out := filepath.Join(os.TempDir(), fmt.Sprintf("tabrelay-%d", os.Getuid()))
		if err := os.MkdirAll(out, 0o700); err != nil {
			return nil, fmt.Errorf("output folder: %w", err)
		}
		dir, err := os.Getwd()
		if err != nil {
			return nil, fmt.Errorf("working directory: %w", err)
		}
		list = []string{dir, out}
	}
	roots := make([]string, len(list))
	for i, dir := range list {
		path, err := filepath.Abs(dir)
		if err != nil {
			return nil, fmt.Errorf("--root %s: %w", dir, err)
		}
		if info, err := os.Stat(path); err != nil || !info.IsDir() {
			return nil, fmt.Errorf("--root %s: there is no such folder: %w", dir, errUsage)
		}
		roots[i] = path
	}
	return roots, nil
}
