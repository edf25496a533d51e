package e2e

import (
	"fmt"
	"strings"
	"testing"
)

const batchPage = `<!doctype html><title>Steps</title><h1>Steps</h1><output id=n>0</output>
<button onclick="n.textContent=+n.textContent+1">Add</button><button onclick="sure.textContent=confirm('Sure?')">Ask</button><p id=sure></p>
<button onclick="n.insertAdjacentHTML('afterend','<button onclick=n.textContent=100>Later</button>')">More</button>
<label>Name <input id=name></label> <button disabled>Off</button> <a href=/second>Second</a>`

// TestB87Batch: ten steps in one call, the sixth fails. Five are done, the sixth's
// error is told, nothing after it happens, and one change is told.
func TestB87Batch(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, batchPage).URL)
	add := args{"tool": "browser_click", "arguments": args{"find": args{"role": "button", "name": "Add"}}}
	off := args{"tool": "browser_click", "arguments": args{"selector": "text=Off", "timeoutMs": 1500}}
	an := a.fails("browser_batch", args{"steps": []args{add, add, add, add, add, off, add, add, add, add}})
	an.has("error: step 6 of 10, browser_click:", "disabled", "5. clicked", "not run: 4 steps", "changes:", "5")
	if n := strings.Count(an.text, "changes:"); n != 1 {
		an.lacks(fmt.Sprintf("changes told %d times", n))
		t.Fatalf("%d changes are told:\n%s", n, an.text)
	}
	if v := a.value("n.textContent"); v != `"5"` {
		t.Fatalf("%s clicks, want 5", v)
	}
}

func TestB87BatchNamesWhatEarlierStepsBring(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, batchPage).URL)
	a.ok("browser_batch", args{"steps": []args{
		{"tool": "browser_click", "arguments": args{"selector": "text=More"}},
		{"tool": "browser_click", "arguments": args{"find": args{"role": "button", "name": "Later"}}},
		{"tool": "browser_fill_form", "arguments": args{"fields": []args{{"find": args{"role": "textbox", "name": "Name"}, "value": "Ada"}}}},
		{"tool": "browser_evaluate", "arguments": args{"script": "name.length"}},
	}}).has("1. clicked", "2. clicked", `"Ada"`, "4. result:", "changes:", "100")
	a.fails("browser_batch", args{"steps": []args{{"tool": "browser_click", "arguments": args{"find": "Add"}}}}).has("{role, name}")
	a.fails("browser_batch", args{"steps": []args{{"tool": "browser_fly"}}}).has("step 1 of 1", "browser_fly")
	a.fails("browser_batch", args{"steps": []args{{"tool": "browser_batch"}}}).has("cannot be a step")
	a.fails("browser_batch", args{"steps": []args{}}).has("steps")
}

func TestB87BatchStopsAtWhatNobodyExpected(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	site := newSite(t, batchPage)
	a.open(site.URL)
	ask := args{"tool": "browser_click", "arguments": args{"selector": "text=Ask"}}
	add := args{"tool": "browser_click", "arguments": args{"selector": "text=Add"}}
	a.ok("browser_batch", args{"steps": []args{ask, add}}).has("stopped: a dialog is open; 1 step not run", "dialog: confirm")
	a.ok("browser_dialog", args{"action": "dismiss"})
	yes := args{"tool": "browser_dialog", "arguments": args{"action": "accept"}}
	a.ok("browser_batch", args{"steps": []args{ask, yes, add}}).has("2. accepted confirm", "true").lacks("stopped:", "dialog: ")
	go2 := args{"tool": "browser_click", "arguments": args{"selector": "text=Second"}}
	a.ok("browser_batch", args{"steps": []args{go2, add}}).has("stopped: the page navigated", "1 step not run", "url: "+site.URL+"/second")
	a.ok("browser_navigate", args{"url": site.URL})
	go2["navigates"] = true
	a.ok("browser_batch", args{"steps": []args{go2, {"tool": "browser_find", "arguments": args{"text": "404"}}}}).has("2. 1 match").lacks("stopped:")
}
