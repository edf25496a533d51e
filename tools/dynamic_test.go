package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
)

const formPage = `<title>Flights</title><h1>Flights</h1><form aria-label="Search flights" onsubmit="event.preventDefault(); document.title = 'searched'; out.textContent = 'Cheapest ' + from.value + to.value">
<label>From <input name=from id=from required></label><label>To <input name=to id=to required></label><button>Search flights</button></form><p id=out></p>`

func TestDynamicStates(t *testing.T) {
	base := site(t, map[string]string{"/": formPage, "/two": `<title>Two</title><button onclick="document.title='pressed'">Press me</button>`})
	f := newFollower(t, Options{})
	f.lists("connect_browser")
	// Bare Chromium has a tab of its own, which is the person's here.
	v, rest := f.ok("connect_browser", nil)
	if keys(v) != "browser connected tabCount" || keys(v["browser"]) != "name version" || v["connected"] != true {
		t.Errorf("connect_browser: %v", v)
	}
	has(t, rest, "tools: ", "+list_tabs", "+open_tab", "−connect_browser")
	f.told()
	before := f.tools()
	v, _ = f.ok("open_tab", args{"url": base, "focus": false})
	if keys(v) != "focused tab toolsAvailable" || v["focused"] != false || keys(v["tab"]) != "id title url" {
		t.Errorf("open_tab: %v", v)
	}
	if len(before) == 3 {
		f.untold()
	} else {
		f.told()
	}
	f.lists("list_tabs", "open_tab", "focus_tab")
	first := v["tab"].(map[string]any)["id"].(float64)

	v, rest = f.ok("open_tab", args{"url": base + "/two"})
	if v["focused"] != true || fmt.Sprint(v["toolsAvailable"]) != "[press_me read_page find_on_page press_key back go_to]" {
		t.Errorf("open_tab: %v", v)
	}
	has(t, rest, "+close_tab", "+press_me", "+read_page")
	f.told()
	f.untold()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "press_me", "read_page", "find_on_page", "press_key", "back", "go_to")
	second := v["tab"].(map[string]any)["id"].(float64)

	v, rest = f.ok("focus_tab", args{"tabId": first})
	if keys(v) != "success tab toolsAvailable" || v["success"] != true || fmt.Sprint(v["toolsAvailable"]) != "[search_flights read_page find_on_page press_key back go_to]" {
		t.Errorf("focus_tab: %v", v)
	}
	has(t, rest, "tools: +search_flights −press_me")
	f.told()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "search_flights", "read_page", "find_on_page", "press_key", "back", "go_to")

	v, _ = f.ok("list_tabs", nil)
	if keys(v) != "focusedTabId tabs" || v["focusedTabId"] != first {
		t.Errorf("list_tabs: %v", v)
	}
	for _, o := range v["tabs"].([]any) {
		o := o.(map[string]any)
		if keys(o) != "focused id title toolCount url" {
			t.Errorf("a tab of list_tabs: %v", o)
		}
		if n := o["toolCount"]; (o["id"] == first || o["id"] == second) && n != 6.0 {
			t.Errorf("tools of tab %v: %v", o["id"], n)
		}
	}

	has(t, f.fails("search_flights", args{"from": "SFO"}), `"to" is missing`)
	has(t, f.fails("search_flights", args{"from": "SFO", "to": "NYC", "via": "X"}), `unknown argument "via"`)
	text := f.page("search_flights", args{"from": "SFO", "to": "NYC"})
	has(t, text, "search_flights: 2 fields filled in and sent", "Cheapest SFONYC", "--- page ", "--- end ")
	has(t, f.page("read_page", nil), "--- page ", "Cheapest SFONYC")
	f.untold() // the fields hold something else, and that is all

	v, _ = f.ok("close_tab", args{"tabId": second})
	if keys(v) != "closed tabId" || v["closed"] != true || v["tabId"] != second {
		t.Errorf("close_tab: %v", v)
	}
	f.untold()
	_, rest = f.ok("close_tab", nil)
	has(t, rest, "−close_tab", "−search_flights")
	f.told()
	if v, _ := f.ok("list_tabs", nil); v["focusedTabId"] != nil {
		t.Errorf("list_tabs: %v", v)
	}
	has(t, f.fails("close_tab", nil), `there is no tool \"close_tab\" now`)
	if v, _ := f.ok("open_tab", args{"url": base}); v["tab"].(map[string]any)["id"].(float64) <= second {
		t.Errorf("a number was used twice: %v", v)
	}
}

