package e2e

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// clientSite serves the pages that the clients are tried on.
func clientSite(t testing.TB) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle("/", http.FileServer(http.Dir("clients/site")))
	mux.HandleFunc("/json", func(w http.ResponseWriter, r *http.Request) {
		headers := map[string]string{}
		for name := range r.Header {
			headers[name] = r.Header.Get(name)
		}
		w.Header().Set("Content-Type", "application/json")
		_ = json.NewEncoder(w).Encode(map[string]any{"headers": headers})
	})
	mux.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		fmt.Fprintf(w, "%s %s", r.Method, body)
	})
	upgrader := websocket.Upgrader{}
	mux.HandleFunc("/socket", func(w http.ResponseWriter, r *http.Request) {
		socket, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer socket.Close()
		if kind, data, err := socket.ReadMessage(); err == nil {
			_ = socket.WriteMessage(kind, data)
		}
	})
	site := httptest.NewServer(mux)
	t.Cleanup(site.Close)
	return site.URL + "/"
}

// needClients skips the test where the clients are not installed; in CI it fails.
func needClients(t *testing.T) {
	t.Helper()
	if _, err := os.Stat("clients/node_modules"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the clients are not installed: run make clients")
		}
		t.Skip("the clients are not installed: run make clients")
	}
}

// node runs the checks of a script of clients' whose names fit a pattern, all where
// it is empty.
func node(t *testing.T, script, checks string, args ...string) {
	t.Helper()
	needClients(t)
	cmd := exec.Command("node", append([]string{filepath.Join("clients", script)}, args...)...)
	if checks != "" {
		cmd.Env = append(os.Environ(), "CHECKS="+checks)
	}
	checked(t, cmd)
}

// checked makes each line that a program of checks prints a test.
func checked(t *testing.T, cmd *exec.Cmd) {
	t.Helper()
	late := time.AfterFunc(5*time.Minute, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	var complaints bytes.Buffer
	cmd.Stderr = &complaints
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	count := 0
	for lines := bufio.NewScanner(out); lines.Scan(); {
		var check struct {
			Name, Error string
			MS          int
		}
		if err := json.Unmarshal(lines.Bytes(), &check); err != nil {
			t.Errorf("%s said %q", cmd, lines.Text())
			continue
		}
		count++
		t.Run(strings.ReplaceAll(check.Name, "/", " "), func(t *testing.T) {
			t.Logf("%d ms", check.MS)
			if check.Error != "" {
				t.Error(check.Error)
			}
		})
	}
	if err := cmd.Wait(); err != nil || count == 0 {
		t.Errorf("%s: %v after %d checks\n%s", cmd, err, count, complaints.String())
	}
}

// clientEndpoint returns the address of a browser that a client may use. With
// TABRELAY_BARE it is that of a browser's own debugging port, to see what the
// checks say there.
func clientEndpoint(t *testing.T) string {
	if bare := os.Getenv("TABRELAY_BARE"); bare != "" {
		return bare
	}
	s := own(t) // so that what a client sees of the browser is its own doing
	s.agent(t)
	return strings.Replace(s.relay(t, "/cdp/"), "ws://", "http://", 1)
}

func TestB96Playwright(t *testing.T) {
	t.Parallel()
	node(t, "playwright.mjs", "", clientEndpoint(t), clientSite(t))
}

// TestB97ContextsByPlaywright holds that newContext has tabs of its own, which close
// with it.
func TestB97ContextsByPlaywright(t *testing.T) {
	t.Parallel()
	node(t, "playwright.mjs", "^newContext", clientEndpoint(t), clientSite(t))
}

func TestB96Puppeteer(t *testing.T) {
	t.Parallel()
	node(t, "puppeteer.mjs", "", clientEndpoint(t), clientSite(t))
}

// Most programs use the API that chromedp had before.
func TestB96ChromedpAsItWas(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	path := filepath.Join(t.TempDir(), "chromedp")
	build := exec.CommandContext(ctx, "go", "build", "-o", path, ".")
	build.Dir, build.Env = "clients/chromedp", append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	checked(t, exec.Command(path, strings.Replace(clientEndpoint(t), "http://", "ws://", 1), clientSite(t)))
}

// TestLateClientsAreToldInTurn holds that a client which comes to a tab where another
// is hears of the page's life after it was told of the page's frames.
func TestLateClientsAreToldInTurn(t *testing.T) {
	t.Parallel()
	shared := shared(t)
	a := shared.agent(t)
	s := newSite(t, `<title>busy</title>`)
	a.open(s.URL)
	c := shared.cdp(t)
	session := c.attach(s.URL)
	c.call(session, "Page.setLifecycleEventsEnabled", args{"enabled": true}, nil)
	late := shared.cdp(t)
	session = late.attach(s.URL)
	late.send(session, "Runtime.evaluate", args{"expression": "for (const end = Date.now() + 300; Date.now() < end;);"})
	tree := late.send(session, "Page.getFrameTree", nil)
	life := late.send(session, "Page.setLifecycleEventsEnabled", args{"enabled": true})
	told := false
	late.until(func(m message) bool {
		switch {
		case m.ID == tree:
			told = true
		case !told && (m.ID == life || m.Method == "Page.lifecycleEvent"):
			t.Error("it hears of a frame before it is told of the frames")
			told = true
		}
		return m.ID == life
	})
}
