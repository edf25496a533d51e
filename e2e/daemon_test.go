package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// desk is a state folder whose fronts share a daemon.
type desk struct {
	t    testing.TB
	path string // of the browser
	dir  string
	env  []string // more of it
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	d := &desk{t: t, path: browser(t), dir: t.TempDir()}
	t.Cleanup(func() {
		if out, err := d.command("stop").CombinedOutput(); err != nil {
			t.Errorf("tabrelay stop: %v: %s", err, out)
		}
	})
	return d
}

func (d *desk) command(args ...string) *exec.Cmd {
	cmd := exec.Command(binary, args...)
	cmd.Env = append(append(environ(d.dir), "TABRELAY_IDLE=1s"), d.env...)
	return cmd
}

// managed are the flags of a front whose browser has no window.
func (d *desk) managed(more ...string) []string {
	return append([]string{"--browser", "chromium", "--browser-path", d.path, "--headless", "--no-sandbox"}, more...)
}

// front starts a front as an MCP client would.
func (d *desk) front(args ...string) (*agent, *exec.Cmd) {
	d.t.Helper()
	return d.frontWith(nil, args...)
}

// frontWith is front for a client with options of its own.
func (d *desk) frontWith(o *mcp.ClientOptions, args ...string) (*agent, *exec.Cmd) {
	d.t.Helper()
	a, cmd, err := d.begin(o, args...)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = a.session.Close() })
	return a, cmd
}

// begin starts a front that its caller ends.
func (d *desk) begin(o *mcp.ClientOptions, args ...string) (*agent, *exec.Cmd, error) {
	cmd := d.command(args...)
	log := &tail{}
	cmd.Stderr = log
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, o)
	session, err := client.Connect(context.WithoutCancel(d.t.Context()), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		return nil, cmd, fmt.Errorf("connect over stdio: %w\n%s", err, log)
	}
	return &agent{d.t, session}, cmd, nil
}

// deskStatus is what these tests need of `tabrelay status --json`.
type deskStatus struct {
	PID    int
	Memory int  // bytes
	HTTP   bool // agents are served over HTTP, too
	Agents []struct {
		Client, Browser string
		PID             int
		Tabs            []string
	}
	Browsers []deskBrowser
}

type deskBrowser struct {
	Called             string
	Managed, Connected bool
	Tabs               []struct{ URL, Page, Client string }
}

// prints starts a command and returns what it prints, until the test ends.
func (d *desk) prints(args ...string) io.Reader {
	d.t.Helper()
	cmd := d.command(args...)
	out, err := cmd.StdoutPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	limit := time.AfterFunc(callLimit, func() { _ = cmd.Process.Kill() })
	d.t.Cleanup(func() { limit.Stop(); _ = cmd.Process.Kill(); _ = cmd.Wait() })
	return out
}

// follow returns the daemon's status now and after each change; ok is false
// when the daemon has left.
func (d *desk) follow() func(until func(deskStatus) bool) (s deskStatus, ok bool) {
	d.t.Helper()
	r := json.NewDecoder(d.prints("status", "--json", "--follow"))
	return func(until func(deskStatus) bool) (s deskStatus, ok bool) {
		for {
			s = deskStatus{}
			if r.Decode(&s) != nil {
				return s, false
			}
			if until(s) {
				return s, true
			}
		}
	}
}

// daemon is the pid of the daemon.
func (d *desk) daemon() int {
	d.t.Helper()
	pid, err := d.contact()
	if err != nil {
		d.t.Fatal(err)
	}
	return pid
}

// contact is the pid of the daemon, if there is one.
func (d *desk) contact() (int, error) {
	var c struct{ PID int }
	data, err := os.ReadFile(filepath.Join(d.dir, "daemon.json"))
	if err == nil {
		err = json.Unmarshal(data, &c)
	}
	return c.PID, err
}

// kill ends a process without a word, and waits until it is gone.
func (d *desk) kill(pid int) {
	d.t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.gone(pid)
}

