package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

// The tools of our own in each state that the specification draws.
var (
	disconnected = []string{"connect_browser"}
	withoutTabs  = []string{"list_tabs", "open_tab"}
	withTabs     = []string{"list_tabs", "open_tab", "focus_tab"}
)

// focusedOn are the tools of the state in which a tab is focused.
func focusedOn(page ...string) []string {
	return append(append([]string{"list_tabs", "open_tab", "focus_tab", "close_tab"}, page...), "read_page", "find_on_page", "press_key", "back", "go_to")
}

// TestDynamicEveryState walks through every state and every edge of the
// specification's state machine and through its edge cases, in a person's
// browser: the tools that there are then, and that the client is told exactly
// when they became others, once, and no other client is.
func TestDynamicEveryState(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, `<title>One</title><button>First thing</button>`).page("/two", `<title>Two</title><button>Second thing</button>`).
		page("/three", `<title>Three</title><button>Third thing</button>`)
	hand, popup := p.hand(), p.extensionPage()
	f, other := p.follower(t, "2025-11-25"), p.follower(t, "2025-11-25")
	id := func(name string, v int) { // that it is a number, and which tab has it
		t.Helper()
		if v <= 0 {
			t.Fatalf("the tab %s has the id %d", name, v)
		}
	}

	// The extension is connected: that is no state of its own.
	f.lists(disconnected...)
	f.ok("connect_browser", nil).has(`{"connected":true,"browser":{"name":"Chrom`, `"version":"`, `"tabCount":0}`)
	f.becomes(withoutTabs)
	f.ok("list_tabs", nil).has(`{"tabs":[],"focusedTabId":null}`)
	f.fails("focus_tab", args{"tabId": 1}).has("there is no tool")
	f.fails("close_tab", args{"tabId": 1}).has("there is no tool")
	f.fails("connect_browser", nil).has("there is no tool")
	f.fails("open_tab", args{"url": "no address"})
	f.lists(withoutTabs...)

	// A tab that is not focused. The first one brings focus_tab.
	an := f.ok("open_tab", args{"url": s.URL, "focus": false}).has(`{"tab":{"id":`, `,"title":"One","url":"`+s.URL, `},"focused":false,"toolsAvailable":[]}`)
	f.becomes(withTabs)
	one := an.tab()
	id("one", one)
	two := f.json("open_tab", args{"url": s.URL + "/two", "focus": false}).Tab.ID
	f.lists(withTabs...)

	// The focus, elsewhere, and once more where it is.
	f.ok("focus_tab", args{"tabId": one}).has(fmt.Sprintf(`{"success":true,"tab":{"id":%d,"title":"One","url":"%s`, one, s.URL), `"toolsAvailable":["first_thing","read_page","find_on_page","press_key","back","go_to"]}`)
	f.becomes(focusedOn("first_thing"))
	f.ok("focus_tab", args{"tabId": two}).has(`"toolsAvailable":["second_thing","read_page","find_on_page","press_key","back","go_to"]}`)
	f.becomes(focusedOn("second_thing"))
	f.ok("focus_tab", args{"tabId": two})
	f.lists(focusedOn("second_thing")...)
	f.fails("focus_tab", args{"tabId": 9999}).has("there is no tab 9999")
	f.fails("open_tab", args{"url": "chrome://settings"})
	f.lists(focusedOn("second_thing")...)
	if v := f.json("list_tabs", nil); v.FocusedTabID == nil || *v.FocusedTabID != two || len(v.Tabs) != 2 {
		t.Errorf("list_tabs: %+v", v)
	}

	// A tab that is not the focused one goes.
	f.ok("close_tab", args{"tabId": one}).has(fmt.Sprintf(`{"closed":true,"tabId":%d}`, one))
	f.lists(focusedOn("second_thing")...)

	// The person opens a tab and shares it, and brings it to the front. It is not
	// attached to count its tools, and was never looked at.
	target := popup.opens(s.URL + "/three")
	popup.share(s.URL + "/three")
	hand.call("", "Target.activateTarget", map[string]any{"targetId": target}, nil)
	three := 0
	for limit := time.Now().Add(callLimit); three == 0 && time.Now().Before(limit); { // the news of it may still be on its way
		for _, tab := range f.json("list_tabs", nil).Tabs {
			if tab.URL == s.URL+"/three" {
				three = tab.ID
				if tab.ToolCount != nil || tab.Focused {
					t.Errorf("the person's tab is listed as %+v", tab)
				}
			}
		}
	}
	id("three", three)
	f.lists(focusedOn("second_thing")...)
	if got := popup.attached(s.URL + "/three"); got != "false" {
		t.Errorf("the person's tab is attached: %s", got)
	}

	// The person goes to another page in the focused tab, and to one that offers
	// the same.
	tab := hand.attach(s.URL + "/two")
	hand.call(tab, "Page.navigate", map[string]any{"url": s.URL + "/three?a"}, nil)
	f.becomes(focusedOn("third_thing"))
	hand.call(tab, "Page.navigate", map[string]any{"url": s.URL + "/three?b"}, nil)
	f.lists(focusedOn("third_thing")...)

	// The focused tab goes, and others remain.
	f.ok("close_tab", nil).has(fmt.Sprintf(`{"closed":true,"tabId":%d}`, two))
	f.becomes(withTabs)
	if v := f.json("list_tabs", nil); v.FocusedTabID != nil || len(v.Tabs) != 1 {
		t.Errorf("list_tabs: %+v", v)
	}

	// The last one goes, which the person closes.
	f.ok("focus_tab", args{"tabId": three})
	f.becomes(focusedOn("third_thing"))
	if v := f.json("list_tabs", nil); v.Tabs[0].ToolCount == nil || *v.Tabs[0].ToolCount != 6 || !v.Tabs[0].Focused {
		t.Errorf("list_tabs: %+v", v)
	}
	hand.call("", "Target.closeTarget", map[string]any{"targetId": target}, nil)
	f.becomes(withoutTabs)

	// From no tab to a focused one, and back.
	last := f.json("open_tab", args{"url": s.URL}).Tab.ID
	f.becomes(focusedOn("first_thing"))
	f.ok("close_tab", args{"tabId": last})
	f.becomes(withoutTabs)

	// A tab crashes, which is the last one, too.
	f.ok("open_tab", args{"url": s.URL})
	f.becomes(focusedOn("first_thing"))
	crash := hand.attach(s.URL)
	hand.send(crash, "Page.crash", nil)
	f.becomes(withoutTabs)

	// The extension goes.
	_ = p.chrome.Process.Kill()
	f.becomes(disconnected)
	other.untold()
	other.lists(disconnected...)
}

