package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// window is a person's browser with a window, which keys and a mouse reach as they
// reach any other: Chrome's own bar, notifications and side panel are there.
type window struct {
	*person
	hand  *hand
	front string // session on the page that the person looks at
	panel string // session on the side panel, once it is open
}

// newScreen starts an X server that nobody looks at, and returns its display.
func newScreen(t testing.TB) string {
	t.Helper()
	for _, program := range []string{"Xvfb", "xdotool"} {
		if _, err := exec.LookPath(program); err != nil {
			if os.Getenv("CI") != "" {
				t.Fatalf("no %s: install it", program)
			}
			t.Skipf("no %s on this machine", program)
		}
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	x := exec.Command("Xvfb", "-displayfd", "3", "-screen", "0", "1200x900x24", "-nolisten", "tcp")
	x.ExtraFiles = []*os.File{w}
	err = x.Start()
	w.Close()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = x.Process.Kill()
		_ = x.Wait()
	})
	number, err := bufio.NewReader(r).ReadString('\n')
	if err != nil {
		t.Fatalf("Xvfb: %v", err)
	}
	return ":" + strings.TrimSpace(number)
}

// newWindow starts a server, and the person's browser with a window in which they
// look at a page.
func newWindow(t testing.TB, url string) *window {
	t.Helper()
	port := freePort(t)
	w := &window{person: launchPersonOn(t, newScreen(t), port, port)}
	w.comes()
	w.hand = w.person.hand()
	first := "chrome-extension://" + extension.ID + "/welcome.html"
	w.hand.shown(first, "", 1)
	w.hand.chrome(fmt.Sprintf(`await chrome.tabs.update(await tab(%q), {url: %q, active: true})`, first, url))
	w.hand.shown(url, "Mine", 1)
	w.front = w.hand.attach(url)
	w.looks()
	w.hand.evaluate(w.front, `window.whole = innerHeight`)
	return w
}

// shows reports whether a condition holds on one of the browser's pages, now or soon.
func (w *window) shows(session, condition string, patience time.Duration) bool {
	w.t.Helper()
	return w.hand.evaluate(session, fmt.Sprintf(`new Promise(done => {
		const end = (holds) => { watch.disconnect(); done(holds) };
		const look = () => { if (%s) end(true) };
		const watch = new MutationObserver(look);
		watch.observe(document, { subtree: true, childList: true, attributes: true });
		for (const type of ["resize", "focus"]) addEventListener(type, look);
		setTimeout(() => end(false), %d);
		look();
	})`, condition, patience.Milliseconds())) == "true"
}

// sees waits until a condition holds there.
func (w *window) sees(session, condition string) {
	w.t.Helper()
	if !w.shows(session, condition, 30*time.Second) {
		w.t.Fatalf("never is %s; the page says %s", condition, w.hand.evaluate(session, "document.body.innerText"))
	}
}

// x does something with the keys, the mouse and the windows of the screen.
func (w *window) x(args ...string) string {
	w.t.Helper()
	out, err := w.tries(args...)
	if err != nil {
		w.t.Fatalf("xdotool %v: %v", args, err)
	}
	return out
}

func (w *window) tries(args ...string) (string, error) {
	cmd := exec.Command("xdotool", args...)
	cmd.Env = append(os.Environ(), "DISPLAY="+w.screen)
	out, err := cmd.Output()
	return strings.TrimSpace(string(out)), err
}

// persists presses something until that had its effect: Chrome takes no notice of what
// is pressed on a bar in the moment in which it appears, and a notification moves.
func (w *window) persists(press func(), session, effect string) {
	w.t.Helper()
	for range 40 {
		press()
		if w.shows(session, effect, 500*time.Millisecond) {
			return
		}
	}
	w.t.Fatalf("pressed in vain: never is %s; the page says %s", effect, w.hand.evaluate(session, "document.body.innerText"))
}

// cancels presses Cancel on the bar that Chrome shows while an extension debugs.
func (w *window) cancels() {
	w.t.Helper()
	w.sees(w.front, "innerHeight < whole")
	w.persists(func() { w.x("key", "alt+shift+a", "space") }, w.front, "innerHeight === whole")
	w.sees(w.front, "document.hasFocus()")
}

// notified presses the left button of the notification that is there, in the X window
// that is neither as large as the browser's nor tiny. It may go meanwhile.
func (w *window) notified() {
	w.t.Helper()
	windows, _ := w.tries("search", "--onlyvisible", "--maxdepth", "1", "--name", "")
	for _, id := range strings.Fields(windows) {
		place, _ := w.tries("getwindowgeometry", "--shell", id)
		var width, height int
		for line := range strings.Lines(place) {
			_, _ = fmt.Sscanf(line, "WIDTH=%d", &width)
			_, _ = fmt.Sscanf(line, "HEIGHT=%d", &height)
		}
		if width > 100 && width < 600 {
			_, _ = w.tries("mousemove", "--window", id, "50", fmt.Sprint(height-27), "click", "1")
		}
	}
}

// opensPanel opens the side panel with its key.
func (w *window) opensPanel() {
	w.t.Helper()
	url := "chrome-extension://" + extension.ID + "/side.html"
	w.hand.evaluate(w.front, `window.wide = innerWidth`)
	w.persists(func() { w.x("key", "alt+shift+l") }, w.front, "innerWidth < wide")
	w.hand.send("", "Target.setDiscoverTargets", map[string]any{"discover": true})
	var e struct {
		TargetInfo struct{ TargetID, URL string }
	}
	w.hand.until(func(m message) bool {
		return strings.HasPrefix(m.Method, "Target.target") && json.Unmarshal(m.Params, &e) == nil && e.TargetInfo.URL == url
	})
	var at struct{ SessionID string }
	w.hand.call("", "Target.attachToTarget", map[string]any{"targetId": e.TargetInfo.TargetID, "flatten": true}, &at)
	w.panel = at.SessionID
	// It may be its empty beginning still.
	w.hand.call(w.panel, "Page.enable", nil, nil)
	w.hand.call(w.panel, "Page.navigate", map[string]any{"url": url + "?loaded"}, nil)
	w.hand.until(func(m message) bool { return m.SessionID == w.panel && m.Method == "Page.loadEventFired" })
	w.looks()
}

// looks puts the focus into the person's page.
func (w *window) looks() {
	w.t.Helper()
	w.persists(func() { w.x("mousemove", "400", "500", "click", "1") }, w.front, "document.hasFocus()")
}

// presses presses a button in the side panel, once it is there, and waits until a
// condition holds there.
func (w *window) presses(button, condition string) {
	w.t.Helper()
	w.sees(w.panel, fmt.Sprintf(`document.querySelector(%q)`, button))
	w.hand.evaluate(w.panel, fmt.Sprintf(`document.querySelector(%q).click()`, button))
	w.sees(w.panel, condition)
}
