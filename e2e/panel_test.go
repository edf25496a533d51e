package e2e

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

// asks asks the extension's worker for something as its panel does, and waits until
// a condition on what the panel is shown then holds; tab is the tab of an address.
func (e *extensionPage) asks(wish, url, condition string) {
	e.t.Helper()
	e.value(fmt.Sprintf(`new Promise(async done => {
		const [tab] = await chrome.tabs.query({ url: %q });
		const port = chrome.runtime.connect({ name: 'side' });
		let asked = false;
		port.onMessage.addListener(view => {
			if (asked ? %s : view.actors.length > 0) { if (asked) { port.disconnect(); done(1); } else { asked = true; port.postMessage(%s); } }
		});
	})`, url+"/*", condition, wish))
}

// A page that says what of a press arrives, and holds up the answer to one.
const pressed = `<title>Presses</title><button style="position:fixed;inset:0">Press</button><script>
	window.saw = [];
	for (const type of ["mousedown", "mouseup", "click", "dragstart"]) addEventListener(type, () => saw.push(type), true);
	</script>`

// TestB92ThePersonPauses holds that a pause ends what runs, holds until Resume though
// the browser and the daemon ask again, and is told for what it is.
func TestB92ThePersonPauses(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	ref, e := an.ref("button", "Click"), p.extensionPage()
	begun := make(chan bool, 4)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	for _, who := range []string{"", `, who: "e2e"`} {
		call := a.later("browser_evaluate", args{"script": "fetch('/begun').then(() => new Promise(() => {}))", "timeoutMs": 30000})
		<-begun
		paused := `view.paused`
		if who != "" {
			paused = `view.actors.some(a => a.name === "e2e" && a.paused)`
		}
		e.asks(`{ ask: "pause"`+who+` }`, s.URL, paused)
		ended := <-call
		if !ended.failed {
			t.Fatal(ended.text)
		}
		ended.has("the person paused", "Resume").lacks("closed", "restarted").within(10 * time.Second)
		if who == "" {
			p.killWorker() // it is kept
		}
		for _, tool := range []string{"browser_click", "browser_snapshot", "browser_tab_open"} {
			with := args{}
			if tool == "browser_click" {
				with["ref"] = ref
			}
			if tool == "browser_tab_open" {
				with["url"] = s.URL
			}
			a.fails(tool, with).has("the person paused", "hint:", "Resume").within(10 * time.Second)
		}
		e.asks(`{ ask: "resume"`+who+` }`, s.URL, "!("+paused+")")
		a.ok("browser_snapshot", nil).has(`heading "one"`)
	}
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
}

// TestB92PauseInTheMiddleOfAClick holds that a press which a pause interrupts never
// becomes a click.
func TestB92PauseInTheMiddleOfAClick(t *testing.T) {
	p, a, s, _ := atWork(t, pressed)
	e := p.extensionPage()
	a.ok("browser_snapshot", nil)
	c := p.cdp(t)
	session := c.attach(s.URL)
	c.call(session, "Input.dispatchMouseEvent", map[string]any{"type": "mousePressed", "x": 50, "y": 50, "button": "left", "clickCount": 1}, nil)
	e.asks(`{ ask: "pause" }`, s.URL, `view.paused`)
	m := c.tries(session, "Input.dispatchMouseEvent", map[string]any{"type": "mouseReleased", "x": 50, "y": 50, "button": "left", "clickCount": 1})
	if m.Error == nil || m.Error.Code != -32065 {
		t.Errorf("the release is answered with %+v", m.Error)
	}
	e.asks(`{ ask: "resume" }`, s.URL, `!view.paused`)
	if saw := a.value("saw.join()"); strings.Contains(saw, "click") || !strings.Contains(saw, "mousedown") {
		t.Errorf("the page saw %s", saw)
	}
	a.ok("browser_click", args{"selector": "button"})
	if saw := a.value("saw.join()"); !strings.HasSuffix(strings.Trim(saw, `"`), "mousedown,mouseup,click") {
		t.Errorf("then the page saw %s", saw)
	}
}

