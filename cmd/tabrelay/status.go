package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"
)

type statusCommand struct {
	JSON   bool `name:"json" help:"As JSON, in one line."`
	Follow bool `help:"Tell again when an agent comes, goes or holds something else, and when a browser comes or goes."`
}

// quietLimit is how long a daemon may take for a status.
const quietLimit = 10 * time.Second

func (s statusCommand) Run(ctx context.Context, c console) error {
	conn, who, err := askDaemon(ctx, stateDir(), askStatus)
	if s.Follow && err == nil {
		_ = conn.Close()
		conn, _, err = askDaemon(ctx, stateDir(), askWatch)
	}
	if errors.Is(err, errNoDaemon) && s.JSON {
		fmt.Fprintln(c.stdout, `{"running":false}`)
		return errSilent
	}
	if errors.Is(err, errNoDaemon) {
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
			_ = conn.SetReadDeadline(time.Now().Add(quietLimit))
		}
		line, err := readLine(r, nil, maxLine)
		switch {
		case !first && (errors.Is(err, io.EOF) || ctx.Err() != nil):
			return nil
		case errors.Is(err, os.ErrDeadlineExceeded):
			return fmt.Errorf("the daemon (pid %d) does not answer: end that process; the next call starts another", who.PID)
		case err != nil:
			return errors.New("the daemon was just leaving: try again")
		case s.JSON:
			_, err = c.stdout.Write(line)
		default:
			var now status
			if err := json.Unmarshal(line, &now); err != nil {
				return fmt.Errorf("status: %w", err)
			}
			err = now.print(c.stdout)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// print prints a status for a person.
func (s status) print(w io.Writer) error {
	memory := ""
	if s.Memory > 0 {
		memory = fmt.Sprintf(", %d MB", s.Memory>>20)
	}
	fmt.Fprintf(w, "tabrelay %s, pid %d, port %d, up %s%s\n", s.Version, s.PID, s.Port, time.Since(s.Started).Round(time.Second), memory)
	if s.Taken != 0 {
		fmt.Fprintln(w, portTaken(s.Taken))
	}
	if s.HTTP {
		fmt.Fprintf(w, "agents over HTTP: http://127.0.0.1:%d/mcp\n", s.Port)
	}
	if len(s.Agents) == 0 {
		fmt.Fprintln(w, "no agents")
	}
	for _, a := range s.Agents {
		uses := "no browser"
		if a.Browser != "" {
			uses = a.Browser + ", " + counted(len(a.Tabs), "tab")
		}
		way := fmt.Sprintf("pid %d", a.PID)
		if a.HTTP {
			way = "over HTTP, " + way
		}
		fmt.Fprintf(w, "agent %s (%s), for %s: %s\n", named(a.Name, a.Version), way, time.Since(a.Since).Round(time.Second), uses)
	}
	if len(s.Browsers) == 0 {
		fmt.Fprintln(w, "no browsers")
	}
	for _, b := range s.Browsers {
		kind := "your own"
		if b.Managed {
			kind = "managed"
		}
		if b.Headless {
			kind += ", without a window"
		}
		if b.Profile != "" {
			kind += ", profile " + b.Profile
		}
		if !b.Connected {
			kind += ", not connected now"
		}
		name := b.Name
		if b.Called != "" {
			name = b.Called + ", " + name
		}
		fmt.Fprintf(w, "browser %s (%s): %s\n", name, kind, counted(len(b.Tabs), "tab"))
		for _, t := range b.Tabs {
			held := ""
			if t.Holder != 0 {
				held = fmt.Sprintf(", %s of %s (pid %d)", t.Page, named(t.Agent, ""), t.Holder)
			}
			fmt.Fprintf(w, "  %q %s%s\n", cutTo(t.Title, 60), cutTo(t.URL, 100), held)
		}
	}
	_, err := fmt.Fprintln(w)
	return err
}

func named(name, version string) string {
	switch {
	case name == "":
		return "without a name"
	case version == "":
		return name
	}
	return name + ", version " + version
}

func counted(n int, what string) string {
	if n != 1 {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}

type stopCommand struct{}

func (stopCommand) Run(ctx context.Context, c console) error {
	who, err := stopDaemon(ctx, stateDir())
	if errors.Is(err, errNoDaemon) {
		_, err = fmt.Fprintln(c.stdout, "no daemon is running")
		return err
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(c.stdout, "the daemon (pid %d) has ended\n", who.PID)
	return err
}

// askDaemon connects to the daemon and asks it something; the caller closes.
func askDaemon(ctx context.Context, dir, what string) (net.Conn, contact, error) {
	return tellDaemon(ctx, dir, ask{Ask: what})
}

// tellDaemon is askDaemon with more to say.
func tellDaemon(ctx context.Context, dir string, q ask) (net.Conn, contact, error) {
	conn, c, err := findDaemon(ctx, dir)
	if err != nil {
		return nil, c, err
	}
	q.Protocol, q.Secret, q.Version, q.PID = wireProtocol, c.Secret, versionText(), os.Getpid()
	if err := writeLine(conn, q); err != nil {
		_ = conn.Close()
		return nil, c, errNoDaemon // it was just leaving
	}
	return conn, c, nil
}

// stopDaemon asks the daemon to leave and waits until it has.
func stopDaemon(ctx context.Context, dir string) (contact, error) {
	return endDaemon(ctx, dir, ask{Ask: askStop})
}

func endDaemon(ctx context.Context, dir string, q ask) (contact, error) {
	conn, c, err := tellDaemon(ctx, dir, q)
	if err != nil {
		return c, err
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(lifeLimit))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		return c, fmt.Errorf("the daemon (pid %d) does not leave: end that process", c.PID)
	}
	return c, nil
}