// gone waits until a process that is no child of this one is gone.
func (d *desk) gone(pid int) {
	d.t.Helper()
	if err := exec.Command("timeout", "20", "tail", "-s", "0.05", "--pid", fmt.Sprint(pid), "-f", "/dev/null").Run(); err != nil {
		d.t.Errorf("process %d is still there", pid)
	}
}

// family lists the processes that have the state folder in their command line.
func (d *desk) family() (pids []int) {
	d.t.Helper()
	list, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(list) == 0 {
		d.t.Skip("this system does not list its processes")
	}
	for _, file := range list {
		line, _ := os.ReadFile(file)
		if bytes.Contains(line, []byte(d.dir)) {
			var pid int
			_, _ = fmt.Sscan(filepath.Base(filepath.Dir(file)), &pid)
			pids = append(pids, pid)
		}
	}
	return pids
}

const clicks = `<title>Counter</title><button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button>`

func TestB64TwoAgentsAtOnce(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	site := newSite(t, clicks)
	one, _ := d.front(d.managed()...)
	two, gone := d.front(d.managed()...)
	one.ok("browser_connect", nil)
	two.ok("browser_connect", nil)
	mine := one.open(site.URL + "/?one")
	ref, page := mine.ref("button", "Click"), mine.page("opened")
	theirs := two.open(site.URL + "/?two")
	ref2 := theirs.ref("button", "Click")
	// Another tab is in front: both work in the background.
	one.ok("browser_tab_open", args{"url": "about:blank", "front": true})
	one.ok("browser_tab_focus", args{"pageId": page})
	until := d.follow()
	s, ok := until(func(s deskStatus) bool { return len(s.Agents) == 2 && len(s.Agents[1].Tabs) == 1 })
	if !ok || len(s.Browsers) != 1 || len(s.Agents[0].Tabs) != 2 {
		t.Fatalf("status: %+v", s)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for i := range 3 {
			two.ok("browser_click", args{"ref": ref2}).has(fmt.Sprintf("Clicked %d", i+1)).within(5 * time.Second)
		}
	}()
	for i := range 3 {
		one.ok("browser_click", args{"ref": ref}).has(fmt.Sprintf("Clicked %d", i+1)).lacks("?two").within(5 * time.Second)
	}
	<-done
	one.ok("browser_tab_list", nil).has("?one").lacks("?two")
	two.ok("browser_tab_list", nil).has("?two").lacks("?one")
	if err := gone.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if _, ok := until(func(s deskStatus) bool { return len(s.Agents) == 1 }); !ok {
		t.Fatal("the daemon left")
	}
	one.ok("browser_click", args{"ref": ref}).has("Clicked 4").within(5 * time.Second)
	three, _ := d.front(d.managed()...)
	three.ok("browser_connect", nil).has("?two").lacks("?one")
	if err := three.session.Close(); err != nil {
		t.Error(err)
	}
	one.ok("browser_click", args{"ref": ref}).has("Clicked 5").within(5 * time.Second)
}

func TestTabsOfAnAgentThatGoesAreClosedIfSo(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	site := newSite(t, clicks)
	stays, _ := d.front(d.managed()...)
	stays.ok("browser_connect", nil)
	goes, cmd := d.front(d.managed("--on-exit", "close")...)
	goes.ok("browser_connect", nil)
	goes.open(site.URL + "/?goes")
	until := d.follow()
	_ = cmd.Process.Kill()
	until(func(s deskStatus) bool { return len(s.Agents) == 1 })
	stays.ok("browser_tab_list", nil).lacks("?goes")
}

// newOwn starts a front, and a person's browser that is paired with its daemon.
func newOwn(t testing.TB) (*desk, *agent, *person) {
	t.Helper()
	d := newDesk(t)
	if out, err := d.command("extension", "--all-sites", "--port", freePort(t)).CombinedOutput(); err != nil {
		t.Fatalf("tabrelay extension: %v\n%s", err, out)
	}
	a, _ := d.front("--no-sandbox", "--browser-path", d.path)
	p := &person{t: t, dir: filepath.Join(d.dir, "extension")}
	until := d.follow()
	p.launch(d.path, t.TempDir())
	if _, ok := until(func(s deskStatus) bool { return len(s.Browsers) == 1 && s.Browsers[0].Connected }); !ok {
		t.Fatal("the person's browser did not connect")
	}
	a.ok("browser_connect", nil).has("your own browser")
	return d, a, p
}

