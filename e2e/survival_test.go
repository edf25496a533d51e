package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// hand is what a person does in their browser by themselves: through the
// browser's own DevTools, and with chrome.tabs.
type hand struct {
	*client
	worker string // session on the extension's worker
}

func (p *person) hand() *hand {
	p.t.Helper()
	h := &hand{client: p.chromium()}
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	h.call("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type == "service_worker" && strings.Contains(target.URL, extension.ID) {
			var at struct{ SessionID string }
			h.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &at)
			h.worker = at.SessionID
			return h
		}
	}
	p.t.Fatalf("no worker among %v", targets.TargetInfos)
	return nil
}

// chrome evaluates a script in the extension's worker; tab(url) is a tab's id there.
func (h *hand) chrome(script string) string {
	h.t.Helper()
	return h.evaluate(h.worker, `(async () => {
		const tab = async (url) => (await chrome.tabs.query({})).find((t) => t.url.startsWith(url)).id;
		`+script+` })()`)
}

func (h *hand) evaluate(session, script string) string {
	h.t.Helper()
	var r struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	h.call(session, "Runtime.evaluate", map[string]any{"expression": script, "awaitPromise": true, "returnByValue": true}, &r)
	if r.ExceptionDetails != nil {
		h.t.Fatalf("%s: %s", script, r.ExceptionDetails)
	}
	return string(r.Result.Value)
}

// watched is a CDP client that hears of the relay's tabs.
func (s *server) watched(t testing.TB) *client {
	t.Helper()
	c := s.cdp(t)
	c.call("", "Target.setDiscoverTargets", map[string]any{"discover": true}, nil)
	return c
}

// target waits until the relay tells something of a tab whose address begins
// with url, and returns its id.
func (c *client) target(method, url string) string {
	c.t.Helper()
	var e struct {
		TargetInfo struct{ TargetID, URL string }
	}
	c.until(func(m message) bool {
		return m.Method == method && json.Unmarshal(m.Params, &e) == nil && strings.HasPrefix(e.TargetInfo.URL, url)
	})
	return e.TargetInfo.TargetID
}

func (c *client) destroyed(id string) {
	c.t.Helper()
	c.until(func(m message) bool {
		var e struct{ TargetID string }
		return m.Method == "Target.targetDestroyed" && json.Unmarshal(m.Params, &e) == nil && e.TargetID == id
	})
}

// restart starts the person's browser again with its profile, and waits for
// its extension.
func (p *person) restart() {
	p.t.Helper()
	if p.chrome.ProcessState == nil {
		p.end()
	}
	p.again()
	if _, err := p.says(regexp.MustCompile("browser connected")); err != nil {
		p.t.Fatal(err)
	}
}

// again kills the browser, unless that is done, and starts it with its profile.
func (p *person) again() {
	p.t.Helper()
	_ = p.chrome.Process.Kill()
	_ = p.chrome.Wait()
	profile := ""
	for _, arg := range p.chrome.Args {
		if dir, ok := strings.CutPrefix(arg, "--user-data-dir="); ok {
			profile = dir
		}
	}
	p.debug = ""
	p.launch(p.chrome.Path, profile)
}

// end kills the browser, and waits until the relay knows.
func (p *person) end() {
	p.t.Helper()
	_ = p.chrome.Process.Kill()
	_ = p.chrome.Wait()
	if _, err := p.says(regexp.MustCompile("browser connection ended")); err != nil {
		p.t.Fatal(err)
	}
}

// later calls a tool without waiting for its answer.
func (a *agent) later(tool string, with args) <-chan answer {
	done := make(chan answer, 1)
	go func() { done <- a.call(tool, with) }() // ends with the call
	return done
}

const counter = `<title>Counter</title><h1>one</h1><button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button>`

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
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	an := a.open(s.URL)
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

