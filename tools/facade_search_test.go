package tools

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// Pages of three engines that have nothing in common but that they list results.
var (
	// Headings with redirect links, an advertisement, shown addresses.
	headedEngine = `<!doctype html><title>q at Duck</title><header><a href="https://about.example/duck">About</a></header>
<form><input name=q value=q></form><div id=links>
<div class="result ad"><h2><a href="/y.js?ad_domain=shop.example&u3=https%3A%2F%2Fads.example%2Faclick">Buy things</a></h2><a class=snip>An advertisement that wants to be clicked by everybody</a></div>
<div class=result><h2><a href="/l/?uddg=https%3A%2F%2Fgo.example%2Fdoc%2F%3Fa%3D1&rut=abc">The Go Programming Language</a></h2><a href="/l/?uddg=https%3A%2F%2Fgo.example%2Fdoc%2F%3Fa%3D1">go.example/doc</a>
<a class=snip href="/l/?uddg=https%3A%2F%2Fgo.example%2Fdoc%2F%3Fa%3D1">Go is an <b>open source</b> programming language that makes it simple to build secure systems.</a></div>
<div class=result><h2><a href="/l/?uddg=https%3A%2F%2Fwiki.example%2FGo">Go – Wiki</a></h2><div class=snip>Go is a high-level language that is statically typed and compiled, says the wiki.</div></div>
<div class=result><h2><a href="/l/?uddg=https%3A%2F%2Ftour.example%2F">A Tour</a></h2><div class=snip>Welcome to a tour of the language, in three sections, with exercises.</div></div>
</div><nav><a href="/html/?q=q&s=30">Next</a></nav><footer><a href="https://help.example/">Help</a></footer>`
	// Rows of a table that take turns, no headings at all, base64 redirects.
	rowsEngine = `<!doctype html><title>rows</title><table>
<tr><td>1.</td><td><a class=t href="/ck/a?!&p=1&u=a1aHR0cHM6Ly9nby5leGFtcGxlL2RvYy8_YT0x">The Go Programming Language</a></td></tr>
<tr><td></td><td class=s>Go is an open source programming language that makes it simple to build secure systems.</td></tr><tr><td></td><td><span>go.example/doc</span></td></tr>
<tr><td>2.</td><td><a class=t href="https://wiki.example/Go">Go – Wiki</a></td></tr>
<tr><td></td><td class=s>Go is a high-level language that is statically typed and compiled, says the wiki.</td></tr>
<tr><td>3.</td><td><a class=t href="https://tour.example/">A Tour</a></td></tr>
<tr><td></td><td class=s>Welcome to a tour of the language, in three sections, with exercises.</td></tr></table>
<p><a href="https://partner.example/">Partner</a></p>`
	// Everything in the link, drawn late by a script, in nested custom elements.
	scriptEngine = `<!doctype html><title>app</title><div id=root>Loading…</div><script>
const list = [['https://go.example/doc/?a=1', 'The Go Programming Language', 'Go is an open source programming language that makes it simple to build secure systems.'],
 ['https://wiki.example/Go', 'Go – Wiki', 'Go is a high-level language that is statically typed and compiled, says the wiki.'],
 ['https://tour.example/', 'A Tour', 'Welcome to a tour of the language, in three sections, with exercises.']];
setTimeout(() => {
  root.innerHTML = '<ul>' + list.map(([u, t, s], i) => '<li><x-card><div><div><cite>' + u + ' › doc</cite></div><a href="/url?q=' + encodeURIComponent(u) + '&ved=' + i + '"><div><h3>' + t + '</h3></div></a></div><div><div><span>3 days ago — </span><span>' + s + '</span></div></div></x-card></li>').join('') + '</ul>';
}, 400);
</script>`
)

