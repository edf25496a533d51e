package adapter

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"
)

// requests are those that a filter chooses, in a line each.
func (s *stage) requests(f RequestFilter) []Request {
	s.Helper()
	list, _, _, err := s.Requests(s.Context(), f)
	if err != nil {
		s.Fatal(err)
	}
	return list
}

// request waits for one of an address, and for its end.
func (s *stage) request(part string) Request {
	s.Helper()
	var found Request
	err := s.await(s.within(10*time.Second), func() bool {
		for _, e := range s.exchanges.list {
			if r := e.brief(); strings.Contains(r.URL, part) && !r.Pending {
				found = e.whole()
				return true
			}
		}
		return false
	})
	if err != nil {
		s.Fatalf("no request for %s: %v", part, err)
	}
	return found
}

func header(list []Header, name string) string {
	for _, h := range list {
		if strings.EqualFold(h.Name, name) {
			return h.Value
		}
	}
	return ""
}

func TestRequests(t *testing.T) {
	s := open(t, "<p>first")
	mux := s.site.mux
	mux.HandleFunc("/api", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Add("X-Two", "a")
		w.Header().Add("X-Two", "b")
		fmt.Fprint(w, `{"ok":true}`)
	})
	mux.HandleFunc("/from", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/api?to=1", http.StatusFound) })
	mux.HandleFunc("/bytes", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write([]byte{0, 1, 2, 255})
	})
	mux.HandleFunc("/gone", func(w http.ResponseWriter, r *http.Request) { http.Error(w, "no", http.StatusGone) })
	s.site.page("/leaf", `<script>fetch("/api?leaf=1")</script>`)
	s.visit(s.site.page("/a", `<link rel=stylesheet href="data:text/css,p{}"><img src="/pixel.png"><iframe src="`+s.site.other("/leaf")+`"></iframe>`))
	s.is(`(async () => { await fetch("/api", {method: "POST", body: "sent=1"}); await fetch("/from"); await fetch("/bytes"); await fetch("/gone"); await fetch("http://127.0.0.1:1/").catch(() => 0); return 1 })()`, "1")

	api := s.request(s.site.URL + "/api")
	if api.Method != "POST" || api.Status != 200 || api.Kind != "fetch" || api.Size == 0 || api.Took <= 0 || api.Began.Before(time.Now().Add(-time.Minute)) {
		t.Errorf("%+v", api)
	}
	if header(api.Sent, "Host") == "" || header(api.Received, "X-Two") != "a" {
		t.Errorf("headers are not those of the network: %v %v", api.Sent, api.Received)
	}
	if body, err := s.RequestBody(t.Context(), api.ID); err != nil || string(body) != "sent=1" {
		t.Errorf("%s %v", body, err)
	}
	if body, err := s.ResponseBody(t.Context(), api.ID); err != nil || string(body) != `{"ok":true}` {
		t.Errorf("%s %v", body, err)
	}
	to := s.request("/api?to=1")
	if len(to.Redirects) != 1 || to.Redirects[0].Status != 302 || header(to.Redirects[0].Received, "Location") == "" || to.Status != 200 {
		t.Errorf("%+v", to)
	}
	if body, err := s.ResponseBody(t.Context(), s.request("/bytes").ID); err != nil || string(body) != "\x00\x01\x02\xff" {
		t.Errorf("%q %v", body, err)
	}
	leaf := s.request("leaf=1")
	if body, err := s.ResponseBody(t.Context(), leaf.ID); err != nil || string(body) != `{"ok":true}` {
		t.Errorf("in a frame of another process: %s %v", body, err)
	}
	if r := s.request("127.0.0.1:1/"); !strings.Contains(r.Failure, "ERR_") {
		t.Errorf("%+v", r)
	}
	list, hidden, dropped, err := s.Requests(t.Context(), RequestFilter{})
	if err != nil || hidden == 0 || dropped != 0 || len(list) < 7 {
		t.Errorf("%d listed, %d hidden, %d dropped, %v", len(list), hidden, dropped, err)
	}
	failed := s.requests(RequestFilter{Failed: true})
	for _, r := range failed {
		if r.Failure == "" && r.Status < 400 {
			t.Errorf("%+v did not fail", r)
		}
	}
	if len(failed) < 2 || len(s.requests(RequestFilter{Text: "/POST .*fetch 200/"})) != 1 || len(s.requests(RequestFilter{Text: "pixel", Static: true})) != 1 {
		t.Errorf("%+v", failed)
	}
	if _, _, _, err := s.Requests(t.Context(), RequestFilter{Text: "/(x/"}); !errors.Is(err, ErrInvalid) {
		t.Error(err)
	}
	data, n, err := s.HAR(t.Context(), RequestFilter{Static: true}, "1")
	var har struct {
		Log struct {
			Version string
			Entries []struct {
				Time     float64
				Request  struct{ Headers []struct{ Name string } }
				Response struct {
					Status   int
					Transfer *int64 `json:"_transferSize"`
					BodySize *int64
				}
				Kind    string `json:"_resourceType"`
				Timings map[string]float64
			}
		}
	}
	if err != nil || json.Unmarshal(data, &har) != nil || har.Log.Version != "1.2" || len(har.Log.Entries) != n || n < 8 {
		t.Fatalf("%d %v %s", n, err, data)
	}
	for _, e := range har.Log.Entries {
		if e.Kind == "" || e.Response.Transfer == nil || e.Response.BodySize == nil || len(e.Timings) != 7 {
			t.Errorf("%+v", e)
		}
		for name, v := range e.Timings {
			if v < -1 || v > 60_000 {
				t.Errorf("%s is %v ms", name, v)
			}
		}
	}
	if _, err := s.Request("r999"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
	s.visit(s.site.page("/b", "<p>b"))
	if list := s.requests(RequestFilter{}); len(list) != 1 || !strings.HasSuffix(list[0].URL, "/b") || list[0].Kind != "document" {
		t.Errorf("%+v", list)
	}
	s.ClearRequests()
	if list := s.requests(RequestFilter{Static: true}); slices.ContainsFunc(list, func(r Request) bool { return !r.Pending }) { // the icon may come late
		t.Errorf("%+v", list)
	}
}

