package tools

import (
	"testing"
	"time"
)

func TestNoVisibleChange(t *testing.T) {
	base := site(t, map[string]string{"/": `<!doctype html><title>Tags</title>
<style>@keyframes out { to { opacity: 0 } } .out { animation: out 400ms }</style>
<button onclick="">Nothing</button>
<div role=dialog aria-label=Tag id=tag>Tag</div><button onclick="setTimeout(() => tag.remove(), 600)">Remove tag</button>
<div role=dialog aria-label=Away id=away onanimationend="this.remove()">Away</div><button onclick="away.className = 'out'">Close</button>
<button onclick="setTimeout(() => {}, 1900)">Wait</button>`})
	a := newAgent(t, Options{})
	a.ok("browser_navigate", args{"url": base + "/"})
	lacks(t, a.ok("browser_click", args{"selector": "text=Remove tag", "snapshot": "none"}), "no visible change")
	a.ok("browser_wait", args{"textGone": "dialog"})
	a.ok("browser_navigate", args{"url": base + "/"})
	has(t, a.ok("browser_click", args{"selector": "text=Nothing"}), "no visible change")
	has(t, a.ok("browser_click", args{"selector": "text=Remove tag"}), `- dialog "Tag"`)
	has(t, a.ok("browser_click", args{"selector": "text=Close"}), `- dialog "Away"`)
	a.ok("browser_wait", args{"textGone": "Away"}) // it is shown again where its end is late
	begin := time.Now()
	text := a.ok("browser_click", args{"selector": "text=Wait"})
	if has(t, text, "no visible change"); time.Since(begin) < 1900*time.Millisecond {
		has(t, text, "no visible change yet; still pending: a timer")
	}
}
