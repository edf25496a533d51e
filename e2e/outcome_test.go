package e2e

import (
	"io"
	"net/http"
	"strings"
	"testing"
)

// TestB77ClickUnderAHoverStyle has an element that is gone from under the
// pointer as long as the picture of its hover style is not there.
func TestB77ClickUnderAHoverStyle(t *testing.T) {
	inPlaces(t, `<h1>empty</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := newSite(t, `<style>.more { content: url(/a.svg) } .more:hover { content: url(/b.svg) }</style>
			<div role=group aria-label=Around style="width:300px;height:200px"><span class=more role=button aria-label=More></span></div>
			<script>window.log = []; document.addEventListener("click", e => log.push(e.target.getAttribute("aria-label")), true)</script>`)
		s.handle("/a.svg", func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "image/svg+xml")
			_, _ = io.WriteString(w, `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>`)
		}).handle("/b.svg", hold)
		a.ok("browser_navigate", args{"url": s.URL, "waitUntil": "load"})
		an := a.call("browser_click", args{"selector": ".more", "timeoutMs": 1000})
		log := a.value("log.join()")
		if honest := an.failed || strings.Contains(an.text, "went to group") || log == `"More"`; !honest {
			t.Fatalf("the click events went to %s, and the answer is\n%s", log, an.text)
		}
		a.ok("browser_evaluate", args{"script": `log.length = 0; document.querySelector("style").textContent = ".more { content: url(/a.svg) }"`})
		a.ok("browser_click", args{"selector": ".more"}).has(`clicked button "More"`).lacks(", but")
		if v := a.value("log.join()"); v != `"More"` {
			t.Fatalf("the click event went to %s", v)
		}
	})
}
