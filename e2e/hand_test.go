package e2e

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"

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

// shown waits until n tabs whose address begins with url have loaded, with a title
// that begins with title. A tab has no address until its page begins, so they are
// counted.
func (h *hand) shown(url, title string, n int) {
	h.t.Helper()
	left := ""
	for range 6 { // one command may not take so long
		left = h.chrome(fmt.Sprintf(`return new Promise((done) => {
			const end = (left) => { chrome.tabs.onUpdated.removeListener(look); done(left); };
			const found = async () => (await chrome.tabs.query({})).filter((t) => t.url.startsWith(%q));
			const ready = (t) => t.status !== "loading" && t.title.startsWith(%q);
			const look = async () => { if ((await found()).filter(ready).length >= %d) end(""); };
			chrome.tabs.onUpdated.addListener(look);
			setTimeout(async () => {
				const all = await found();
				end(all.length + " tabs, of which " + all.filter((t) => !ready(t)).map((t) => t.url + " " + t.title + " " + t.status).join());
			}, 8000);
			look(); })`, url, title, n))
		if left == `""` {
			return
		}
	}
	h.t.Fatalf("of %d tabs, not all are shown: %s", n, left)
}

// cancel is the button on the debugger's bar. Without a window there is no bar:
// it is done to the worker as Chrome does it.
func (h *hand) cancel(url string) {
	h.t.Helper()
	h.chrome(`const tabId = await tab("` + url + `");
		await chrome.debugger.detach({tabId});
		chrome.debugger.onDetach.dispatch({tabId}, "canceled_by_user")`)
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
	p.comes()
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

// atWork is a person's browser in which an agent has opened a page.
func atWork(t *testing.T, html string, env ...string) (*person, *agent, *site, answer) {
	t.Helper()
	t.Parallel()
	p := newPerson(t, env...)
	a := p.agent(t)
	s := newSite(t, html)
	return p, a, s, a.open(s.URL)
}
