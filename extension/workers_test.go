package extension_test

import (
	"fmt"
	"net/http"
	"net/url"
)

// workers serves a site whose service worker answers pages beside it, and one whose
// worker leads elsewhere.
func workers(mux *http.ServeMux) {
	page := func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html><script>navigator.serviceWorker.register('worker.js' + location.search, { scope: 'worker' }).then(() => navigator.serviceWorker.ready).then(() => document.title = 'ready')</script>")
	}
	script := func(answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/javascript")
			fmt.Fprint(w, "onfetch = e => e.request.mode === 'navigate' && !e.request.url.endsWith('/worker') && e.respondWith("+answer+")")
		}
	}
	mux.HandleFunc("/bank/worker", page)
	mux.HandleFunc("/bank/worker.js", script("new Response('<p>text-"+bank+"', { headers: { 'Content-Type': 'text/html' } })"))
	mux.HandleFunc("/worker", page)
	mux.HandleFunc("/worker.js", script("Response.redirect(new URL(location).searchParams.get('to'))"))
}

// ofWorkers attacks pages that the service worker of their site would answer: nothing
// of these comes from the network, where it could be held back.
func (x *thief) ofWorkers(person panel, attack func(string, func(mark int))) {
	c := person.chromium
	there := x.theirs + "worker-answers"
	theirs, own := c.page(x.theirs+"worker"), c.page(x.own+"worker?to="+url.QueryEscape(there))
	for _, session := range []string{theirs, own} {
		c.until(session, "document.title === 'ready'")
	}
	// A page without a server may fetch nothing from this computer, so scripts report themselves in its storage.
	const tell = "location.pathname.startsWith('/bank') && (localStorage.told = 1)"
	for way, to := range map[string]string{"a page that a service worker of its site answers": there, "one to which a service worker leads": x.own + "worker-leads"} {
		for name, listen := range map[string]func(){
			"a script in": func() {
				x.try("Page.enable", nil)
				x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell})
			},
			"a script in, without workers passed by,": func() {
				x.try("Page.enable", nil)
				x.try("Network.enable", nil)
				x.try("Network.setBypassServiceWorker", args{"bypass": false})
				x.try("Network.disable", nil)
				x.try("Page.addScriptToEvaluateOnNewDocument", args{"source": tell})
			},
			"commands in": nil,
		} {
			attack(name+" "+way, func(mark int) {
				goes := "void (location = '" + to + "')"
				if listen == nil {
					x.meanwhileAll(goes, tell)
				} else {
					listen()
					x.script(goes)
				}
				if to == there {
					x.fakeRelay.await(mark, "tabDetached", func(p params) bool { return string(p.ID) == x.tab })
				}
				x.settled(person, `worker-(answers|leads)$`)
				var told bool
				c.eval(theirs, "(() => { const told = 'told' in localStorage; delete localStorage.told; return told })()", &told)
				if told {
					x.t.Errorf("%s %s ran", name, way)
				}
			})
		}
	}
	for _, session := range []string{theirs, own} {
		c.eval(session, "navigator.serviceWorker.getRegistrations().then(all => Promise.all(all.map(one => one.unregister()))).then(() => 1)", nil)
		c.cdp(session, "Page.close", nil)
	}
}

// settled returns when its tab is at an address of that form.
func (x *thief) settled(person panel, form string) {
	x.t.Helper()
	person.eval(person.session, fmt.Sprintf(`(async () => {
		const { tabId } = (await chrome.debugger.getTargets()).find(({ id }) => id === %q);
		for (;;) {
			const { status, url } = await chrome.tabs.get(tabId);
			if (status === 'complete' && /%s/.test(url)) return;
		}
	})()`, x.tab, form), nil)
}
