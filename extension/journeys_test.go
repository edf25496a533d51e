package extension_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// site serves the pages of these tests; localhost and 127.0.0.1 make it two origins.
func site(t testing.TB) (local, numeric string) {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewUnstartedServer(mux)
	page := func(pattern, body string) {
		mux.HandleFunc(pattern, func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
			fmt.Fprint(w, "<!doctype html>"+body)
		})
	}
	page("/", "<title>Plain</title><p>plain")
	page("/inner", "<title>Inner</title><p>inner")
	page("/download", "<title>Download</title><a id=a href=/file>get</a>")
	mux.HandleFunc("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.txt"`)
		fmt.Fprint(w, "twelve bytes")
	})
	server.Start()
	t.Cleanup(server.Close)
	numeric = server.URL
	local = strings.Replace(numeric, "127.0.0.1", "localhost", 1)
	page("/outer", "<title>Outer</title><iframe src="+numeric+"/inner></iframe>")
	return local, numeric
}

func refused(t *testing.T, err error, code int, part string) {
	t.Helper()
	var r *refusal
	if !errors.As(err, &r) {
		t.Fatalf("not refused: %v", err)
	}
	if r.Code != code || !strings.Contains(r.Message, part) {
		t.Errorf("refused with %v; want code %d and %q", r, code, part)
	}
}

func is(tabID string) func(params) bool {
	return func(p params) bool { return string(p.ID) == tabID }
}

func TestManagedBrowser(t *testing.T) {
	r := newFakeRelay(t)
	local, _ := site(t)
	c := launch(t, r, "all")
	hello := r.await(0, "hello", nil).Params
	first := string(hello.Tabs[0].ID)

	t.Run("hello", func(t *testing.T) {
		if hello.ExtensionVersion == "" || len(hello.InstallID) != 36 || hello.Launch != "L1" {
			t.Errorf("hello %+v", hello)
		}
		if b := hello.Browser; b.Name != "Chromium" || !strings.Contains(b.Version, ".") || !strings.Contains(b.UserAgent, "Chrome/") {
			t.Errorf("browser %+v", b)
		}
		if len(hello.Tabs) != 1 || hello.Tabs[0].URL != "about:blank" || hello.Tabs[0].Attached {
			t.Errorf("tabs %+v", hello.Tabs)
		}
	})

	t.Run("commands", func(t *testing.T) {
		_, err := r.ask("toString", args{})
		refused(t, err, -32601, "unknown command")
		_, err = r.ask("forwardCDPCommand", args{"id": first, "method": "Runtime.evaluate"})
		refused(t, err, -32000, "not attached")
		if raw, err := r.ask("awaitClient", args{"client": "c1", "port": 9222}); err != nil || string(raw) != `{"verdict":"allowed"}` {
			t.Errorf("a program is told %s, %v", raw, err)
		}
		_, err = r.ask("awaitConfirmation", args{"question": "q1", "deed": "Allow it?", "wait": 50_000})
		refused(t, err, -32063, "started for agents")
		r.do("attachTab", args{"id": first}, nil)
		r.do("attachTab", args{"id": first}, nil)
		if got := r.eval(first, "1+1"); got != "2" {
			t.Errorf("1+1 is %s", got)
		}
		_, err = r.ask("forwardCDPCommand", args{"id": first, "method": "Runtime.frobnicate"})
		refused(t, err, -32601, "wasn't found")
		_, err = r.ask("forwardCDPCommand", args{"id": first, "method": "DOM.resolveNode", "params": args{"nodeId": "x"}})
		refused(t, err, -32602, "")
		_, err = r.ask("forwardCDPCommand", args{"id": "NONE", "method": "Runtime.evaluate"})
		refused(t, err, -32000, "no tab")
		_, err = r.ask("createTab", args{"url": "chrome://version"})
		refused(t, err, -32000, "cannot be controlled")
	})

	t.Run("tabs", func(t *testing.T) {
		mark := r.mark()
		made := r.create(local + "/")
		if made.ID == "" || !made.Attached || made.Active {
			t.Errorf("created %+v", made)
		}
		r.await(mark, "tabOpened", is(string(made.ID)))
		r.await(mark, "tabUpdated", func(p params) bool { return p.ID == made.ID && p.Title == "Plain" && p.URL == local+"/" })
		var both, registered struct{ Tabs []tab }
		r.do("listTabs", args{}, &both)
		r.do("listRegisteredTabs", args{}, &registered)
		if len(both.Tabs) != 2 || len(registered.Tabs) != 2 {
			t.Errorf("listTabs %+v, listRegisteredTabs %+v", both, registered)
		}
		r.do("activateTab", args{"id": made.ID}, nil)
		r.await(mark, "tabUpdated", func(p params) bool { return p.ID == made.ID && p.Active })
		r.await(mark, "tabUpdated", func(p params) bool { return string(p.ID) == first && !p.Active })
		r.do("groupTabs", args{"ids": []any{made.ID}, "title": "agent", "color": "cyan"}, nil)
		r.do("detachTab", args{"id": made.ID}, nil)
		r.do("listTabs", args{}, &both)
		if len(both.Tabs) != 1 {
			t.Errorf("listTabs after detachTab: %+v", both)
		}
		r.do("closeTab", args{"id": made.ID}, nil)
		r.await(mark, "tabClosed", is(string(made.ID)))
	})

	t.Run("events", func(t *testing.T) {
		mark := r.mark()
		r.cdp(first, "Runtime.enable", nil)
		r.eval(first, `console.log("heard")`)
		if e := r.cdpEvent(mark, first, "Runtime.consoleAPICalled"); !strings.Contains(string(e.Params), "heard") {
			t.Errorf("console event %s", e.Params)
		}
	})

	t.Run("popups name their opener", func(t *testing.T) {
		for range 20 {
			mark := r.mark()
			r.eval(first, `void(window.w = window.open("about:blank"))`)
			popup := r.await(mark, "tabOpened", nil).Params
			if popup.OpenerID != first {
				t.Fatalf("opened %+v", popup.tab)
			}
			r.eval(first, `w.close()`)
			r.await(mark, "tabClosed", is(string(popup.ID)))
		}
		mark := r.mark()
		r.eval(first, `void(window.w = window.open("`+local+`/"))`)
		popup := r.await(mark, "tabOpened", nil).Params
		if popup.OpenerID != first {
			t.Fatalf("opened %+v", popup.tab)
		}
		r.eval(first, `w.close()`)
	})

	t.Run("frames of another process", func(t *testing.T) {
		outer := string(r.create("about:blank").ID)
		mark := r.mark()
		r.cdp(outer, "Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
		r.cdp(outer, "Page.navigate", args{"url": local + "/outer"})
		attached := r.cdpEvent(mark, outer, "Target.attachedToTarget")
		var child struct{ SessionID string }
		decode(t, attached.Params, &child)
		mark = r.mark()
		for _, method := range []string{"Runtime.enable", "Runtime.evaluate"} {
			result, err := r.ask("forwardCDPCommand", args{"id": outer, "sessionId": child.SessionID, "method": method,
				"params": args{"expression": "console.log(1), location.hostname", "returnByValue": true}})
			if err != nil {
				t.Fatal(err)
			}
			if method == "Runtime.evaluate" && !strings.Contains(string(result), "127.0.0.1") {
				t.Errorf("in the frame: %s", result)
			}
		}
		if e := r.cdpEvent(mark, outer, "Runtime.consoleAPICalled"); e.SessionID != child.SessionID {
			t.Errorf("event of session %q, want %q", e.SessionID, child.SessionID)
		}
		r.do("closeTab", args{"id": outer}, nil)
	})

	t.Run("a frame that nobody lets go", func(t *testing.T) {
		outer := string(r.create("about:blank").ID)
		mark := r.mark()
		r.cdp(outer, "Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
		r.cdp(outer, "Page.enable", nil)
		r.cdp(outer, "Page.navigate", args{"url": local + "/outer"})
		var child struct{ WaitingForDebugger bool }
		if decode(t, r.cdpEvent(mark, outer, "Target.attachedToTarget").Params, &child); !child.WaitingForDebugger {
			t.Error("it is not halted")
		}
		r.cdpEvent(mark, outer, "Page.loadEventFired") // which waits for frames
		r.do("closeTab", args{"id": outer}, nil)
	})

	t.Run("a page of the browser and back", func(t *testing.T) {
		away := string(r.create(local + "/").ID)
		r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == away && p.Title == "Plain" })
		session := c.attach(away)
		mark := r.mark()
		c.cdp(session, "Page.navigate", args{"url": "chrome://version"})
		e := r.await(mark, "tabDetached", is(away))
		if e.Params.Reason != "not_eligible" {
			t.Errorf("detached with %q", e.Params.Reason)
		}
		_, err := r.ask("forwardCDPCommand", args{"id": away, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
		refused(t, err, -32000, "not attached")
		_, err = r.ask("attachTab", args{"id": away})
		refused(t, err, -32000, "cannot be controlled")
		mark = r.mark()
		c.cdp(session, "Page.navigate", args{"url": local + "/"})
		r.await(mark, "tabUpdated", func(p params) bool { return string(p.ID) == away && p.URL == local+"/" })
		r.do("attachTab", args{"id": away}, nil)
		if got := r.eval(away, "location.pathname"); got != `"/"` {
			t.Errorf("back at %s", got)
		}
		r.do("closeTab", args{"id": away}, nil)
	})

	t.Run("a frame of an unknown scheme", func(t *testing.T) {
		id := string(r.create(local + "/").ID)
		r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == id && p.Title == "Plain" })
		mark := r.mark()
		// Chrome detaches, it may be before it answers.
		_, _ = r.ask("forwardCDPCommand", args{"id": id, "method": "Runtime.evaluate", "params": args{
			"expression": `void document.body.append(Object.assign(document.createElement("iframe"), {src: "nonsense:thing"}))`}})
		if e := r.await(mark, "tabDetached", is(id)); e.Params.Reason != "target_closed" {
			t.Errorf("detached with %q", e.Params.Reason)
		}
		r.await(mark, "tabUpdated", func(p params) bool { return string(p.ID) == id && p.Attached })
		if got := r.eval(id, "1+1"); got != "2" {
			t.Errorf("1+1 is %s", got)
		}
		r.do("closeTab", args{"id": id}, nil)
	})

	t.Run("downloads", func(t *testing.T) {
		dir := t.TempDir()
		c.cdp("", "Browser.setDownloadBehavior", args{"behavior": "allow", "downloadPath": dir})
		id := string(r.create(local + "/download").ID)
		mark := r.mark()
		r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == id && p.Title == "Download" })
		r.cdp(id, "Page.enable", nil)
		r.eval(id, "document.getElementById('a').click()")
		var told struct{ GUID, SuggestedFilename string }
		if err := json.Unmarshal(r.cdpEvent(mark, id, "Page.downloadWillBegin").Params, &told); err != nil {
			t.Fatal(err)
		}
		done := r.await(mark, "downloadChanged", func(p params) bool { return p.State == "complete" }).Params
		if done.Filename != "report.txt" || done.Bytes != 12 || done.URL != local+"/file" {
			t.Errorf("download %+v", done)
		}
		if done.TabID != id || done.GUID != told.GUID || told.GUID == "" || done.Name != told.SuggestedFilename {
			t.Errorf("download %q, %q of tab %q; the page told %+v, and it is tab %q", done.GUID, done.Name, done.TabID, told, id)
		}
		if text, err := os.ReadFile(done.Path); err != nil || string(text) != "twelve bytes" {
			t.Errorf("%s holds %q, %v", done.Path, text, err)
		}
		number := json.Number(done.ID)
		r.do("cancelDownload", args{"id": number}, nil)
		if _, err := os.Stat(done.Path); err != nil {
			t.Errorf("canceled when it was complete: %v", err)
		}
		r.do("deleteDownload", args{"id": number}, nil)
		if _, err := os.Stat(done.Path); err == nil {
			t.Error("its file is there after it was deleted")
		}
		if _, err := r.ask("deleteDownload", args{"id": 1 << 30}); err == nil || !strings.Contains(err.Error(), "no such download") {
			t.Errorf("a download that nobody was told of: %v", err)
		}
		r.do("closeTab", args{"id": id}, nil)
	})

	t.Run("the relay goes and comes", func(t *testing.T) {
		mark := r.mark()
		r.drop(1001, "")
		again := r.await(mark, "hello", nil).Params
		if again.InstallID != hello.InstallID {
			t.Errorf("installId %s, then %s", hello.InstallID, again.InstallID)
		}
		if len(again.Tabs) != 1 || !again.Tabs[0].Attached {
			t.Errorf("tabs %+v", again.Tabs)
		}
		if got := r.eval(first, "2+2"); got != "4" {
			t.Errorf("2+2 is %s", got)
		}
	})

	t.Run("the worker dies", func(t *testing.T) {
		r.eval(first, "void(window.kept = 7)")
		// The event wakes the next worker, so it must come from the page alone.
		session := c.attach(first)
		mark := r.mark()
		c.killWorker()
		c.eval(session, `console.log("wake")`, nil)
		again := r.await(mark, "hello", nil).Params
		if len(again.Tabs) != 1 || !again.Tabs[0].Attached {
			t.Errorf("tabs %+v", again.Tabs)
		}
		if e := r.cdpEvent(mark, first, "Runtime.consoleAPICalled"); !strings.Contains(string(e.Params), "wake") {
			t.Errorf("the event that woke the worker: %s", e.Params)
		}
		if got := r.eval(first, "kept"); got != "7" {
			t.Errorf("kept is %s", got)
		}
	})

	t.Run("a discarded tab", func(t *testing.T) {
		id := string(r.create(local + "/").ID)
		r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == id && p.Title == "Plain" })
		r.do("detachTab", args{"id": id}, nil)
		page := c.page(base + "options.html")
		mark := r.mark()
		c.eval(page, `chrome.tabs.query({url: "http://localhost/*"}).then(([tab]) => chrome.tabs.discard(tab.id))`, nil)
		again := r.await(mark, "tabOpened", func(p params) bool { return p.Discarded }).Params
		if again.Replaces != id {
			t.Errorf("replaces %q, want %q", again.Replaces, id)
		}
		r.await(mark, "tabClosed", is(id))
		id = string(again.ID)
		r.do("attachTab", args{"id": id}, nil)
		if got := r.eval(id, "location.pathname"); got != `"/"` {
			t.Errorf("at %s", got)
		}
	})
}
