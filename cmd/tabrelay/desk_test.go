package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
)

// waitLimit bounds every wait of these tests.
const waitLimit = 20 * time.Second

// peer is a front as an agent sees it.
type peer struct {
	t     testing.TB
	cmd   *exec.Cmd
	in    io.WriteCloser
	lines chan string // what it says; closed at its end
	err   *strings.Builder
	next  int
	ended sync.Once
}

// desk is a state folder in which processes run.
type desk struct {
	t      testing.TB
	dir    string
	idle   string
	binary string
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t, dir: t.TempDir(), idle: "1m", binary: "tabrelay"}
	t.Cleanup(func() { _, _ = daemon.Stop(context.Background(), d.dir) })
	return d
}

func (d *desk) command(args ...string) *exec.Cmd {
	cmd := exec.Command(d.binary, args...)
	cmd.Env = append(os.Environ(), "TABRELAY_STATE="+d.dir, "TABRELAY_IDLE="+d.idle, "HOME="+d.dir)
	return cmd
}

// front starts a front.
func (d *desk) front(args ...string) *peer {
	d.t.Helper()
	p := &peer{t: d.t, cmd: d.command(args...), lines: make(chan string, 64), err: &strings.Builder{}}
	p.cmd.Stderr = p.err
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		d.t.Fatal(err)
	}
	out, err := p.cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := p.cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	go func() { // ends with the process
		defer close(p.lines)
		for r := bufio.NewReader(out); ; {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			p.lines <- line
		}
	}()
	d.t.Cleanup(p.kill)
	return p
}

func (p *peer) kill() {
	p.ended.Do(func() {
		_ = p.cmd.Process.Kill()
		_ = p.cmd.Wait()
	})
}

// line returns the next line that the front says.
func (p *peer) line() string {
	p.t.Helper()
	select {
	case line, ok := <-p.lines:
		if !ok {
			p.kill()
			p.t.Fatalf("the front has ended: %s", p.err)
		}
		return line
	case <-time.After(waitLimit):
		p.t.Fatal("the front says nothing")
		return ""
	}
}

// send sends a request and returns its id.
func (p *peer) send(method, params string) string {
	p.t.Helper()
	p.next++
	if _, err := fmt.Fprintf(p.in, `{"method":%q,"params":%s,"jsonrpc":"2.0","id":%d}`+"\n", method, params, p.next); err != nil {
		p.t.Fatal(err)
	}
	return fmt.Sprintf(`"id":%d,`, p.next)
}

// ask sends a request and returns its answer, which must be the next line.
func (p *peer) ask(method, params string) string {
	p.t.Helper()
	id := p.send(method, params)
	line := p.line()
	if !strings.Contains(line, id) {
		p.t.Fatalf("%s: the answer with %s is missing: %s", method, id, line)
	}
	return line
}

// begin begins the protocol's session.
func (p *peer) begin(name string) *peer {
	p.t.Helper()
	line := p.ask("initialize", fmt.Sprintf(`{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":%q,"version":"1"}}`, name))
	if !strings.Contains(line, `"serverInfo"`) {
		p.t.Fatal(line)
	}
	_, _ = io.WriteString(p.in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n")
	return p
}

func (p *peer) tool(name string) string {
	p.t.Helper()
	return p.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, name))
}

// contact is the daemon that runs.
func (d *desk) contact() daemon.Contact {
	d.t.Helper()
	c, err := daemon.ReadContact(d.dir)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// follow returns what waits, each time anew for up to waitLimit, for a status of the
// daemon that fits.
func (d *desk) follow() func(until func(daemon.Status) bool) daemon.Status {
	d.t.Helper()
	conn, _, err := daemon.Query(d.t.Context(), d.dir, daemon.AskWatch)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = conn.Close() })
	r := json.NewDecoder(conn)
	return func(until func(daemon.Status) bool) daemon.Status {
		d.t.Helper()
		_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
		for {
			var s daemon.Status
			if err := r.Decode(&s); err != nil {
				d.t.Fatalf("watch: %v", err)
			}
			if until(s) {
				return s
			}
		}
	}
}

// left waits until the daemon has left.
func (d *desk) left() {
	d.t.Helper()
	ctx, cancel := context.WithTimeout(d.t.Context(), waitLimit)
	defer cancel()
	lock, err := daemon.TakeLock(ctx, d.dir, daemon.LifeLock)
	if err != nil {
		d.t.Fatal("the daemon does not leave")
	}
	_ = lock.Unlock()
}

func killProcess(t testing.TB, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Kill(); err != nil {
		t.Fatal(err)
	}
}

// installed is the browser to test with.
func installed(t *testing.T) browser.Installed {
	t.Helper()
	b, err := browser.Find("chromium", os.Getenv("TABRELAY_BROWSER_PATH"))
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return b
}
