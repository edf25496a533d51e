package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/cmd/internal/setup"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

type setupCommand struct {
	Client string   `arg:"" optional:"" help:"The client: claude-code, claude-desktop, cursor, vscode, vscode-insiders, copilot, windsurf, codex, gemini, kiro, lmstudio or zed; default: all that are found."`
	Args   []string `arg:"" optional:"" sep:"none" help:"Arguments that the client gives to tabrelay, after --: -- --browser chrome."`
	Yes    bool     `env:"-" short:"y" help:"Write without asking."`
	Print  bool     `env:"-" help:"Show the change, and write nothing."`
	Undo   bool     `env:"-" help:"Take tabrelay out of the client's configuration again."`
}

func (o setupCommand) Run(_ context.Context, c console) error {
	if strings.HasPrefix(o.Client, "-") { // it stands behind --
		o.Client, o.Args = "", append([]string{o.Client}, o.Args...)
	}
	home := setup.ThisHome()
	list, err := o.clients(home)
	if err != nil {
		return err
	}
	if err := served(c, o.Args); err != nil {
		return err
	}
	path, err := program()
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	server := setup.Server{Command: path, Args: o.Args}
	if len(list) == 0 {
		fmt.Fprintf(c.stdout, "No MCP client was found. Name one (%s), or add this to the configuration of yours:\n\n%s", ids(), setup.Clients[0].Snippet(server))
		return errSilent
	}
	if !o.Yes && !o.Print && !process.IsTerminal(c.stdin) {
		return fmt.Errorf("nobody is there to say yes: add --yes to write, or --print to look: %w", errUsage)
	}
	in := bufio.NewReader(c.stdin)
	for _, client := range list {
		switch failed := o.one(c, in, home, client, server); {
		case len(list) == 1:
			return failed
		case failed != nil: // the others are none the worse
			fmt.Fprintln(c.stderr, "tabrelay:", failed)
			err = errSilent
		}
	}
	return err
}

// served is the error of arguments with which a client could not start tabrelay.
func served(c console, args []string) error {
	if len(args) == 0 {
		return nil
	}
	command, err := parse(args, c, nil)
	var wrong misread
	switch {
	case errors.As(err, &wrong):
		_, err = mistake(wrong)
	case err == nil && command.Selected().Name != "serve":
		err = fmt.Errorf("%s is not a command for a client, which starts `tabrelay serve`", command.Selected().Name)
	}
	if err != nil {
		return fmt.Errorf("what follows --: %w: %w", err, errUsage)
	}
	return nil
}

// program is the path of this program: the one by which a shell finds it, which
// stays the same when it is updated, if there is one.
func program() (string, error) {
	path, err := os.Executable()
	if err != nil {
		return "", err
	}
	found, err := exec.LookPath("tabrelay")
	if err != nil || !filepath.IsAbs(found) {
		return path, nil
	}
	this, err := os.Stat(path)
	if err != nil {
		return path, nil
	}
	if that, err := os.Stat(found); err != nil || !os.SameFile(this, that) {
		return path, nil
	}
	return found, nil
}

// clients are those that are meant.
func (o setupCommand) clients(home setup.Home) (list []setup.Client, err error) {
	if o.Client != "" {
		client, ok := setup.Find(o.Client)
		if !ok {
			return nil, fmt.Errorf("no client is called %q%s: %w", o.Client, cmp.Or(meant(o.Client, strings.Split(ids(), ", ")), "; known are "+ids()), errUsage)
		}
		return []setup.Client{client}, nil
	}
	for _, client := range setup.Clients {
		if client.Installed(home) {
			list = append(list, client)
		}
	}
	return list, nil
}

func ids() string {
	var list []string
	for _, client := range setup.Clients {
		list = append(list, client.ID)
	}
	return strings.Join(list, ", ")
}

// one shows a client's change, and writes it if that is wanted.
func (o setupCommand) one(c console, in *bufio.Reader, home setup.Home, client setup.Client, server setup.Server) error {
	var change setup.Change
	var err error
	if o.Undo {
		change, err = client.Remove(home, state.Folder())
	} else {
		change, err = client.Add(home, server)
	}
	switch {
	case err != nil:
		return err
	case change.Empty() && o.Undo:
		_, err = fmt.Fprintf(c.stdout, "%s: tabrelay is not in %s\n", client.Name, change.Path)
		return err
	case change.Empty():
		_, err = fmt.Fprintf(c.stdout, "%s is set up already (%s)\n", client.Name, change.Path)
		return err
	}
	fmt.Fprintf(c.stdout, "%s:\n%s", client.Name, change.Diff())
	if o.Print {
		return nil
	}
	if !o.Yes {
		fmt.Fprintf(c.stdout, "Write this to %s? [y/N] ", change.Path)
		answer, err := in.ReadString('\n')
		if err != nil && err != io.EOF {
			return fmt.Errorf("setup: %w", err)
		}
		if a := strings.ToLower(strings.TrimSpace(answer)); a != "y" && a != "yes" {
			fmt.Fprintln(c.stdout, "Nothing was written.")
			return nil
		}
	}
	if err := change.Write(state.Folder()); err != nil {
		return err
	}
	if o.Undo {
		_, err = fmt.Fprintf(c.stdout, "Tabrelay is no longer in %s.\n", change.Path)
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "%s is set up: %s. `tabrelay setup %s --undo` takes it back.\n", client.Name, client.Then, client.ID)
	return err
}
