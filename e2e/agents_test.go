package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os/exec"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

// extensionPage is a page of the extension in a person's browser, with what the
// extension may know of tabs.
type extensionPage struct {
	*client
	session string
}

func (p *person) extensionPage() *extensionPage {
	p.t.Helper()
	c := p.chromium()
	var made struct{ TargetID string }
	c.call("", "Target.createTarget", map[string]any{"url": "chrome-extension://" + extension.ID + "/options.html", "background": true}, &made)
	var at struct{ SessionID string }
	c.call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &at)
	e := &extensionPage{c, at.SessionID}
	// A page that was just made may be its empty beginning still.
	c.call(e.session, "Page.enable", nil, nil)
	c.call(e.session, "Page.navigate", map[string]any{"url": "chrome-extension://" + extension.ID + "/options.html?loaded"}, nil)
	c.until(func(m message) bool { return m.SessionID == e.session && m.Method == "Page.loadEventFired" })
	return e
}

// disconnect is the button of the popup.
func (e *extensionPage) disconnect() {
	e.t.Helper()
	e.value(`new Promise(done => {
		const port = chrome.runtime.connect({ name: 'popup' });
		port.onMessage.addListener(view => { if (view.state === 'disconnected') done(1) });
		port.postMessage({ ask: 'disconnect' });
	})`)
}

// value evaluates a script, which may be a promise, and returns its value as JSON.
func (e *extensionPage) value(script string) string {
	e.t.Helper()
	var got struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails *struct{ Exception struct{ Description string } }
	}
	e.call(e.session, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &got)
	if got.ExceptionDetails != nil {
		e.t.Fatalf("%s: %s", script, got.ExceptionDetails.Exception.Description)
	}
	return string(got.Result.Value)
}

// groups waits until the tab groups are those of a list: title, color and how
// many tabs, in the order of their titles.
func (e *extensionPage) groups(want ...string) {
	e.t.Helper()
	list, _ := json.Marshal(append([]string{}, want...))
	got := e.value(fmt.Sprintf(`new Promise(done => {
		const want = %q;
		let said = '';
		const look = async () => {
			const groups = await chrome.tabGroups.query({});
			said = JSON.stringify((await Promise.all(groups.map(async g =>
				g.title + ' ' + g.color + ' ' + (await chrome.tabs.query({ groupId: g.id })).length))).sort());
			if (said === want) done(said);
		};
		for (const event of [chrome.tabGroups.onCreated, chrome.tabGroups.onUpdated, chrome.tabGroups.onRemoved, chrome.tabs.onUpdated]) event.addListener(look);
		setTimeout(() => done(said), 10000);
		look();
	})`, list))
	var said string
	if err := json.Unmarshal([]byte(got), &said); err != nil || said != string(list) {
		e.t.Fatalf("the groups are %s, want %s", said, list)
	}
}

// share shares the person's tab at an address, as the popup does.
func (e *extensionPage) share(url string) {
	e.t.Helper()
	e.wish(url, "share", true)
}

// wish asks as the popup does to share a tab, or to stop that, and waits until it
// is so.
func (e *extensionPage) wish(url, ask string, shared bool) {
	e.t.Helper()
	e.value(fmt.Sprintf(`new Promise(async done => {
		const [tab] = await chrome.tabs.query({ url: %q });
		const port = chrome.runtime.connect({ name: 'popup' });
		port.onMessage.addListener(view => { if (view.tabs.some(t => t.tabId === tab.id) === %t) done(1) });
		port.postMessage({ ask: %q, tabId: tab.id });
	})`, url+"*", shared, ask))
}

