package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestB66ManagedBrowserIsKilled(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	kill(t, server.cmd.Process.Pid)
	a.fails("browser_snapshot", nil).has("error:", "the browser ended", "hint:", "call again").within(8 * time.Second)
	a.open(s.URL).has(`heading "one"`)
	a.ok("browser_snapshot", nil).has(`heading "one"`)
}

func TestB66ManagedBrowserIsKilledDuringACall(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	call := a.later("browser_wait", args{"text": "never", "timeoutMs": 20000})
	kill(t, server.cmd.Process.Pid)
	an := <-call
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the browser ended", "hint:").within(8 * time.Second)
	a.open(s.URL).has(`heading "one"`)
}

// kill kills the browser that a server started.
func kill(t *testing.T, server int) {
	t.Helper()
	for _, pid := range children(t, server) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !bytes.Contains(line, []byte("--user-data-dir=")) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("the server has no browser")
}

// children returns the processes below one, of Linux alone.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		t.Skip("no /proc here that lists children")
	}
	var all []int
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			child, _ := strconv.Atoi(field)
			all = append(append(all, child), children(t, child)...)
		}
	}
	return all
}

func TestB66OwnBrowserIsKilled(t *testing.T) {
	p, a, s, an := atWork(t, counter, longGrace)
	page := an.page("t")
	p.end()
	a.fails("browser_click", args{"pageId": page, "selector": "button"}).
		has("error:", "the browser does not answer", "closed", "hint:").within(8 * time.Second)
	p.restart()
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "closed", "tab closed: "+page)
	a.open(s.URL).has(`heading "one"`)
}

// What waits for a browser that comes back without its tabs was not done: that
// its page closed is no success then.
func TestB66OwnBrowserIsKilledBeforeACall(t *testing.T) {
	p, a, _, an := atWork(t, counter, longGrace)
	page := an.page("t")
	p.end()
	waiting := make(chan answer, 1)
	go func() { waiting <- a.call("browser_evaluate", args{"pageId": page, "script": "document.title"}) }()
	p.restart()
	if an := <-waiting; !an.failed {
		t.Errorf("it is answered with %s", an.text)
	}
}

func TestB66OwnBrowserStaysAway(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	page := an.page("t")
	gone := p.cdp(t)
	p.end()
	if _, _, err := gone.socket.ReadMessage(); err == nil || !strings.Contains(err.Error(), "4003") {
		t.Fatalf("a client was told %v", err)
	}
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "the connection to the browser is lost", "hint:", "call again").within(3 * time.Second)
	p.restart()
	a.open(s.URL).has(`heading "one"`)
}