func TestDynamicPersonAtWork(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><button>First thing</button>`, "/two": `<title>Two</title><button>Second thing</button>`,
		"/same": `<title>Same</title><button>Second thing</button>`})
	p := person(t)
	f := newFollower(t, Options{})
	f.connect()
	_, target := f.opened(base)
	f.told()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "first_thing", "read_page", "find_on_page", "press_key", "back", "go_to")

	t.Run("navigates", func(t *testing.T) {
		page, err := p.Page(target)
		if err == nil {
			_, err = page.Navigate(t.Context(), base+"/two", adapter.Loaded)
		}
		if err != nil {
			t.Fatal(err)
		}
		f.until(func(names []string) bool {
			return slices.Contains(names, "second_thing") && !slices.Contains(names, "first_thing")
		})
		// An answer names what changed since the last one; the list was read.
		if _, rest := f.ok("list_tabs", nil); strings.Contains(rest, "tools:") {
			t.Errorf("list_tabs: %s", rest)
		}
		f.quiet()
		if _, err = page.Navigate(t.Context(), base+"/same", adapter.Loaded); err != nil {
			t.Fatal(err)
		}
		f.untold() // another page with the same tools
	})
	t.Run("changes the page", func(t *testing.T) {
		page, err := p.Page(target)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := page.Evaluate(t.Context(), `document.modelContext.registerTool({name: 'declared', description: 'd', inputSchema: {type: 'object'}, execute: () => 1})`, adapter.Element{}); err != nil {
			t.Fatal(err)
		}
		f.told()
		f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "declared", "second_thing", "read_page", "find_on_page", "press_key", "back", "go_to")
	})
	t.Run("opens a tab", func(t *testing.T) {
		other, err := p.Open(t.Context(), true, "")
		if err != nil {
			t.Fatal(err)
		}
		f.awaits(other.ID(), true)
		f.untold() // also: another tab is in front now, which is not followed
		v, _ := f.ok("list_tabs", nil)
		if n := len(v["tabs"].([]any)); n < 2 {
			t.Errorf("%d tabs", n)
		}
		if err := p.CloseTab(t.Context(), other.ID()); err != nil {
			t.Fatal(err)
		}
		f.awaits(other.ID(), false)
		f.untold()
	})
	t.Run("closes the focused tab", func(t *testing.T) {
		if err := p.CloseTab(t.Context(), target); err != nil {
			t.Fatal(err)
		}
		f.told()
		f.lists("list_tabs", "open_tab", "focus_tab")
		if v, _ := f.ok("list_tabs", nil); v["focusedTabId"] != nil {
			t.Errorf("list_tabs: %v", v)
		}
	})
}

// TestDynamicLeavesWhatIsAllowed holds that the focused tab's tools go at once, and
// are told to be gone, where it goes to a site that is kept out: by the person, by
// itself, and by a call. go_to is left, which leads back.
func TestDynamicLeavesWhatIsAllowed(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><button>First thing</button><button onclick="location = other">Leave</button><script>other = location.href.replace('127.0.0.1', 'localhost')</script>`})
	other := strings.Replace(base, "127.0.0.1", "localhost", 1)
	p := person(t)
	f := newFollower(t, Options{Settings: Settings{BlockSites: []string{"localhost"}}})
	f.connect()
	_, target := f.opened(base)
	f.told()
	own := []string{"list_tabs", "open_tab", "focus_tab", "close_tab"}
	there := append(slices.Clone(own), "first_thing", "leave", "read_page", "find_on_page", "press_key", "back", "go_to")
	closed := append(own, "go_to")
	f.lists(there...)
	page, err := p.Page(target)
	if err != nil {
		t.Fatal(err)
	}
	for _, way := range []func() error{
		func() error { _, err := page.Navigate(t.Context(), other, adapter.Loaded); return err },
		func() error {
			_, err := page.Evaluate(t.Context(), "setTimeout(() => location = other)", adapter.Element{})
			return err
		},
	} {
		if err := way(); err != nil {
			t.Fatal(err)
		}
		f.told()
		f.lists(closed...)
		f.untold()
		f.page("go_to", args{"url": base})
		f.told()
		f.lists(there...)
	}
	has(t, f.fails("leave", nil), "localhost", "−first_thing")
	f.told()
	f.lists(closed...)
	v, _ := f.ok("list_tabs", nil)
	for _, tab := range v["tabs"].([]any) {
		if tab := tab.(map[string]any); tab["focused"] == true && tab["toolCount"] != 1.0 {
			t.Errorf("the tab is %v", tab)
		}
	}
}

