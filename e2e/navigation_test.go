package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func TestB1Open(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<title>Shop</title><h1>Welcome</h1><p>Fresh fruit today.</p>`)
	newAgent(t).open(s.URL).has(s.URL, "Shop", `heading "Welcome"`, "Fresh fruit today.")
}

// TestB1AnswersWhenThereIsContent opens pages that have begun and say that they
// are not there yet, each in its way.
func TestB1AnswersWhenThereIsContent(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.ok("browser_tab_open", nil)
	for _, begun := range []string{``, `Loading plugins`, `<main><h1>App</h1><nav><a href=/>Home</a></nav><div role=progressbar aria-label=Work></div></main>`, `<section aria-busy=true>…</section>`} {
		s := newSite(t, `<div id=root>`+begun+`</div><script>let n = 0; const tick = setInterval(() => root.dataset.n = ++n, 20);
			setTimeout(() => { clearInterval(tick); root.innerHTML = "<h1>Ready</h1>" }, 300)</script>`)
		a.ok("browser_navigate", args{"url": s.URL}).has("Ready").lacks("busy")
	}
	s := newSite(t, `<p>Please wait</p><script>0</script>`)
	a.ok("browser_navigate", args{"url": s.URL}).has(`the page is still busy: "Please wait"`).within(8 * time.Second)
	a.ok("browser_navigate", args{"url": newSite(t, `<h1>Loading a van</h1><p>`+strings.Repeat("How to do it well. ", 20)+`</p><progress max=3 value=1>`).URL}).lacks("busy")
	// What never ends is told, and a request that took long is not waited for again.
	endless := newSite(t, `<h1>Shop</h1><p>`+strings.Repeat("Many words are here. ", 20)+`</p><div role=progressbar id=bar></div><script>setInterval(() => bar.style.left = Math.random() + "px", 16)</script>`).
		page("/poll", `<h1>News</h1><p id=n>0</p><script>fetch("/held"); setInterval(() => n.textContent++, 50)</script>`).handle("/held", hold)
	a.ok("browser_navigate", args{"url": endless.URL}).has("the page is still busy: progressbar").within(3 * time.Second)
	a.ok("browser_navigate", args{"url": endless.URL + "/poll"}).has("News", "still loading: 1 request")
	a.ok("browser_reload", nil).has("News").lacks("still loading")
	// An action that begins something is waited for as well.
	a.ok("browser_navigate", args{"url": newSite(t, `<button onclick="begin()">Begin</button><p id=said>-</p><script>
		const begin = () => { said.innerHTML = "<progress>"; fetch("/none").then(() => setTimeout(() => said.textContent = "over", 300)) }</script>`).URL})
	a.ok("browser_click", args{"selector": "button"}).has("over")
}

func TestB2Status(t *testing.T) {
	t.Parallel()
	s := newSite(t, ``).page("/fine", `<h1>fine</h1>`)
	s.handle("/pay", func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(402)
		_, _ = w.Write([]byte("<h1>pay</h1>"))
	})
	s.handle("/from", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/fine", http.StatusFound) })
	a := newAgent(t)
	a.open(s.URL+"/pay").has("402", `heading "pay"`)
	a.ok("browser_navigate", args{"url": s.URL + "/from"}).has(s.URL+"/fine", `heading "fine"`).lacks("200", "302")
}

func TestB4BlankAndData(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open("about:blank").has("about:blank")
	a.open("data:text/html,<title>D</title><h1>from data</h1>").has(`heading "from data"`)
	a.ok("browser_navigate", args{"url": "about:blank"}).has("about:blank")
	// Chrome lets no extension do this: "Not allowed to navigate top frame to data URL".
	a.fails("browser_navigate", args{"url": "data:text/html,<h1>late</h1>"}).has("error:", "data:", "hint:", "browser_tab_open")
}

func TestB5SchemeIsAdded(t *testing.T) {
	t.Parallel()
	s := newSite(t, ``).page("/x", `<h1>here</h1>`)
	a := newAgent(t)
	a.open(strings.TrimPrefix(s.other(), "http://")+"/x").has(s.other()+"/x", `heading "here"`)
	a.ok("browser_navigate", args{"url": strings.TrimPrefix(s.URL, "http://") + "/x"}).has(`heading "here"`)
	a.fails("browser_navigate", args{"url": "nothing.test"}).has("https://nothing.test")
}

func TestB8RefusedPort(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>alive</h1>`)
	gone := newSite(t, ``)
	gone.Close()
	a := newAgent(t)
	a.open(s.URL)
	a.fails("browser_navigate", args{"url": gone.URL}).has("error:", "CONNECTION_REFUSED", "hint:")
	a.ok("browser_navigate", args{"url": s.URL}).has(`heading "alive"`)
}

