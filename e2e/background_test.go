package e2e

import (
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
