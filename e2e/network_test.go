package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// shop is a site with one of each kind of request.
func shop(t testing.TB, html string) *site {
	s := newSite(t, html)
	s.handle("/api", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("X-Real", "yes")
		fmt.Fprintf(w, `{"path":%q,"mine":%q}`, r.URL.RequestURI(), r.Header.Get("X-Mine"))
	})
	s.handle("/style.css", func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/css") })
	s.handle("/gone", func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", http.StatusGone) })
	s.handle("/old", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, "/api?new=1", http.StatusMovedPermanently)
	})
	s.handle("/bytes", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		_, _ = w.Write([]byte{0, 1, 2, 250})
	})
	s.handle("/never", hold)
	s.handle("/echo", func(w http.ResponseWriter, r *http.Request) {
		up := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
		c, err := up.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			kind, p, err := c.ReadMessage()
			if err != nil || c.WriteMessage(kind, append([]byte("echo "), p...)) != nil {
				return
			}
		}
	})
	return s
}

var requestID = regexp.MustCompile(`^r\d+`)

func (an answer) request(texts ...string) string {
	an.t.Helper()
	return requestID.FindString(an.line(texts...))
}

func TestB51Requests(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a := own(t, "--output", root).agent(t)
	s := shop(t, `<link rel=stylesheet href=/style.css><iframe src="ORIGIN/leaf"></iframe>`)
	s.page("/leaf", `<script>fetch("/api?leaf=1").then((r) => r.text()).then(() => document.write("leaf"))</script>`)
	gone := newSite(t, ``)
	gone.Close()
	a.open(s.URL)
	a.ok("browser_evaluate", args{"script": strings.ReplaceAll(`(async () => {
		for (const [url, init] of [["/api", {method: "POST", body: "color=red"}], ["/old"], ["/bytes"], ["/gone"]]) await (await fetch(url, init)).text();
		await fetch("CLOSED/").catch(() => 0); fetch("/never");
		const w = new WebSocket(location.origin.replace("http", "ws") + "/echo");
		await new Promise(ok => { w.onopen = () => w.send("ping one"); w.onmessage = ok }) })()`, "CLOSED", gone.URL)})
	a.ok("browser_wait", args{"text": "leaf"})
	list := a.ok("browser_network", nil)
	list.has("POST "+s.URL+"/api 200 fetch", "/gone 410", "ERR_CONNECTION_REFUSED", "/never fetch pending", "websocket open", "hidden", s.other()+"/leaf", "leaf=1", " document ").lacks("style.css", "favicon.ico", "document pending")
	a.ok("browser_network", args{"static": true}).has("style.css 200 stylesheet")
	a.ok("browser_network", args{"failed": true}).has("/gone", "ERR_CONNECTION_REFUSED").lacks("/bytes", "/never")
	a.ok("browser_network", args{"filter": "/POST.*api/"}).has("POST").lacks("/gone")
	a.fails("browser_network", args{"filter": "/(/"}).has("filter")
	post := list.request("POST")
	a.ok("browser_request", args{"id": post}).has("request headers:", "User-Agent:", "color=red", "X-Real: yes", `"path":"/api"`, "server: 127.0.0.1:")
	a.ok("browser_request", args{"id": post, "part": "request"}).has("color=red").lacks("X-Real", `"path"`)
	a.ok("browser_request", args{"id": post, "part": "headers"}).has("X-Real").lacks("color=red", `"path"`)
	a.ok("browser_request", args{"id": post, "part": "response"}).has(`"path"`).lacks("X-Real")
	a.ok("browser_request", args{"id": list.request("new=1")}).has("redirected: GET "+s.URL+"/old 301", `"/api?new=1"`)
	a.ok("browser_request", args{"id": list.request("leaf=1")}).has(`"/api?leaf=1"`)
	a.ok("browser_request", args{"id": list.request("websocket")}).has("→ ping one", "← echo ping one")
	a.ok("browser_request", args{"id": list.request("/never")}).has("still loading")
	a.ok("browser_request", args{"id": list.request(gone.URL)}).has("no response", "ERR_CONNECTION_REFUSED")
	bytes := list.request("/bytes")
	a.ok("browser_request", args{"id": bytes}).has("binary, 4 B")
	a.ok("browser_request", args{"id": bytes, "file": "b.bin"}).has(filepath.Join(root, "b.bin"))
	if got, err := os.ReadFile(filepath.Join(root, "b.bin")); err != nil || string(got) != "\x00\x01\x02\xfa" {
		t.Fatalf("%q %v", got, err)
	}
	a.fails("browser_request", args{"id": bytes, "file": "../b.bin"}).has("outside", "hint:")
	a.fails("browser_request", args{"id": "r99999"}).has("r99999", "hint:")
	a.fails("browser_request", nil).has(`"id" is missing`)
	a.fails("browser_request", args{"id": bytes, "part": "half"}).has("part")

	a.ok("browser_network", args{"har": "all.har"}).has("all.har")
	var har struct {
		Log struct {
			Version string
			Entries []struct {
				Request  struct{ Method, URL string }
				Response struct{ Status int }
			}
		}
	}
	data, err := os.ReadFile(filepath.Join(root, "all.har"))
	if err != nil || json.Unmarshal(data, &har) != nil || har.Log.Version != "1.2" || len(har.Log.Entries) < 10 {
		t.Fatalf("%v %d %s", err, len(har.Log.Entries), data)
	}
	a.fails("browser_network", args{"har": "/etc/x.har"}).has("outside")
	a.ok("browser_network", args{"clear": true})
	a.ok("browser_network", nil).has("/never").lacks("/gone")
	a.ok("browser_navigate", args{"url": s.URL + "/leaf"})
	a.ok("browser_network", nil).has("/leaf 200 document").lacks("/never", "/echo")
}

