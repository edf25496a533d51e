package tools

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"encoding/json"
)

// chromium is one bare headless browser for all tests of the package.
var chromium struct {
	once sync.Once
	url  string
	err  string
	stop func()
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.stop != nil {
		chromium.stop()
	}
	os.Exit(code)
}

func browserURL(t *testing.T) string {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != "" {
		if os.Getenv("CI") == "true" {
			t.Fatal(chromium.err)
		}
		t.Skip(chromium.err)
	}
	return chromium.url
}

func startChromium() {
	path := os.Getenv("TABRELAY_BROWSER_PATH")
	if path == "" {
		var err error
		if path, err = exec.LookPath("chromium"); err != nil {
			chromium.err = "no chromium: " + err.Error()
			return
		}
	}
	dir, err := os.MkdirTemp("", "tabrelay-tools-")
	if err != nil {
		chromium.err = err.Error()
		return
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--enable-features=WebMCP",
		"--remote-debugging-port=0", "--user-data-dir="+dir, "about:blank")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		chromium.err = err.Error()
		return
	}
	chromium.stop = func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		_ = os.RemoveAll(dir)
	}
	found := make(chan string, 1)
	go func() { // ends with the browser
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				found <- url
			}
		}
	}()
	select {
	case chromium.url = <-found:
	case <-time.After(30 * time.Second):
		chromium.err = "chromium said no address within 30 s"
	}
}

// agent is a session that is connected, with a page of its own.
type agent struct {
	t *testing.T
	s *Session
}

func newAgent(t *testing.T, o Options) *agent {
	t.Helper()
	url := browserURL(t)
	o.Connect = func(context.Context, Want) (Endpoint, error) {
		return Endpoint{URL: url, Name: "Chromium", How: "bare, for tests"}, nil
	}
	a := &agent{t, newSession(o)}
	a.ok("browser_connect", nil)
	a.ok("browser_tab_open", nil)
	t.Cleanup(func() {
		a.s.CloseTabs(context.Background())
		_ = a.s.Close()
	})
	return a
}

type args map[string]any

func (a *agent) call(name string, g args) *Answer {
	a.t.Helper()
	raw, err := json.Marshal(g)
	if err != nil {
		a.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	begin := time.Now()
	answer := a.s.Call(ctx, name, raw)
	a.t.Logf("%s %s (%s)\n%s", name, raw, time.Since(begin).Round(time.Millisecond), answer.Text())
	return answer
}

// ok calls a tool that must not fail and returns its text.
func (a *agent) ok(name string, g args) string {
	a.t.Helper()
	answer := a.call(name, g)
	if answer.Error != nil {
		a.t.Fatalf("%s: %s", name, answer.Text())
	}
	return answer.Text()
}

// fails calls a tool that must fail in a certain way and returns its text.
func (a *agent) fails(kind, name string, g args) string {
	a.t.Helper()
	answer := a.call(name, g)
	if answer.Error == nil || answer.Error.Kind != kind {
		a.t.Fatalf("%s: want an error %s, got:\n%s", name, kind, answer.Text())
	}
	return answer.Text()
}

// site serves pages by their path.
func site(t *testing.T, pages map[string]string) string {
	t.Helper()
	mux := http.NewServeMux()
	for path, html := range pages {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(html))
		})
	}
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return s.URL
}

// has checks that a text has each of some parts.
func has(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if !strings.Contains(text, p) {
			t.Errorf("%q is missing in:\n%s", p, text)
		}
	}
}

// lacks checks that a text has none of some parts.
func lacks(t *testing.T, text string, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if strings.Contains(text, p) {
			t.Errorf("%q is in:\n%s", p, text)
		}
	}
}
