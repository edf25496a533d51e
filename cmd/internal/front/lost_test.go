package front

import (
	"bufio"
	"encoding/json"
	"io"
	"net"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// mortal stands in a daemon's place and dies under calls, as often as it is told.
type mortal struct {
	t      *testing.T
	deaths chan struct{}   // a token for each call that it dies under
	begun  chan struct{}   // a token for each session that began
	heard  chan string     // the calls that came
	asks   chan daemon.Ask // how each front began
	levels chan string     // how much each session wants logged
}

// newMortal listens in a state folder of its own, in which fronts find it.
func newMortal(t *testing.T) *mortal {
	t.Helper()
	dir := t.TempDir()
	t.Setenv("TABRELAY_STATE", dir)
	l, contact, err := daemon.Listen(dir)
	if err == nil {
		err = contact.Write(dir)
	}
	if err != nil {
		t.Fatal(err)
	}
	m := &mortal{t: t, deaths: make(chan struct{}, 8), begun: make(chan struct{}, 8), heard: make(chan string, 8), levels: make(chan string, 8), asks: make(chan daemon.Ask, 8)}
	done := make(chan struct{})
	go func() { // ends with the listener
		defer close(done)
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			m.serve(conn)
			_ = conn.Close()
		}
	}()
	t.Cleanup(func() {
		_ = l.Close()
		<-done
	})
	return m
}

func (m *mortal) serve(conn net.Conn) {
	r := bufio.NewReader(conn)
	var ask daemon.Ask
	if line, err := r.ReadBytes('\n'); err != nil || json.Unmarshal(line, &ask) != nil {
		return
	}
	m.asks <- ask
	_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayWelcome, Reads: []string{"look"}})
	for {
		line, err := r.ReadBytes('\n')
		if err != nil {
			return
		}
		var q struct {
			ID     json.RawMessage
			Method string
			Params struct{ Name, Level string }
		}
		switch {
		case daemon.IsControl(line):
			return // its agent asks nothing more
		case json.Unmarshal(line, &q) != nil || q.ID == nil:
			if q.Method == "notifications/initialized" {
				m.begun <- struct{}{}
			}
			continue
		}
		if q.Method == "logging/setLevel" {
			m.levels <- q.Params.Level
		}
		if q.Method == "tools/call" {
			_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayRecord, Record: json.RawMessage(`{"of":"` + q.Params.Name + `"}`)})
			m.heard <- q.Params.Name
			select {
			case <-m.deaths:
				return
			default:
			}
		}
		_, _ = io.WriteString(conn, `{"jsonrpc":"2.0","id":`+string(q.ID)+`,"result":{"of":"`+q.Method+`"}}`+"\n")
	}
}

// A call that only looks is made once more when its daemon dies, and not again when
// that one dies, too; one that acts is made once. The session goes on each time.
func TestDaemonThatDiesUnderACall(t *testing.T) {
	m := newMortal(t)
	in, agent := io.Pipe()
	said, out := io.Pipe()
	over := make(chan error, 1)
	go func() {
		over <- Stdio(t.Context(), settings.Agent{}, Streams{In: in, Out: out, Err: io.Discard, Level: "error"})
		_ = out.Close()
	}()
	lines := make(chan string, 8)
	go func() { // ends with the front
		for r := bufio.NewReader(said); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			lines <- line
		}
	}()
	await := func() string {
		t.Helper()
		select {
		case line := <-lines:
			return line
		case <-time.After(30 * time.Second):
			t.Fatal("there is no answer")
			return ""
		}
	}
	began := func() {
		t.Helper()
		select {
		case <-m.begun:
		case <-time.After(30 * time.Second):
			t.Fatal("the daemon does not hear that the session began")
		}
	}
	send := func(line string) {
		t.Helper()
		if _, err := io.WriteString(agent, line+"\n"); err != nil {
			t.Fatal(err)
		}
	}
	send(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`)
	if line := await(); !strings.Contains(line, `"of":"initialize"`) {
		t.Fatal(line)
	}
	send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	began()
	send(`{"jsonrpc":"2.0","id":2,"method":"logging/setLevel","params":{"level":"info"}}`)
	if line, level := await(), <-m.levels; !strings.Contains(line, `"id":2`) || level != "info" {
		t.Fatal(line, level)
	}
	if first := <-m.asks; first.Ask != daemon.AskAgent || first.Record != nil {
		t.Errorf("%+v", first)
	}
	for n, c := range []struct {
		tool          string
		deaths, calls int
		lost          bool
	}{
		{"look", 0, 1, false}, {"look", 1, 2, false}, {"look", 2, 2, true}, {"look", 0, 1, false},
		{"act", 1, 1, true}, {"act", 0, 1, false}, {"look", 3, 2, true}, {"look", 0, 2, false},
	} {
		for range c.deaths {
			m.deaths <- struct{}{}
		}
		send(`{"jsonrpc":"2.0","id":"x","method":"tools/call","params":{"name":"` + c.tool + `","arguments":{}}}`)
		if line := await(); strings.Contains(line, `"isError":true`) != c.lost || strings.Contains(line, `"of":"tools/call"`) == c.lost || !strings.Contains(line, `"id":"x"`) {
			t.Errorf("%d: %s %d deaths: %s", n, c.tool, c.deaths, line)
		}
		if len(m.heard) != c.calls {
			t.Errorf("%d: %s %d deaths: it was made %d times", n, c.tool, c.deaths, len(m.heard))
		}
		for len(m.heard) > 0 {
			<-m.heard
		}
		for len(m.asks) > 0 {
			began() // in each the client's word comes before its call
			if level := <-m.levels; level != "info" {
				t.Errorf("%d: another daemon is to log %q", n, level)
			}
			if ask := <-m.asks; !strings.HasPrefix(string(ask.Record), `{"of":"`) {
				t.Errorf("%d: another daemon is told of %s", n, ask.Record)
			}
		}
	}
	_ = agent.Close()
	if err := <-over; err != nil {
		t.Error(err)
	}
}

// What a front answers in the daemon's place is written as its agent's set of tools
// writes errors.
func TestRefusalsAreTheSets(t *testing.T) {
	for set, want := range map[string][]string{
		"full":    {`error: it stopped\nhint: look first`, `"structuredContent":{"error":"it stopped","hint":"look first","kind":"ConnectionLost"}`},
		"facade":  {`{\"success\":false,\"error\":\"it stopped; look first\"`, `"structuredContent":{"success":false,"error":"it stopped; look first"`},
		"minimal": {`error:\n  code: NO_TAB\n  message: it stopped; look first`},
		"dynamic": {`{\"error\":\"it stopped\",\"hint\":\"look first\"}`},
	} {
		var out strings.Builder
		f := &stdioFront{out: &out}
		f.flags.Tools, f.flags.Structured = set, true
		f.refuse(json.RawMessage(`"x"`), "tools/call", &tools.Error{Kind: adapter.ErrConnectionLost, Text: "it stopped", Hint: "look first"})
		for _, part := range append(want, `"id":"x"`, `"isError":true`) {
			if !strings.Contains(out.String(), part) {
				t.Errorf("%s: %s is missing in %s", set, part, &out)
			}
		}
	}
}
