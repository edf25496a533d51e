package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

// another launches one more browser of the person, with a profile of its own and
// the same extension.
func (p *person) another() *person {
	p.t.Helper()
	o := &person{t: p.t, dir: p.dir}
	o.launch(browser(p.t), p.t.TempDir())
	return o
}

// named are the names of the connected browsers.
func (s deskStatus) named() (names string) {
	for _, b := range s.Browsers {
		if b.Connected {
			names += b.Called + " "
		}
	}
	return names
}

// count is how many tabs with an address the browser shows to its extension.
func (e *extensionPage) count(url string) string {
	e.t.Helper()
	return e.value(fmt.Sprintf(`chrome.tabs.query({}).then(all => all.filter(t => (t.url || t.pendingUrl).startsWith(%q)).length)`, url))
}

// Several browsers are connected at once. Each keeps its name, an agent chooses
// by it, and the one that was used last is what an agent gets that does not choose.
func TestAgentChoosesAmongBrowsers(t *testing.T) {
	t.Parallel()
	d, one, first := newOwn(t)
	site := newSite(t, clicks)
	until := d.follow()
	second := first.another()
	has := func(names ...string) func(deskStatus) bool {
		return func(s deskStatus) bool {
			for _, name := range names {
				if !strings.Contains(s.named(), name+" ") {
					return false
				}
			}
			return len(strings.Fields(s.named())) == len(names)
		}
	}
	until(has("chromium-1", "chromium-2"))
	here, there := first.extensionPage(), second.extensionPage()
	front := func() *agent {
		a, _ := d.front("--no-sandbox", "--browser-path", d.path)
		return a
	}
	// Who does not choose gets the one that an agent uses, however late another came.
	two := front()
	two.ok("browser_connect", nil).has("your own browser chromium-1", "Also connected: chromium-2")
	two.open(site.URL + "/?first")
	three := front()
	three.ok("browser_connect", args{"browser": "chromium-2"}).has("your own browser chromium-2")
	three.open(site.URL + "/?second")
	if a, b := here.count(site.URL), there.count(site.URL); a != "1" || b != "1" {
		t.Errorf("%s tabs in the first browser, %s in the second", a, b)
	}
	two.ok("browser_tab_list", nil).has("?first").lacks("?second")
	four := front()
	four.ok("browser_connect", nil).has("your own browser chromium-2")

	// The person gives a profile a name. Who used it stays with it.
	there.value(`chrome.storage.local.set({ label: 'Work' }).then(() => 1)`)
	until(has("chromium-1", "Work"))
	three.ok("browser_tab_list", nil).has("?second")
	five := front()
	five.fails("browser_connect", args{"browser": "wrok"}).has("wrok", "connected now: Work, chromium-1")
	five.ok("browser_connect", args{"browser": "work"}).has("your own browser Work")
	four.ok("browser_disconnect", nil)
	four.ok("browser_connect", args{"browser": "chromium-2"}).has("your own browser Work") // as it was called before
	six, _ := d.front(d.managed()...)                                                      // who was started for another one
	six.fails("browser_connect", args{"browser": "WORK"}).has("not allowed")
	seven, _ := d.front(d.managed()...)
	seven.ok("browser_connect", nil).has("a managed browser")
	eight := front()
	eight.ok("browser_connect", args{"browser": "managed"}).has("a managed browser")
	until(has("chromium-1", "Work", "managed"))

	// All of this outlives the daemon.
	one.ok("browser_disconnect", nil)
	d.kill(d.daemon())
	two.ok("browser_snapshot", nil).has("Click")
	two.ok("browser_tab_list", nil).has("?first").lacks("?second")
	three.ok("browser_tab_list", nil).has("?second").lacks("?first")
	until = d.follow()
	until(has("chromium-1", "Work"))
	nine := front()
	nine.ok("browser_connect", args{"browser": "chromium-1"})
	one.ok("browser_connect", nil).has("your own browser chromium-1")

	// One of them goes: that is told, and the others do not notice.
	_ = second.chrome.Process.Kill()
	until(has("chromium-1"))
	two.ok("browser_click", args{"selector": "button"}).has("Clicked 1")
	nine.ok("browser_disconnect", nil)
	nine.fails("browser_connect", args{"browser": "nobody"}).has("connected now: chromium-1; known, but not connected: Work")
}

