package extension_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/publicsuffix"
)

// panel is a page of the extension that sees what its panel sees, and answers for
// the person.
type panel struct {
	*chromium
	session string
}

func (c *chromium) panel() panel {
	c.t.Helper()
	p := panel{c, c.page(base + "icons/16.png")}
	c.eval(p.session, `(() => {
		let view, look = () => {};
		globalThis.until = (holds) => new Promise(done => { look = () => { if (view && holds(view)) done(view) }; look() });
		globalThis.port = chrome.runtime.connect({ name: "popup" });
		port.onMessage.addListener(seen => { view = seen; look() });
	})()`, nil)
	return p
}

// question awaits one of a site, and returns its id.
func (p panel) question(site string) (id string) {
	p.t.Helper()
	p.eval(p.session, fmt.Sprintf(`until(v => v.questions.some(q => q.site === %q)).then(v => v.questions.find(q => q.site === %[1]q).id)`, site), &id)
	return id
}

// answer awaits a question and answers it.
func (p panel) answer(site, choice string) {
	p.t.Helper()
	p.eval(p.session, fmt.Sprintf(`port.postMessage({ ask: "answer", id: %q, choice: %q })`, p.question(site), choice), nil)
	p.eval(p.session, fmt.Sprintf(`until(v => !v.questions.some(q => q.site === %q) && v.rules.some(r => r.site === %[1]q && r.choice === %q)).then(() => 1)`, site, choice), nil)
}

// wish sends what the person wants and awaits what comes of it.
func (p panel) wish(wish, until string) {
	p.t.Helper()
	p.eval(p.session, fmt.Sprintf(`port.postMessage(%s), until(v => %s).then(() => 1)`, wish, until), nil)
}

// hosts are names of sites, each served here: chromium finds them by a rule of
// its proxy settings, so addresses of three loopback hosts stand for three sites.
func threeSites(t *testing.T) (one, two, three string) {
	t.Helper()
	mux := http.NewServeMux()
	server := httptest.NewUnstartedServer(mux)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Secret of %s</title><p id=p>%[1]s", r.Host)
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/private/", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("WWW-Authenticate", `Basic realm="private"`)
		w.WriteHeader(http.StatusUnauthorized)
	})
	server.Start()
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return "http://one.localhost:" + port, "http://two.localhost:" + port, "http://127.0.0.1:" + port
}

func siteOf(t testing.TB, address string) string {
	t.Helper()
	u, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	return u.Scheme + "://" + u.Hostname()
}

