package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
)

func TestFrontsStartedAtOnceShareADaemon(t *testing.T) {
	d := newDesk(t)
	var fronts []*peer
	for range 4 {
		fronts = append(fronts, d.front())
	}
	for i, p := range fronts {
		p.begin(fmt.Sprintf("agent-%d", i))
	}
	s := d.follow()(func(s daemon.Status) bool { return len(s.Agents) == 4 && s.Agents[3].Client != "" })
	for _, a := range s.Agents {
		if !strings.HasPrefix(a.Client, "agent-") || a.Version != "1" || a.Browser != "" {
			t.Errorf("agent %+v", a)
		}
	}
	for _, p := range fronts {
		if line := p.tool("browser_tab_list"); !strings.Contains(line, "call browser_connect first") {
			t.Error(line)
		}
	}
}

func TestDaemonLeavesWhenNobodyIsThere(t *testing.T) {
	d := newDesk(t)
	d.idle = "200ms"
	p := d.front().begin("one")
	p.tool("browser_tab_list")
	first := d.contact()
	_ = p.in.Close()
	if err := p.cmd.Wait(); err != nil {
		t.Error(err)
	}
	d.left()
	if _, err := daemon.ReadContact(d.dir); err == nil {
		t.Error("daemon.json is still there")
	}
	d.front().begin("two")
	if d.contact().PID == first.PID {
		t.Error("the next front met the daemon that has left")
	}
}

// The call after a kill works as if nothing had been; those under way are
// answered at once, or made again where they only look.
func TestKilledDaemonIsStartedByTheNextCall(t *testing.T) {
	d := newDesk(t)
	p := d.front().begin("one")
	p.tool("browser_tab_list")
	for range 2 {
		old := d.contact()
		killProcess(t, old.PID)
		d.left()
		if line := p.tool("browser_tab_list"); !strings.Contains(line, "call browser_connect first") {
			t.Error(line)
		}
		if now := d.contact(); now.PID == old.PID || now.Secret == old.Secret {
			t.Error("it is the same daemon")
		}
	}
	d.follow()(func(s daemon.Status) bool { return len(s.Agents) == 1 && s.Agents[0].Client == "one" })
	if line := p.ask("tools/list", "{}"); !strings.Contains(line, "browser_click") {
		t.Error(line)
	}
}

func TestFrontThatIsKilledEndsItsAgent(t *testing.T) {
	d := newDesk(t)
	one, two := d.front().begin("one"), d.front().begin("two")
	until := d.follow()
	until(func(s daemon.Status) bool { return len(s.Agents) == 2 })
	one.kill()
	s := until(func(s daemon.Status) bool { return len(s.Agents) == 1 })
	if s.Agents[0].PID != two.cmd.Process.Pid {
		t.Errorf("left is %+v", s.Agents)
	}
	two.tool("browser_tab_list")
}

func TestStoppedDaemonIsStartedByTheNextCall(t *testing.T) {
	d := newDesk(t)
	p := d.front().begin("one")
	if _, err := daemon.Stop(t.Context(), d.dir); err != nil {
		t.Fatal(err)
	}
	d.left()
	if line := p.tool("browser_tab_list"); !strings.Contains(line, "call browser_connect first") {
		t.Error(line)
	}
}

