package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/shell"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/tools"
)

// sessionFlags say which agent a command of the shell is.
type sessionFlags struct {
	Session string `default:"shell" help:"Name of the session. It goes on where its last call ended: same tabs, same refs; each set of --tools has its own." placeholder:"NAME"`
	JSON    bool   `name:"json" env:"-" help:"Print JSON: one line for each answer."`

	settings.Agent
	logging
	fromFile
}

// open connects to the session, which ends with the connection: if end is set, or if
// endNew is and nobody used the session before.
func (f sessionFlags) open(ctx context.Context, c console, end, endNew bool) (*shell.Client, error) {
	f.Agent.Config = c.config
	if f.Session == "" {
		return nil, fmt.Errorf("--session: the name is empty: %w", errUsage)
	}
	if err := f.Check(f.Tools); err != nil {
		return nil, fmt.Errorf("%w: %w", err, errUsage)
	}
	agent, err := f.Resolved()
	if err != nil {
		return nil, fmt.Errorf("%w: %w", err, errUsage)
	}
	return shell.Open(ctx, shell.Options{Dir: state.Folder(), Level: c.level.String(), Session: f.Session, End: end, EndNew: endNew, Agent: agent})
}

type toolsCommand struct {
	Tool string `arg:"" optional:"" help:"The tool to explain; default: list the whole set."`
	sessionFlags
}

func (t toolsCommand) Run(ctx context.Context, c console) error {
	client, err := t.open(ctx, c, false, false)
	if err != nil {
		return err
	}
	defer client.Close()
	list, err := client.Tools(ctx)
	if err != nil {
		return err
	}
	w := shell.Writer{Out: c.stdout, JSON: t.JSON}
	if t.Tool == "" {
		return w.List(list)
	}
	var names []string
	for _, tool := range list {
		if tool.Name == t.Tool {
			return w.Explain(tool)
		}
		names = append(names, tool.Name)
	}
	return fmt.Errorf("no tool is called %q%s: %w", t.Tool, meant(t.Tool, names), errUsage)
}

type callCommand struct {
	Tool string   `arg:"" optional:"" help:"The tool, as tabrelay tools lists it."`
	With []string `arg:"" optional:"" sep:"none" help:"Its arguments, as name=value; values other than text are JSON. Or all of them as one JSON object."`
	Out  string   `env:"-" help:"File for a picture; default: a new one, named after the tool." placeholder:"FILE"`
	End  bool     `env:"-" help:"End the session after the call, or at once without a tool."`
	sessionFlags
}

func (o callCommand) Run(ctx context.Context, c console) error {
	if o.Tool == "" && !o.End {
		return fmt.Errorf("which tool? `tabrelay tools` lists them: %w", errUsage)
	}
	if o.Tool == "" { // a session ends whatever it began with
		c.config, o.Agent = tools.Config{}, settings.Agent{Settings: tools.Settings{Tools: o.Tools}, Noted: settings.Noted{History: true}}
	}
	client, err := o.open(ctx, c, o.End, false)
	if err != nil {
		return err
	}
	defer client.Close()
	if o.Tool == "" {
		return nil
	}
	return o.play(ctx, c, client, shell.Writer{Out: c.stdout, JSON: o.JSON, File: o.Out}, append([]string{o.Tool}, o.With...))
}

// play makes one call and writes its answer; a failure of the tool is errSilent.
func (f sessionFlags) play(ctx context.Context, c console, client *shell.Client, w shell.Writer, words []string) error {
	answer, err := client.Call(ctx, words[0], words[1:])
	if err != nil {
		return fmt.Errorf("%w%s", err, likely(ctx, client, words[0]))
	}
	if answer.IsError && !w.JSON {
		w.Out = c.stderr
	}
	if err := w.Write(words[0], answer); err != nil {
		return err
	}
	if answer.IsError {
		return errSilent
	}
	return nil
}

// likely names the tool that was meant by a name that none has.
func likely(ctx context.Context, client *shell.Client, name string) string {
	list, err := client.Tools(ctx)
	var names []string
	for _, tool := range list {
		if tool.Name == name {
			return ""
		}
		names = append(names, tool.Name)
	}
	if err != nil {
		return ""
	}
	return meant(name, names)
}

type runCommand struct {
	File string `arg:"" optional:"" help:"File with one call a line, as tabrelay call takes it; - for stdin. # begins a comment."`
	Keep bool   `env:"-" help:"Keep a session that the list begins. By default it ends with the list."`
	End  bool   `env:"-" help:"End the session after the list, even if calls used it before."`
	sessionFlags
}

func (o runCommand) Run(ctx context.Context, c console) error {
	if o.File == "" {
		return fmt.Errorf("which file? - is stdin: %w", errUsage)
	}
	if o.Keep && o.End {
		return fmt.Errorf("--keep and --end exclude each other: %w", errUsage)
	}
	in := io.Reader(c.stdin)
	if o.File != "-" {
		f, err := os.Open(o.File)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	client, err := o.open(ctx, c, o.End, !o.Keep)
	if err != nil {
		return err
	}
	defer client.Close()
	list := bufio.NewScanner(in)
	list.Buffer(nil, maxCall)
	for n := 1; list.Scan(); n++ {
		words, err := shell.Words(list.Text())
		if err == nil && len(words) > 0 {
			if !o.JSON {
				fmt.Fprintln(c.stdout, ">", list.Text())
			}
			err = o.play(ctx, c, client, shell.Writer{Out: c.stdout, JSON: o.JSON}, words)
		}
		if errors.Is(err, errSilent) {
			return fmt.Errorf("%s:%d: this call failed, and those after it were not made", o.File, n)
		}
		if err != nil {
			return fmt.Errorf("%s:%d: %w", o.File, n, err)
		}
	}
	return list.Err()
}

// maxCall is how long a call in a file may be.
const maxCall = 1 << 20
