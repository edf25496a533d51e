package tools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
)

// follower is a client of the set whose tools follow the state.
type follower struct {
	*testing.T
	client  *mcp.ClientSession
	session *Session
	changed chan struct{} // a token for each list_changed that came
	sent    chan struct{} // a token for each that the session asked for
}

// newFollower connects a client to a server of the set dynamic, in memory. The
// protocol is the one with sessions, as most clients speak it.
func newFollower(t *testing.T, o Options) *follower {
	t.Helper()
	f := &follower{T: t, changed: make(chan struct{}, 64), sent: make(chan struct{}, 64)}
	if o.Connect == nil {
		url := browserURL(t)
		o.Connect = func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium 156"}, nil }
	}
	o.Tools = "dynamic"
	server, session := NewServer(o)
	f.session = session
	notify := session.dynamic.list.notify
	session.dynamic.list.notify = func() {
		notify()
		f.sent <- struct{}{}
	}
	f.client = clientOf(t, server, session, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { f.changed <- struct{}{} },
	}, "")
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
	limit := time.After(30 * time.Second)
	for _, c := range []chan struct{}{f.sent, f.changed} {
		select {
		case <-c:
		case <-limit:
			f.Fatal("no list_changed")
		}
	}
}

// untold checks that there was none but those that were waited for, and that none
// is to come of what happened by now: the session looks at the page once more.
func (f *follower) untold() {
	f.Helper()
	f.session.dynamic.update(f.Context(), true)
	if len(f.sent) > 0 {
		f.Fatal("a list_changed that nothing was the reason of")
	}
}

// quiet forgets what was told of what happened by now.
func (f *follower) quiet() {
	f.Helper()
	f.session.dynamic.update(f.Context(), true)
	for _, c := range []chan struct{}{f.sent, f.changed} {
		for len(c) > 0 {
			<-c
		}
	}
}

// awaits waits until the session's browser knows of a tab, or of it no more.
func (f *follower) awaits(target string, there bool) {
	f.Helper()
	f.session.mu.Lock()
	b := f.session.browser
	f.session.mu.Unlock()
	awaitTabs(f.T, b, func(list []adapter.Tab) bool {
		return slices.ContainsFunc(list, func(t adapter.Tab) bool { return t.ID == target }) == there
	})
}

// awaitTabs waits until a browser is told of the right tabs.
func awaitTabs(t *testing.T, b *adapter.Browser, right func([]adapter.Tab) bool) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for {
		changed := b.Changed()
		if right(b.Tabs()) {
			return
		}
		select {
		case <-changed:
		case <-limit:
			t.Fatalf("the tabs stay %v", b.Tabs())
		}
	}
}

// until waits until the list holds, as list_changed says that it may.
func (f *follower) until(ok func([]string) bool) []string {
	f.Helper()
	limit := time.After(30 * time.Second)
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

// person is another client of the same browser, who does what a person does.
func person(t *testing.T) *adapter.Browser {
	t.Helper()
	b, err := adapter.Dial(t.Context(), browserURL(t), adapter.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	return b
}

// opened opens a page and returns its number and its target.
func (f *follower) opened(url string) (id float64, target string) {
	f.Helper()
	v, _ := f.ok("open_tab", args{"url": url})
	id = v["tab"].(map[string]any)["id"].(float64)
	f.session.mu.Lock()
	defer f.session.mu.Unlock()
	for _, t := range f.session.tabs {
		if t.number() == int(id) {
			target = t.target
		}
	}
	return id, target
}

// connect connects, and forgets that it was told of it.
func (f *follower) connect() {
	f.Helper()
	f.ok("connect_browser", nil)
	f.told()
}
