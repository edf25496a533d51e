package e2e

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

// attackCookies has an agent read, in each way that it has, a cookie that no script
// of a page can read.
func attackCookies(a *attacks) {
	const own = "HttpOnly-value-4ad1"
	agent := newAgent(a.t)
	site := newSite(a.t, `<h1>site</h1>`)
	site.handle("/set", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Set-Cookie", "seen=by-scripts")
		w.Header().Add("Set-Cookie", "session="+own+"; Path=/; httponly; Max-Age=60")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<h1>set"))
	})
	site.handle("/again", func(w http.ResponseWriter, r *http.Request) {
		if !strings.Contains(r.Header.Get("Cookie"), own) {
			a.t.Error("the cookie is not sent")
		}
		w.Header().Add("Set-Cookie", "session="+own+"; HttpOnly; Path=/")
		http.Redirect(w, r, "/", http.StatusFound)
	})
	agent.open(site.URL + "/set")
	agent.ok("browser_navigate", args{"url": site.URL + "/again"})
	agent.ok("browser_evaluate", args{"script": "fetch('/set').then(() => new Promise(done => { const w = new WebSocket('ws' + location.origin.slice(4) + '/socket'); w.onclose = w.onerror = done }))"})
	told := func(an answer) string {
		if strings.Contains(an.text, own) {
			return excerpt(an.text[max(0, strings.Index(an.text, own)-60):])
		}
		return ""
	}
	ids := map[string]bool{}
	for line := range strings.Lines(agent.ok("browser_network", args{"static": true}).text) {
		if id, _, _ := strings.Cut(strings.TrimSpace(line), " "); strings.HasPrefix(id, "r") {
			ids[id] = true
		}
	}
	for id := range ids {
		for _, part := range []string{"headers", "request", "response", "all"} {
			a.try(attack{"browser_request " + part + " of " + id, func(*testing.T) string { return told(agent.call("browser_request", args{"id": id, "part": part})) }})
		}
	}
	for _, with := range []args{{"action": "get"}, {"action": "get", "url": site.URL}, {"action": "get", "url": site.URL + "/set"}} {
		a.try(attack{"browser_cookies", func(*testing.T) string { return told(agent.call("browser_cookies", with)) }})
	}
	a.try(attack{"a HAR file", func(*testing.T) string {
		an := agent.ok("browser_network", args{"har": "all.har", "static": true})
		for word := range strings.FieldsSeq(an.text) {
			if data, err := os.ReadFile(word); err == nil {
				return told(answer{text: string(data)})
			}
		}
		a.t.Errorf("no file in %s", an.text)
		return ""
	}})
}
