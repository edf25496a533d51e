package e2e

import (
	"strings"
	"testing"
)

// dropPage has a card and a zone that takes it.
const dropPage = `<style>div{width:120px;height:50px;border:1px solid}</style>
<div id=card draggable=true tabindex=0 role=button aria-label="NAME card">card</div><div id=zone tabindex=0 role=group aria-label="NAME zone">zone</div><script>
card.ondragstart = (e) => e.dataTransfer.setData("text/plain", "NAME card");
zone.ondragover = (e) => e.preventDefault();
zone.ondrop = (e) => { e.preventDefault(); zone.textContent = "NAME got " + e.dataTransfer.getData("text/plain") };
</script>`

func TestB80DragAfterOneBetweenProcesses(t *testing.T) {
	inPlaces(t, `<h1>empty</h1>`, func(t *testing.T, a *agent, _ answer) {
		s := newSite(t, "")
		at := func(host, path string) string { return strings.Replace(s.URL, "127.0.0.1", host, 1) + path }
		s.page("/inner", strings.ReplaceAll(dropPage, "NAME", "inner"))
		s.page("/outer", strings.ReplaceAll(dropPage, "NAME", "outer")+`<iframe src="`+at("b.localhost", "/inner")+`" width=400 height=200></iframe>`)
		an := a.ok("browser_navigate", args{"url": at("a.localhost", "/outer"), "waitUntil": "load"})
		drag := func(from, to string) {
			t.Helper()
			a.ok("browser_drag", args{"ref": an.ref(`"` + from + ` card"`), "toRef": an.ref(`"` + to + ` zone"`)}).has("dropped on", to+" got "+from+" card")
		}
		drag("outer", "inner")
		drag("outer", "outer")
		drag("inner", "inner")
		drag("inner", "outer")
		drag("outer", "inner")
	})
}