// TestB92ThePersonTakesOver holds that a tab that the person takes over while an agent
// types is theirs alone until they hand it back, and that all goes on then.
func TestB92ThePersonTakesOver(t *testing.T) {
	p, a, s, an := atWork(t, `<title>Form</title><label>Name <input oninput="if (value.length === 3) fetch('/typing')"></label>`)
	page, ref, e := an.page("t"), an.ref("textbox", "Name"), p.extensionPage()
	begun := make(chan bool, 1)
	s.handle("/typing", func(http.ResponseWriter, *http.Request) {
		select {
		case begun <- true:
		default:
		}
	})
	call := a.later("browser_type", args{"ref": ref, "text": strings.Repeat("slowly ", 200), "slowly": true, "timeoutMs": 60000})
	<-begun
	e.asks(`{ ask: "takeOver", tabId: tab.id }`, s.URL, `view.over.some(o => o.tabId === tab.id)`)
	ended := <-call
	if !ended.failed {
		t.Fatal(ended.text)
	}
	ended.has("the person took this tab over", "hand it back").lacks("closed").within(10 * time.Second)
	if got := e.attached(s.URL + "/"); got != "false" {
		t.Errorf("the debugger is on the tab: %s", got)
	}
	for range 2 {
		a.fails("browser_type", args{"ref": ref, "text": "x"}).has("the person took this tab over", "hint:", "hand it back").within(10 * time.Second)
	}
	p.killWorker() // it is kept
	a.fails("browser_snapshot", nil).has("the person took this tab over")
	// Other tabs go on meanwhile.
	a.ok("browser_tab_open", args{"url": s.URL + "/?other"}).has("textbox")
	e.asks(`{ ask: "share", tabId: tab.id }`, s.URL, `view.over.length === 0`)
	a.ok("browser_type", args{"pageId": page, "ref": ref, "text": "handed back"})
}

// TestB92ThePanelShowsWhatAgentsDo: by name, what each does now and did, without what
// pages say; and the history can be cleared there.
func TestB92ThePanelShowsWhatAgentsDo(t *testing.T) {
	p, a, s, _ := atWork(t, `<title>PAGEWORD</title><input aria-label="PAGEWORD">`)
	e := p.extensionPage()
	a.ok("browser_type", args{"selector": "input", "text": "TYPEDWORD"})
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	call := a.later("browser_evaluate", args{"script": "fetch('/begun').then(() => new Promise(done => { window.over = done }))", "timeoutMs": 60000})
	<-begun
	e.value(`new Promise(done => {
		window.seen = { entries: [], actors: [] };
		window.port = chrome.runtime.connect({ name: 'side' });
		const look = () => seen.actors.some(a => a.name === "e2e" && a.doing?.did === "browser_evaluate" && a.tabs.length === 1) && seen.entries.some(e => e.did === "browser_type") && done(1);
		port.onMessage.addListener(view => {
			if (view.news?.fresh) seen.entries = [];
			seen.entries.push(...view.news?.entries ?? []);
			seen.actors = view.actors;
			window.look?.();
			look();
		});
	})`)
	shown := e.value(`JSON.stringify({ entries: seen.entries, actors: seen.actors })`)
	if strings.Contains(shown, "PAGEWORD") || strings.Contains(shown, "TYPEDWORD") || !strings.Contains(shown, s.URL) {
		t.Errorf("the panel is shown %s", shown)
	}
	e.value(`new Promise(done => { window.look = () => seen.entries.length === 0 && done(1); port.postMessage({ ask: 'clearHistory' }) })`)
	p.hand().chrome(`const tabId = await tab("` + s.URL + `"); await chrome.debugger.sendCommand({ tabId }, "Runtime.evaluate", { expression: "over(1)" })`)
	<-call
	e.value(`new Promise(done => { window.look = () => seen.entries.some(e => e.did === "browser_evaluate" && e.outcome === "done") && !seen.actors[0].doing && done(1); look() })`)
}