func TestDaemonIsForItsOwnerAlone(t *testing.T) {
	d := newDesk(t)
	d.front().begin("one")
	for _, name := range []string{daemon.ContactFile, daemon.SocketFile, daemon.LifeLock, daemon.StartLock, daemon.LogName} {
		info, err := os.Stat(filepath.Join(d.dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has rights %v", name, info.Mode())
		}
	}
	c := d.contact()
	for _, line := range []string{
		`{"tabrelay":"status","secret":"wrong"}`, `{"tabrelay":"status"}`, `nonsense`, `{"tabrelay":"` + strings.Repeat("x", daemon.MaxGreeting+1),
	} {
		conn, err := c.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		_, _ = fmt.Fprintln(conn, line)
		_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
		if said, _ := io.ReadAll(conn); len(said) > 0 {
			t.Errorf("%.40s: it was told %s", line, said)
		}
		_ = conn.Close()
	}
}

// A socket file cannot be everywhere: then the loopback address serves.
func TestDaemonInADeepFolder(t *testing.T) {
	d := newDesk(t)
	d.dir = filepath.Join(d.dir, strings.Repeat("deep", 20), strings.Repeat("deeper", 10))
	t.Cleanup(func() { _, _ = daemon.Stop(context.Background(), d.dir) })
	d.front().begin("one").tool("browser_tab_list")
	if c := d.contact(); c.Network != "tcp" || !strings.HasPrefix(c.Address, "127.0.0.1:") {
		t.Errorf("listens at %s %s", c.Network, c.Address)
	}
}

// The flags of a front are for its agent alone.
func TestFlagsBindToTheirAgent(t *testing.T) {
	d := newDesk(t)
	plain, odd := d.front().begin("plain"), d.front("--structured", "--browser", "netscape").begin("odd")
	if line := odd.ask("tools/list", "{}"); !strings.Contains(line, `"outputSchema"`) {
		t.Error("no output schemas with --structured")
	}
	if line := plain.ask("tools/list", "{}"); strings.Contains(line, `"outputSchema"`) {
		t.Error("output schemas without --structured")
	}
	if line := odd.tool("browser_connect"); !strings.Contains(line, "netscape") {
		t.Error(line)
	}
	shy := d.front("--deny-tools", "browser_conn*,browser_set_*").begin("shy")
	if line := shy.ask("tools/list", "{}"); strings.Contains(line, `"browser_set_offline"`) || !strings.Contains(line, `"browser_click"`) {
		t.Error("--deny-tools denies the wrong ones")
	}
	if line := shy.tool("browser_connect"); !strings.Contains(line, "--deny-tools") {
		t.Error(line)
	}
	if line := plain.ask("tools/list", "{}"); !strings.Contains(line, `"browser_set_offline"`) {
		t.Error("--deny-tools of another agent")
	}
}

// A front leaves nothing behind, by whichever signal it ends.
func TestFrontThatEndsByAnySignalEndsItsAgent(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("there are no such signals")
	}
	d := newDesk(t)
	stays := d.front().begin("stays")
	until := d.follow()
	for _, sig := range []os.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT, syscall.SIGABRT, syscall.SIGKILL} {
		if signal.Ignored(sig) { // as with nohup, and then what this test starts ignores it, too
			continue
		}
		p := d.front().begin("goes")
		until(func(s daemon.Status) bool { return len(s.Agents) == 2 && s.Agents[1].Name == "goes" })
		if err := p.cmd.Process.Signal(sig); err != nil {
			t.Fatal(err)
		}
		until(func(s daemon.Status) bool { return len(s.Agents) == 1 })
		p.ended.Do(func() { _ = p.cmd.Wait() })
	}
	stays.tool("browser_tab_list")
}

// A daemon has no settings of the agent that it was started for.
func TestDaemonForgetsWhoStartedIt(t *testing.T) {
	t.Setenv("TABRELAY_TOOLS", "minimal")
	t.Setenv("TABRELAY_BROWSER", "netscape")
	t.Setenv("TABRELAY_STRUCTURED", "true")
	d := newDesk(t)
	if line := d.front().begin("first").ask("tools/list", "{}"); strings.Contains(line, "browser_click") {
		t.Error("the first agent has another set of tools than it asked for")
	}
	for _, name := range []string{"TABRELAY_TOOLS", "TABRELAY_BROWSER", "TABRELAY_STRUCTURED"} {
		_ = os.Unsetenv(name) // t.Setenv sets them again at the end
	}
	second := d.front().begin("second")
	if line := second.ask("tools/list", "{}"); !strings.Contains(line, "browser_click") || strings.Contains(line, "outputSchema") {
		t.Error("the second agent has the first one's settings")
	}
	second.send("tools/call", `{"name":"browser_connect","arguments":{"browser":"mosaic"}}`)
	if line := second.line(); strings.Contains(line, "netscape") {
		t.Error(line)
	}
}
