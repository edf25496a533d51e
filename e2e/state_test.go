package e2e

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"
)

// heard is what a server hears of a request.
func heard(s *site) *site {
	return s.handle("/heard", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintf(w, "%s|%s|%s", r.Header.Get("X-Mine"), r.Header.Get("Accept-Language"), r.Header.Get("User-Agent"))
	})
}

const (
	hears = `fetch("/heard").then(r => r.text(), () => "failed")`
	where = `new Promise(ok => navigator.geolocation.getCurrentPosition(p => ok(p.coords.latitude + " " + p.coords.longitude), e => ok("refused " + e.code)))`
	zone  = `Intl.DateTimeFormat().resolvedOptions().timeZone`
	looks = `[innerWidth, devicePixelRatio, navigator.maxTouchPoints, matchMedia("(prefers-color-scheme: dark)").matches, /iPhone/.test(navigator.userAgent), matchMedia("(prefers-reduced-motion: reduce)").matches].join()`
)

// again ends the connection, makes a new one and goes on with the page at url.
func (a *agent) again(url string) {
	a.t.Helper()
	a.ok("browser_disconnect", nil)
	page := a.ok("browser_connect", nil).page(url)
	a.ok("browser_tab_focus", args{"pageId": page})
}

func TestB52SettingsAreUndoneWhenAsked(t *testing.T) {
	inPlaces(t, `<meta name=viewport content="width=device-width"><h1>here</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := heard(newSite(t, `<meta name=viewport content="width=device-width"><h1>settings</h1>`))
		a.ok("browser_navigate", args{"url": s.URL})
		is := func(script, want string) {
			t.Helper()
			if got := a.value(script); got != want {
				t.Fatalf("%s is %s, want %s", script, got, want)
			}
		}
		language, home, plain := a.value("navigator.language"), a.value(zone), a.value(looks)

		a.ok("browser_set_offline", args{"offline": true}).has("offline", ": ")
		is(hears, `"failed"`)
		is("navigator.onLine", "false")
		a.ok("browser_set_offline", args{"offline": false}).has("online")
		is("navigator.onLine", "true")

		a.ok("browser_set_headers", args{"headers": args{"X-Mine": "42"}}).has("X-Mine")
		if got := a.value(hears); !strings.HasPrefix(got, `"42|`) {
			t.Fatal(got)
		}
		a.ok("browser_set_headers", args{"headers": args{}})
		if got := a.value(hears); !strings.HasPrefix(got, `"|`) {
			t.Fatal(got)
		}

		a.ok("browser_set_geolocation", args{"latitude": 41.9, "longitude": 12.5}).has("41.9", "12.5")
		is(where, `"41.9 12.5"`)
		a.ok("browser_reload", nil)
		is(where, `"41.9 12.5"`)
		a.ok("browser_set_geolocation", nil).has("no longer")
		is(`navigator.geolocation.getCurrentPosition.toString().includes("native code")`, "true")

		a.ok("browser_set_timezone", args{"timezone": "Asia/Tokyo"}).has("Asia/Tokyo")
		is(zone, `"Asia/Tokyo"`)
		a.ok("browser_set_timezone", nil)
		is(zone, home)

		a.ok("browser_set_locale", args{"locale": "de-DE"}).has("de-DE")
		is("(1.5).toLocaleString()", `"1,5"`)
		is("navigator.language", `"de-DE"`)
		a.ok("browser_set_locale", nil)
		is("navigator.language", language)

		a.ok("browser_set_device", args{"name": "iPhone 15", "colorScheme": "dark", "reducedMotion": true}).has("393×852", "dark", "mobile")
		a.ok("browser_set_device", args{"network": "4g"}).has("393×852", "4g")
		a.ok("browser_reload", nil)
		is(looks, `"393,3,5,true,true,true"`)
		if got := a.value(hears); !strings.Contains(got, "iPhone") {
			t.Fatal(got)
		}
		a.ok("browser_screenshot", nil)
		a.ok("browser_set_device", nil).has("no longer")
		a.ok("browser_reload", nil)
		is(looks, plain)
	})
}

func TestB52SettingsEndWithTheConnection(t *testing.T) {
	t.Parallel()
	s := heard(newSite(t, `<h1>settings</h1>`))
	a := own(t).agent(t)
	a.open(s.URL)
	home, plain, agent := a.value(zone), a.value(looks), a.value(hears)
	for tool, with := range map[string]args{
		"browser_set_offline": {"offline": true}, "browser_set_headers": {"headers": args{"X-Mine": "1"}}, "browser_set_geolocation": {"latitude": 1, "longitude": 2},
		"browser_set_timezone": {"timezone": "Asia/Tokyo"}, "browser_set_locale": {"locale": "fr-FR"}, "browser_set_device": {"name": "pixel 8", "colorScheme": "dark", "reducedMotion": true, "cpu": 2},
	} {
		a.ok(tool, with)
	}
	a.again(s.URL)
	a.ok("browser_snapshot", nil)
	for script, want := range map[string]string{zone: home, looks: plain, hears: agent, "navigator.onLine": "true",
		`navigator.geolocation.getCurrentPosition.toString().includes("native code")`: "true"} {
		if got := a.value(script); got != want {
			t.Errorf("%s is %s, was %s", script, got, want)
		}
	}
}

