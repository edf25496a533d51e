package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

type statusCommand struct {
	JSON   bool `name:"json" env:"-" help:"Print JSON, on one line."`
	Follow bool `env:"-" help:"Print again whenever agents, tabs or browsers change; with --log, what is added to it."`
	Log    bool `env:"-" help:"Print the end of the daemon's own log instead, which tells why it failed."`
}

func (s statusCommand) Run(ctx context.Context, c console) error {
	if s.Log {
		return s.log(ctx, c)
	}
	conn, who, err := daemon.Query(ctx, state.Folder(), daemon.AskStatus)
	if s.Follow && err == nil {
		_ = conn.Close()
		conn, _, err = daemon.Query(ctx, state.Folder(), daemon.AskWatch)
	}
	if errors.Is(err, daemon.ErrNone) && s.JSON {
		fmt.Fprintln(c.stdout, `{"running":false}`)
		return errSilent
	}
	if errors.Is(err, daemon.ErrNone) {
		return fmt.Errorf("%w; one starts with the first agent, or with `tabrelay daemon`", err)
	}
	if err != nil {
		return err
	}
	defer conn.Close()
	defer context.AfterFunc(ctx, func() { _ = conn.Close() })()
	r := bufio.NewReader(conn)
	for first := true; first || s.Follow; first = false {
		if !s.Follow {
			_ = conn.SetReadDeadline(time.Now().Add(daemon.QuietLimit))
		}
		line, err := daemon.ReadLine(r, nil, daemon.MaxLine)
		switch {
		case !first && (errors.Is(err, io.EOF) || ctx.Err() != nil):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("the daemon (pid %d) does not respond: end that process; the next call starts a new one", who.PID)
		case err != nil:
			return errors.New("the daemon is shutting down: try again")
		case s.JSON:
			_, err = c.stdout.Write(line)
		default:
			var now daemon.Status
			if err := json.Unmarshal(line, &now); err != nil {
				return fmt.Errorf("status: %w", err)
			}
			err = now.Print(c.stdout)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

type stopCommand struct{}

func (stopCommand) Run(ctx context.Context, c console) error {
	who, err := daemon.Stop(ctx, state.Folder())
	if errors.Is(err, daemon.ErrNone) {
		_, err = fmt.Fprintln(c.stdout, "no daemon is running")
		return err
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "the daemon (pid %d) has ended\n", who.PID)
	return err
}
