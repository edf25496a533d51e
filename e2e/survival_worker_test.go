//go:build !windows

package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

func TestB65WorkerDiesDuringARead(t *testing.T) {
	p, a, s, _ := atWork(t, counter)
	call := a.later("browser_wait", args{"text": "here it is", "timeoutMs": 20000})
	c := p.cdp(t)
	session := c.attach(s.URL) // it goes through the relay, so the wait is on its way
	c.call(session, "Runtime.evaluate", args{"expression": "1"}, nil)
	p.killWorker()
	appends := func() message {
		return c.tries(session, "Runtime.evaluate", args{"expression": "document.body.append('here it is')"})
	}
	said := appends()
	for said.Error != nil && said.Error.Code == -32054 { // the relay has just heard that the worker has gone
		said = appends()
	}
	if said.Error != nil {
		t.Fatal(said.Error.Message)
	}
	if an := <-call; an.failed {
		t.Fatal(an.text)
	}
}

func TestB65WorkerDiesDuringAnAction(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	begun := make(chan bool, 1)
	s := newSite(t, `<button onclick="this.n = (this.n || 0) + 1; const r = new XMLHttpRequest(); r.open('POST', '/slow', false); r.send(); this.textContent='Clicked '+this.n">Click</button>`)
	end := make(chan bool)
	s.handle("/slow", func(http.ResponseWriter, *http.Request) { begun <- true; <-end })
	an := a.open(s.URL)
	call := a.later("browser_click", args{"ref": an.ref("button", "Click"), "timeoutMs": 20000})
	<-begun
	p.killWorker()
	gone := time.Now()
	an = <-call
	if late := time.Since(gone); late > 8*time.Second { // the page hangs too, so looking at it takes its time
		t.Errorf("the answer came %s after the worker had gone", late)
	}
	close(end)
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the connection to the browser was lost while the call ran", "hint:", "snapshot")
	a.ok("browser_snapshot", nil).has(`button "Clicked 1"`)
}

// asleep is a person's browser whose worker ended while there was no relay, which
// is back now.
func asleep(t *testing.T) *person {
	t.Helper()
	t.Parallel()
	port := freePort(t)
	p := newPersonAt(t, port)
	p.stop()
	p.killWorker()
	p.serve(port)
	return p
}

func TestB67TheAlarmWakesTheWorker(t *testing.T) {
	p := asleep(t)
	if !p.log.await("browser connected", 45*time.Second) { // it rings every 30 s
		t.Fatal("the worker sleeps")
	}
	p.agent(t).ok("browser_tab_list", nil)
}

func TestB67ThePageWakesTheWorker(t *testing.T) {
	p := asleep(t)
	c := p.chromium()
	c.call("", "Target.createTarget", map[string]any{"url": "chrome-extension://" + extension.ID + "/wake.html"}, nil)
	p.comes()
	p.agent(t).ok("browser_tab_list", nil)
}

// TestB67AnAgentWakesTheWorker has the page opened by tabrelay itself, when an
// agent connects. A browser without a window takes no address from another
// process, so that step is done for it.
func TestB67AnAgentWakesTheWorker(t *testing.T) {
	t.Parallel()
	d, _, p := newOwn(t)
	dir := t.TempDir()
	start, asked := filepath.Join(dir, "chromium"), filepath.Join(dir, "asked")
	if err := os.WriteFile(start, []byte("#!/bin/sh\nexec echo \"$@\" > "+asked+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(asked, 0o600); err != nil {
		t.Fatal(err)
	}
	c := p.chromium()
	opened := make(chan string, 1)
	go func() { // ends when the browser was asked
		address, _ := os.ReadFile(asked)
		c.send("", "Target.createTarget", map[string]any{"url": strings.TrimSpace(string(address))})
		opened <- string(address)
	}()
	d.kill(d.daemon())
	p.killWorker()
	d.env = []string{"DISPLAY=:99"}
	a, _ := d.front("--browser-path", start)
	a.ok("browser_connect", nil).has("your own browser").within(20 * time.Second)
	if address := <-opened; !strings.Contains(address, "/wake.html") {
		t.Fatalf("asked for %s", address)
	}
	p.chromium().without("/wake.html")
}