func TestB52BadSettings(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, ``).URL)
	for _, c := range []struct {
		tool string
		with args
		says string
	}{
		{"browser_set_offline", nil, "offline"}, {"browser_set_headers", nil, "headers"}, {"browser_set_headers", args{"headers": args{"a b": "x"}}, "a b"},
		{"browser_set_geolocation", args{"latitude": 1}, "longitude"}, {"browser_set_geolocation", args{"latitude": 100, "longitude": 1}, "latitude"},
		{"browser_set_timezone", args{"timezone": "Mars/Base"}, "Mars/Base"}, {"browser_set_locale", args{"locale": "!!"}, "!!"},
		{"browser_set_device", args{"name": "Nokia 3310"}, "Nokia 3310"}, {"browser_set_device", args{"network": "5g"}, "network"}, {"browser_set_device", args{"cpu": 0}, "cpu"},
	} {
		a.fails(c.tool, c.with).has("error:", c.says)
	}
}

// TestB52ChromeKeepsPermissionsToItself documents why the place is told by the
// page's own object.
func TestB52ChromeKeepsPermissionsToItself(t *testing.T) {
	t.Parallel()
	server := shared(t)
	a := server.agent(t)
	s := newSite(t, `<h1>place</h1>`)
	a.open(s.URL)
	c := server.cdp(t)
	session := c.attach(s.URL)
	for method, params := range map[string]any{
		"Browser.grantPermissions": map[string]any{"origin": s.URL, "permissions": []string{"geolocation"}},
		"Browser.setPermission":    map[string]any{"permission": map[string]any{"name": "geolocation"}, "setting": "granted"},
	} {
		for _, at := range []string{"", session} {
			id := c.send(at, method, params)
			if m := c.until(func(m message) bool { return m.ID == id }); m.Error == nil {
				t.Errorf("%s answers now: %s", method, m.Result)
			}
		}
	}
	c.call(session, "Emulation.setGeolocationOverride", map[string]any{"latitude": 1, "longitude": 2, "accuracy": 3}, nil)
	if got := a.value(`Promise.race([` + where + `, new Promise(ok => setTimeout(() => ok("asks"), 500))])`); got != `"asks"` && got != `"refused 1"` {
		t.Errorf("Chrome's own override is enough now: %s", got)
	}
}

