package extension_test

import (
	"flag"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
)

// every makes TestAttackSites try all attacks; else it tries a share of those that are alike.
var every = flag.Bool("attack", false, "try every attack")

// TestAttackSites attacks the extension itself, for what nobody allowed, with a relay
// that asks and hears whatever it likes. No attack gets in.
func TestAttackSites(t *testing.T) {
	r := newFakeRelay(t)
	s := newSites(t)
	theirs, own := s.theirs, s.own
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
	x := &thief{r, s, string(r.create(own).ID)}
	tried := 0
	attack := func(name string, try func(mark int)) {
		t.Helper()
		tried++
		for len(s.shown) > 0 { // of an attack before
			<-s.shown
		}
		mark := r.mark()
		try(mark)
		if got := x.heard(mark); got != "" {
			t.Errorf("%s: %s", name, got)
		}
		x.home()
	}
	withheld := func(mark int) {
		t.Helper()
		r.await(mark, "tabDetached", func(p params) bool { return string(p.ID) == x.tab })
	}

	tell := func(who string) string {
		return "(() => { const tell = () => location.pathname.startsWith('/bank') && (new Image().src = '" + own + "told?" + url.QueryEscape(who) + "'); tell(); addEventListener('DOMContentLoaded', tell) })()"
	}
	var after func()
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
			x.try("Page.enable", nil) // without it none runs
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell("a script")})
		},
		"script in new documents' own world": func() {
			x.try("Page.enable", nil)
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell("a world"), "worldName": "ours"})
		},
		"script on load": func() {
			x.try("Page.enable", nil)
			x.try("Page.addScriptToEvaluateOnLoad", args{"scriptSource": tell("a script on load")})
		},
		"script that calls a binding": func() {
			x.try("Page.enable", nil)
			x.try("Runtime.enable", nil)
			x.try("Runtime.addBinding", args{"name": "tell"})
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": "if (location.pathname.startsWith('/bank')) tell('" + bank + "')"})
		},
		"a condition of a breakpoint": func() {
			x.try("Debugger.enable", nil)
			x.try("Debugger.setBreakpointByUrl", args{"urlRegex": ".*", "lineNumber": 0, "condition": tell("a condition") + ", false"})
		},
		"commands that go on": func() {
			after = x.meanwhile(func() {
				r.ask("forwardCDPCommand", args{"id": x.tab, "method": "Runtime.evaluate", "params": args{"expression": tell("a command")}})
			})
		},
		"Fetch that lets all go": func() {
			x.try("Fetch.enable", args{"patterns": []any{args{"resourceType": "Document"}}})
			x.try("Page.enable", nil)
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell("a script")})
			at := r.mark()
			after = x.meanwhile(func() {
				for _, e := range r.since(at) {
					at++
					if e.Params.Method == "Fetch.requestPaused" {
						var paused struct{ RequestID string }
						decode(t, e.Params.Params, &paused)
						r.ask("forwardCDPCommand", args{"id": x.tab, "method": "Fetch.continueRequest", "params": args{"requestId": paused.RequestID, "interceptResponse": false}})
					}
				}
				r.ask("listTabs", nil)
			})
		},
		"Fetch that is off": func() {
			x.try("Page.enable", nil)
			x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell("a script")})
			x.try("Fetch.enable", args{"patterns": []any{args{"resourceType": "Document"}}})
			x.try("Fetch.enable", args{"patterns": []any{}})
			x.try("Fetch.enable", args{"patterns": nil, "handleAuthRequests": nil})
			x.try("Fetch.enable", args{"patterns": args{}})
			x.try("Fetch.disable", nil)
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
				after = func() {}
				listens[listening]()
				x.script(strings.ReplaceAll(ways[way], "URL", "'"+theirs+"'"))
				withheld(mark)
				s.await(t, s.shown)
				after()
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
		"an attachment on the way": func(int) {
			x.script("void (location = '/slow?url=" + theirs + "')")
			s.await(t, s.slow)
			x.do("detachTab", args{"id": x.tab}, nil)
			var on sync.WaitGroup
			on.Go(func() {
				x.ask("attachTab", args{"id": x.tab})
				x.try("Page.enable", nil)
				x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell("a script of one on the way")})
			})
			c.eval(person.session, "(async () => { while (!(await chrome.debugger.getTargets()).some(t => t.attached && t.id === '"+x.tab+"')); })()", nil)
			s.await(t, s.slow)
			s.await(t, s.shown)
			on.Wait()
		},
		"a new tab on the way": func(mark int) {
			var on sync.WaitGroup
			on.Go(func() {
				raw, err := x.ask("createTab", args{"url": own + "slow?url=" + theirs})
				refused(t, err, -32000, siteOf(t, theirs))
				r.record(event{Method: "answer", Params: params{Params: raw}})
			})
			made := string(r.await(mark, "tabOpened", nil).Params.ID)
			s.await(t, s.slow)
			on.Go(func() {
				for _, method := range []string{"Page.enable", "Page.addScriptToEvaluateOnNewDocument"} {
					x.ask("forwardCDPCommand", args{"id": made, "method": method, "params": args{"source": tell("a script of a new tab")}})
				}
			})
			x.ask("listTabs", nil)
			s.await(t, s.slow)
			s.await(t, s.shown)
			on.Wait()
			x.do("closeTab", args{"id": made}, nil)
		},
		"an entry of the history": func(mark int) {
			session := c.attach(x.tab)
			c.cdp(session, "Page.navigate", args{"url": theirs})
			withheld(mark)
			s.await(t, s.shown)
			x.home()
			var history struct {
				Entries []struct {
					ID  int
					URL string
				}
			}
			decode(t, r.cdp(x.tab, "Page.getNavigationHistory", nil), &history)
			kept := 0 // the person's Back button leads there
			for _, entry := range history.Entries {
				if siteOf(t, entry.URL) != siteOf(t, theirs) {
					continue
				}
				kept++
				_, err := r.ask("forwardCDPCommand", args{"id": x.tab, "method": "Page.navigateToHistoryEntry", "params": args{"entryId": entry.ID}})
				refused(t, err, -32062, siteOf(t, theirs))
			}
			if kept == 0 {
				t.Error("the tab lost its history")
			}
		},
		"a page that comes from the browser's cache of pages": func(mark int) {
			session := c.attach(x.tab)
			c.cdp(session, "Page.enable", nil)
			c.cdp(session, "Page.navigate", args{"url": theirs})
			withheld(mark)
			s.await(t, s.shown)
			c.cdp(session, "Page.navigate", args{"url": own})
			c.until(session, "document.title === 'mine'")
			x.arrive(func() {})
			x.meanwhileAll("void history.back()", tell("a command in a page from the cache"))
			x.script("void history.forward()")
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
	x.ofOthers(attack, tell("a made-up document"))
	x.ofWorkers(person, attack)
	x.try("Page.enable", nil)
	x.script("void (location = '" + theirs + "file')")
	person.answer(siteOf(t, theirs), "no")
	x.home()
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
	x.ofInputs(attack)
	x.ofFrames(attack, tell("a script in a frame"))
	for _, method := range []string{"Page.captureScreenshot", "Page.captureSnapshot", "Page.getAnnotatedPageContent", "Page.printToPDF", "Page.startScreencast"} {
		attack("a picture with a frame of who was refused: "+method, func(int) {
			x.script("new Promise(done => document.body.append(Object.assign(document.createElement('iframe'), { src: '" + theirs + "', onload: done })))")
			_, err := r.ask("forwardCDPCommand", args{"id": x.tab, "method": method})
			refused(t, err, -32063, siteOf(t, theirs))
		})
	}
	for _, with := range []args{{"categories": "disabled-by-default-devtools.screenshot"}, {"categories": "*"}, {"traceConfig": args{"includedCategories": []string{"disabled-by-default-devtools.s*"}}}, {"perfettoConfig": ""}} {
		attack(fmt.Sprintf("a trace with pictures: %v", with), func(int) {
			_, err := r.ask("forwardCDPCommand", args{"id": x.tab, "method": "Tracing.start", "params": with})
			refused(t, err, -32063, "screenshots")
		})
	}
	attack("a film into which a frame comes of who was refused", func(mark int) {
		x.try("Page.enable", nil)
		x.try("Page.startScreencast", args{"format": "png"})
		x.script("new Promise(done => document.body.append(Object.assign(document.createElement('iframe'), { src: '" + theirs + "', onload: done })))")
		x.script("new Promise(done => { document.body.style.background = 'red'; setTimeout(done, 300) })")
		at := r.mark()
		x.script("new Promise(done => { document.body.style.background = 'blue'; setTimeout(done, 300) })")
		for _, e := range r.since(at) {
			if e.Params.Method == "Page.screencastFrame" {
				t.Error("it is filmed")
			}
		}
	})
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
	case got := <-s.told:
		t.Errorf("a script ran at %s", got)
	default:
	}
}
