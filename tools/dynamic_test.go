package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// follower is a client of the set whose tools follow the state.
type follower struct {
	*testing.T
	client  *mcp.ClientSession
	session *Session
	changed chan struct{} // a token for each list_changed
}

// newFollower connects a client to a server of the set dynamic, in memory. The
// protocol is the one with sessions, as most clients speak it.
func newFollower(t *testing.T, o Options) *follower {
	t.Helper()
	f := &follower{T: t, changed: make(chan struct{}, 64)}
	if o.Connect == nil {
		url := browserURL(t)
		o.Connect = func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium 156"}, nil }
	}
	o.Tools = "dynamic"
	server, session := NewServer(o)
	f.session = session
	here, there := mcp.NewInMemoryTransports()
	ss, err := server.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	f.client, err = mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { f.changed <- struct{}{} },
	}).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		session.CloseTabs(ctx)
		_ = f.client.Close()
		_ = ss.Wait()
		_ = session.Close()
	})
	return f
}

// tools lists what there is.
func (f *follower) tools() []string {
	f.Helper()
	list, err := f.client.ListTools(f.Context(), nil)
	if err != nil {
		f.Fatal(err)
	}
	var names []string
	for _, t := range list.Tools {
		names = append(names, t.Name)
	}
	return names
}

// lists checks the names of what there is, in their order.
func (f *follower) lists(want ...string) {
	f.Helper()
	if got := f.tools(); !slices.Equal(got, want) {
		f.Fatalf("the tools are %v, want %v", got, want)
	}
}

// tool returns a tool as it is listed.
func (f *follower) tool(name string) *mcp.Tool {
	f.Helper()
	list, err := f.client.ListTools(f.Context(), nil)
	if err != nil {
		f.Fatal(err)
	}
	for _, t := range list.Tools {
		if t.Name == name {
			return t
		}
	}
	f.Fatalf("there is no tool %s", name)
	return nil
}

// told waits for a list_changed.
func (f *follower) told() {
	f.Helper()
	select {
	case <-f.changed:
	case <-time.After(10 * time.Second):
		f.Fatal("no list_changed")
	}
}

// untold checks that there was none, and forgets none.
func (f *follower) untold() {
	f.Helper()
	select {
	case <-f.changed:
		f.Fatal("a list_changed that nothing was the reason of")
	case <-time.After(300 * time.Millisecond):
	}
}

// until waits until the list holds, as list_changed says that it may.
func (f *follower) until(ok func([]string) bool) []string {
	f.Helper()
	limit := time.After(15 * time.Second)
	for {
		names := f.tools()
		if ok(names) {
			return names
		}
		select {
		case <-f.changed:
		case <-limit:
			f.Fatalf("the tools stay %v", names)
		}
	}
}

// call calls a tool and returns the texts of its answer.
func (f *follower) call(name string, with args) (first, rest string, failed bool) {
	f.Helper()
	ctx, cancel := context.WithTimeout(f.Context(), time.Minute)
	defer cancel()
	r, err := f.client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: with})
	if err != nil {
		f.Fatalf("%s: %v", name, err)
	}
	for i, c := range r.Content {
		text := c.(*mcp.TextContent).Text
		if i == 0 {
			first = text
		} else {
			rest += text
		}
	}
	f.Logf("%s %v\n%s\n%s", name, with, first, rest)
	return first, rest, r.IsError
}

// ok calls a tool of our own and returns its answer.
func (f *follower) ok(name string, with args) (v map[string]any, rest string) {
	f.Helper()
	first, rest, failed := f.call(name, with)
	if failed || json.Unmarshal([]byte(first), &v) != nil {
		f.Fatalf("%s: %s", name, first)
	}
	return v, rest
}

// page calls a tool of a page.
func (f *follower) page(name string, with args) string {
	f.Helper()
	text, _, failed := f.call(name, with)
	if failed {
		f.Fatalf("%s: %s", name, text)
	}
	return text
}

// fails calls a tool that must fail.
func (f *follower) fails(name string, with args) string {
	f.Helper()
	text, _, failed := f.call(name, with)
	if !failed {
		f.Fatalf("%s should have failed: %s", name, text)
	}
	return text
}

// keys are the fields of an answer.
func keys(v any) string {
	m, _ := v.(map[string]any)
	list := make([]string, 0, len(m))
	for k := range m {
		list = append(list, k)
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}

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
	if v["focused"] != true || fmt.Sprint(v["toolsAvailable"]) != "[press_me get_page_content]" {
		t.Errorf("open_tab: %v", v)
	}
	has(t, rest, "+close_tab", "+press_me", "+get_page_content")
	f.told()
	f.untold()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "press_me", "get_page_content")
	second := v["tab"].(map[string]any)["id"].(float64)

	v, rest = f.ok("focus_tab", args{"tabId": first})
	if keys(v) != "success tab toolsAvailable" || v["success"] != true || fmt.Sprint(v["toolsAvailable"]) != "[search_flights get_page_content]" {
		t.Errorf("focus_tab: %v", v)
	}
	has(t, rest, "tools: +search_flights −press_me")
	f.told()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "search_flights", "get_page_content")

	v, _ = f.ok("list_tabs", nil)
	if keys(v) != "focusedTabId tabs" || v["focusedTabId"] != first {
		t.Errorf("list_tabs: %v", v)
	}
	for _, o := range v["tabs"].([]any) {
		o := o.(map[string]any)
		if keys(o) != "focused id title toolCount url" {
			t.Errorf("a tab of list_tabs: %v", o)
		}
		if n := o["toolCount"]; (o["id"] == first || o["id"] == second) && n != 2.0 {
			t.Errorf("tools of tab %v: %v", o["id"], n)
		}
	}

	text := f.page("search_flights", args{"from": "SFO", "to": "NYC"})
	has(t, text, "search_flights: 2 fields filled in and sent", "Cheapest SFONYC", "--- page ", "--- end ")
	has(t, f.page("get_page_content", nil), "--- page ", "Cheapest SFONYC")
	has(t, f.fails("search_flights", args{"from": "SFO"}), `"to" is missing`)
	has(t, f.fails("search_flights", args{"from": "SFO", "to": "NYC", "via": "X"}), `unknown argument "via"`)

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
	has(t, f.fails("close_tab", nil), `there is no tool "close_tab" now`)
	if v, _ := f.ok("open_tab", args{"url": base}); v["tab"].(map[string]any)["id"].(float64) <= second {
		t.Errorf("a number was used twice: %v", v)
	}
}