func TestB51Routes(t *testing.T) {
	t.Parallel()
	s := shop(t, `<h1>shop</h1>`)
	s.page("/framed", `<iframe src="ORIGIN/leaf"></iframe>`)
	s.page("/leaf", `<p id=p></p><script>fetch("/api").then(r => r.text()).then(t => p.textContent = t)</script>`)
	a := newAgent(t)
	a.open(s.URL)
	get := `fetch("/api").then(async r => r.status + " " + r.headers.get("x-real") + " " + r.headers.get("x-mine") + " " + await r.text(), () => "blocked")`
	a.ok("browser_route", args{"action": "add", "pattern": "/api*", "status": 404, "body": "made up", "headers": args{"X-Mine": "m"}}).has("added route1 /api* → 404")
	if got := a.value(get); got != `"404 null m made up"` {
		t.Fatal(got)
	}
	a.ok("browser_navigate", args{"url": s.URL + "/framed"})
	a.ok("browser_wait", args{"text": "made up"})
	a.ok("browser_route", args{"action": "add", "pattern": "/api*", "block": true}).has("blocked")
	if got := a.value(get); got != `"blocked"` {
		t.Fatal(got)
	}
	a.ok("browser_network", args{"failed": true}).has("BLOCKED_BY_CLIENT")
	a.ok("browser_route", args{"action": "add", "pattern": "/api*", "headers": args{"X-Mine": "changed"}})
	if got := a.value(get); !strings.Contains(got, "200 yes changed") {
		t.Fatal(got)
	}
	a.ok("browser_route", args{"action": "list"}).has("/api*", "1 header")
	a.ok("browser_route", args{"action": "remove", "pattern": "/api*"}).has("removed 1 route; 0 left")
	if got := a.value(get); !strings.Contains(got, "200 yes null") {
		t.Fatal(got)
	}
	a.fails("browser_route", args{"action": "add"}).has("pattern")
	a.fails("browser_route", args{"action": "add", "pattern": "/x"}).has("error:", "hint: give status")
	a.fails("browser_route", args{"action": "remove", "pattern": "/x"}).has("no route", "hint:")
	a.fails("browser_route", args{"action": "drop"}).has("action")
	a.fails("browser_route", args{"action": "add", "pattern": "/x", "headers": args{"a": 1}}).has("headers")
	a.ok("browser_route", args{"action": "add", "pattern": "/api", "status": 500})
	a.again(s.URL)
	a.ok("browser_route", args{"action": "list"}).has("no routes")
	if got := a.value(get); !strings.Contains(got, "200 yes null") {
		t.Fatal(got)
	}
}