func TestDynamicErrorsChangeNothing(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><button>First thing</button>`})
	f := newFollower(t, Options{})
	f.connect()
	f.opened(base)
	f.told()
	state := func() string {
		v, _ := f.ok("list_tabs", nil)
		text, _ := json.Marshal(v)
		return string(text) + fmt.Sprint(f.tools())
	}
	before := state()
	for _, c := range []struct {
		tool string
		with args
		want string
	}{
		{"focus_tab", args{"tabId": 9999}, "there is no tab 9999"},
		{"focus_tab", args{"tabId": 1.5}, "there is no tab 1.5"},
		{"focus_tab", args{"tabId": "x"}, "must be a number"},
		{"focus_tab", nil, `"tabId" is missing`},
		{"close_tab", args{"tabId": 9999}, "there is no tab 9999"},
		{"open_tab", args{"url": "http://"}, "is not an address"},
		{"open_tab", args{"url": ""}, "url is empty"},
		{"open_tab", args{"url": "chrome://settings"}, "cannot be opened"},
		{"open_tab", args{"url": "javascript:alert(1)"}, "not allowed"},
		{"open_tab", args{"url": "http://127.0.0.1:1/"}, "could not be opened"},
		{"open_tab", nil, `"url" is missing`},
		{"connect_browser", nil, `there is no tool \"connect_browser\" now`},
		{"press_that", nil, "no tool"},
	} {
		text := f.fails(c.tool, c.with)
		if !strings.Contains(text, c.want) && !strings.Contains(text, strings.ReplaceAll(c.want, `"`, `\"`)) {
			t.Errorf("%s %v: no %q in %s", c.tool, c.with, c.want, text)
		}
		if strings.Contains(text, "browser_tab") || strings.Contains(text, "page t") {
			t.Errorf("%s %v speaks of another set: %s", c.tool, c.with, text)
		}
	}
	f.untold()
	if after := state(); after != before {
		t.Errorf("the state changed from %s to %s", before, after)
	}
}

func TestDynamicConnectionEnds(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><button>First thing</button>`})
	f := newFollower(t, Options{})
	f.connect()
	f.opened(base)
	f.told()
	f.session.mu.Lock()
	b := f.session.browser
	f.session.mu.Unlock()
	_ = b.Close()
	f.told()
	f.lists("connect_browser")
	has(t, f.fails("list_tabs", nil), `there is no tool`)
	f.connect()
	f.lists("list_tabs", "open_tab", "focus_tab")
}

func TestDynamicNoBrowser(t *testing.T) {
	var wants []bool
	f := newFollower(t, Options{Connect: func(_ context.Context, w Want) (Endpoint, error) {
		wants = append(wants, w.Running)
		return Endpoint{}, &Error{Kind: ErrBrowserNotAvailable, Text: "No browser found", Hint: "Please open Chrome"}
	}})
	v, rest := f.ok("connect_browser", nil)
	if keys(v) != "connected error instructions" || v["connected"] != false || v["error"] != "No browser found" || rest != "" {
		t.Errorf("connect_browser: %v %s", v, rest)
	}
	f.ok("connect_browser", args{"launch": true})
	if !slices.Equal(wants, []bool{true, false}) {
		t.Errorf("only running ones: %v", wants)
	}
	f.untold()
	f.lists("connect_browser")
}