// An agent's tabs stand in a group that has its name and a color of its own. The
// person's tabs stay where they are, and so does what they look at.
func TestAgentsTabsStandInAGroup(t *testing.T) {
	t.Parallel()
	d, one, p := newOwn(t)
	site := newSite(t, clicks).page("/mine", `<title>Mine</title>`)
	e := p.extensionPage()
	var mine struct{ TargetID string }
	e.call("", "Target.createTarget", map[string]any{"url": site.URL + "/mine"}, &mine)
	e.value(fmt.Sprintf(`new Promise(done => {
		const look = async () => { if ((await chrome.tabs.query({ url: %q })).length) done(1) };
		chrome.tabs.onUpdated.addListener(look);
		look();
	})`, site.URL+"/mine"))
	e.share(site.URL + "/mine")
	two, _ := d.front("--no-sandbox", "--browser-path", d.path)
	two.ok("browser_connect", nil)
	shared := two.ok("browser_tab_list", nil).page("/mine")
	one.open(site.URL + "/?one")
	one.open(site.URL + "/?another")
	two.open(site.URL + "/?two")
	own := one.ok("browser_tab_list", nil).page("/mine")
	one.ok("browser_snapshot", args{"pageId": own})
	e.groups("e2e 2 green 1", "e2e purple 2")
	if got := e.value(fmt.Sprintf(`chrome.tabs.query({ url: %q }).then(([t]) => t.groupId + ' ' + t.active)`, site.URL+"/mine")); got != `"-1 true"` {
		t.Errorf("the person's tab: group and active are %s", got)
	}
	// It is the first agent's now, and the other one is told whose.
	two.fails("browser_snapshot", args{"pageId": shared}).has("the page "+shared+" is used by another agent, e2e", "hint:")
	two.ok("browser_tab_list", nil).lacks("/mine", "?one")

	// Who goes leaves its tabs, in a group that says so; the name is free.
	until := d.follow()
	if err := two.session.Close(); err != nil {
		t.Error(err)
	}
	until(func(s deskStatus) bool { return len(s.Agents) == 1 })
	e.groups("e2e purple 2", "left by agents grey 1")
	three, _ := d.front("--no-sandbox", "--browser-path", d.path, "--on-exit", "close")
	three.ok("browser_connect", nil).has("?two")
	three.open(site.URL + "/?three")
	e.groups("e2e 2 green 1", "e2e purple 2", "left by agents grey 1")
	quiet, _ := d.front("--no-sandbox", "--browser-path", d.path, "--no-group")
	quiet.ok("browser_connect", nil)
	quiet.open(site.URL + "/?quiet")

	// A group outlives the daemon that made it.
	d.kill(d.daemon())
	one.ok("browser_tab_list", nil)
	one.open(site.URL + "/?third")
	e.groups("e2e 2 green 1", "e2e purple 3", "left by agents grey 1")
	three.ok("browser_tab_list", nil)
	if err := three.session.Close(); err != nil {
		t.Error(err)
	}
	e.groups("e2e purple 3", "left by agents grey 1")
	// Who takes such a tab has it in its group.
	one.ok("browser_snapshot", args{"pageId": one.ok("browser_tab_list", nil).page("?two")})
	e.groups("e2e purple 4")
}

// What an agent has set, seen and read is its own; what it leaves behind is as
// nobody had used it.
func TestAgentsKeepTheirOwn(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	site := newSite(t, clicks)
	one, _ := d.front(d.managed()...)
	two, _ := d.front(d.managed()...)
	one.ok("browser_connect", nil)
	two.ok("browser_connect", nil)
	zone := "Intl.DateTimeFormat().resolvedOptions().timeZone"
	two.open(site.URL + "/?plain")
	plain := two.value(zone)
	one.open(site.URL + "/?one")
	two.open(site.URL + "/?two")
	one.ok("browser_set_timezone", args{"timezone": "Asia/Tokyo"})
	one.ok("browser_set_device", args{"width": 400, "height": 300})
	two.ok("browser_set_timezone", args{"timezone": "Pacific/Apia"})
	if a, b := one.value(zone+" + innerWidth"), two.value(zone); a != `"Asia/Tokyo400"` || b != `"Pacific/Apia"` {
		t.Errorf("they are in %s and %s", a, b)
	}
	if width := two.value("innerWidth"); width == "400" {
		t.Error("one agent's size is another's, too")
	}
	// Each acts in its own active page, and is told what is new there to it.
	one.ok("browser_evaluate", args{"script": "console.error('said by one')"})
	one.ok("browser_click", args{"selector": "button"}).has("Clicked 1")
	two.ok("browser_click", args{"selector": "button"}).has("Clicked 1").lacks("console:", "said by one")
	one.ok("browser_console", nil).has("said by one")
	two.ok("browser_console", nil).lacks("said by one")
	// Who takes a tab that was left finds it as the page made it.
	until := d.follow()
	if err := one.session.Close(); err != nil {
		t.Error(err)
	}
	until(func(s deskStatus) bool { return len(s.Agents) == 1 })
	left := two.ok("browser_tab_list", nil).page("?one")
	an := two.ok("browser_evaluate", args{"pageId": left, "script": zone + " + ' ' + (innerWidth === 400) + ' ' + document.querySelector('button').textContent"})
	an.has(strings.Trim(plain, `"`) + " false Clicked 1")
}

