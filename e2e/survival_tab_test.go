package e2e

import (
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestB49ThePersonActsByHand(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter).page("/two", `<title>Two</title><h1>two</h1><button onclick="this.textContent='Done'">Go</button>`)
	watch := p.watched(t)
	an := a.open(s.URL)
	page, ref := an.page("t"), an.ref("button", "Click")
	id := watch.target("Target.targetInfoChanged", s.URL)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	h := p.hand()

	// Another tab comes to the front, and this one again.
	h.chrome(`await chrome.tabs.update(await tab("about:blank"), {active: true})`)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
	h.chrome(`await chrome.tabs.update(await tab("` + s.URL + `"), {active: true})`)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 3")

	// The tab is dragged into a window of its own.
	h.chrome(`await chrome.windows.create({tabId: await tab("` + s.URL + `")})`)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 4")

	// The person goes to another page in it.
	tab := h.attach(s.URL)
	h.call(tab, "Page.navigate", map[string]any{"url": s.URL + "/two"}, nil)
	watch.target("Target.targetInfoChanged", s.URL+"/two")
	a.fails("browser_click", args{"ref": ref}).has("error:", "/two", "two")
	a.ok("browser_snapshot", args{"pageId": page}).has(`heading "two"`)

	// The person closes it.
	h.call("", "Target.closeTarget", map[string]any{"targetId": id}, nil)
	watch.destroyed(id)
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", page, "closed", "hint:")
	a.open(s.URL).has("heading")
}

func TestB49TheTabIsDiscarded(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	page, ref := an.page("t"), an.ref("button", "Click")
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	watch := p.watched(t)
	p.hand().chrome(`await chrome.tabs.discard(await tab("` + s.URL + `"))`)
	watch.target("Target.targetCreated", s.URL)
	// Chrome gives it another id: to the agent it is another page, which loads when it is used.
	an = a.call("browser_snapshot", nil).has("tab opened:", "tab closed: "+page)
	other := an.page("tab opened:")
	an = a.ok("browser_snapshot", args{"pageId": other}).has(`button "Click"`)
	a.ok("browser_click", args{"pageId": other, "ref": an.ref("button", "Click")}).has("Clicked 1")
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "closed", other)
	// When it is seen it has its true size.
	p.hand().chrome(`await chrome.tabs.update(await tab("` + s.URL + `"), {active: true})`)
	a.ok("browser_click", args{"pageId": other, "selector": "button"}).has("Clicked 2")
}

// TestB92ThePersonTakesATabBack holds that Cancel and Stop sharing are for good, until
// the person shares the tab again; and that the agent is told so.
func TestB92ThePersonTakesATabBack(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	ref, page := an.ref("button", "Click"), p.extensionPage()
	for i, back := range []func(){
		func() { p.hand().cancel(s.URL) },
		func() { page.wish(s.URL+"/", "stop", false) },
	} {
		back()
		for range 2 {
			a.fails("browser_click", args{"ref": ref}).has("error:", "the person took this tab back", "ask them to share it again", "hint:", "popup").lacks("closed").within(3 * time.Second)
		}
		a.fails("browser_snapshot", nil).has("the person took this tab back")
		if got := page.attached(s.URL + "/"); got != "false" {
			t.Errorf("the debugger is on the tab: %s", got)
		}
		page.wish(s.URL+"/", "share", true)
		a.ok("browser_click", args{"ref": ref}).has("Clicked " + string(rune('1'+i)))
	}
}

func TestB92ThePersonCancelsDuringACall(t *testing.T) {
	p, a, s, _ := atWork(t, counter)
	call := a.later("browser_evaluate", args{"script": "fetch('/begun').then(() => new Promise(() => {}))", "timeoutMs": 20000})
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	<-begun
	p.hand().cancel(s.URL)
	an := <-call
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the person took this tab back", "hint:").lacks("closed")
}

// TestB92ThePersonDisconnects holds that Disconnect is told at once, and for what it
// is; and that nothing connects until the person does.
func TestB92ThePersonDisconnects(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	call := a.later("browser_evaluate", args{"script": "fetch('/begun').then(() => new Promise(() => {}))", "timeoutMs": 30000})
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	<-begun
	p.extensionPage().disconnect()
	ended := <-call
	if !ended.failed {
		t.Fatal(ended.text)
	}
	ended.has("the person disconnected this browser").lacks("restarted", "closed").within(10 * time.Second)
	a.fails("browser_click", args{"ref": an.ref("button", "Click")}).lacks("restarted").within(10 * time.Second)
	a.fails("browser_connect", nil).has("the person disconnected this browser", "press Connect").within(5 * time.Second)
}