func TestRequestsAreBounded(t *testing.T) {
	s := open(t, "<p>x")
	s.is(`Promise.all(Array.from({length: 1200}, (_, i) => fetch("data:,x" + i))).then(() => 1)`, "1")
	list, _, dropped, _ := s.Requests(t.Context(), RequestFilter{Static: true})
	if len(list) != exchangeLimit || dropped < 200 {
		t.Errorf("%d kept, %d dropped", len(list), dropped)
	}
}

func TestSettings(t *testing.T) {
	s := open(t, "<p>x")
	var got http.Header
	s.site.mux.HandleFunc("/h", func(w http.ResponseWriter, r *http.Request) { got = r.Header.Clone() })
	s.site.page("/leaf", `<script>fetch("/h")</script>leaf`)
	ctx := t.Context()
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	fetched := `fetch("/h").then(() => "yes", () => "no")`
	check(s.SetHeaders(ctx, map[string]string{"X-Mine": "1"}))
	s.is(fetched, `"yes"`)
	if got.Get("X-Mine") != "1" {
		t.Error(got)
	}
	got = nil
	s.visit(s.site.page("/framed", `<iframe src="`+s.site.other("/leaf")+`"></iframe>`))
	s.request("/h")
	if got.Get("X-Mine") != "1" {
		t.Errorf("a frame of another process: %v", got)
	}
	check(s.SetHeaders(ctx, nil))
	s.is(fetched, `"yes"`)
	if got.Get("X-Mine") != "" {
		t.Error(got)
	}
	check(s.SetOffline(ctx, true))
	s.is(fetched, `"no"`)
	s.is("navigator.onLine", "false")
	check(s.SetOffline(ctx, false))
	s.is(fetched, `"yes"`)
	s.is("navigator.onLine", "true")
	before := s.value("Intl.DateTimeFormat().resolvedOptions().timeZone")
	check(s.SetTimezone(ctx, "Asia/Kathmandu"))
	s.is("new Date().getTimezoneOffset()", "-345")
	check(s.SetTimezone(ctx, ""))
	s.is("Intl.DateTimeFormat().resolvedOptions().timeZone", before)
	agent := s.value("navigator.userAgent")
	language := s.value("navigator.language")
	check(s.SetLocale(ctx, "de-DE"))
	s.is("(1.5).toLocaleString()", `"1,5"`)
	s.is("navigator.language", `"de-DE"`)
	s.is("navigator.userAgent", agent)
	s.is(fetched, `"yes"`)
	if !strings.HasPrefix(got.Get("Accept-Language"), "de-DE,de") {
		t.Error(got)
	}
	check(s.SetLocale(ctx, ""))
	s.is("navigator.language", language)
	s.is("(1.5).toLocaleString()", `"1.5"`)
	phone, err := KnownDevice("iphone 15")
	check(err)
	phone.ColorScheme, phone.ReducedMotion = "dark", true
	width := s.value("innerWidth")
	check(s.SetDevice(ctx, phone))
	s.visit(s.site.page("/mobile", `<meta name=viewport content="width=device-width">m`))
	s.is(`[innerWidth, devicePixelRatio, navigator.maxTouchPoints, "ontouchstart" in window, /iPhone/.test(navigator.userAgent), matchMedia("(prefers-color-scheme: dark)").matches, matchMedia("(prefers-reduced-motion)").matches]`,
		`[393,3,5,true,true,true,true]`)
	check(s.SetDevice(ctx, Device{}))
	s.visit(s.site.URL + "/mobile")
	s.is(`[innerWidth == `+width+`, navigator.maxTouchPoints, /iPhone/.test(navigator.userAgent), matchMedia("(prefers-color-scheme: dark)").matches]`, `[true,0,false,false]`)
	where := `new Promise(ok => navigator.geolocation.getCurrentPosition(p => ok([p.coords.latitude, p.coords.accuracy]), e => ok(e.code)))`
	check(s.SetGeolocation(ctx, &Place{48.2, 16.4, 10}))
	s.is(where, "[48.2,10]")
	s.visit(s.site.URL + "/mobile")
	s.is(where, "[48.2,10]")
	s.is(`navigator.permissions.query({name: "geolocation"}).then(s => s.state)`, `"granted"`)
	s.site.page("/where", `<p id=p></p><script>navigator.geolocation.getCurrentPosition(x => p.textContent = "at " + x.coords.latitude)</script>`)
	s.visit(s.site.page("/framed2", `<iframe src="`+s.site.other("/where")+`"></iframe>`))
	check(s.Wait(s.within(10*time.Second), WaitOptions{Text: "at 48.2"}))
	check(s.SetGeolocation(ctx, nil))
	s.is("navigator.geolocation.getCurrentPosition.toString().includes('native code')", "true")
	for _, err := range []error{
		s.SetTimezone(ctx, "Mars/Base"), s.SetLocale(ctx, "!!"), s.SetHeaders(ctx, map[string]string{"a b": "x"}), s.SetHeaders(ctx, map[string]string{"a": "x\ny"}),
		s.SetDevice(ctx, Device{Network: "5g"}), s.SetDevice(ctx, Device{CPU: 0.5}), s.SetDevice(ctx, Device{Width: -1}), s.SetGeolocation(ctx, &Place{Latitude: 91}),
	} {
		if !errors.Is(err, ErrInvalid) {
			t.Error(err)
		}
	}
}

