package extension_test

import (
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"
)

// bank marks everything on a site that no agent may use.
const bank = "of-the-bank"

// sites are that site and one that agents may use.
type sites struct {
	theirs, own string
	told        chan string   // what scripts report that run there
	shown       chan struct{} // their page has run its scripts
	slow        chan struct{} // once someone waits for a slow redirect, and once more to let it go on
}

func newSites(t *testing.T) *sites {
	t.Helper()
	s := &sites{told: make(chan string, 1000), shown: make(chan struct{}, 1000), slow: make(chan struct{})}
	mux := http.NewServeMux()
	page := func(w http.ResponseWriter, body string) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprint(w, "<!doctype html>"+body)
	}
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { page(w, "<title>mine</title><p id=p>mine") })
	mux.HandleFunc("/told", func(_ http.ResponseWriter, r *http.Request) { s.told <- r.URL.RawQuery })
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusFound)
	})
	mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) {
		for range 2 {
			select {
			case s.slow <- struct{}{}:
			case <-r.Context().Done():
				return
			}
		}
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
	mux.HandleFunc("/bank/image", func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawQuery == bank {
			s.shown <- struct{}{}
		}
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
	workers(mux)
	mux.HandleFunc("/bank/field", field)
	mux.HandleFunc("/framing", framing)
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
	s.theirs, s.own = "http://bank.localhost:"+port+"/bank/", "http://one.localhost:"+port+"/"
	return s
}

// thief is an agent that has a tab on a site that it may use, and any relay it likes.
type thief struct {
	*fakeRelay
	*sites
	tab string
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

// meanwhile does something again and again, until what it returns is called.
func (x *thief) meanwhile(do func()) (end func()) {
	var on sync.WaitGroup
	stop := make(chan struct{})
	on.Go(func() {
		for {
			select {
			case <-stop:
				return
			default:
				do()
			}
		}
	})
	return func() { close(stop); on.Wait() }
}

func (s *sites) await(t testing.TB, what chan struct{}) {
	t.Helper()
	select {
	case <-what:
	case <-time.After(patience):
		t.Fatal("the tab does not come there")
	}
}

// home leads its tab back to where it may be.
func (x *thief) home() {
	x.t.Helper()
	x.arrive(func() { x.do("leaveTab", args{"id": x.tab}, nil) })
	mark := x.mark()
	x.cdp(x.tab, "Page.navigate", args{"url": x.own})
	x.cdpEvent(mark, x.tab, "Page.loadEventFired")
	for _, domain := range []string{"Network", "Page", "Runtime", "Log", "Debugger", "CSS", "DOM", "Fetch", "Audits"} {
		x.try(domain+".disable", nil)
	}
}

// arrive attaches to its tab as soon as that is where it may be; lead is called
// before each attempt.
func (x *thief) arrive(lead func()) {
	x.t.Helper()
	for late := time.After(patience); ; {
		lead()
		_, err := x.ask("attachTab", args{"id": x.tab})
		if err == nil {
			err = x.try("Page.enable", nil)
		}
		if err == nil {
			return
		}
		select {
		case <-late:
			x.t.Fatal(err)
		default: // it was on its way elsewhere
		}
	}
}

// floods sends commands all at once, and returns when all are answered.
func (x *thief) floods(commands []args) {
	x.t.Helper()
	all := make([]chan answer, len(commands))
	x.mu.Lock()
	for i, one := range commands {
		all[i] = make(chan answer, 1)
		x.lastID++
		x.pending[x.lastID] = all[i]
		one["id"] = x.tab
		if err := x.ws.WriteJSON(map[string]any{"id": x.lastID, "method": "forwardCDPCommand", "params": one}); err != nil {
			x.t.Error(err)
		}
	}
	x.mu.Unlock()
	for i, done := range all {
		a := <-done
		x.record(event{Method: "answer", Params: params{Method: fmt.Sprint(commands[i]["method"]), Params: a.Result}})
	}
}

// meanwhileAll runs a script, and another one a thousand times at once after it.
func (x *thief) meanwhileAll(script, then string) {
	commands := []args{{"method": "Runtime.evaluate", "params": args{"expression": script, "userGesture": true}}}
	for range 1000 {
		commands = append(commands, args{"method": "Runtime.evaluate", "params": args{"expression": then}})
	}
	x.floods(commands)
}

// heard returns what of the bank it was told since a mark.
func (x *thief) heard(mark int) string {
	for _, e := range x.since(mark) {
		said, _ := json.Marshal(e)
		if at := strings.Index(string(said), bank); at >= 0 {
			return fmt.Sprintf("%s %s …%s", e.Method, e.Params.Method, said[max(0, at-80):at+len(bank)])
		}
	}
	return ""
}