func TestB48PersonsTabCrashes(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter).page("/other", `<h1>other</h1>`)
	other := a.open(s.other() + "/other").page("t")
	page := a.open(s.URL).page("t")
	call := a.later("browser_wait", args{"text": "never", "timeoutMs": 20000})
	h := p.hand()
	h.send(h.attach(s.URL), "Page.crash", nil)
	(<-call).has("error:", "crashed", "browser_reload").within(8 * time.Second)
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "other"`)
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "crashed").within(3 * time.Second)
	a.ok("browser_reload", args{"pageId": page}).has(`heading "one"`)
}

func TestTabIsFrozen(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	ref := an.ref("button", "Click")
	h := p.hand()
	tab := h.attach(s.URL)
	h.call(tab, "Page.setWebLifecycleState", map[string]any{"state": "frozen"}, nil)
	a.ok("browser_snapshot", nil).has(`heading "one"`).within(3 * time.Second)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1").within(3 * time.Second)
	h.call(tab, "Page.setWebLifecycleState", map[string]any{"state": "active"}, nil)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
}

func TestNothingIsPrerendered(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, `<h1>one</h1><a href="/next">Next</a><button onclick="rules()">Rules</button><script>function rules() {
		const script = document.createElement("script");
		script.type = "speculationrules";
		script.textContent = JSON.stringify({prerender: [{urls: ["/next"]}]});
		document.head.append(script) }</script>`)
	s.page("/next", `<h1>next</h1><button onclick="this.textContent='Clicked'">Click</button>`)
	an := a.ok("browser_tab_open", args{"url": s.URL, "front": true}) // Chrome prerenders for who is seen
	page := an.page("t")
	h := p.hand()
	tab := h.attach(s.URL)
	h.call(tab, "Preload.enable", nil, nil)
	h.send(tab, "Runtime.evaluate", map[string]any{"expression": "rules()"})
	m := h.until(func(m message) bool { return m.Method == "Preload.prerenderStatusUpdated" })
	if !strings.Contains(string(m.Params), "PrerenderingDisabledByDevTools") {
		t.Fatalf("Chrome prerenders beside the debugger: %s", m.Params)
	}
	an = a.ok("browser_click", args{"ref": an.ref("link", "Next")}).has("/next", `heading "next"`)
	a.ok("browser_click", args{"pageId": page, "ref": an.ref("button", "Click")}).has("Clicked")
}

// A page that Chrome prerendered takes a shared tab over that nobody has used
// yet: its main frame is another one than the tab began with.
func TestAPrerenderedPageTakesTheTabOver(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	rendered, goes, shown := make(chan string, 8), make(chan bool), make(chan bool, 1)
	s := newSite(t, `<title>One</title><script type="speculationrules">{"prerender": [{"urls": ["/next"], "eagerness": "immediate"}]}</script>
		<script>fetch("/goes").then(() => { location = "/next" })</script>`)
	s.page("/next", `<title>Next</title><h1>next</h1><button onclick="this.textContent='Clicked'">Click</button><iframe src="/within"></iframe>
		<script>fetch("/rendered?" + document.prerendering);
		document.addEventListener("prerenderingchange", () => fetch("/shown"))</script>`).page("/within", `<button onclick="this.textContent='Clicked within'">Within</button>`)
	s.handle("/goes", func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-goes:
		case <-t.Context().Done():
		}
	})
	s.handle("/rendered", func(_ http.ResponseWriter, r *http.Request) { rendered <- r.URL.RawQuery })
	s.handle("/shown", func(http.ResponseWriter, *http.Request) { shown <- true })
	e := p.extensionPage()
	e.call("", "Target.createTarget", map[string]any{"url": s.URL}, nil)
	select {
	case by := <-rendered:
		if by != "true" {
			t.Fatalf("the page is rendered, document.prerendering is %s", by)
		}
	case <-time.After(20 * time.Second): // a machine may have too little memory for that
		t.Skip("Chrome prerenders nothing here")
	}
	e.share(s.URL + "/")
	close(goes)
	<-shown
	page := a.ok("browser_tab_list", nil).page(s.URL)
	an := a.ok("browser_snapshot", args{"pageId": page}).has(`heading "next"`)
	a.ok("browser_click", args{"pageId": page, "ref": an.ref("Within")}).has("Clicked within")
	a.ok("browser_click", args{"pageId": page, "ref": an.ref(`"Click"`)}).has("Clicked")
	a.ok("browser_navigate", args{"pageId": page, "url": s.URL + "/next?again"}).has(`heading "next"`)
	a.ok("browser_back", args{"pageId": page}).has(`heading "next"`)
}

func TestDevToolsIsOpened(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	ref := an.ref("button", "Click")
	h := p.hand()
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	h.call("", "Target.getTargets", nil, &targets)
	for _, target := range targets.TargetInfos {
		if target.URL == s.URL+"/" {
			h.call("", "Target.openDevTools", map[string]any{"targetId": target.TargetID}, nil)
		}
	}
	// Beside DevTools the debugger goes on.
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
}
