package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/history"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// logCommand prints the history.
type logCommand struct {
	Follow bool   `env:"-" help:"Go on with what happens from now on, until the daemon ends."`
	Agent  string `env:"-" help:"Only this agent, or this address of CDP clients." placeholder:"NAME"`
	JSON   bool   `env:"-" name:"json" help:"Print JSON, a line for each entry."`
}

func (o logCommand) Run(ctx context.Context, c console) error {
	var follow *bufio.Reader
	if o.Follow {
		conn, _, err := daemon.Query(ctx, state.Folder(), daemon.AskHistory)
		if errors.Is(err, daemon.ErrNone) {
			return fmt.Errorf("%w; one starts with the first agent, or with `tabrelay daemon`", err)
		}
		if err != nil {
			return err
		}
		defer conn.Close()
		defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
		follow = bufio.NewReader(conn)
		_ = conn.SetReadDeadline(time.Now().Add(daemon.QuietLimit))
		if _, err := daemon.ReadLine(follow, nil, daemon.MaxGreeting); err != nil {
			return errors.New("the daemon does not tell its history: it is shutting down, or older than this program")
		}
		_ = conn.SetReadDeadline(time.Time{})
	}
	var last time.Time
	shown := false
	tell := func(e history.Entry, line []byte) error {
		last = e.At
		if o.Agent != "" && e.Who != o.Agent {
			return nil
		}
		shown = true
		if o.JSON {
			_, err := fmt.Fprintf(c.stdout, "%s\n", line)
			return err
		}
		return e.Print(c.stdout)
	}
	if err := history.Read(state.Folder(), tell); err != nil {
		return err
	}
	switch {
	case shown || o.JSON:
	case last.IsZero():
		fmt.Fprintln(c.stderr, "Nothing is in the history yet.")
	default:
		fmt.Fprintf(c.stderr, "Nothing in the history is of an agent called %q.\n", o.Agent)
	}
	if follow == nil {
		return nil
	}
	for {
		line, err := daemon.ReadLine(follow, nil, daemon.MaxLine)
		if err != nil {
			return nil // the daemon left, or the person has seen enough
		}
		var e history.Entry
		if json.Unmarshal(line, &e) != nil || !e.At.After(last) {
			continue // it was in the file by then
		}
		if err := tell(e, line[:len(line)-1]); err != nil {
			return err
		}
	}
}
