package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/e2e/freeport"
	"github.com/tabrelay/tabrelay/extension"
)

// person is a browser that a person started by themselves, with the extension
// loaded from where `tabrelay extension` wrote it.
type person struct {
	*server
	t      testing.TB
	dir    string // of the extension
	debug  string // the browser's own DevTools address, which only the test uses
	screen string // the X display that has its window; empty without one
	chrome *exec.Cmd
}

// freePort returns a port that nothing listens on, as an argument.
func freePort(t testing.TB) string {
	t.Helper()
	return strconv.Itoa(freeport.Next(t))
}

// newPerson starts a server, and the person's browser paired with it.
func newPerson(t testing.TB, env ...string) *person {
	t.Helper()
	return newPersonAt(t, freePort(t), env...)
}

// longGrace lets a browser's connection stay away for as long as a slow machine
// needs to make it anew.
const longGrace = "TABRELAY_GRACE=2m"

// newPersonAt is newPerson with a server at a port.
func newPersonAt(t testing.TB, port string, env ...string) *person {
	t.Helper()
	p := launchPerson(t, port, port, env...)
	p.comes()
	return p
}

// launchPerson starts a server at one port, and a browser with an extension that
// looks for it at another.
func launchPerson(t testing.TB, port, paired string, env ...string) *person {
	t.Helper()
	return launchPersonOn(t, "", port, paired, env...)
}

// launchPersonOn is launchPerson with a window on a screen.
func launchPersonOn(t testing.TB, screen, port, paired string, env ...string) *person {
	t.Helper()
	path, state := browser(t), t.TempDir()
	p := &person{t: t, dir: filepath.Join(t.TempDir(), "extension"), screen: screen}
	pair := exec.Command(binary, "extension", "--all-sites", "--dir", p.dir, "--port", paired)
	pair.Env = environ(state)
	if out, err := pair.CombinedOutput(); err != nil {
		t.Fatalf("tabrelay extension: %v\n%s", err, out)
	} else if !strings.Contains(string(out), p.dir) || strings.Contains(string(out), "secret") {
		t.Fatalf("tabrelay extension said:\n%s", out)
	}
	p.server = &server{state: state, env: env}
	p.serve(port)
	p.launch(path, t.TempDir())
	return p
}

// serve starts the server.
func (p *person) serve(port string) {
	p.t.Helper()
	p.log, p.done = &tail{}, make(chan struct{})
	if err := p.server.start("--transport", "http", "--port", port, "--log-level", "info"); err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(p.stop)
}

// comes waits for the extension.
func (p *person) comes() {
	p.t.Helper()
	if _, err := p.says(regexp.MustCompile("browser connected")); err != nil {
		p.t.Fatal(err)
	}
}

// launch starts the person's browser.
func (p *person) launch(path, profile string, flags ...string) {
	p.t.Helper()
	if p.screen == "" {
		flags = append(flags, "--headless=new", "--silent-debugger-extension-api")
	} else {
		flags = append(flags, "--ozone-platform=x11", "--force-prefers-reduced-motion")
	}
	p.chrome = exec.Command(path, append(flags, "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
		"--load-extension="+p.dir, "--disable-extensions-except="+p.dir, "--remote-debugging-port=0", "--user-data-dir="+profile, "about:blank")...)
	stderr, err := p.chrome.StderrPipe()
	if err != nil {
		p.t.Fatal(err)
	}
	if p.screen != "" { // Without a bus Chrome shows notifications itself.
		p.chrome.Env = append(os.Environ(), "DISPLAY="+p.screen, "DBUS_SESSION_BUS_ADDRESS=disabled:")
	}
	if err := p.chrome.Start(); err != nil {
		p.t.Fatal(err)
	}
	chrome := p.chrome
	p.t.Cleanup(func() {
		_ = chrome.Process.Kill()
		_ = chrome.Wait()
		// Its children write into the profile until they notice.
		for deadline := time.Now().Add(5 * time.Second); os.RemoveAll(profile) != nil && time.Now().Before(deadline); {
		}
	})
	lines := bufio.NewScanner(stderr)
	for p.debug == "" && lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			p.debug = after
		}
	}
	go io.Copy(io.Discard, stderr) // ends with the browser
}

// chromium returns a client of the browser's own DevTools.
func (p *person) chromium() *client {
	p.t.Helper()
	socket, _, err := websocket.DefaultDialer.Dial(p.debug, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { socket.Close() })
	return &client{t: p.t, socket: socket}
}

// killWorker ends the extension's service worker, and waits until it is gone.
func (p *person) killWorker() {
	p.t.Helper()
	c := p.chromium()
	c.call("", "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{}}}, nil)
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	c.call("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type != "service_worker" || !strings.Contains(target.URL, extension.ID) {
			continue
		}
		c.send("", "Target.closeTarget", map[string]any{"targetId": target.TargetID})
		c.until(func(m message) bool {
			var gone struct{ TargetID string }
			_ = json.Unmarshal(m.Params, &gone)
			return m.Method == "Target.targetDestroyed" && gone.TargetID == target.TargetID
		})
		return
	}
	p.t.Fatalf("no worker among %v", targets.TargetInfos)
}

func TestB65WorkerIsKilled(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, `<title>Here</title><button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button>`)
	ref := a.open(s.URL).ref("button", "Click")
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	for i := range 2 {
		p.killWorker()
		a.ok("browser_click", args{"ref": ref}).has(fmt.Sprintf("Clicked %d", i+2), "["+ref+"]").within(10 * time.Second)
	}
	a.ok("browser_tab_list", nil).has("Here")
}

func TestOnlySharedTabsAreSeen(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, `<title>Private</title>`).page("/mine", `<title>Agent</title><button onclick="window.open('/pop')">Pop</button>`).page("/pop", `<title>Popup</title>`)
	c := p.chromium()
	c.call("", "Target.createTarget", map[string]any{"url": s.URL}, nil)
	a := p.agent(t)
	a.ok("browser_tab_list", nil).lacks("Private", s.URL)
	an := a.open(s.URL + "/mine")
	a.ok("browser_click", args{"ref": an.ref("button", "Pop")}).has("tab opened:", "Popup")
	a.ok("browser_tab_list", nil).has("Agent", "Popup").lacks("Private")
}

func TestB39BackgroundTabOfAPersonsBrowser(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, `<button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button><input aria-label="Name">`)
	an := a.open(s.URL)
	ref := an.ref("button", "Click")
	a.ok("browser_click", args{"ref": ref})
	// Timers of hidden tabs run once a second here: nothing may wait for one.
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2").within(500 * time.Millisecond)
	a.ok("browser_type", args{"ref": an.ref(`"Name"`), "text": "Ada"}).has("Ada").within(500 * time.Millisecond)
	a.ok("browser_evaluate", args{"script": "1+1"}).within(500 * time.Millisecond)
	a.ok("browser_press", args{"keys": "Tab"}).within(500 * time.Millisecond)
}