func TestSettingsEndWithTheConnection(t *testing.T) {
	watcher := open(t, "<p>x")
	b := newBrowser(t, Options{})
	p, err := b.Page(watcher.ID())
	if err != nil {
		t.Fatal(err)
	}
	ctx := t.Context()
	for _, err := range []error{p.SetGeolocation(ctx, &Place{1, 2, 3}), p.SetTimezone(ctx, "Asia/Tokyo"), p.SetOffline(ctx, true), p.SetDevice(ctx, Device{Width: 300, ColorScheme: "dark"})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := p.AddRoute(ctx, Route{Pattern: "*", Block: true}, false); err != nil {
		t.Fatal(err)
	}
	b.Close()
	watcher.is("navigator.geolocation.getCurrentPosition.toString().includes('native code')", "true")
	watcher.is(`fetch("/").then(r => r.status)`, "200")
	watcher.is(`[new Date().getTimezoneOffset() === -540, matchMedia("(prefers-color-scheme: dark)").matches]`, "[false,false]")
}

func TestRoutes(t *testing.T) {
	s := open(t, "<p>x")
	s.site.mux.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("X-Real", "1")
		fmt.Fprint(w, "real")
	})
	s.site.page("/leaf", `<script>fetch("/api/leaf").then(r => r.text()).then(t => document.body.textContent = t)</script>`)
	ctx := t.Context()
	add := func(r Route, body bool) Route {
		t.Helper()
		r, err := s.AddRoute(ctx, r, body)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	get := func(path string) string {
		return `fetch("` + path + `").then(async r => r.status + " " + r.headers.get("x-real") + " " + r.headers.get("x-mine") + " " + await r.text(), () => "failed")`
	}
	add(Route{Pattern: "/api/*", Body: `{"a":1}`, Status: 201, Headers: map[string]string{"X-Mine": "m"}}, true)
	s.is(get("/api/x?y=1"), `"201 null m {\"a\":1}"`)
	s.is(get(s.site.other("/api/x")), `"201 null null {\"a\":1}"`)
	add(Route{Pattern: "/api/bad", Block: true}, false)
	s.is(get("/api/bad"), `"failed"`)
	changed := add(Route{Pattern: "/api/changed", Headers: map[string]string{"X-Mine": "m", "x-real": ""}}, false)
	s.is(get("/api/changed"), `"200 null m real"`)
	if len(s.Routes()) != 3 {
		t.Error(s.Routes())
	}
	s.visit(s.site.page("/framed", `<iframe src="`+s.site.other("/leaf")+`"></iframe>`))
	if err := s.Wait(s.within(10*time.Second), WaitOptions{Text: `{"a":1}`}); err != nil {
		t.Error(err)
	}
	if n, err := s.RemoveRoutes(ctx, changed.ID); n != 1 || err != nil {
		t.Error(n, err)
	}
	s.is(get("/api/changed"), `"201 null m {\"a\":1}"`)
	if n, err := s.RemoveRoutes(ctx, ""); n != 2 || err != nil {
		t.Error(n, err)
	}
	s.is(get("/api/x"), `"200 1 null real"`)
	for _, r := range []Route{{}, {Pattern: "x"}, {Pattern: "x", Block: true, Status: 200}, {Pattern: "x", Status: 99}, {Pattern: "x", Headers: map[string]string{"a\n": ""}}} {
		if _, err := s.AddRoute(ctx, r, false); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", r, err)
		}
	}
	if _, err := s.RemoveRoutes(ctx, "nope"); !errors.Is(err, ErrNotFound) {
		t.Error(err)
	}
}

func TestSocketFrames(t *testing.T) {
	s := open(t, "<p>x")
	s.is(`new Promise(ok => { const w = new WebSocket("ws://127.0.0.1:1/"); w.onerror = () => ok(1) })`, "1")
	r := s.request("ws://127.0.0.1:1/")
	if r.Kind != "websocket" || r.Failure == "" {
		t.Errorf("%+v", r)
	}
}