// overHTTP starts a process that has agents served over HTTP by the daemon.
func (d *desk) overHTTP(args ...string) (*server, *exec.Cmd) {
	d.t.Helper()
	s := &server{state: d.dir, log: &tail{}, done: make(chan struct{})}
	if err := s.start(append([]string{"--transport", "http"}, args...)...); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(s.stop)
	return s, s.cmd
}

// Agents over HTTP and over stdio share a browser, and neither touches what the
// other holds.
func TestAgentsOverHTTPAndStdioShareABrowser(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	if out, err := d.command("extension", "--all-sites", "--port", freePort(t)).CombinedOutput(); err != nil {
		t.Fatalf("tabrelay extension: %v\n%s", err, out)
	}
	site := newSite(t, clicks)
	s, process := d.overHTTP(d.managed("--on-exit", "close")...)
	stdio, _ := d.front(d.managed()...)
	stdio.ok("browser_connect", nil)
	over := &agent{t, s.connect(t)}
	over.ok("browser_connect", nil)
	ref := stdio.open(site.URL+"/?stdio").ref("button", "Click")
	theirs := over.open(site.URL+"/?http").ref("button", "Click")
	until := d.follow()
	now, _ := until(func(s deskStatus) bool { return len(s.Agents) == 2 && len(s.Agents[1].Tabs) == 1 })
	if len(now.Browsers) != 1 || len(now.Agents[0].Tabs) != 1 {
		t.Fatalf("status: %+v", now)
	}
	over.ok("browser_click", args{"ref": theirs}).has("Clicked 1")
	stdio.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	stdio.ok("browser_tab_list", nil).has("?stdio").lacks("?http")
	over.ok("browser_tab_list", nil).has("?http").lacks("?stdio")

	// An agent that has a name goes on when the daemon is another one.
	d.kill(d.daemon())
	stdio.ok("browser_navigate", args{"url": site.URL + "/?again"})
	until = d.follow()
	until(func(s deskStatus) bool { return s.HTTP })
	an := over.ok("browser_navigate", args{"url": site.URL + "/?http"})
	over.ok("browser_click", args{"ref": an.ref("button", "Click")}).has("Clicked 1")
	until(func(s deskStatus) bool {
		return len(s.Agents) == 2 && len(s.Agents[1].Tabs) == 1 && len(s.Browsers) == 1
	})

	// Its tabs are closed when it goes, for so it was asked.
	if err := process.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	now, _ = until(func(s deskStatus) bool { return len(s.Agents) == 1 && !s.HTTP })
	stdio.ok("browser_tab_list", nil).has("?again").lacks("?http")
}

// An agent of the protocol with sessions ends with its session, and its tabs do
// if so asked.
func TestTabsOfAnAgentOverHTTPAreClosedIfSo(t *testing.T) {
	t.Parallel()
	s := own(t, "--on-exit", "close")
	site := newSite(t, clicks)
	stays := s.agent(t)
	rpc := func(method, session, body string) *http.Response {
		r, err := http.NewRequest(method, s.url, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if session != "" {
			r.Header.Set("Mcp-Session-Id", session)
		}
		answer, err := (&http.Client{Transport: bearer{}}).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
	began := rpc(http.MethodPost, "", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`)
	id := began.Header.Get("Mcp-Session-Id")
	if id == "" {
		t.Fatalf("no session: %s", began.Status)
	}
	for i, call := range []string{`{"name":"browser_connect"}`, fmt.Sprintf(`{"name":"browser_tab_open","arguments":{"url":"%s/?goes"}}`, site.URL)} {
		answer := rpc(http.MethodPost, id, fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":%s}`, i+2, call))
		buf := make([]byte, 64<<10)
		n, _ := answer.Body.Read(buf)
		if strings.Contains(string(buf[:n]), `"isError":true`) {
			t.Fatalf("%s: %s", call, buf[:n])
		}
	}
	if answer := rpc(http.MethodDelete, id, ""); answer.StatusCode != http.StatusNoContent {
		t.Fatalf("delete: %s", answer.Status)
	}
	c := s.cdp(t)
	var targets struct{ TargetInfos []struct{ URL string } }
	c.call("", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil)
	c.call("", "Target.getTargets", nil, &targets)
	for _, target := range targets.TargetInfos {
		if strings.Contains(target.URL, "?goes") { // it is closing
			c.until(func(m message) bool { return m.Method == "Target.targetDestroyed" })
		}
	}
	// Nor is there any word of what came and went, in another's hands.
	stays.ok("browser_tab_list", nil).lacks("?goes", "tab opened", "tab closed")
}