func TestB52Cookies(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>site</h1>`)
	a := own(t).agent(t)
	a.ok("browser_tab_open", nil)
	a.fails("browser_cookies", args{"action": "get"}).has("no site", "hint: give url")
	a.ok("browser_navigate", args{"url": s.URL})
	a.ok("browser_cookies", args{"action": "set", "cookies": []args{{"name": "a", "value": "1"}, {"name": "b", "value": "2", "httpOnly": true, "sameSite": "Lax"}}}).has("2 cookies set")
	for _, with := range []args{{"action": "get"}, {"action": "set", "cookies": []args{{"name": "o", "value": "3"}}}, {"action": "delete", "name": "*"}} {
		with["url"] = s.other()
		a.fails("browser_cookies", with).has("none of your tabs shows localhost", "hint:")
	}
	a.ok("browser_tab_open", args{"url": s.other()})
	a.ok("browser_cookies", args{"action": "set", "cookies": []args{{"name": "o", "value": "3"}}})
	a.ok("browser_cookies", args{"action": "get", "url": s.URL}).has("a=1; 127.0.0.1/", "b=(hidden: HttpOnly); 127.0.0.1/; httpOnly; Lax").lacks("o=3")
	a.ok("browser_cookies", args{"action": "get"}).has("o=3").lacks("a=1")
	a.ok("browser_navigate", args{"url": s.URL})
	if got := a.value("document.cookie"); got != `"a=1"` {
		t.Fatal(got)
	}
	a.ok("browser_cookies", args{"action": "delete", "name": "a"}).has("1 cookie deleted")
	a.ok("browser_cookies", args{"action": "delete", "name": "*"}).has("1 cookie deleted")
	a.ok("browser_cookies", args{"action": "get"}).has("no cookies")
	a.fails("browser_cookies", args{"action": "get", "url": s.other()}).has("none of your tabs")
	a.fails("browser_cookies", args{"action": "delete"}).has("name")
	a.fails("browser_cookies", args{"action": "set"}).has("cookies")
	a.fails("browser_cookies", args{"action": "set", "cookies": []args{{"name": "a", "value": "1", "domain": "other.test"}}}).has("other.test", "hint:")
	a.fails("browser_cookies", args{"action": "get", "url": "*"}).has("url", "hint:")
	a.fails("browser_cookies", args{"action": "eat"}).has("action")
}

// What a page's scripts cannot read, an agent reads where the person allows it.
func TestB90CookiesOfEverySort(t *testing.T) {
	t.Parallel()
	a := own(t, "--cookies", "all").agent(t)
	a.open(newSite(t, `<h1>site</h1>`).URL)
	a.ok("browser_cookies", args{"action": "set", "cookies": []args{{"name": "b", "value": "2", "httpOnly": true}}})
	a.ok("browser_cookies", args{"action": "get"}).has("b=2;")
}

// A site that is kept out is not opened, and a tab that comes to it is neither
// read nor acted on.
func TestB90Sites(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>Shop</h1><a id=bank href="ORIGIN/bank">Bank</a><a id=popup href="ORIGIN/bank" target=_blank>Popup</a><iframe src="ORIGIN/bank" width=300></iframe>`)
	s.page("/bank", `<title>Balance</title><h1>Balance 1234</h1><script>document.cookie = "s=1"; localStorage.s = "1234"; console.log("1234")</script>`)
	s.handle("/away", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, s.other()+"/bank", http.StatusFound) })
	for _, flags := range [][]string{{"--allow-sites", "127.0.0.1"}, {"--block-sites", "localhost"}} {
		a := own(t, flags...).agent(t)
		refused := func(tool string, with args) {
			t.Helper()
			a.fails(tool, with).has("localhost", flags[0], "hint:").lacks("Balance", "1234")
		}
		// closed holds that a page of the site that is kept out stays closed to the agent.
		closed := func(page string) {
			t.Helper()
			for tool, with := range map[string]args{"browser_snapshot": {}, "browser_evaluate": {"script": "document.body.innerText"}, "browser_screenshot": {},
				"browser_cookies": {"action": "get"}, "browser_storage": {"action": "get"}, "browser_network": {}, "browser_console": {}, "browser_content": {},
				"browser_find": {"text": "Balance"}, "browser_press": {"keys": "a"}, "browser_click": {"selector": "h1"}, "browser_wait": {"text": "Balance"}} {
				with["pageId"] = page
				refused(tool, with)
			}
			a.ok("browser_tab_list", nil).lacks("Balance", "1234")
			a.ok("browser_tab_focus", args{"pageId": page}).lacks("Balance", "1234")
		}
		an := a.open(s.URL).has("Shop").lacks("Balance 1234")
		page := an.page("t")
		a.ok("browser_content", nil).lacks("1234")
		a.ok("browser_console", nil).lacks("1234")
		frame, _, _ := strings.Cut(a.ok("browser_network", args{"filter": "/bank"}).line("/bank"), " ")
		for _, part := range []string{"all", "headers", "response"} {
			refused("browser_request", args{"id": frame, "part": part})
		}
		a.ok("browser_storage", args{"action": "get"}).lacks("1234")
		for _, tool := range []string{"browser_navigate", "browser_tab_open"} {
			refused(tool, args{"url": s.other() + "/bank"})
		}
		refused("browser_cookies", args{"action": "get", "url": s.other()})

		for name, leave := range map[string]func(){
			"link":     func() { refused("browser_click", args{"selector": "#bank"}) },
			"redirect": func() { refused("browser_navigate", args{"url": s.URL + "/away"}) },
			"script": func() { // which answers before the page has gone, or after
				a.call("browser_evaluate", args{"script": "location = " + strconv.Quote(s.other()+"/bank")}).lacks("Balance", "1234")
				refused("browser_wait", args{"url": "*/bank"})
			},
		} {
			t.Log(flags[0], name)
			leave()
			closed(page)
			a.ok("browser_navigate", args{"url": s.URL}).has("Shop")
		}

		popup := a.ok("browser_click", args{"selector": "#popup"}).has("tab opened:").lacks("Balance", "1234").page("tab opened:")
		closed(popup)
		a.ok("browser_tab_close", args{"pageId": popup})
		a.ok("browser_tab_focus", args{"pageId": page}).has(s.URL)
		a.ok("browser_snapshot", nil).has("Shop")
	}
}

func TestB52Storage(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>site</h1>`)
	a := newAgent(t)
	a.open(s.URL)
	for _, kind := range []string{"local", "session"} {
		a.ok("browser_storage", args{"action": "set", "kind": kind, "key": "k", "value": "from " + kind}).has("set in " + kind)
		a.ok("browser_storage", args{"action": "get", "kind": kind, "key": "k"}).has("from " + kind)
		if got := a.value(kind + "Storage.k"); got != `"from `+kind+`"` {
			t.Fatal(got)
		}
	}
	a.ok("browser_storage", args{"action": "get"}).has("k: from local")
	a.ok("browser_storage", args{"action": "remove", "key": "k"}).has("removed")
	a.ok("browser_storage", args{"action": "clear", "kind": "session"}).has("1 key")
	a.ok("browser_storage", args{"action": "get", "kind": "session"}).has("empty")
	a.fails("browser_storage", args{"action": "set", "key": "k"}).has("value")
	a.fails("browser_storage", args{"action": "set", "value": "v"}).has("key")
	a.fails("browser_storage", args{"action": "get", "key": "nope"}).has("nope", "hint:")
	a.fails("browser_storage", args{"action": "get", "kind": "global"}).has("kind")
	a.open("data:text/html,<h1>d</h1>")
	a.fails("browser_storage", args{"action": "get"}).has("no storage", "hint:")
}