// tab is the id of the tab that open_tab or focus_tab tells.
func (an answer) tab() (id int) {
	an.t.Helper()
	if _, err := fmt.Sscanf(an.text, `{"tab":{"id":%d`, &id); err != nil {
		an.t.Fatalf("no tab in %s: %v", an.text, err)
	}
	return id
}

// becomes waits until the tools are others, which they may become in steps.
func (f *follower) becomes(want []string) {
	f.t.Helper()
	for {
		f.told()
		if slices.Equal(f.names(), want) {
			return
		}
	}
}

// TestDynamicAgentsHoldTheirTabs holds that an agent does not see what another
// one works in, and sees a shared tab again when that one has gone.
func TestDynamicAgentsHoldTheirTabs(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, `<title>Mine</title><button>First thing</button>`)
	popup := p.extensionPage()
	popup.opens(s.URL + "/")
	popup.share(s.URL + "/")
	one, two := p.follower(t, "2025-11-25"), p.follower(t, "2025-11-25")
	for _, f := range []*follower{one, two} {
		f.ok("connect_browser", nil).has(`"tabCount":1`)
		f.told()
		f.lists(withTabs...)
	}
	theirs := two.json("list_tabs", nil).Tabs[0].ID
	one.ok("focus_tab", args{"tabId": one.json("list_tabs", nil).Tabs[0].ID}).has("first_thing")
	one.told()
	two.becomes(withoutTabs)
	if v := two.json("list_tabs", nil); len(v.Tabs) != 0 {
		t.Errorf("list_tabs: %+v", v)
	}
	own := two.json("open_tab", args{"url": s.URL + "/?two"}).Tab.ID
	two.told()
	two.fails("focus_tab", args{"tabId": theirs}).has("there is no tab", fmt.Sprint(own)).lacks(fmt.Sprintf("tabs are %d", theirs))
	two.fails("close_tab", args{"tabId": theirs}).has("there is no tab")
	if v := one.json("list_tabs", nil); len(v.Tabs) != 1 || strings.Contains(v.Tabs[0].URL, "two") {
		t.Errorf("list_tabs: %+v", v)
	}
	one.untold()
	one.lists(focusedOn("first_thing")...)
	two.ok("close_tab", nil)
	two.becomes(withoutTabs)
	_ = one.session.Close()
	two.becomes(withTabs)
	two.ok("focus_tab", args{"tabId": two.json("list_tabs", nil).Tabs[0].ID}).has("first_thing")
}

// opens opens a tab as a person does, waits until it is there, and returns its id.
func (e *extensionPage) opens(url string) string {
	e.t.Helper()
	var made struct{ TargetID string }
	e.call("", "Target.createTarget", map[string]any{"url": url, "background": true}, &made)
	e.value(fmt.Sprintf(`new Promise(done => {
		const look = async () => { if ((await chrome.tabs.query({ url: %q })).length) done(1) };
		chrome.tabs.onUpdated.addListener(look);
		look();
	})`, url))
	return made.TargetID
}

// attached reports whether the debugger is on the tab at an address.
func (e *extensionPage) attached(url string) string {
	e.t.Helper()
	return e.value(fmt.Sprintf(`chrome.tabs.query({ url: %q }).then(async ([tab]) => (await chrome.debugger.getTargets()).find(t => t.tabId === tab.id).attached)`, url))
}

// TestDynamicThePersonCancels holds that following a page does not put the debugger
// on it again, when the person has taken it off.
func TestDynamicThePersonCancels(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, `<title>Mine</title><button>First thing</button>`)
	hand := p.hand()
	f := p.follower(t, "2025-11-25")
	f.ok("connect_browser", nil)
	f.told()
	f.ok("open_tab", args{"url": s.URL + "/"})
	f.told()
	f.lists(focusedOn("first_thing")...)
	hand.cancel(s.URL)
	tab := hand.attach(s.URL)
	for _, thing := range []string{"other", "third"} {
		hand.evaluate(tab, `document.body.innerHTML = "<button>`+thing+` thing</button>"`)
		f.ok("list_tabs", nil).has("Mine")
		f.untold()
		if got := hand.chrome(`try { await chrome.debugger.sendCommand({tabId: await tab("` + s.URL + `")}, "Page.enable"); return 1 } catch { return 0 }`); got != "0" {
			t.Error("the extension's debugger is on the tab")
		}
	}
	f.fails("read_page", nil).has("took this tab back")
}