func TestB93TheExtensionAsksForSites(t *testing.T) {
	r := newFakeRelay(t)
	one, two, three := threeSites(t)
	c := launch(t, r, "asks")
	r.await(0, "hello", nil)
	person := c.panel()
	create := func(url string) (tab, error) {
		var made tab
		raw, err := r.ask("createTab", args{"url": url, "agent": "tester"})
		if err == nil {
			decode(t, raw, &made)
		}
		return made, err
	}

	t.Run("a new tab", func(t *testing.T) {
		_, err := create(one + "/")
		refused(t, err, -32062, siteOf(t, one))
		_, err = create(one + "/again")
		refused(t, err, -32062, siteOf(t, one))
		var asked []struct{ Agent string }
		c.eval(person.session, `until(v => v.questions.length > 0).then(v => v.questions)`, &asked)
		if len(asked) != 1 || asked[0].Agent != "tester" {
			t.Errorf("the person is asked %+v", asked)
		}
		c.eval(person.session, `(async () => { while (Object.keys(await chrome.notifications.getAll()).length !== 1); })()`, nil)
		person.answer(siteOf(t, one), "once")
		c.eval(person.session, `(async () => { while (Object.keys(await chrome.notifications.getAll()).length !== 0); })()`, nil)
		if _, err = create(one + "/"); err != nil {
			t.Error(err)
		}
	})

	t.Run("who waits is told", func(t *testing.T) {
		_, err := create(two + "/")
		refused(t, err, -32062, siteOf(t, two))
		told := make(chan json.RawMessage, 1)
		go func() {
			raw, _ := r.ask("awaitSite", args{"site": siteOf(t, two)})
			told <- raw
		}()
		person.answer(siteOf(t, two), "no")
		if got := string(<-told); got != `{"verdict":"refused"}` {
			t.Errorf("told %s", got)
		}
		_, err = create(two + "/")
		refused(t, err, -32063, siteOf(t, two))
	})

	made, err := create(one + "/")
	if err != nil {
		t.Fatal(err)
	}
	id := string(made.ID)

	t.Run("a tab that is sent elsewhere", func(t *testing.T) {
		_, err := r.ask("forwardCDPCommand", args{"id": id, "method": "Page.navigate", "params": args{"url": two + "/"}})
		refused(t, err, -32063, siteOf(t, two))
		_, err = r.ask("forwardCDPCommand", args{"id": id, "method": "Page.navigate", "params": args{"url": three + "/"}})
		refused(t, err, -32062, siteOf(t, three))
	})

	t.Run("a tab that comes there by itself", func(t *testing.T) {
		for _, way := range []string{`location = "` + three + `/"`, `location = "/to?url=` + three + `/"`} {
			r.do("attachTab", args{"id": id}, nil)
			r.cdp(id, "Page.enable", nil)
			r.cdp(id, "Runtime.enable", nil)
			mark := r.mark()
			r.eval(id, `void (`+way+`)`)
			r.await(mark, "tabDetached", func(p params) bool { return is(id)(p) && p.Reason == "withheld" })
			_, err := r.ask("forwardCDPCommand", args{"id": id, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
			refused(t, err, -32000, "not attached")
			_, err = r.ask("attachTab", args{"id": id, "agent": "tester"})
			refused(t, err, -32062, siteOf(t, three))
			r.do("leaveTab", args{"id": id}, nil)
			r.do("attachTab", args{"id": id}, nil)
			r.cdp(id, "Page.navigate", args{"url": one + "/"})
			for _, e := range r.since(mark) {
				if said := e.Params.Title + e.Params.URL + string(e.Params.Params); strings.Contains(said, "Secret of 127") || strings.Contains(said, three+"/") && e.Params.Method == "Page.frameNavigated" {
					t.Errorf("told of it: %s %s %s", e.Method, e.Params.Method, said)
				}
			}
		}
	})

	t.Run("always, and taken back", func(t *testing.T) {
		person.answer(siteOf(t, three), "always")
		r.cdp(id, "Page.navigate", args{"url": three + "/"})
		mark := r.mark()
		person.wish(`{ ask: "forget", site: "`+siteOf(t, three)+`" }`, `!v.rules.some(r => r.choice === "always")`)
		r.await(mark, "tabDetached", func(p params) bool { return is(id)(p) && p.Reason == "withheld" })
		_, err := r.ask("attachTab", args{"id": id})
		refused(t, err, -32062, siteOf(t, three))
		person.answer(siteOf(t, three), "always")
		r.do("attachTab", args{"id": id}, nil)
		if got := r.eval(id, "p.textContent"); !strings.Contains(got, "127.0.0.1") {
			t.Errorf("it shows %s", got)
		}
	})

	t.Run("all sites, but those refused", func(t *testing.T) {
		person.wish(`{ ask: "forget", site: "`+siteOf(t, three)+`" }`, `!v.rules.some(r => r.choice === "always")`)
		person.wish(`{ ask: "allSites", on: true }`, `v.allSites`)
		if _, err := create(three + "/"); err != nil {
			t.Error(err)
		}
		_, err := create(two + "/")
		refused(t, err, -32063, siteOf(t, two))
		person.wish(`{ ask: "allSites", on: false }`, `!v.allSites`)
	})

	t.Run("a program that came through a port", func(t *testing.T) {
		program := args{"client": "c1", "port": 9222, "program": "Good\u200b”. Say \u202eAllow"}
		told := make(chan json.RawMessage, 1)
		wait := func() {
			raw, _ := r.ask("awaitClient", program)
			told <- raw
		}
		question := func() (q struct{ ID, Agent, Site string }) {
			c.eval(person.session, `until(v => v.questions.some(q => q.port === 9222)).then(v => v.questions.find(q => q.port === 9222))`, &q)
			return q
		}
		gone := func(wish string) {
			person.wish(wish, `!v.questions.some(q => q.port)`)
		}
		for choice, want := range map[string]string{"once": "allowed", "always": "allowed", "no": "refused"} {
			go wait()
			q := question()
			if q.Agent != "Good . Say Allow" || q.Site != "" {
				t.Errorf("the person is asked %+v", q)
			}
			gone(`{ ask: "answer", id: "` + q.ID + `", choice: "` + choice + `" }`)
			if got := string(<-told); got != `{"verdict":"`+want+`"}` {
				t.Errorf("%s: told %s", choice, got)
			}
		}
		go wait() // what was said counts once
		question()
		r.do("forgetClient", args{"client": "c1"}, nil)
		if got := string(<-told); got != `{"verdict":"unasked"}` {
			t.Errorf("of one that has gone it is told %s", got)
		}
	})

	t.Run("an agent before it acts", func(t *testing.T) {
		told := make(chan json.RawMessage, 2)
		wait := func(wait int) {
			raw, _ := r.ask("awaitConfirmation", args{"question": "q1", "deed": "Allow it\u200b?\n<b>No</b> \u202erisk", "agent": "tester", "wait": wait})
			told <- raw
		}
		question := func() (q struct{ ID, Agent, Site, Deed string }) {
			c.eval(person.session, `until(v => v.questions.some(q => q.deed)).then(v => v.questions.find(q => q.deed))`, &q)
			return q
		}
		for choice, want := range map[string]string{"once": "allowed", "no": "refused"} {
			go wait(50_000)
			q := question()
			if q.Agent != "tester" || q.Site != "" || q.Deed != "Allow it ? <b>No</b> risk" {
				t.Errorf("the person is asked %+v", q)
			}
			person.wish(`{ ask: "answer", id: "`+q.ID+`", choice: "`+choice+`" }`, `!v.questions.some(q => q.deed)`)
			if got := string(<-told); got != `{"verdict":"`+want+`"}` {
				t.Errorf("%s: told %s", choice, got)
			}
		}
		go wait(50_000) // what was said counts once, and nobody is asked when nobody waits
		question()
		wait(0)
		for range 2 {
			if got := string(<-told); got != `{"verdict":"unasked"}` {
				t.Errorf("told %s", got)
			}
		}
		person.wish(`{ ask: "forget", site: "" }`, `!v.questions.some(q => q.deed)`)
		wait(1)
		<-told
		person.wish(`{ ask: "forget", site: "" }`, `!v.questions.some(q => q.deed)`)
	})

	t.Run("what the worker forgets is kept", func(t *testing.T) {
		if _, err := create(three + "/"); err == nil {
			t.Error("it is opened unasked")
		}
		mark := r.mark()
		c.killWorker()
		again := c.panel()
		r.await(mark, "hello", nil)
		again.question(siteOf(t, three))
		_, err := create(two + "/")
		refused(t, err, -32063, siteOf(t, two))
		if _, err := create(one + "/"); err != nil {
			t.Error(err)
		}
		again.answer(siteOf(t, three), "no")
	})

	t.Run("too many questions", func(t *testing.T) {
		var err error
		for i := range 21 {
			_, err = create(fmt.Sprintf("http://s%d.example/", i))
		}
		refused(t, err, -32063, "too much is asked")
		_, err = r.ask("awaitSite", args{"site": "http://other.example"})
		refused(t, err, -32063, "too much is asked")
	})
}

// TestB93SharedTabs shares a tab on a site that was never allowed.
func TestB93SharedTabs(t *testing.T) {
	r := newFakeRelay(t)
	one, two, _ := threeSites(t)
	c := launch(t, r, "asks")
	r.await(0, "hello", nil)
	person := c.panel()
	shown := c.targets(func(t target) bool { return t.URL == "about:blank" })[0].TargetID
	session := c.attach(shown)
	c.cdp(session, "Page.navigate", args{"url": one + "/"})
	var tabID int
	c.eval(person.session, `chrome.debugger.getTargets().then(all => all.find(t => t.id === "`+shown+`").tabId)`, &tabID)
	c.eval(person.session, fmt.Sprintf(`(async () => { while (!(await chrome.tabs.get(%d)).url.startsWith(%q)); })()`, tabID, one), nil)
	mark := r.mark()
	c.eval(person.session, fmt.Sprintf(`port.postMessage({ ask: "share", tabId: %d })`, tabID), nil)
	r.await(mark, "tabOpened", is(shown))
	r.do("attachTab", args{"id": shown}, nil)
	if got := r.eval(shown, "p.textContent"); !strings.Contains(got, "one.localhost") {
		t.Errorf("it shows %s", got)
	}
	_, err := r.ask("createTab", args{"url": one + "/"}) // it is the tab that is shared
	refused(t, err, -32062, siteOf(t, one))

	mark = r.mark()
	r.eval(shown, `void open("/more")`)
	same := r.await(mark, "tabOpened", func(p params) bool { return p.OpenerID == shown }).Params
	r.do("attachTab", args{"id": same.ID}, nil)
	mark = r.mark()
	r.eval(shown, `void open("`+two+`/")`)
	other := r.await(mark, "tabOpened", func(p params) bool { return p.OpenerID == shown }).Params
	if other.URL != siteOf(t, two)+"/" { // it is empty at first
		other = r.await(mark, "tabUpdated", func(p params) bool { return p.ID == other.ID && p.URL == siteOf(t, two)+"/" }).Params
	}
	if other.Title != "" {
		t.Errorf("it is told as %+v", other.tab)
	}
	_, err = r.ask("attachTab", args{"id": other.ID})
	refused(t, err, -32062, siteOf(t, two))

	c.cdp(session, "Page.navigate", args{"url": two + "/"})
	r.await(mark, "tabDetached", func(p params) bool { return is(shown)(p) && p.Reason == "withheld" })
	mark = r.mark()
	c.cdp(session, "Page.navigate", args{"url": one + "/"})
	r.await(mark, "tabUpdated", func(p params) bool { return is(shown)(p) && p.Title == "Secret of "+strings.TrimPrefix(one, "http://") })
	for _, e := range r.since(mark) {
		if strings.HasPrefix(e.Params.Title, "Secret of two") {
			t.Errorf("told as %+v", e.Params.tab)
		}
	}
	r.do("attachTab", args{"id": shown}, nil)
}

// TestB93RegistrableDomains holds that extension and program mean the same by a site.
func TestB93RegistrableDomains(t *testing.T) {
	r := newFakeRelay(t)
	c := launch(t, r, "asks")
	r.await(0, "hello", nil)
	hosts := []string{"example.com", "a.example.com", "com", "co.uk", "bbc.co.uk", "a.b.bbc.co.uk", "www.ck", "a.www.ck", "b.c.ck", "c.ck", "ck",
		"city.kawasaki.jp", "a.city.kawasaki.jp", "b.other.kawasaki.jp", "other.kawasaki.jp", "kawasaki.jp", "someone.github.io", "a.someone.github.io",
		"unlisted", "a.unlisted", "b.a.unlisted", "xn--55qx5d.cn", "a.xn--55qx5d.cn", "s3.amazonaws.com", "b.s3.amazonaws.com", "x.compute.amazonaws.com", "y.x.compute.amazonaws.com"}
	session := c.page(base + "icons/16.png")
	list, err := json.Marshal(hosts)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	c.eval(session, fmt.Sprintf(`import("/suffixes.js").then(m => m.readSuffixes().then(() => %s.map(m.registrable)))`, list), &got)
	for i, host := range hosts {
		want, err := publicsuffix.EffectiveTLDPlusOne(host)
		if err != nil {
			want = host
		}
		if got[i] != want {
			t.Errorf("%s is of %s; want %s", host, got[i], want)
		}
	}
	var sites []string
	addresses := `["https://a.example.co.uk:8443/x?y#z", "http://[::1]:80/", "http://127.0.0.1:9/", "blob:https://a.example.com/1", "about:blank", "data:text/html,x", "file:///etc/passwd", "https://example.com./", "HTTPS://EXAMPLE.COM", "chrome://version", "junk"]`
	c.eval(session, `import("/sites.js").then(m => `+addresses+`.map(m.siteOf))`, &sites)
	if got, want := strings.Join(sites, " "), "https://example.co.uk http://[::1] http://127.0.0.1 https://example.com   file:// https://example.com https://example.com  "; got != want {
		t.Errorf("sites are %q; want %q", got, want)
	}
}
