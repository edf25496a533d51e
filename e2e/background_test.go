package e2e

import (
	"strings"
	"testing"
	"time"
)

// TestB39FramesAfterADragInBackground holds that the pointer reaches what is in
// frames of a hidden tab without waiting for the tab to draw by itself.
func TestB39FramesAfterADragInBackground(t *testing.T) {
	t.Parallel()
	a := own(t).agent(t)
	inner := `<button onclick="this.textContent='Clicked '+(this.n=(this.n||0)+1)">Click</button><p onmouseenter="this.textContent='over'">Hover</p><div style="height:3000px">tall</div><button onclick="this.textContent='Low '+(this.n=(this.n||0)+1)">Below</button>`
	s := newSite(t, `<div id=from style="width:80px;height:30px" draggable=true>From</div><div id=to style="width:80px;height:30px" ondragover="event.preventDefault()" ondrop="event.preventDefault()">To</div>
		<button onclick="this.textContent='Outer '+(this.n=(this.n||0)+1)">Out</button>
		<iframe src="/in" width=300 height=200></iframe><iframe src="ORIGIN/in" width=300 height=200></iframe>`).page("/in", inner).page("/front", frontPage)
	a.ok("browser_tab_open", args{"url": s.URL + "/front", "front": true})
	an := a.open(s.URL)
	refs := refPattern.FindAllStringSubmatch(an.text, -1)
	slow, count := 0, 0
	for range 2 {
		for _, ref := range refs {
			for _, tool := range []string{"browser_hover", "browser_click"} {
				got := a.ok(tool, args{"ref": ref[1]})
				if count++; got.took > 900*time.Millisecond {
					slow++
				}
			}
		}
		a.ok("browser_drag", args{"selector": "#from", "toSelector": "#to"})
	}
	a.ok("browser_snapshot", nil).has("Clicked 2", "Outer 2", "Low 2", "over")
	// Without frames of its own, a hidden tab draws once a second.
	if slow > count/2 {
		t.Fatalf("%d of %d calls took a second", slow, count)
	}
}

// TestB39WhatATabBehindOpensStaysBehind holds that the person's tab is the one
// in front again when Chrome puts a popup, or a tab that asks before it closes,
// before it.
func TestB39WhatATabBehindOpensStaysBehind(t *testing.T) {
	t.Parallel()
	a := own(t).agent(t)
	s := newSite(t, `<button onclick="window.open('/pop')">Open</button><button onclick="window.open('/pop', '', 'noopener')">Alone</button>
		<a href=/pop target=_blank>Blank</a><a href=/pop>Plain</a><button onclick="onbeforeunload = e => e.preventDefault()">Guard</button>`).
		page("/front", frontPage+`<button onclick="window.open('/pop')">Seen</button>`).page("/pop", `<h1>popup</h1>`)
	front := a.ok("browser_tab_open", args{"url": s.other() + "/front", "front": true}).page("t")
	an := a.open(s.URL)
	mine := an.page("t")
	// A script wakes no tab behind, as a wait does: what it sees is so.
	seen := func(page string) {
		t.Helper()
		a.ok("browser_evaluate", args{"pageId": page, "script": `new Promise((done) => { const look = () => document.visibilityState === "visible" && done("seen"); document.addEventListener("visibilitychange", look); look() })`}).has("seen")
	}
	for name, with := range map[string]args{
		`"Open"`: {}, `"Alone"`: {}, `"Blank"`: {}, `"Plain"`: {"modifiers": []string{"Control"}},
	} {
		with["ref"] = an.ref(name)
		pop := a.ok("browser_click", with).page("tab opened:")
		seen(front)
		a.ok("browser_snapshot", args{"pageId": pop}).has(`heading "popup"`)
		if list := a.ok("browser_tab_list", nil); strings.Contains(list.line(pop), "front") {
			t.Fatalf("%s: told as the one in front:\n%s", name, list.text)
		}
	}
	a.ok("browser_click", args{"ref": an.ref(`"Guard"`)})
	a.call("browser_navigate", args{"url": s.URL + "/pop"}).has("dialog: beforeunload")
	seen(front)
	a.ok("browser_dialog", args{"pageId": mine, "action": "dismiss"})
	seen(front)
	a.call("browser_tab_close", nil).has("dialog: beforeunload")
	seen(front)
	a.ok("browser_dialog", args{"pageId": mine, "action": "accept"}).has("tab closed")
	// What opens in front of the tab that is seen is seen.
	a.ok("browser_tab_focus", args{"pageId": front})
	pop := a.ok("browser_click", args{"selector": "text=Seen"}).page("tab opened:")
	seen(pop)
}