func TestFacadeSearch(t *testing.T) {
	asked := make(chan url.Values, 10)
	serve := func(page string) *httptest.Server {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path != "/find" {
				http.NotFound(w, r)
				return
			}
			asked <- r.URL.Query()
			w.Header().Set("Content-Type", "text/html; charset=utf-8")
			_, _ = w.Write([]byte(page))
		}))
		t.Cleanup(s.Close)
		return s
	}
	f := newNineTools(t, Options{})
	before := f.ok("browser_session", args{"action": "list"})
	for name, page := range map[string]string{"headed": headedEngine, "rows": rowsEngine, "script": scriptEngine} {
		t.Run(name, func(t *testing.T) {
			s := serve(page)
			v := f.ok("web_search", args{"query": "go & more", "search_engine_url": s.URL + "/find?q={query}"})
			if q := (<-asked).Get("q"); q != "go & more" {
				t.Errorf("it asked for %q", q)
			}
			v.is("data.provider", "127.0.0.1").is("data.query", "go & more").is("data.request_url", s.URL+"/find?q=go+%26+more")
			list, _ := v.at("result.results").([]any)
			if len(list) != 3 {
				t.Fatalf("%d results: %s", len(list), v.text)
			}
			for i, want := range [][3]string{
				{"The Go Programming Language", "https://go.example/doc/?a=1", "Go is an open source programming language that makes it simple to build secure systems."},
				{"Go – Wiki", "https://wiki.example/Go", "Go is a high-level language that is statically typed and compiled, says the wiki."},
				{"A Tour", "https://tour.example/", "Welcome to a tour of the language, in three sections, with exercises."},
			} {
				r, _ := list[i].(map[string]any)
				snippet, _ := r["snippet"].(string)
				if r["rank"] != float64(i+1) || r["title"] != want[0] || r["url"] != want[1] || !strings.HasSuffix(snippet, want[2]) {
					t.Errorf("result %d is %v", i+1, r)
				}
			}
			has(t, v.str("text"), "3 results", "1. The Go Programming Language", "https://tour.example/")
			f.ok("web_search", args{"query": "x", "max_results": 1, "search_engine_url": s.URL + "/find?q={query}"}).is("text", "1 result for \"x\"\n1. The Go Programming Language\n   https://go.example/doc/?a=1\n   "+list[0].(map[string]any)["snippet"].(string))
			<-asked
		})
	}
	s := serve("<title>Nothing here</title>")
	f.fails("web_search", args{"query": "x", "search_engine_url": s.URL + "/other?q={query}"}, "404")
	f.fails("web_search", args{"query": "x", "search_engine_url": "http://127.0.0.1:1/?q={query}"}, "could not be opened")
	empty := f.ok("web_search", args{"query": "x", "search_engine_url": s.URL + "/find?q={query}"})
	has(t, empty.text, `"results":[]`, "shows no results", `"saw":{`, `"title":"Nothing here"`)
	// An engine inside a company finds what is on its own host.
	inside := serve(`<!doctype html><title>Intranet</title><nav><a href=/help>Help</a></nav><ul><li><h3><a href=/wiki/leave>Leave policy</a></h3><p>How to ask for leave, and whom.</p></li>
<li><h3><a href=/wiki/travel>Travel policy</a></h3><p>What is paid for, and how.</p></li></ul><a href="/find?q=x&page=2">2</a>`)
	found := f.ok("web_search", args{"query": "x", "search_engine_url": inside.URL + "/find?q={query}"})
	list, _ := found.at("result.results").([]any)
	if len(list) != 2 || list[0].(map[string]any)["url"] != inside.URL+"/wiki/leave" || list[1].(map[string]any)["snippet"] != "What is paid for, and how." {
		t.Errorf("its own host: %s", found.text)
	}
	// The tabs are gone, and nobody was told of them.
	after := f.ok("browser_session", args{"action": "list"})
	if after.text != before.text {
		t.Errorf("the pages are others than before:\n%s\n%s", before.text, after.text)
	}
	// Engines of the configuration.
	own := newNineTools(t, Options{Settings: Settings{Config: Config{Search: searchConfig{Engine: "work", Engines: map[string]string{"work": serve(rowsEngine).URL + "/find?q={query}"}}}}})
	own.ok("web_search", args{"query": "x"}).is("data.provider", "work").is("data.query", "x")
	own.ok("web_search", args{"query": "x", "search_engine_url": "work"}).is("data.provider", "work")
	own.fails("web_search", args{"query": "x", "search_engine_url": "home"}, `"search_engine_url"`, `"home"`, "bing, brave, duckduckgo, google, work")
	var usual searchConfig
	if name, template, err := usual.engine(""); err != nil || name != "duckduckgo" || template != engines[name] {
		t.Errorf("%s %s %v", name, template, err)
	}
	for name, template := range engines {
		if !strings.Contains(template, "{query}") || !strings.HasPrefix(template, "https://") {
			t.Errorf("%s: %s", name, template)
		}
	}
}