// endless is a script that does not end; each begin is counted and told to begun.
const endless = `globalThis.begun++; fetch("/begun"); new Promise(() => {})`

func begun(s *site) <-chan struct{} {
	told := make(chan struct{}, 8)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { told <- struct{}{} })
	return told
}

func TestB67DaemonIsKilled(t *testing.T) {
	t.Parallel()
	d, a, _ := newOwn(t)
	site := newSite(t, clicks)
	begins := begun(site)
	an := a.open(site.URL)
	page := an.page("opened")
	a.ok("browser_click", args{"ref": an.ref("button", "Click")}).has("Clicked 1")
	for i := range 2 {
		d.kill(d.daemon())
		begin := time.Now()
		ref := a.ok("browser_snapshot", args{"pageId": page}).has(fmt.Sprintf("Clicked %d", i+1)).ref("button")
		took := time.Since(begin).Round(time.Millisecond)
		t.Logf("the extension and the agent are back after %s", took)
		if took > 20*time.Second { // it takes 3 s; the alarm, which is for workers that sleep, rings within 30 s
			t.Error("the extension did not come by itself")
		}
		a.ok("browser_click", args{"ref": ref}).has(fmt.Sprintf("Clicked %d", i+2)).within(5 * time.Second)
	}
	// An action goes on, too, in the page that it was about.
	d.kill(d.daemon())
	a.ok("browser_click", args{"selector": "button"}).has("Clicked 4")
	// One that ran is told, and is not made again.
	a.ok("browser_evaluate", args{"script": "void (globalThis.begun = 0)"})
	stopped := a.later("browser_evaluate", args{"script": endless, "timeoutMs": 20000})
	<-begins
	d.kill(d.daemon())
	if got := <-stopped; !got.failed || !strings.Contains(got.text, "the daemon stopped while this call ran") {
		t.Errorf("the call that ran said %s", got.text)
	}
	if begun := a.value("globalThis.begun"); begun != "1" {
		t.Errorf("it was begun %s times", begun)
	}
}

// A managed browser ends with its daemon. Its pages are gone and said to be; the
// agent goes on in a new one.
func TestB67DaemonIsKilledWithItsBrowser(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	site := newSite(t, clicks)
	a, _ := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	var page string
	for range 10 {
		page = a.open(site.URL).page("opened")
	}
	until := d.follow()
	if s, _ := until(func(s deskStatus) bool { return len(s.Agents) == 1 && len(s.Agents[0].Tabs) == 10 }); s.Memory > 0 {
		t.Logf("the daemon holds %d MB with 10 tabs", s.Memory>>20)
	}
	d.kill(d.daemon())
	a.fails("browser_click", args{"pageId": page, "selector": "button"}).has("the page " + page + " was closed")
	an := a.ok("browser_navigate", args{"url": site.URL}).has("Counter")
	a.ok("browser_click", args{"ref": an.ref("button", "Click")}).has("Clicked 1")
	a.ok("browser_tab_list", nil).lacks(page + " ")
}

func TestB70ClientDiesWithoutAWord(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	site := newSite(t, clicks)
	begins := begun(site)
	a, cmd := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	a.open(site.URL)
	family := d.family()
	if len(family) < 3 {
		t.Fatalf("%d processes: a browser has more", len(family))
	}
	until := d.follow()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	go a.callCtx(ctx, "browser_evaluate", args{"script": endless, "timeoutMs": 60000})
	<-begins
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	begin := time.Now()
	if _, ok := until(func(s deskStatus) bool { return len(s.Agents) == 0 }); !ok {
		t.Fatal("the daemon left before its agent")
	}
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("the agent was there for another %s", took)
	}
	until(func(deskStatus) bool { return false })
	for _, pid := range family {
		d.gone(pid)
	}
	if left := d.family(); len(left) > 0 {
		t.Errorf("processes %v are left", left)
	}
}