func TestB66ManagedBrowserIsKilled(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	kill(t, server.cmd.Process.Pid)
	a.fails("browser_snapshot", nil).has("error:", "the browser ended", "hint:", "call again").within(8 * time.Second)
	a.open(s.URL).has(`heading "one"`)
	a.ok("browser_snapshot", nil).has(`heading "one"`)
}

func TestB66ManagedBrowserIsKilledDuringACall(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	call := a.later("browser_wait", args{"text": "never", "timeoutMs": 20000})
	kill(t, server.cmd.Process.Pid)
	an := <-call
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the browser ended", "hint:").within(8 * time.Second)
	a.open(s.URL).has(`heading "one"`)
}

// kill kills the browser that a server started.
func kill(t *testing.T, server int) {
	t.Helper()
	for _, pid := range children(t, server) {
		line, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		if err != nil || !bytes.Contains(line, []byte("--user-data-dir=")) || bytes.Contains(line, []byte("--type=")) {
			continue
		}
		process, err := os.FindProcess(pid)
		if err == nil {
			err = process.Kill()
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	t.Fatal("the server has no browser")
}

// children returns the processes below one, of Linux alone.
func children(t *testing.T, pid int) []int {
	t.Helper()
	lists, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	if err != nil || len(lists) == 0 {
		t.Skip("no /proc here that lists children")
	}
	var all []int
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		for _, field := range strings.Fields(string(text)) {
			child, _ := strconv.Atoi(field)
			all = append(append(all, child), children(t, child)...)
		}
	}
	return all
}

func TestB66OwnBrowserIsKilled(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	page := a.open(s.URL).page("t")
	p.end()
	a.fails("browser_click", args{"pageId": page, "selector": "button"}).
		has("error:", "the browser does not answer", "closed", "hint:").within(8 * time.Second)
	p.restart()
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "closed", "tab closed: "+page)
	a.open(s.URL).has(`heading "one"`)
}

func TestB66OwnBrowserStaysAway(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	page := a.open(s.URL).page("t")
	gone := p.cdp(t)
	p.end()
	if _, _, err := gone.socket.ReadMessage(); err == nil || !strings.Contains(err.Error(), "4003") {
		t.Fatalf("a client was told %v", err)
	}
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "the connection to the browser is lost", "hint:", "call again").within(3 * time.Second)
	p.restart()
	a.open(s.URL).has(`heading "one"`)
}

func TestB68ThePersonCancels(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	an := a.open(s.URL)
	ref := an.ref("button", "Click")
	// Without a window there is no bar: its Cancel is done to the worker as Chrome does it.
	p.hand().chrome(`const tabId = await tab("` + s.URL + `");
		await chrome.debugger.detach({tabId});
		chrome.debugger.onDetach.dispatch({tabId}, "canceled_by_user")`)
	a.fails("browser_click", args{"ref": ref}).has("error:", "Cancel", "hint:", "call again").within(3 * time.Second)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
}

func TestB68ThePersonCancelsDuringACall(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	call := a.later("browser_evaluate", args{"script": "fetch('/begun').then(() => new Promise(() => {}))", "timeoutMs": 20000})
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	<-begun
	p.hand().chrome(`const tabId = await tab("` + s.URL + `");
		await chrome.debugger.detach({tabId});
		chrome.debugger.onDetach.dispatch({tabId}, "canceled_by_user")`)
	an := <-call
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "Cancel", "hint:")
	a.ok("browser_snapshot", nil).has(`heading "one"`)
}

