package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// decisions are a page of the extension in a person's browser, which decides for
// them as its panel does.
type decisions struct {
	*client
	session string
}

// decides returns the person's decisions, in a browser that asks for sites from
// now on.
func (p *person) decides() decisions {
	p.t.Helper()
	c := p.chromium()
	var made struct{ TargetID, SessionID string }
	c.call("", "Target.createTarget", map[string]any{"url": "about:blank", "background": true}, &made)
	c.call("", "Target.attachToTarget", map[string]any{"targetId": made.TargetID, "flatten": true}, &made)
	d := decisions{c, made.SessionID}
	c.call(d.session, "Page.navigate", map[string]any{"url": "chrome-extension://" + extension.ID + "/icons/16.png"}, nil)
	d.eval(`new Promise(done => {
		let view, look = () => {};
		globalThis.until = (holds) => new Promise(done => { look = () => { if (holds(view)) done(view) }; look() });
		globalThis.port = chrome.runtime.connect({ name: "popup" });
		port.onMessage.addListener(seen => { view = seen; look(); done() });
	})`)
	d.eval(`(port.postMessage({ ask: "allSites", on: false }), until(v => !v.allSites))`)
	return d
}

// eval awaits an expression and returns the JSON of its value.
func (d decisions) eval(expression string) string {
	d.t.Helper()
	var value struct {
		Result           struct{ Value json.RawMessage }
		ExceptionDetails json.RawMessage
	}
	d.call(d.session, "Runtime.evaluate", map[string]any{"expression": expression, "awaitPromise": true, "returnByValue": true}, &value)
	if value.ExceptionDetails != nil {
		d.t.Fatalf("%s: %s", expression, value.ExceptionDetails)
	}
	return string(value.Result.Value)
}

// answers awaits the question about a site and answers it; it returns the question.
func (d decisions) answers(site, choice string) string {
	d.t.Helper()
	question := d.eval(fmt.Sprintf(`until(v => v.questions.some(q => q.site === %q)).then(v => v.questions.filter(q => q.site === %[1]q))`, site))
	d.eval(fmt.Sprintf(`(port.postMessage({ ask: "answer", id: %s[0].id, choice: %q }), until(v => v.rules.some(r => r.site === %q && r.choice === %[2]q)))`, question, choice, site))
	return question
}

// asked makes a call that waits for the person, who then decides.
func (d decisions) asked(a *agent, tool string, with args, site, choice string) answer {
	d.t.Helper()
	came := make(chan answer, 1)
	go func() { came <- a.call(tool, with) }()
	if question := d.answers(site, choice); strings.Count(question, `"id"`) != 1 || !strings.Contains(question, `"agent":"e2e`) {
		d.t.Errorf("the person is asked %s", question)
	}
	return <-came
}

// threeHosts are addresses of a site under hosts that are three sites.
func (s *site) threeHosts(t *testing.T) (one, two, three string) {
	t.Helper()
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	at := func(host string) string { return "http://" + host + ":" + u.Port() }
	return at("one.localhost"), at("two.localhost"), at("127.0.0.1")
}

