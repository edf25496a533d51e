package e2e

import (
	"testing"
	"time"
)

// TestNoToolHangs holds that whatever a page does, each call ends within its
// timeout, other tabs do not notice, and the tab can be used again.
func TestNoToolHangs(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, `<title>Trap</title><button onclick="while (true) {}">Loop</button><input aria-label="Name"><p>text</p>`).page("/fine", `<h1>fine</h1>`)
	other := a.open(s.other() + "/fine").page("t")
	an := a.open(s.URL)
	trap := an.page("t")
	a.call("browser_click", args{"ref": an.ref("button", "Loop"), "timeoutMs": 1000}).within(4 * time.Second)
	for tool, with := range map[string]args{
		"browser_snapshot": {}, "browser_click": {"selector": "text=text"}, "browser_type": {"ref": an.ref(`"Name"`), "text": "x"},
		"browser_evaluate": {"script": "1"}, "browser_screenshot": {}, "browser_wait": {"text": "never"}, "browser_find": {"text": "text"},
		"browser_content": {}, "browser_press": {"keys": "Tab"}, "browser_storage": {"action": "get"}, "browser_scroll": {}, "browser_pdf": {},
	} {
		with["pageId"], with["timeoutMs"] = trap, 700
		a.fails(tool, with).has("error:").within(3 * time.Second)
	}
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "fine"`).within(3 * time.Second)
	a.ok("browser_navigate", args{"pageId": trap, "url": s.URL + "/fine", "timeoutMs": 8000}).has(`heading "fine"`).within(9 * time.Second)
	a.ok("browser_snapshot", args{"pageId": trap}).has(`heading "fine"`)

	// A dead renderer.
	c := server.cdp(t)
	c.send(c.attach(s.URL+"/fine"), "Page.crash", nil)
	a.fails("browser_click", args{"pageId": trap, "selector": "h1"}).has("crashed").within(3 * time.Second)
	a.ok("browser_reload", args{"pageId": trap}).has(`heading "fine"`)
}

func TestFrozenTabDoesNotHang(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, `<title>Cold</title><button onclick="this.textContent='warm'">Touch</button>`)
	ref := a.open(s.URL).ref("button", "Touch")
	c := server.cdp(t)
	c.call(c.attach(s.URL), "Page.setWebLifecycleState", map[string]any{"state": "frozen"}, nil)
	a.call("browser_click", args{"ref": ref, "timeoutMs": 2000}).within(4 * time.Second)
	c.call(c.attach(s.URL), "Page.setWebLifecycleState", map[string]any{"state": "active"}, nil)
	a.ok("browser_snapshot", nil).has("button")
}