// TestHeadlessBrowserHasAMouse holds that pages are there as they are at a desk.
func TestHeadlessBrowserHasAMouse(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, `<h1>Desk</h1>`).URL)
	if v := a.value(`["(pointer: fine)", "(hover: hover)", "(any-pointer: coarse)"].map(query => matchMedia(query).matches).join()`); v != `"true,true,false"` {
		t.Fatalf("a fine pointer, one that hovers, a coarse one: %s", v)
	}
}

// Private windows are the person's alone unless Chrome was told otherwise, which
// no extension can do by itself.
func TestPrivateWindowsAreNotSeen(t *testing.T) {
	t.Parallel()
	_, a, p := newOwn(t)
	site := newSite(t, `<title>Secret</title>`)
	e := p.extensionPage()
	if allowed := e.value(`chrome.extension.isAllowedIncognitoAccess()`); allowed != "false" {
		t.Errorf("private windows are allowed: %s", allowed)
	}
	var private struct{ BrowserContextID string }
	e.call("", "Target.createBrowserContext", nil, &private)
	e.call("", "Target.createTarget", map[string]any{"url": site.URL + "/secret", "browserContextId": private.BrowserContextID, "newWindow": true}, nil)
	e.call("", "Target.createTarget", map[string]any{"url": site.URL + "/mine"}, nil)
	e.value(fmt.Sprintf(`new Promise(done => {
		const look = async () => { if ((await chrome.tabs.query({ url: %q })).length) done(1) };
		chrome.tabs.onUpdated.addListener(look);
		look();
	})`, site.URL+"/mine"))
	if n := e.count(site.URL + "/secret"); n != "0" {
		t.Errorf("the extension sees %s of the private tabs", n)
	}
	// An agent's tab opens where the person's other tabs are.
	a.open(site.URL + "/agent")
	if n := e.count(site.URL + "/agent"); n != "1" {
		t.Errorf("%s of the agent's tabs", n)
	}
	a.ok("browser_tab_list", nil).lacks("/secret", "/mine")
	// What Chrome answers to an extension that asks for such a window itself.
	got := e.value(`chrome.windows.create({ incognito: true, url: "about:blank" }).then(w => w ? "made, and " + (w.tabs || []).length + " tabs seen" : "made, and not told", e => e.message)`)
	t.Logf("a private window: %s", got)
}

// Where the person allowed the extension in private windows, a tab there can be
// shared like any other; what an agent opens is not private even then.
func TestPrivateWindowsWhereAllowed(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	site := newSite(t, "").page("/secret", clicks).page("/agent", clicks)
	h := p.hand()
	h.evaluate(h.extensions(), fmt.Sprintf(`chrome.developerPrivate.updateExtensionConfiguration({extensionId: %q, incognitoAccess: true})`, extension.ID))
	p.comes()
	e := p.extensionPage()
	if allowed := e.value(`chrome.extension.isAllowedIncognitoAccess()`); allowed != "true" {
		t.Fatalf("private windows are allowed: %s", allowed)
	}
	e.value(fmt.Sprintf(`new Promise(done => {
		chrome.tabs.onUpdated.addListener((id, change, tab) => { if (tab.incognito && tab.status === 'complete' && tab.url.startsWith(%[1]q)) done('complete') });
		chrome.windows.create({ incognito: true, url: %[1]q, focused: true });
	})`, site.URL+"/secret"))
	a.ok("browser_tab_list", nil).lacks("/secret")
	e.share(site.URL + "/secret")
	page := a.ok("browser_tab_list", nil).page("/secret")
	a.ok("browser_click", args{"pageId": page, "selector": "button"}).has("Clicked 1")
	a.open(site.URL + "/agent")
	if got := e.value(fmt.Sprintf(`chrome.tabs.query({ url: %q }).then(all => all.map(t => t.incognito).join())`, site.URL+"/agent")); got != `"false"` {
		t.Errorf("the agent's tab is private: %s", got)
	}
}
