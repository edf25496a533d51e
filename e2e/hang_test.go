package e2e

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// trapPage has what every tool needs to begin its work, and what stops it.
const trapPage = `<title>Trap</title><button onclick="while (true) {}">Loop</button><button onclick="alert('stop')">Alert</button>
	<input aria-label="Name"><select><option>a<option>b</select><input type=file><p>text</p>`

// pageCalls are calls of the tools that work on a page, of which none does harm
// where it comes through after all.
func pageCalls() map[string]args {
	return map[string]args{
		"browser_snapshot": {}, "browser_find": {"text": "text"}, "browser_content": {}, "browser_screenshot": {"labels": true}, "browser_pdf": {},
		"browser_evaluate": {"script": "1"}, "browser_wait": {"text": "never"}, "browser_console": {}, "browser_network": {}, "browser_request": {"id": "r1"},
		"browser_click": {"selector": "text=text"}, "browser_type": {"selector": "[aria-label=Name]", "text": "x"}, "browser_press": {"keys": "Tab"},
		"browser_hover": {"selector": "p"}, "browser_select": {"selector": "select", "values": []string{"b"}}, "browser_scroll": {},
		"browser_drag": {"selector": "p", "toSelector": "[aria-label=Name]"}, "browser_drop": {"selector": "p", "text": "x"}, "browser_mouse": {"action": "click", "x": 300, "y": 300},
		"browser_fill_form": {"fields": []args{{"selector": "[aria-label=Name]", "value": "x"}, {"selector": "select", "value": "b"}}},
		"browser_upload":    {"selector": "input[type=file]", "files": []string{"file.txt"}},
		"browser_cookies":   {"action": "get"}, "browser_storage": {"action": "get"}, "browser_route": {"action": "remove"}, "browser_trace": {"action": "start"},
		"browser_set_offline": {"offline": false}, "browser_set_headers": {"headers": args{}}, "browser_set_geolocation": {}, "browser_set_timezone": {},
		"browser_set_locale": {}, "browser_set_device": {"width": 900},
		"browser_back": {}, "browser_forward": {}, "browser_reload": {}, "browser_tab_focus": {}, "browser_dialog": {"action": "dismiss"}, "browser_navigate": {"url": "about:blank"},
	}
}

// leaving are the tools that may free a page of its trap.
var leaving = []string{"browser_evaluate", "browser_dialog", "browser_navigate", "browser_back", "browser_forward", "browser_reload"}

