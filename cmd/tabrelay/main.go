// Command tabrelay lets AI agents work in the browser that a person already
// uses.
//
//	tabrelay                     an MCP server over stdin and stdout
//	tabrelay --transport http    the same at http://127.0.0.1:8765/mcp
//	tabrelay extension           writes the extension for one's own browser
//	tabrelay demo                shows what an agent can do
//
// Two facts explain the rest. In stdio mode nothing but JSON-RPC goes to
// stdout: all else that is said goes to stderr. And one type, host, owns what
// agents share: the listener, the relay and the managed browsers; whoever
// serves an agent only asks it for an endpoint.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/alecthomas/kong"

	"github.com/tabrelay/tabrelay/cmd/internal/front"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// The exit codes.
const (
	exitFailed = 1 // what was asked for did not work
	exitUsage  = 2 // it was asked for in a wrong way
)

// commandLine is every flag. Each can also be given by the environment, as
// TABRELAY_ and its name.
type commandLine struct {
	serveFlags

	Serve     serveCommand     `cmd:"" default:"1" help:"Serve MCP to an agent (the default)."`
	Extension extensionCommand `cmd:"" help:"Write the extension for your own browser and say how to load it."`
	Demo      demoCommand      `cmd:"" help:"Show what an agent can do, on a small built-in site."`
	Daemon    daemonCommand    `cmd:"" help:"Run the shared daemon in the foreground (normally started automatically)."`
	CDP       cdpCommand       `cmd:"" name:"cdp" help:"Print a new address for a CDP client such as Playwright, Puppeteer or chromedp."`
	Status    statusCommand    `cmd:"" help:"Show agents, browsers and which agent holds each tab."`
	Stop      stopCommand      `cmd:"" help:"End the daemon and the browsers it started."`
	Version   versionCommand   `cmd:"" help:"Print the version."`

	LogLevel slog.Level `name:"log-level" default:"warn" help:"Log level on stderr: debug, info, warn or error."`
	Config   string     `help:"YAML configuration file: flags by name, and an mcp section." placeholder:"FILE"`
}

// console is what a command reads and writes.
type console struct {
	stdin  io.ReadCloser
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger
	level  slog.Level // of log
}

func (c console) streams() front.Streams {
	return front.Streams{In: c.stdin, Out: c.stdout, Err: c.stderr, Level: c.level.String()}
}

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	code := run(ctx, os.Args[1:], console{stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr})
	stop()
	os.Exit(code)
}

// run runs a command line and returns the exit code.
func run(ctx context.Context, args []string, c console) int {
	line, command, err := parse(args, c, nil)
	var config tools.Config
	if err == nil && line.Config != "" {
		var file *settings.File
		if config, file, err = settings.ReadFile(line.Config); err == nil {
			line, command, err = parse(args, c, file)
		}
	}
	var over helpGiven
	switch {
	case errors.As(err, &over):
		return int(over)
	case err != nil:
		fmt.Fprintf(c.stderr, "tabrelay: %v\nSee tabrelay --help.\n", err)
		return exitUsage
	}
	line.Agent.Config = config
	c.level = line.LogLevel
	c.log = slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: line.LogLevel}))
	command.BindTo(ctx, (*context.Context)(nil))
	command.Bind(&line.serveFlags)
	switch err := command.Run(c); {
	case errors.Is(err, errUsage):
		fmt.Fprintf(c.stderr, "tabrelay: %s\nSee tabrelay --help.\n", strings.TrimSuffix(err.Error(), ": "+errUsage.Error()))
		return exitUsage
	case errors.Is(err, errSilent):
		return exitFailed
	case err != nil:
		fmt.Fprintln(c.stderr, "tabrelay:", err)
		return exitFailed
	}
	return 0
}

// parse parses a command line, with a file behind it or none.
func parse(args []string, c console, file *settings.File) (*commandLine, *kong.Context, error) {
	line := &commandLine{}
	left := -1 // the exit code of --help
	options := []kong.Option{
		kong.Name("tabrelay"),
		kong.Description("Lets AI agents work in the browser that you already use."),
		kong.DefaultEnvars("TABRELAY"),
		kong.Writers(c.stdout, c.stderr),
		kong.Exit(func(code int) { left = code }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 100}),
	}
	if file != nil {
		options = append(options, kong.Resolvers(file))
	}
	parser, err := kong.New(line, options...)
	if err != nil {
		return nil, nil, err
	}
	command, err := parser.Parse(args)
	if left >= 0 {
		err = helpGiven(left)
	}
	return line, command, err
}

// helpGiven is an exit code: what was asked for has been said.
type helpGiven int

func (helpGiven) Error() string { return "help was given" }

// errSilent is the end of a command that has said all there is to say.
var errSilent = errors.New("said already")

// errUsage marks errors of the command line itself.
var errUsage = errors.New("wrong usage")

type versionCommand struct{}

func (versionCommand) Run(c console) error {
	_, err := fmt.Fprintln(c.stdout, "tabrelay", release.Text())
	return err
}

func checkPort(port int) error {
	if port < 1 || port > 65535 {
		return fmt.Errorf("--port %d: a port is 1 to 65535: %w", port, errUsage)
	}
	return nil
}
