package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// firstWords are for a person who starts tabrelay alone, where no agent speaks.
const firstWords = `Tabrelay lets AI agents work in the browser that you already use.

An MCP client starts ` + "`tabrelay`" + ` itself and speaks to it on stdin and stdout; there is
nothing to do for it in a terminal. From here:

  tabrelay setup       adds it to your MCP client (Claude Code, Cursor, VS Code, …)
  tabrelay demo        shows what an agent can do
  tabrelay extension   connects your own browser, with its logins
  tabrelay status      shows agents, browsers and tabs
  tabrelay doctor      finds out what is wrong, if something is
  tabrelay help        lists all commands
`

type helpCommand struct {
	Command string `arg:"" optional:"" help:"The command to explain; default: list all of them."`
}

func (h helpCommand) Run(_ context.Context, c console) error {
	args := []string{"--help"}
	if h.Command != "" {
		args = []string{h.Command, "--help"}
	}
	parser, err := newParser(c, nil)
	if err != nil {
		return err
	}
	if names := commandNames(parser.Model.Node); h.Command != "" && !slices.Contains(names, h.Command) {
		return fmt.Errorf("there is no command %q%s: %w", h.Command, meant(h.Command, names), errUsage)
	}
	_, err = parse(args, c, nil)
	if errors.Is(err, errAnswered) {
		return nil
	}
	return err
}

// commandNames are those of all commands.
func commandNames(app *kong.Node) (names []string) {
	for _, command := range app.Children {
		names = append(names, command.Name)
	}
	return names
}

// printHelp prints what a command is for, its flags, and what holds for them all.
func printHelp(options kong.HelpOptions, command *kong.Context) error {
	if err := kong.DefaultHelpPrinter(options, command); err != nil {
		return err
	}
	node := command.Selected()
	if node == nil {
		return nil
	}
	var env string
	for _, flag := range node.Flags {
		if len(flag.Envs) > 0 && (env == "" || flag.Name == "headless") {
			env = fmt.Sprintf("--%s is $%s", flag.Name, strings.Join(flag.Envs, " or $"))
		}
	}
	if env == "" {
		return nil
	}
	_, err := fmt.Fprintf(command.Stdout, "\nSettings can also come from the environment: %s.\n", env)
	return err
}
