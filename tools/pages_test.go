package tools

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

func TestB47Pages(t *testing.T) {
	base := site(t, map[string]string{
		"/a": `<title>A</title><h1>page a</h1><button onclick="window.open('/b')">Open</button>`,
		"/b": `<title>B</title><h1>page b</h1><button onclick="window.close()">Leave</button>`,
	})
	a := newAgent(t, Options{})
	first := a.call("browser_tab_list", nil).Result.(pageEntries)
	mine := ""
	for _, p := range first.Pages {
		if p.Active {
			mine = p.ID
		}
	}
	a.ok("browser_navigate", args{"url": base + "/a"})
	x := a.call("browser_click", args{"selector": "text=Open"})
	if len(x.TabsOpened) != 1 || x.TabsOpened[0].ID == mine {
		t.Fatalf("the popup is not told: %s", x.Text())
	}
	popup := x.TabsOpened[0].ID
	// It is not the active one, and can be driven by its id.
	has(t, a.ok("browser_snapshot", nil), "page a")
	has(t, a.ok("browser_snapshot", args{"pageId": popup}), "page b")
	has(t, a.ok("browser_tab_focus", args{"pageId": popup}), popup, "(active)")
	has(t, a.ok("browser_snapshot", nil), "page b")
	// When it closes itself, its opener is the active one again.
	text := a.ok("browser_click", args{"selector": "text=Leave"})
	has(t, text, "tab closed: "+popup+"; active: "+mine)
	has(t, a.ok("browser_snapshot", nil), "page a")
	has(t, a.fails("PageNotFound", "browser_snapshot", args{"pageId": popup}), popup+" was closed", "hint: open pages:")
	has(t, a.fails("PageNotFound", "browser_snapshot", args{"pageId": "t999"}), "no page t999")
	// Ids are never given twice.
	last := a.call("browser_tab_open", args{"url": base + "/b"})
	if id := last.Result.(opened).ID; id == popup || id == mine {
		t.Errorf("%s is given twice", id)
	}
	has(t, last.Text(), "page b", "(active)")
	has(t, a.ok("browser_tab_close", nil), "tab closed:", "active: "+mine)
}

