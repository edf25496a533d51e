package main

import (
	"fmt"
	"log/slog"

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
	Log        logCommand        `cmd:"" group:"look" help:"Show who did what on which site, without content of pages."`
	Token      tokenCommand      `cmd:"" group:"look" help:"Print the token that agents over HTTP need."`
	Stop       stopCommand       `cmd:"" group:"look" help:"End the daemon and the browsers it started."`
	Daemon     daemonCommand     `cmd:"" group:"look" help:"Run the shared daemon in the foreground (normally started automatically)."`
	Completion completionCommand `cmd:"" group:"look" help:"Print completions for a shell."`
	Man        manCommand        `cmd:"" group:"look" help:"Print the manual page: tabrelay man | man -l -."`
	Version    versionCommand    `cmd:"" group:"look" help:"Print the version."`
	Help       helpCommand       `cmd:"" group:"look" help:"Explain a command."`

	Versions kong.VersionFlag `name:"version" env:"-" help:"Print the version."`
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

func (versionCommand) Run(c console) error {
	_, err := fmt.Fprintln(c.stdout, versionLine())
	return err
}

func versionLine() string { return "tabrelay " + release.Text() }

// newParser makes the parser of the command line, with a file behind it or none.
// Exit is called with the exit code of --help and --version.
func newParser(c console, file *settings.File, exit func(int)) (*kong.Kong, error) {
	options := []kong.Option{
		kong.Name("tabrelay"),
		kong.Description("Lets AI agents work in the browser that you already use."),
		kong.DefaultEnvars("TABRELAY"),
		kong.Vars{"version": versionLine()},
		kong.Writers(c.stdout, c.stderr),
		kong.Exit(exit),
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

// parse parses a command line, with a file behind it or none.
func parse(args []string, c console, file *settings.File) (*kong.Context, error) {
	left := -1 // the exit code of --help
	parser, err := newParser(c, file, func(code int) { left = code })
	if err != nil {
		return nil, err
	}
	command, err := parser.Parse(args)
	if left >= 0 {
		err = helpGiven(left)
	}
	return command, err
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