func TestB9AlertDuringLoad(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<script>alert("hold on")</script><h1>after</h1>`)
	a := newAgent(t)
	a.call("browser_tab_open", args{"url": s.URL}).has("dialog:", "hold on").within(5 * time.Second)
	a.ok("browser_dialog", args{"action": "accept"}).has(`heading "after"`)
}

func TestB11NavigationAfterClick(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<button onclick="setTimeout(() => location = '/next', 100)">Go</button>`).page("/next", `<title>Next</title><h1>arrived</h1>`)
	a := newAgent(t)
	ref := a.open(s.URL).ref("button", "Go")
	a.ok("browser_click", args{"ref": ref}).has("url:", "/next", `heading "arrived"`)
}

func TestB12BrowserPages(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>still here</h1>`)
	a := newAgent(t)
	a.open(s.URL)
	for _, url := range []string{"chrome://version", "chrome-extension://abc/x.html", "javascript:alert(1)", "view-source:" + s.URL, "devtools://x"} {
		a.fails("browser_navigate", args{"url": url}).has("error:", "hint:")
	}
	a.ok("browser_snapshot", nil).has(`heading "still here"`)
}

func TestB3FileIsRefused(t *testing.T) {
	t.Parallel()
	newAgent(t).fails("browser_tab_open", args{"url": "file:///etc/passwd"}).has("error:", "file:", "hint:", "--allow-file").lacks("root:")
}

func TestB3FileIsAllowed(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "note.html")
	if err := os.WriteFile(path, []byte(`<h1>from a file</h1>`), 0o600); err != nil {
		t.Fatal(err)
	}
	a := own(t, "--allow-file").agent(t)
	a.open("file://"+path).has("url: file://", `heading "from a file"`)
}

func TestB6BackFromAPageThatNeverFinished(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>first</h1><img src="/never">`).page("/b", `<h1>second</h1>`)
	s.handle("/never", hold)
	a := newAgent(t)
	a.open(s.URL)
	a.ok("browser_navigate", args{"url": s.URL + "/b"}).has(`heading "second"`)
	a.ok("browser_back", nil).has(`heading "first"`).within(5 * time.Second)
	a.ok("browser_forward", nil).has(`heading "second"`).within(5 * time.Second)
	a.fails("browser_forward", nil).has("error:")
	a.ok("browser_reload", nil).has(`heading "second"`)
}

func TestB7NavigationTimeout(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>fast</h1>`).handle("/slow", hold)
	a := newAgent(t)
	a.open(s.URL)
	a.fails("browser_navigate", args{"url": s.URL + "/slow", "timeoutMs": 1200}).has("error:", "timed out after 1.2s").within(1600 * time.Millisecond)
	a.ok("browser_navigate", args{"url": s.URL}).has(`heading "fast"`)
}

func TestB10AttachmentIsADownload(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<h1>page</h1>`).handle("/file", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="report.csv"`)
		_, _ = w.Write([]byte("a,b\n1,2\n"))
	})
	a := newAgent(t)
	a.open(s.URL)
	a.ok("browser_navigate", args{"url": s.URL + "/file"}).has("download:", "report")
	a.ok("browser_snapshot", nil).has(`heading "page"`)
}