// trapped calls every tool in a page that a trap holds: each call ends within
// its timeout, and another tab does not notice. set sets the trap in the page
// with an id and an address.
func trapped(t *testing.T, set func(a *agent, server *server, page, address string)) {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "file.txt"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	server := own(t, "--root", root)
	a := server.agent(t)
	s := newSite(t, trapPage).page("/fine", `<h1>fine</h1>`)
	s.page("/loop", `<p>looping</p><script>onload = () => { const loop = new MessageChannel(); loop.port1.onmessage = () => { while (true); };
		parent.postMessage(0, "*"); loop.port2.postMessage(0) }</script>`)
	other := a.open(s.other() + "/fine").page("t")
	count := 0
	trap := func() string {
		count++
		address := fmt.Sprintf("%s/?%d", s.URL, count)
		page := a.open(address).page("t")
		set(a, server, page, address)
		return page
	}
	calls := pageCalls()
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(calls)), func(name string) bool { return slices.Contains(leaving, name) })
	page := trap()
	for _, name := range append(names, leaving...) {
		if slices.Contains(leaving, name) {
			page = trap()
		}
		with := calls[name]
		with["pageId"] = page
		if name != "browser_tab_focus" {
			with["timeoutMs"] = 400
		}
		an := a.call(name, with).within(4 * time.Second)
		first, _, _ := strings.Cut(an.text, "\n")
		t.Logf("%-24s %6s %s", name, an.took.Round(time.Millisecond), first)
		if strings.HasPrefix(an.text, "protocol:") || strings.Contains(first, `""`) || an.failed && !strings.Contains(an.text, "error:") {
			t.Fatalf("%s: %s", name, an.text)
		}
		a.ok("browser_evaluate", args{"pageId": other, "script": "1+1"}).within(2 * time.Second)
		if slices.Contains(leaving, name) {
			a.ok("browser_tab_close", args{"pageId": page}).within(5 * time.Second)
		}
	}
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "fine"`)
	// One trap is still set: nothing that is not about its page notices.
	for _, name := range []string{"browser_tab_list", "browser_downloads", "browser_disconnect", "browser_connect"} {
		a.ok(name, nil).within(2 * time.Second)
	}
	a.open(s.other() + "/fine").has(`heading "fine"`).within(2 * time.Second)
}

// TestNoToolHangs holds that whatever a page does, each call ends within its
// timeout, other tabs do not notice, and the tab can be used again.
func TestNoToolHangs(t *testing.T) {
	t.Run("every tool is tried", func(t *testing.T) {
		t.Parallel()
		list, err := newAgent(t).session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		calls := pageCalls()
		for _, tool := range list.Tools {
			schema, _ := json.Marshal(tool.InputSchema)
			if strings.Contains(string(schema), `"pageId"`) && calls[tool.Name] == nil && tool.Name != "browser_tab_close" && tool.Name != "browser_batch" { // whose steps are these calls
				t.Errorf("%s works on a page: add a call of it", tool.Name)
			}
		}
	})
	for name, set := range map[string]func(a *agent, server *server, page, address string){
		"endless loop": func(a *agent, _ *server, page, _ string) {
			// The timers of a hidden tab are late, its messages are not.
			a.ok("browser_evaluate", args{"pageId": page, "script": `(() => {
				const loop = new MessageChannel(); loop.port1.onmessage = () => { while (true); }; loop.port2.postMessage(0) })()`})
		},
		"looping frame": func(a *agent, _ *server, page, address string) {
			// Of a site of its own, and so in a process of its own.
			home, number, _ := strings.Cut(address, "?")
			src := strings.Replace(home, "127.0.0.1", "loop"+number+".localhost", 1) + "loop"
			a.ok("browser_evaluate", args{"pageId": page, "timeoutMs": 20000, "script": `new Promise((ok) => { const f = document.createElement("iframe");
				f.src = "` + src + `"; onmessage = ok; document.body.prepend(f) })`})
		},
		"open dialog": func(a *agent, _ *server, page, _ string) {
			a.ok("browser_click", args{"pageId": page, "selector": "text=Alert"}).has("dialog: alert")
		},
		"dead renderer": func(a *agent, server *server, page, address string) {
			c := server.cdp(a.t)
			c.send(c.attach(address), "Page.crash", nil)
			a.fails("browser_wait", args{"pageId": page, "text": "never", "timeoutMs": 10000}).has("crashed")
		},
		"frozen": func(a *agent, server *server, page, address string) {
			c := server.cdp(a.t)
			c.call(c.attach(address), "Page.setWebLifecycleState", map[string]any{"state": "frozen"}, nil)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			trapped(t, set)
		})
	}
}

func TestLoopingTabIsUsedAgain(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	s := newSite(t, trapPage).page("/fine", `<h1>fine</h1>`)
	trap := a.open(s.URL).page("t")
	a.call("browser_click", args{"selector": "text=Loop", "timeoutMs": 3000}).within(10 * time.Second) // time to be there, on a busy machine too
	a.fails("browser_snapshot", args{"timeoutMs": 700}).has("error:").within(3 * time.Second)
	a.ok("browser_navigate", args{"url": s.URL + "/fine", "timeoutMs": 8000}).has(`heading "fine"`).within(9 * time.Second)
	a.ok("browser_snapshot", nil).has(`heading "fine"`)

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

// TestLoopingFrameLeavesThePage holds that a page of which a frame hangs is read
// and acted on without it.
func TestLoopingFrameLeavesThePage(t *testing.T) {
	t.Parallel()
	a := own(t).agent(t)
	s := newSite(t, `<h1>around</h1><button onclick="this.textContent='Clicked'">Click</button><iframe src="ORIGIN/loop"></iframe><iframe src="/fine"></iframe>`).
		page("/fine", `<p>fine words</p>`)
	begun := make(chan bool, 1)
	s.handle("/begun", func(http.ResponseWriter, *http.Request) { begun <- true })
	s.page("/loop", `<p>looping</p><script>onload = () => navigator.sendBeacon("/begun") && setTimeout(() => { while (true); }, 300)</script>`)
	an := a.ok("browser_tab_open", args{"url": s.URL, "front": true})
	<-begun
	// The first looks may still find the frame well.
	for begin := time.Now(); !strings.Contains(a.ok("browser_snapshot", nil).within(5*time.Second).text, "this frame does not answer"); {
		if time.Since(begin) > 20*time.Second {
			t.Fatal("the frame that hangs is not told")
		}
	}
	a.ok("browser_snapshot", nil).has(`heading "around"`, "fine words").lacks("looping").within(time.Second)
	a.ok("browser_click", args{"ref": an.ref("button", "Click")}).has("Clicked").within(3 * time.Second)
	a.ok("browser_find", args{"text": "fine words"}).has("1 match", "does not answer").within(time.Second)
	a.ok("browser_content", nil).has("around", "fine words").within(time.Second)
	a.fails("browser_click", args{"selector": ".none", "timeoutMs": 3000}).has("nothing matches").within(3 * time.Second)
	a.ok("browser_navigate", args{"url": s.URL + "/fine"}).has("fine words")
}
