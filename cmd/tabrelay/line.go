package main

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"

	"github.com/alecthomas/kong"

	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
)

// commandLine is every command. A flag stands where it means something; those of
// settings can also be given by the environment, as TABRELAY_ and their name.
type commandLine struct {
	Setup     setupCommand     `cmd:"" group:"begin" help:"Add tabrelay to the configuration of your MCP client."`
	Extension extensionCommand `cmd:"" group:"begin" help:"Write the extension for your own browser and say how to load it."`
	Demo      demoCommand      `cmd:"" group:"begin" help:"Show what an agent can do, on a small built-in site."`

	Serve serveCommand `cmd:"" default:"withargs" group:"use" help:"Serve MCP to an agent: what an MCP client starts (the default)."`
	Tools toolsCommand `cmd:"" group:"use" help:"List the tools that agents have, or explain one."`
	Call  callCommand  `cmd:"" group:"use" help:"Call a tool, such as: browser_navigate url=example.com."`
	Run   runCommand   `cmd:"" group:"use" help:"Play a list of calls from a file."`
	Skill skillCommand `cmd:"" group:"use" help:"Print a skill for coding agents: how to use each set of tools well."`
	CDP   cdpCommand   `cmd:"" name:"cdp" group:"use" help:"Print a new address for a CDP client such as Playwright, Puppeteer or chromedp."`

	Fleet fleetCommand `cmd:"" group:"use" help:"Use browsers of other machines, or offer this one's, over NATS."`

	Doctor     doctorCommand     `cmd:"" group:"look" help:"Find out what is wrong, and what fixes it."`
	Status     statusCommand     `cmd:"" group:"look" help:"Show agents, browsers and which agent holds each tab."`
	Log        logCommand        `cmd:"" aliases:"logs" group:"look" help:"Show who did what on which site, without content of pages. The daemon's own log: status --log."`
	Token      tokenCommand      `cmd:"" group:"look" help:"Print the token that agents over HTTP need."`
	Stop       stopCommand       `cmd:"" group:"look" help:"End the daemon and the browsers it started."`
	Daemon     daemonCommand     `cmd:"" group:"look" help:"Run the shared daemon in the foreground (normally started automatically)."`
	Completion completionCommand `cmd:"" group:"look" help:"Print completions for a shell."`
	Man        manCommand        `cmd:"" group:"look" help:"Print the manual page: tabrelay man | man -l -."`
	Version    versionCommand    `cmd:"" group:"look" help:"Print the version."`
	Help       helpCommand       `cmd:"" group:"look" help:"Explain a command."`

	Versions bool `name:"version" env:"-" help:"Print the version."`
}

// commandGroups are the parts of the list of commands.
var commandGroups = []kong.Group{
	{Key: "begin", Title: "To begin:"},
	{Key: "use", Title: "To use it:"},
	{Key: "look", Title: "To look after it:"},
}

// logging is for commands that run long enough to say something.
type logging struct {
	LogLevel slog.Level `name:"log-level" default:"warn" help:"Log level on stderr: debug, info, warn or error."`
}

// fromFile is for commands whose flags may stand in a file.
type fromFile struct {
	Config string `help:"YAML configuration file: flags by name, and an mcp section." placeholder:"FILE"`
}

type versionCommand struct{}

func (versionCommand) Run(_ context.Context, c console) error {
	_, err := fmt.Fprintln(c.stdout, versionLine())
	return err
}

func versionLine() string { return "tabrelay " + release.Text() }

// newParser makes the parser of the command line, with a file behind it or none.
func newParser(c console, file *settings.File) (*kong.Kong, error) {
	options := []kong.Option{
		kong.Name("tabrelay"),
		kong.Description("Lets AI agents work in the browser that you already use."),
		kong.DefaultEnvars("TABRELAY"),
		kong.Writers(c.stdout, c.stderr),
		kong.ExplicitGroups(commandGroups),
		kong.Help(printHelp),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, FlagsLast: true, WrapUpperBound: 100}),
		kong.ValueFormatter(func(v *kong.Value) string { return v.Help }),
	}
	if file != nil {
		options = append(options, kong.Resolvers(file))
	}
	parser, err := kong.New(&commandLine{}, append(options, values...)...)
	if err == nil {
		parser.Model.HelpFlag.Help = "Print this."
	}
	return parser, err
}

// misread is the error of a command line, as far as it was understood.
type misread struct {
	error
	line *kong.Context
}

// parse parses a command line, with a file behind it or none. kong's own Parse and
// Run find hooks and commands by the names of methods, for which the linker keeps
// every method of every type in the program: 4 MB.
func parse(args []string, c console, file *settings.File) (*kong.Context, error) {
	parser, err := newParser(c, file)
	if err != nil {
		return nil, err
	}
	line, err := kong.Trace(parser, args)
	if err == nil {
		err = line.Error
	}
	if err != nil {
		return nil, misread{err, line}
	}
	if said, err := answered(line, c); said || err != nil {
		return nil, cmp.Or(err, errAnswered)
	}
	for _, step := range []func() error{line.Reset, line.Resolve, func() error { _, err := line.Apply(); return err }} {
		if err := step(); err != nil {
			return nil, misread{err, line}
		}
	}
	if file != nil {
		err = file.Validate(parser.Model)
	}
	if err == nil {
		err = complete(line)
	}
	if err != nil {
		return nil, misread{err, line}
	}
	return line, nil
}

// answered answers --help and --version, and reports whether one of them was given.
func answered(line *kong.Context, c console) (bool, error) {
	for _, step := range line.Path {
		switch {
		case step.Flag == nil:
		case step.Flag == line.Model.HelpFlag:
			return true, line.PrintUsage(false)
		case step.Flag.Name == "version":
			return true, versionCommand{}.Run(context.Background(), c)
		}
	}
	return false, nil
}

// complete returns what is missing from a command line, or has a value that it may
// not have.
func complete(line *kong.Context) error {
	command := line.Selected()
	if len(command.Children) > 0 {
		return fmt.Errorf("%s what? Choose one of %s", command.Name, strings.Join(commandNames(command), ", "))
	}
	for _, value := range command.Values() {
		name := value.ShortSummary()
		switch {
		case value.Required && !value.Set:
			return fmt.Errorf("%s is missing (%s)", name, strings.TrimSuffix(value.Help, "."))
		case value.Enum != "" && value.Set && !slices.Contains(value.EnumSlice(), value.Target.String()):
			return fmt.Errorf("%s: %q is not one of %s", name, value.Target.String(), strings.Join(value.EnumSlice(), ", "))
		}
	}
	return nil
}

// runner is a command.
type runner interface {
	Run(context.Context, console) error
}

// flagOf returns the value of a command's flag; zero where it has none of the name.
func flagOf[T any](command *kong.Context, name string) (value T) {
	for _, flag := range command.Flags() {
		if flag.Name == name {
			value, _ = command.FlagValue(flag).(T)
		}
	}
	return value
}