// menu writes an extension that puts a frame of its own into pages which ask
// for it, as the menu of a password manager does.
func menu(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "Menu", "version": "1",
			"content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}],
			"web_accessible_resources": [{"resources": ["frame.html"], "matches": ["<all_urls>"]}]}`,
		"content.js": `document.addEventListener("click", (e) => {
			if (e.target.id === "menu") {
				const frame = document.createElement("iframe");
				frame.src = chrome.runtime.getURL("frame.html");
				frame.onload = () => fetch("/shown");
				document.body.append(frame);
			}
			if (e.target.id === "close") document.querySelector("iframe").remove();
		})`,
		"frame.html": `<h1>menu</h1>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestB69FrameOfAnotherExtension(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.dir += "," + menu(t)
	p.restart()
	a := p.agent(t)
	shown := make(chan bool, 1)
	s := newSite(t, counter+`<button id=menu>Menu</button><button id=close>Close</button>`).page("/other", `<h1>other</h1>`)
	s.handle("/shown", func(http.ResponseWriter, *http.Request) { shown <- true })
	other := a.open(s.other() + "/other").page("t")
	an := a.open(s.URL)
	page, ref := an.page("t"), an.ref("button", "Click")
	h := p.hand()
	tab := h.attach(s.URL)
	h.evaluate(tab, `document.querySelector("#menu").click()`)
	<-shown
	an = a.fails("browser_click", args{"pageId": page, "ref": ref}).has("error:", "the extension Menu (", "hint:").within(8 * time.Second)
	if !regexp.MustCompile(`\b[a-p]{32}\b`).MatchString(an.text) || strings.Contains(an.text, extension.ID) {
		t.Fatalf("the extension is not named:\n%s", an.text)
	}
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "other"`)
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "the extension Menu (")
	h.evaluate(tab, `document.querySelector("#close").click()`)
	a.ok("browser_click", args{"pageId": page, "ref": ref}).has("Clicked 1")
}

func TestB65WorkerDiesDuringARead(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	a.open(s.URL)
	call := a.later("browser_wait", args{"text": "here it is", "timeoutMs": 20000})
	c := p.cdp(t)
	session := c.attach(s.URL) // it goes through the relay, so the wait is on its way
	c.call(session, "Runtime.evaluate", args{"expression": "1"}, nil)
	p.killWorker()
	c.call(session, "Runtime.evaluate", args{"expression": "document.body.append('here it is')"}, nil)
	if an := <-call; an.failed {
		t.Fatal(an.text)
	}
}

func TestB65WorkerDiesDuringAnAction(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	begun := make(chan bool, 1)
	s := newSite(t, `<button onclick="this.n = (this.n || 0) + 1; const r = new XMLHttpRequest(); r.open('POST', '/slow', false); r.send(); this.textContent='Clicked '+this.n">Click</button>`)
	end := make(chan bool)
	s.handle("/slow", func(http.ResponseWriter, *http.Request) { begun <- true; <-end })
	an := a.open(s.URL)
	call := a.later("browser_click", args{"ref": an.ref("button", "Click"), "timeoutMs": 20000})
	<-begun
	p.killWorker()
	gone := time.Now()
	an = <-call
	if late := time.Since(gone); late > 8*time.Second { // the page hangs too, so looking at it takes its time
		t.Errorf("the answer came %s after the worker had gone", late)
	}
	close(end)
	if !an.failed {
		t.Fatal(an.text)
	}
	an.has("error:", "the connection to the browser was lost while the call ran", "hint:", "snapshot")
	a.ok("browser_snapshot", nil).has(`button "Clicked 1"`)
}

func TestExtensionGoes(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	page := a.open(s.URL).page("t")
	h := p.hand()
	// An extension of the command line does not come back from this.
	h.send(h.worker, "Runtime.evaluate", map[string]any{"expression": "chrome.runtime.reload()"})
	if _, err := p.says(regexp.MustCompile("browser connection ended")); err != nil {
		t.Fatal(err)
	}
	a.fails("browser_click", args{"pageId": page, "selector": "button"}).has("error:", "does not answer", "hint:").within(8 * time.Second)
	p.chromium().attach(s.URL) // the tab itself stays
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
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	an := a.open(s.URL)
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

func TestDevToolsIsOpened(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	a := p.agent(t)
	s := newSite(t, counter)
	an := a.open(s.URL)
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