// Agents that share Claims do not see each other's pages.
func TestB64Claims(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>P</title><button onclick="window.open('/')">Open</button>`})
	claims := &Claims{}
	one := newAgent(t, Options{Claims: claims})
	two := newAgent(t, Options{Claims: claims})
	one.ok("browser_navigate", args{"url": base})
	lacks(t, two.ok("browser_tab_list", nil), base)
	has(t, one.ok("browser_click", args{"selector": "text=Open"}), "tab opened:")
	lacks(t, two.ok("browser_navigate", args{"url": base}), "tab opened:")
	lacks(t, two.ok("browser_tab_list", nil), "tab opened:")
	if n := strings.Count(two.ok("browser_tab_list", nil), base); n != 1 {
		t.Errorf("the second agent sees %d pages", n)
	}
	// Nor by a held page's id: the numbers are each agent's own, and a page that was
	// everybody's before is said to be taken.
	free, err := one.s.browser.Open(t.Context(), true, "")
	if err == nil {
		_, err = free.Navigate(t.Context(), base+"/?free", adapter.Loaded)
	}
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range []*agent{one, two} {
		awaitTabs(t, a.s.browser, func(list []adapter.Tab) bool {
			return slices.ContainsFunc(list, func(t adapter.Tab) bool { return strings.HasSuffix(t.URL, "?free") })
		})
	}
	id := func(a *agent) (id string) {
		t.Helper()
		for _, p := range a.call("browser_tab_list", nil).Result.(pageEntries).Pages {
			if strings.HasSuffix(p.URL, "?free") {
				id = p.ID
			}
		}
		return id
	}
	mine, theirs := id(one), id(two)
	if mine == "" || theirs == "" {
		t.Fatalf("the free page is %q and %q", mine, theirs)
	}
	one.ok("browser_snapshot", args{"pageId": mine})
	for tool, g := range map[string]args{
		"browser_snapshot": {}, "browser_navigate": {"url": base}, "browser_tab_close": {}, "browser_tab_focus": {}, "browser_evaluate": {"script": "1"},
	} {
		g["pageId"] = theirs
		if text := two.fails("PageNotFound", tool, g); strings.Contains(text, "?free") {
			t.Errorf("%s tells of it: %s", tool, text)
		}
	}
	if id := id(two); id != "" {
		t.Errorf("the second agent still sees it as %s", id)
	}
	if err := one.s.browser.CloseTab(t.Context(), free.ID()); err != nil {
		t.Fatal(err)
	}
	for _, p := range one.call("browser_tab_list", nil).Result.(pageEntries).Pages[1:] {
		one.ok("browser_tab_close", args{"pageId": p.ID})
	}
}

func TestConnection(t *testing.T) {
	url := browserURL(t)
	n := 0
	s := newSession(Options{Connect: func(context.Context, Want) (Endpoint, error) {
		n++
		return Endpoint{URL: url, Name: "Chromium 1"}, nil
	}})
	defer s.Close()
	a := &agent{t, s}
	has(t, a.fails("NotConnected", "browser_snapshot", nil), "hint: call browser_connect first")
	has(t, a.fails("NotConnected", "browser_tab_list", nil), "hint: call browser_connect first")
	has(t, a.ok("browser_connect", nil), "connected to Chromium 1")
	has(t, a.fails("AlreadyConnected", "browser_connect", nil), "already connected to Chromium 1", "browser_disconnect")
	has(t, a.ok("browser_disconnect", nil), "disconnected from Chromium 1")
	a.fails("NotConnected", "browser_tab_list", nil)
	// What opens a page needs no connection, also one that was ended.
	has(t, a.ok("browser_navigate", args{"url": "data:text/html,<h1>here</h1>"}), "connected to Chromium 1", "here")
	a.ok("browser_disconnect", nil)
	has(t, a.ok("browser_tab_open", nil), "connected to Chromium 1")
	a.ok("browser_disconnect", nil)
	// A connection that is lost is told once, and renewed by the next call.
	a.ok("browser_connect", nil)
	_ = s.browser.Close()
	<-s.browser.Done()
	has(t, a.fails("ConnectionLost", "browser_tab_list", nil), "connection to the browser is lost", "call again")
	a.ok("browser_tab_list", nil)
	if n != 5 {
		t.Errorf("connected %d times", n)
	}
}

func TestConnectErrors(t *testing.T) {
	s := newSession(Options{Connect: func(context.Context, Want) (Endpoint, error) {
		return Endpoint{}, &Error{Kind: ErrExtensionNotConnected, Text: "it did not come", Hint: "do this", Phase: "extension_missing"}
	}})
	a := &agent{t, s}
	if text := a.fails("ExtensionNotConnected", "browser_connect", nil); text != "error: it did not come\nphase: extension_missing\nhint: do this" {
		t.Errorf("got %q", text)
	}
}

func TestB56Cancellation(t *testing.T) {
	a := newAgent(t, Options{})
	a.ok("browser_navigate", args{"url": "data:text/html,<h1>here</h1>"})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(200*time.Millisecond, cancel)
	begin := time.Now()
	answer := a.s.Call(ctx, "browser_evaluate", json.RawMessage(`{"script":"new Promise(() => {})"}`))
	if answer.Error == nil || time.Since(begin) > 5*time.Second {
		t.Errorf("after %s: %s", time.Since(begin), answer.Text())
	}
	has(t, a.ok("browser_snapshot", nil), "here")
	// A second call to the same page waits its turn, no longer than it may.
	if err := a.s.active.take(t.Context()); err != nil {
		t.Fatal(err)
	}
	text := a.fails("Timeout", "browser_snapshot", args{"timeoutMs": 100})
	has(t, text, "another call is still running")
	a.s.active.release()
}

func TestStructured(t *testing.T) {
	base := site(t, map[string]string{"/": todo})
	a := newAgent(t, Options{Settings: Settings{Structured: true}})
	text, err := lines.Marshal(a.call("browser_navigate", args{"url": base}).result(true).StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	has(t, string(text), `"url":"`+base, `"title":"To do"`, `"snapshot":"- heading`)
	text, _ = lines.Marshal(a.call("browser_click", args{"selector": ".none", "timeoutMs": 300}).result(true).StructuredContent)
	has(t, string(text), `"error":"`, `"kind":"`, `"hint":"`)
	text, _ = lines.Marshal(a.call("browser_click", args{"selector": "#add"}).result(true).StructuredContent)
	has(t, string(text), `"clicked":true`, `"outcome":"done"`, `"ref":"e`, `"target":"button \"Add\"`, `"changes":"`)
	text, _ = lines.Marshal(a.call("browser_click", args{"selector": "text=Break"}).result(true).StructuredContent)
	has(t, string(text), `"consoleSummary":{"errors":1}`)
	text, _ = lines.Marshal(a.call("browser_click", args{"selector": "text=Alert"}).result(true).StructuredContent)
	has(t, string(text), `"modalStates":[{"type":"dialog","dialog":"alert","message":"Hello"}]`)
	text, _ = lines.Marshal(a.call("browser_click", args{"selector": "#add"}).result(true).StructuredContent)
	has(t, string(text), `"error":"`, `"kind":"DialogOpen"`, `"modalStates":[`)
	a.ok("browser_dialog", args{"action": "accept"})
}

func TestErrors(t *testing.T) {
	for _, c := range []struct {
		err  error
		want failure
	}{
		{&adapter.Error{Kind: adapter.ErrStaleRef, Text: "gone", Hint: "look"}, failure{Kind: "StaleRef", Text: "gone", Hint: "look"}},
		{errors.New("strange"), failure{Kind: "Error", Text: "strange"}},
		{context.DeadlineExceeded, failure{Kind: "Timeout", Text: "the call timed out", Hint: "give a larger timeoutMs, or look at the page first"}},
	} {
		c.want.cause = c.err
		if got := failureOf(c.err, profileNamed(defaultProfile)); *got != c.want {
			t.Errorf("%v: got %+v", c.err, *got)
		}
	}
}

// A title that its address ends with is one, such as that of a page for each item.
func TestUntitled(t *testing.T) {
	for _, c := range []struct {
		title, address string
		want           bool
	}{
		{"", "https://example.com/a", true},
		{"example.com/a?b=c", "https://example.com/a?b=c", true},
		{"example.com", "https://www.example.com/", true},
		{"https://example.com/a", "https://example.com/a", true},
		{"127.0.0.1:8000", "http://127.0.0.1:8000/", true},
		{"about:blank", "about:blank", true},
		{"notes.txt", "file:///home/ada/notes.txt", true},
		{"Cat", "https://example.com/wiki/Cat", false},
		{"item-7", "https://example.com/show?name=item-7", false},
		{"Example", "https://example.com/", false},
		{"Blank", "about:blank", false},
	} {
		if got := untitled(c.title, c.address); got != c.want {
			t.Errorf("%q at %s: %v", c.title, c.address, got)
		}
	}
}
