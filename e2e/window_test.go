package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

// What the person looks at, and what takes it from them.
const mine = `<title>Mine</title><script>
	window.lost = [];
	for (const type of ["blur", "visibilitychange"]) (type === "blur" ? window : document).addEventListener(type, () => lost.push(type));
	</script>`

const worked = `<title>Worked</title><button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button>
	<label>Name <input oninput="if (value.length === 3) fetch('/typing')"></label>
	<a href="/pop" target=_blank>Pop</a><script>
	window.saw = [];
	for (const type of ["mousedown", "mouseup", "click"]) addEventListener(type, () => saw.push(type), true);
	</script>`

// TestB92InAWindow does in a window, with keys and a mouse, what a browser without one
// has no way for: Chrome's bar, its notifications, the side panel and the focus.
func TestB92InAWindow(t *testing.T) {
	t.Parallel()
	s := newSite(t, worked).page("/mine", mine).page("/bare", `<div role=button tabindex=0 aria-label=Bare style="position:fixed;inset:0" onclick="n++"></div><script>n=0</script>`).page("/pop", `<title>Popped</title>`)
	w := newWindow(t, s.other()+"/mine")
	a, e := w.agent(t), w.extensionPage()
	page := a.open(s.URL).page("t")
	click := func(want string) {
		t.Helper()
		a.ok("browser_click", args{"pageId": page, "selector": "button"}).has(want)
	}
	// The relay hears a moment later that the person gave the tab back.
	given := func(want string) {
		t.Helper()
		with := args{"pageId": page, "selector": "button"}
		an := a.call("browser_click", with)
		for end := time.Now().Add(20 * time.Second); strings.Contains(an.text, "the person took this tab") && time.Now().Before(end); {
			an = a.call("browser_click", with)
		}
		an.has(want)
	}
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	s.handle("/typing", func(http.ResponseWriter, *http.Request) {
		select {
		case begun <- true:
		default:
		}
	})
	// A call that is under way when the person does something.
	meanwhile := func(tool string, with args, does func()) answer {
		t.Helper()
		call := a.later(tool, with)
		select {
		case <-begun:
		case an := <-call:
			t.Fatalf("it ended before it began: %s", an.text)
		case <-time.After(30 * time.Second):
			t.Fatal("it did not begin")
		}
		does()
		an := <-call
		if !an.failed {
			t.Fatal(an.text)
		}
		return an.lacks("closed", "restarted")
	}
	endless := args{"pageId": page, "script": "fetch('/begun').then(() => new Promise(() => {}))", "timeoutMs": 30000}

	t.Run("agents take no focus", func(t *testing.T) {
		focus := w.x("getwindowfocus")
		click("Clicked 1")
		a.ok("browser_type", args{"pageId": page, "selector": "input", "text": "Ad"})
		a.ok("browser_press", args{"pageId": page, "keys": "Tab"})
		a.ok("browser_screenshot", args{"pageId": page})
		if lost := w.hand.evaluate(w.front, "lost.join()"); lost != `""` {
			t.Errorf("the person's page: %s", lost)
		}
		popped := a.ok("browser_click", args{"pageId": page, "selector": "a"}).page("tab opened:")
		a.ok("browser_snapshot", args{"pageId": popped})
		a.ok("browser_tab_close", args{"pageId": popped})
		if now := w.x("getwindowfocus"); now != focus {
			t.Errorf("the focus went from window %s to %s", focus, now)
		}
		if lost := w.hand.evaluate(w.front, "document.visibilityState + document.hasFocus()"); lost != `"visibletrue"` {
			t.Errorf("then the person's page: %s", lost)
		}
	})
	t.Run("a page of which nothing was drawn yet", func(t *testing.T) {
		bare := a.open(s.URL + "/bare").page("t")
		a.ok("browser_click", args{"selector": "div"}).lacks("no click event")
		if n := a.value("n"); n != "1" {
			t.Errorf("clicked %s times", n)
		}
		a.ok("browser_tab_close", args{"pageId": bare})
	})
	t.Run("Cancel", func(t *testing.T) {
		meanwhile("browser_evaluate", endless, w.cancels).has("the person took this tab back", "ask them to share it again")
		for range 2 {
			a.fails("browser_click", args{"pageId": page, "selector": "button"}).has("the person took this tab back")
		}
		if got := e.attached(s.URL + "/"); got != "false" {
			t.Errorf("the debugger is on the tab: %s", got)
		}
		e.wish(s.URL+"/", "share", true)
		given("Clicked 2")
	})
	w.opensPanel()
	const there = "document.querySelector('#actors .stop, #shared li, #left li')"
	t.Run("pause in the middle of a click", func(t *testing.T) {
		c := w.cdp(t)
		session := c.attach(s.URL + "/")
		a.value("saw.length = 0")
		at := map[string]any{"type": "mousePressed", "x": 20, "y": 20, "button": "left", "clickCount": 1}
		c.call(session, "Input.dispatchMouseEvent", at, nil)
		meanwhile("browser_evaluate", endless, func() { w.x("key", "alt+shift+u") }).has("the person paused", "Resume")
		at["type"] = "mouseReleased"
		if m := c.tries(session, "Input.dispatchMouseEvent", at); m.Error == nil || m.Error.Code != -32065 {
			t.Errorf("the release is answered with %+v", m.Error)
		}
		a.fails("browser_snapshot", args{"pageId": page}).has("the person paused")
		w.x("key", "alt+shift+u")
		w.sees(w.panel, `document.querySelector("#paused").hidden`)
		if saw := a.value("saw.join()"); saw != `"mousedown"` {
			t.Errorf("the page saw %s", saw)
		}
		click("Clicked 3")
	})
	t.Run("take over and hand back", func(t *testing.T) {
		typing := args{"pageId": page, "selector": "input", "text": strings.Repeat("slowly ", 200), "slowly": true, "timeoutMs": 60000}
		meanwhile("browser_type", typing, func() { w.presses("#actors .over", "document.querySelector('#over li')") }).has("the person took this tab over", "hand it back")
		a.fails("browser_type", args{"pageId": page, "selector": "input", "text": "x"}).has("the person took this tab over")
		if got := e.attached(s.URL + "/"); got != "false" {
			t.Errorf("the debugger is on the tab: %s", got)
		}
		// The agent is still there for the person to see.
		w.sees(w.panel, `[...document.querySelectorAll("#history li")].some(li => /type[^]*failed/.test(li.innerText)) && document.querySelector("#actors .actor")`)
		w.presses("#over li > button:last-child", "!document.querySelector('#over li') && "+there)
		given("Clicked 4")
	})
	t.Run("stop sharing", func(t *testing.T) {
		meanwhile("browser_evaluate", endless, func() { w.presses("#actors .stop", "!document.querySelector('#actors .stop')") }).has("the person took this tab back")
		a.fails("browser_click", args{"pageId": page, "selector": "button"}).has("the person took this tab back")
		// The key shares the tab in front.
		w.hand.chrome(`await chrome.tabs.update(await tab("` + s.URL + `/"), {active: true})`)
		w.sees(w.hand.attach(s.URL+"/"), "document.hasFocus()")
		w.persists(func() { w.x("key", "alt+shift+s") }, w.panel, there)
		given("Clicked 5")
	})
	t.Run("sites", func(t *testing.T) {
		w.decides()
		one, two, _ := s.threeHosts(t)
		call := a.later("browser_tab_open", args{"url": two + "/pop"})
		w.sees(w.panel, "document.querySelector('#questions li')")
		w.persists(w.notified, w.panel, "!document.querySelector('#questions li')") // Always
		(<-call).has("Popped")
		call = a.later("browser_tab_open", args{"url": one + "/pop"})
		w.presses("#questions button:last-child", "!document.querySelector('#questions li')")
		(<-call).has("the person does not let agents use http://one.localhost")
	})
}
