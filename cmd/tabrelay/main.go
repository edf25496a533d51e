// Command tabrelay lets AI agents work in the browser that a person already
// uses.
//
//	tabrelay                     an MCP server over stdin and stdout
//	tabrelay --transport http    the same at http://127.0.0.1:8765/mcp
//	tabrelay extension           writes the extension for one's own browser
//	tabrelay call TOOL …         calls one tool of an agent's
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
	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// The exit codes.
const (
	exitFailed = 1 // what was asked for did not work
	exitUsage  = 2 // it was asked for in a wrong way
)

// console is what a command reads and writes, and how it was called.
type console struct {
	stdin  io.ReadCloser
	stdout io.Writer
	stderr io.Writer
	log    *slog.Logger
	level  slog.Level // of log
	line   *kong.Context
	config tools.Config // of the file that --config names
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
	if len(args) == 0 && process.IsTerminal(c.stdin) {
		fmt.Fprint(c.stdout, firstWords)
		return 0
	}
	command, err := parse(args, c, nil)
	var config tools.Config
	if err == nil {
		if name := flagOf[string](command, "config"); name != "" {
			var file *settings.File
			if config, file, err = settings.ReadFile(name); err == nil {
				command, err = parse(args, c, file)
			}
		}
	}
	switch {
	case errors.Is(err, errAnswered):
		return 0
	case err != nil:
		return c.misused(err, nil)
	}
	c.level = flagOf[slog.Level](command, "log-level")
	c.log = slog.New(slog.NewTextHandler(c.stderr, &slog.HandlerOptions{Level: c.level}))
	c.line, c.config = command, config
	switch err := command.Selected().Target.Interface().(runner).Run(ctx, c); {
	case errors.Is(err, errUsage):
		return c.misused(errors.New(strings.TrimSuffix(err.Error(), ": "+errUsage.Error())), command)
	case errors.Is(err, errSilent):
		return exitFailed
	case err != nil:
		fmt.Fprintln(c.stderr, "tabrelay:", err)
		return exitFailed
	}
	return 0
}

// misused says what is wrong with a command line, and where to read what is right.
func (c console) misused(err error, command *kong.Context) int {
	var wrong misread
	help := "tabrelay --help"
	switch {
	case errors.As(err, &wrong):
		help, err = mistake(wrong)
	case command != nil && command.Selected().Name != "help": // which would explain itself
		help = helpOf(command.Selected())
	}
	fmt.Fprintf(c.stderr, "tabrelay: %v\nSee `%s`.\n", err, help)
	return exitUsage
}

// errAnswered is the end of a command line that --help or --version answered.
var errAnswered = errors.New("help was given")

// errSilent is the end of a command that has said all there is to say.
var errSilent = errors.New("said already")

// errUsage marks errors of the command line itself.
var errUsage = errors.New("wrong usage")

func checkPort(port int) error {
	if port < 1 || port > 65535 {
		return fmt.Errorf("--port %d: a port is 1 to 65535: %w", port, errUsage)
	}
	return nil
}
