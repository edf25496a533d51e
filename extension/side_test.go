package extension_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/gorilla/websocket"
)

// badge awaits the word on the icon for a tab, from a page of the extension.
func (c *chromium) badge(session, id, want string) {
	c.t.Helper()
	c.eval(session, fmt.Sprintf(`(async () => {
		const { tabId } = (await chrome.debugger.getTargets()).find((t) => t.id === %q);
		while (await chrome.action.getBadgeText({ tabId }) !== %q);
	})()`, id, want), nil)
}

// TestB92BadgeOutlivesReload loads a tab again while no panel is open: Chrome forgets
// the badge of the document before.
func TestB92BadgeOutlivesReload(t *testing.T) {
	r := newFakeRelay(t)
	local, _ := site(t)
	c := launch(t, r, "chosen")
	r.await(0, "hello", nil)
	page := c.page(base + "icons/16.png")
	tab := string(r.create(local + "/").ID)
	r.cdp(tab, "Page.enable", nil)
	c.badge(page, tab, "AI")
	mark := r.mark()
	r.cdp(tab, "Page.reload", nil)
	r.cdpEvent(mark, tab, "Page.loadEventFired")
	c.badge(page, tab, "AI")
}

// TestB92TheSidePanel presses what the panel has, and sees in the tab, on the icon and
// at the relay what comes of it.
func TestB92TheSidePanel(t *testing.T) {
	r := newFakeRelay(t)
	local, _ := site(t)
	c := launch(t, r, "chosen")
	r.await(0, "hello", nil)
	side := c.page(base + "options.html")
	c.eval(side, `chrome.storage.local.set({ allSites: true }).then(() => 1)`, nil)
	mark := r.mark()
	c.cdp(side, "Page.navigate", args{"url": base + "side.html"})
	r.await(mark, "watching", nil)
	c.until(side, `state.textContent === "Connected" && !nobody.hidden`)
	made, left := string(r.create("about:blank").ID), string(r.create("about:blank").ID)
	badge := func(id, want string) {
		t.Helper()
		c.badge(side, id, want)
	}
	badge(made, "AI")
	r.do("show", args{"fresh": true, "called": "chrome-1", "entries": []args{
		{"at": "2026-11-20T09:14:02Z", "kind": "agent", "who": "one", "did": "browser_click", "site": local, "outcome": "done", "ms": 5},
		{"at": "2026-11-20T09:14:03Z", "kind": "agent", "who": "two", "did": "browser_type", "site": local, "outcome": "error", "why": "StaleRef", "ms": 5},
	}, "actors": []args{{"name": "one", "kind": "agent", "color": "blue", "tabs": []string{made}}}}, nil)
	c.until(side, `actors.innerText.includes("one") && left.children.length === 1 && document.querySelectorAll(".entry").length === 2`)
	c.eval(side, `(filter.value = "stale", filter.oninput(), 1)`, nil)
	c.until(side, `document.querySelectorAll(".entry").length === 1 && document.querySelector(".entry").innerText.includes("two")`)

	// One agent is paused: its tab, and no other.
	mark = r.mark()
	c.eval(side, `actors.querySelector(".pause").click()`, nil)
	r.await(mark, "paused", nil)
	_, err := r.ask("forwardCDPCommand", args{"id": made, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
	refused(t, err, -32065, "paused")
	r.eval(left, "1")
	badge(made, "II")
	c.until(side, `actors.querySelector(".pause").textContent === "Resume"`)
	c.eval(side, `actors.querySelector(".pause").click()`, nil)
	badge(made, "AI")

	// All are: nothing is opened, and what a page waits for goes on.
	c.eval(side, `document.getElementById("pause").click()`, nil)
	c.until(side, `!paused.hidden`)
	_, err = r.ask("createTab", args{"url": "about:blank"})
	refused(t, err, -32065, "Resume")
	_, err = r.ask("forwardCDPCommand", args{"id": left, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
	refused(t, err, -32065, "Resume")
	r.cdp(left, "Runtime.runIfWaitingForDebugger", args{})
	// It is kept when the worker ends.
	mark = r.mark()
	c.killWorker()
	r.await(mark, "paused", nil)
	_, err = r.ask("forwardCDPCommand", args{"id": left, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
	refused(t, err, -32065, "Resume")
	c.until(side, `!paused.hidden`)
	// What is resumed while the relay is away is told when it is back.
	mark = r.mark()
	r.setAway(true)
	r.drop(websocket.CloseGoingAway, "")
	c.until(side, `state.textContent !== "Connected"`)
	c.eval(side, `document.getElementById("pause").click()`, nil)
	c.until(side, `paused.hidden`)
	r.setAway(false)
	r.await(mark, "paused", func(p params) bool { return !p.All })

	// A tab is taken over, and handed back.
	r.do("show", args{"fresh": true, "entries": []args{}, "actors": []args{{"name": "one", "kind": "agent", "tabs": []string{made}}}}, nil)
	c.until(side, `actors.querySelector(".over")`)
	mark = r.mark()
	c.eval(side, `actors.querySelector(".over").click()`, nil)
	r.await(mark, "tabDetached", func(p params) bool { return is(made)(p) && p.Reason == "taken_over" })
	_, err = r.ask("attachTab", args{"id": made})
	refused(t, err, -32066, "hand it back")
	badge(made, "you")
	c.until(side, `over.children.length === 1`)
	c.eval(side, `over.querySelector("button:last-child").click()`, nil)
	r.await(mark, "tabOpened", is(made))
	badge(made, "✓")

	// What agents left is closed, and the history is cleared when that is pressed twice.
	c.until(side, `left.children.length === 1`)
	mark = r.mark()
	c.eval(side, `document.getElementById("close-left").click()`, nil)
	r.await(mark, "tabClosed", is(left))
	r.do("show", args{"entries": []args{{"at": "2026-11-20T09:14:09Z", "kind": "agent", "who": "one", "did": "connected"}}, "actors": []args{}}, nil)
	c.eval(side, `(filter.value = "", filter.oninput(), 1)`, nil)
	c.until(side, `document.querySelectorAll(".entry").length === 1`)
	c.eval(side, `(clear.click(), clear.click(), 1)`, nil)
	r.await(mark, "clearHistory", nil)

	// An address is shown, by its id where it has no name, and ended. An older relay tells of none.
	c.until(side, `ways.hidden`)
	r.do("show", args{"entries": []args{}, "actors": []args{}, "addresses": []args{
		{"id": "0123abcd", "name": "nightly", "tabs": "new", "expires": "2026-11-20T10:14:02Z", "clients": 1},
		{"id": "4567cdef", "tabs": "shared", "port": 9222, "asks": true, "clients": 2},
	}}, nil)
	c.until(side, `!ways.hidden && addresses.children.length === 2`)
	var texts []string
	c.eval(side, `[...addresses.children].map((row) => [...row.querySelectorAll("h3, p")].map((p) => p.textContent).join("; "))`, &texts)
	for n, want := range []string{`^nightly; Shows only the tabs that its clients open; Until .*\d.*; 1 client connected$`,
		`^4567cdef; Shows the tabs that you share; Port 9222, for programs that you let in; Ends with tabrelay; 2 clients connected$`} {
		if !regexp.MustCompile(want).MatchString(texts[n]) {
			t.Errorf("%q is not %s", texts[n], want)
		}
	}
	mark = r.mark()
	c.eval(side, `document.querySelector("button[aria-label='End: nightly']").click()`, nil)
	r.await(mark, "endAddress", is("0123abcd"))
	r.do("show", args{"entries": []args{}, "actors": []args{}}, nil)
	c.until(side, `ways.hidden`)

	// Who looks away is shown nothing.
	c.cdp(side, "Page.navigate", args{"url": "about:blank"})
	r.await(mark, "watching", nil)
}