// TestB93ThePersonIsAskedForSites opens, in a person's browser, sites that were
// never allowed.
func TestB93ThePersonIsAskedForSites(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, "")
	one, two, three := s.threeHosts(t)
	s.handle("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>Title of %s</title><p>Words of %[1]s</p><button>Press</button><a href="%s/page">Leave</a><a href="%[2]s/page" target=_blank>Pop</a>`, r.Host, three)
	})
	s.handle("/on", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, three+"/page", http.StatusFound) })
	d := p.decides()
	a := p.agent(t)

	t.Run("allowed once", func(t *testing.T) {
		d.asked(a, "browser_navigate", args{"url": one + "/page"}, "http://one.localhost", "once").has("Words of one.localhost")
		a.ok("browser_click", args{"ref": a.ok("browser_snapshot", args{"diff": false}).ref("button", "Press")})
	})
	t.Run("refused", func(t *testing.T) {
		d.asked(a, "browser_navigate", args{"url": two + "/page"}, "http://two.localhost", "no").
			has("error: the person does not let agents use http://two.localhost", "hint: use another site, or ask them to allow it in the Tabrelay panel")
		before := a.ok("browser_tab_list", nil).text
		a.fails("browser_tab_open", args{"url": two + "/page"}).has("does not let agents use http://two.localhost").lacks("about:blank")
		if after := a.ok("browser_tab_list", nil).text; after != before {
			t.Errorf("the tabs were %s\nand are %s", before, after)
		}
		a.ok("browser_navigate", args{"url": one + "/page"}).has("Words of one.localhost")
	})
	t.Run("a link leads there, and nothing is read before", func(t *testing.T) {
		link := a.ok("browser_snapshot", args{"diff": false}).ref("link", "Leave")
		a.ok("browser_set_device", args{"width": 391, "height": 600, "userAgent": "Pocket"})
		an := a.call("browser_click", args{"ref": link})
		an.lacks("Words of 127.0.0.1", "Title of 127.0.0.1")
		an.within(20 * time.Second)
		a.call("browser_tab_list", nil).lacks("Title of 127.0.0.1", "127.0.0.1:")
		d.asked(a, "browser_snapshot", nil, "http://127.0.0.1", "always").has("Words of 127.0.0.1").within(20 * time.Second)
		if got := a.value("innerWidth + ' ' + navigator.userAgent"); got != `"391 Pocket"` {
			t.Errorf("the device is %s", got)
		}
		a.ok("browser_click", args{"ref": a.ok("browser_snapshot", args{"diff": false}).ref("button", "Press")})
	})
	t.Run("taken back at once", func(t *testing.T) {
		d.eval(`(port.postMessage({ ask: "forget", site: "http://127.0.0.1" }), until(v => !v.rules.some(r => r.site === "http://127.0.0.1")))`)
		d.asked(a, "browser_snapshot", nil, "http://127.0.0.1", "once").has("Words of 127.0.0.1")
		if got := a.value("innerWidth + ' ' + navigator.userAgent"); got != `"391 Pocket"` {
			t.Errorf("the device is %s", got)
		}
		d.eval(`(port.postMessage({ ask: "forget", site: "http://127.0.0.1" }), until(v => !v.rules.some(r => r.site === "http://127.0.0.1")))`)
		d.asked(a, "browser_click", args{"selector": "button"}, "http://127.0.0.1", "no").has("does not let agents use http://127.0.0.1")
		a.call("browser_snapshot", nil).lacks("Words of 127.0.0.1").has("does not let agents use")
		a.call("browser_evaluate", args{"script": "document.body.innerText"}).lacks("Words of 127.0.0.1")
	})
	t.Run("a redirect", func(t *testing.T) {
		a.call("browser_navigate", args{"url": one + "/on"}).lacks("Words of 127.0.0.1", "Title of 127.0.0.1").has("error:", "http://127.0.0.1")
		a.ok("browser_navigate", args{"url": one + "/page"}).has("Words of one.localhost")
	})
	t.Run("a tab that it opens", func(t *testing.T) {
		an := a.call("browser_click", args{"ref": a.ok("browser_snapshot", args{"diff": false}).ref("link", "Pop")})
		an.lacks("Words of 127.0.0.1", "Title of 127.0.0.1")
		an.within(20 * time.Second)
		a.ok("browser_tab_list", nil).lacks("Title of 127.0.0.1")
	})
	t.Run("in a new tab, which is opened once", func(t *testing.T) {
		four := strings.Replace(one, "one", "four", 1)
		tabs := func() int { return strings.Count(a.ok("browser_tab_list", nil).text, "\n") }
		before := tabs()
		d.asked(a, "browser_tab_open", args{"url": four + "/page"}, "http://four.localhost", "once").has("Words of four.localhost")
		if n := tabs() - before; n != 1 {
			t.Errorf("%d tabs more", n)
		}
	})
	t.Run("in a new tab, which is closed when they refuse", func(t *testing.T) {
		before := a.ok("browser_tab_list", nil).text
		d.asked(a, "browser_tab_open", args{"url": strings.Replace(one, "one", "five", 1) + "/page"}, "http://five.localhost", "no").has("error: the person does not let agents use http://five.localhost")
		if after := a.ok("browser_tab_list", nil).text; after != before {
			t.Errorf("the tabs were %s\nand are %s", before, after)
		}
	})
	t.Run("all sites", func(t *testing.T) {
		d.eval(`(port.postMessage({ ask: "forget", site: "http://127.0.0.1" }), port.postMessage({ ask: "allSites", on: true }), until(v => v.allSites))`)
		a.ok("browser_tab_open", args{"url": three + "/page"}).has("Words of 127.0.0.1").within(20 * time.Second)
		a.fails("browser_tab_open", args{"url": two + "/page"}).has("does not let agents use http://two.localhost")
	})
}
