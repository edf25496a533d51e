package adapter

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
	"go.uber.org/goleak"
)

// chromium is the browser of all tests here, started by the first that needs
// it and ended by TestMain.
var chromium struct {
	once sync.Once
	cmd  *exec.Cmd
	dir  string
	url  string
	err  error
}

func TestMain(m *testing.M) {
	code := m.Run()
	if chromium.cmd != nil {
		endChromium()
	}
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// endChromium lets the browser end by itself, which ends its children too.
func endChromium() {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { chromium.cmd.Process.Kill() })
	if c, root, err := dial(ctx, chromium.url, nil, func(*session, string, jsonv2.Value) {}); err == nil {
		call(ctx, root, browser.Close, cdp.Empty{})
		defer c.close()
	} else {
		chromium.cmd.Process.Kill()
	}
	chromium.cmd.Wait()
	stop()
	os.RemoveAll(chromium.dir)
}

func startChromium() {
	path, err := exec.LookPath("chromium")
	if err != nil {
		chromium.err = err
		return
	}
	chromium.dir, chromium.err = os.MkdirTemp("", "tabrelay-adapter-")
	if chromium.err != nil {
		return
	}
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,800", "--enable-features=WebMCP",
		"--remote-debugging-port=0", "--user-data-dir="+chromium.dir, "about:blank")
	stderr, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if chromium.err = err; err != nil {
		return
	}
	chromium.cmd = cmd
	lines := bufio.NewScanner(stderr)
	for lines.Scan() {
		if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			chromium.url = url
			break
		}
	}
	if chromium.url == "" {
		chromium.err = fmt.Errorf("chromium told no address")
		return
	}
	go func() { // ends with the process
		for lines.Scan() {
		}
	}()
}

// newBrowser connects to the test browser.
func newBrowser(t testing.TB, o Options) *Browser {
	t.Helper()
	chromium.once.Do(startChromium)
	if chromium.err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(chromium.err)
		}
		t.Skip(chromium.err)
	}
	b, err := Dial(t.Context(), chromium.url, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// newTab opens a tab in front, which the test's end closes.
func newTab(t testing.TB, b *Browser, front bool) *Page {
	t.Helper()
	p, err := b.Open(t.Context(), front, "")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		if p.Dialog() != nil {
			p.AnswerDialog(ctx, DialogAnswer{Accept: true})
		}
		b.CloseTab(ctx, p.id)
	})
	return p
}

// site serves pages by path; localhost and 127.0.0.1 are two origins.
type site struct {
	*httptest.Server
	mux *http.ServeMux
}

func newSite(t testing.TB) *site {
	s := &site{mux: http.NewServeMux()}
	s.Server = httptest.NewUnstartedServer(s.mux)
	ctx, end := context.WithCancel(context.Background())
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Start()
	t.Cleanup(func() {
		end() // the browser asks again when its connection is closed
		s.CloseClientConnections()
		s.Server.Close()
	})
	return s
}

func (s *site) page(path, body string) string {
	s.mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprint(w, "<!doctype html><title>t</title>"+body)
	})
	return s.URL + path
}

// other is the same address of another origin.
func (s *site) other(path string) string {
	return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) + path
}

// stage is a tab with a page in it.
type stage struct {
	testing.TB
	*Page
	site *site
}

// open shows a body in a new tab in front.
func open(t testing.TB, body string) *stage {
	t.Helper()
	return openIn(t, newBrowser(t, Options{}), body, true)
}

// openHidden shows a body in a tab behind another.
func openHidden(t testing.TB, body string) *stage {
	t.Helper()
	b := newBrowser(t, Options{})
	newTab(t, b, true)
	return openIn(t, b, body, false)
}

func openIn(t testing.TB, b *Browser, body string, front bool) *stage {
	t.Helper()
	s := newSite(t)
	st := &stage{TB: t, Page: newTab(t, b, front), site: s}
	st.visit(s.page("/", body))
	return st
}

func (s *stage) visit(url string) {
	s.TB.Helper()
	if _, err := s.Navigate(s.TB.Context(), url, Loaded); err != nil {
		s.Fatal(err)
	}
}

// within is a context that ends after d.
func (s *stage) within(d time.Duration) context.Context {
	ctx, cancel := context.WithTimeout(s.TB.Context(), d)
	s.TB.Cleanup(cancel)
	return ctx
}

// quick does something that may not take longer than most. A machine that is busy
// with other tests is slow now and then: what took longer is done again, and fails
// only when it never is in time. It returns how long the last one took.
func quick(t testing.TB, most time.Duration, do func()) (took time.Duration) {
	t.Helper()
	for range 20 {
		begin := time.Now()
		do()
		if took = time.Since(begin); took <= most || t.Failed() {
			return took
		}
	}
	t.Errorf("it takes %s, and may take %s", took, most)
	return took
}

// is checks what a script says.
func (s *stage) is(script, want string) {
	s.TB.Helper()
	if got := s.value(script); got != want {
		s.Errorf("%s is %s; want %s", script, got, want)
	}
}

// value evaluates a script and returns what it says, or why it fails.
func (s *stage) value(script string) string {
	s.TB.Helper()
	v, err := s.Evaluate(s.TB.Context(), script, Element{})
	if err != nil {
		s.Errorf("%s: %v", script, err)
	}
	return v.Text
}

// ref returns the ref of the first line of a snapshot that contains part.
func (s *stage) ref(part string) string {
	s.TB.Helper()
	snap, err := s.Snapshot(s.TB.Context(), SnapshotOptions{})
	if err != nil {
		s.Fatal(err)
	}
	for line := range strings.Lines(snap.Text()) {
		if !strings.Contains(line, part) {
			continue
		}
		for _, word := range strings.Split(line, "[")[1:] {
			if word, _, ok := strings.Cut(word, "]"); ok {
				if _, ok := ordinal(word); ok && word != "" {
					return word
				}
			}
		}
	}
	s.Fatalf("no ref for %s in\n%s", part, snap.Text())
	return ""
}

func (s *stage) click(selector string, o ClickOptions) Done {
	s.TB.Helper()
	d, err := s.Click(s.TB.Context(), Element{Selector: selector}, o)
	if err != nil {
		s.Fatalf("click %s: %v", selector, err)
	}
	return d
}

func (s *stage) typeInto(selector string, o TypeOptions) Done {
	s.TB.Helper()
	d, err := s.Type(s.TB.Context(), Element{Selector: selector}, o)
	if err != nil {
		s.Fatalf("type into %s: %v", selector, err)
	}
	return d
}

func evaluateOf(expression string) runtime.EvaluateParams {
	return runtime.EvaluateParams{Expression: expression}
}
