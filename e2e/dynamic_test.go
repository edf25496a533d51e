package e2e

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/extension"
)

// follower is an agent whose list of tools follows the state.
type follower struct {
	*agent
	changed chan struct{} // a token for each list_changed
}

// follower returns an agent of the server with the set dynamic; version is that
// of the protocol, "" for the newest, and query what more its address says.
func (s *server) follower(t testing.TB, version string, query ...string) *follower {
	t.Helper()
	f := &follower{changed: make(chan struct{}, 64)}
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { f.changed <- struct{}{} }})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: s.url + "?tools=dynamic&agent=" + rand.Text() + strings.Join(query, ""), HTTPClient: &http.Client{Transport: bearer{}},
	}, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatalf("connect: %v\n%s", err, s.log)
	}
	t.Cleanup(func() { _ = session.Close() })
	f.agent = &agent{t, session}
	return f
}

func (f *follower) told() {
	f.t.Helper()
	select {
	case <-f.changed:
	case <-time.After(callLimit):
		f.t.Fatal("no list_changed")
	}
}

// untold checks that what came by now was waited for. That nothing more is sent is
// held where it is sent, in the tests of tools.
func (f *follower) untold() {
	f.t.Helper()
	if len(f.changed) > 0 {
		f.t.Fatal("a list_changed without a reason")
	}
}

func (f *follower) lists(want ...string) {
	f.t.Helper()
	if names := f.names(); !slices.Equal(names, want) {
		f.t.Fatalf("the tools are %v, want %v", names, want)
	}
}

// names are the names of the tools, in their order.
func (f *follower) names() (names []string) {
	f.t.Helper()
	list, err := f.session.ListTools(f.t.Context(), nil)
	if err != nil {
		f.t.Fatal(err)
	}
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	return names
}

// json calls a tool of our own and decodes its answer.
func (f *follower) json(tool string, with args) (v struct {
	Connected           bool
	Error, Instructions string
	Tab                 struct{ ID int }
	Tabs                []struct {
		ID        int
		URL       string
		Focused   bool
		ToolCount *int
	}
	FocusedTabID *int
}) {
	f.t.Helper()
	if err := json.NewDecoder(strings.NewReader(f.ok(tool, with).text)).Decode(&v); err != nil {
		f.t.Fatal(err)
	}
	return v
}

const goods = `<title>Shop</title><form aria-label="Order goods" onsubmit="event.preventDefault(); out.textContent = 'ordered ' + count.value + what.value"><label>What <input id=what name=what required></label><label>How many <input id=count name=count type=number value=1></label><button>Order goods</button></form><p id=out></p>
<script>document.modelContext?.registerTool({name: 'stock', description: 'How many there are', inputSchema: {type: 'object'}, execute: () => 42})</script>`

func TestDynamicOverHTTP(t *testing.T) {
	t.Parallel()
	server := own(t)
	s := newSite(t, goods).page("/two", `<title>Two</title><button>Second thing</button>`)
	for _, version := range []string{"", "2025-11-25"} {
		f, other := server.follower(t, version), server.follower(t, version)
		if c := f.session.InitializeResult().Capabilities; c.Tools == nil || !c.Tools.ListChanged {
			t.Error("the capability tools.listChanged is missing")
		}
		f.lists("connect_browser")
		if version == "" {
			if v := f.json("connect_browser", nil); v.Connected || v.Error != "No browser found" || !strings.Contains(v.Instructions, "launch=true") {
				t.Errorf("connect_browser: %+v", v)
			}
			f.untold()
		}
		f.ok("connect_browser", args{"launch": true}).has(`"connected":true`, `"name":"Chrom`)
		f.told()
		one := f.json("open_tab", args{"url": s.URL}).Tab.ID
		f.told()
		f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "stock", "order_goods", "read_page", "find_on_page", "press_key", "back", "go_to")
		f.ok("stock", nil).has("stock: answered", "42")
		f.ok("order_goods", args{"what": "tea"}).has("ordered 1tea", "--- page ")
		two := f.json("open_tab", args{"url": s.URL + "/two", "focus": false}).Tab.ID
		f.ok("focus_tab", args{"tabId": two}).has("second_thing", "tools: +second_thing −stock −order_goods")
		f.told()
		v := f.json("list_tabs", nil)
		for _, tab := range v.Tabs {
			if (tab.ID == one && *tab.ToolCount != 7) || (tab.ID == two && (*tab.ToolCount != 6 || !tab.Focused)) {
				t.Errorf("tab %d: %d tools, focused %v", tab.ID, *tab.ToolCount, tab.Focused)
			}
		}
		f.ok("close_tab", nil)
		f.told()
		other.untold()
		other.lists("connect_browser")
	}
	narrow := server.follower(t, "", "&deny-tools=order_*,close_tab&dynamic-call=1")
	narrow.lists("connect_browser", "call_page_tool")
	narrow.ok("connect_browser", args{"launch": true})
	narrow.ok("open_tab", args{"url": s.URL}).lacks("order_goods", "close_tab")
	narrow.lists("list_tabs", "open_tab", "focus_tab", "stock", "read_page", "find_on_page", "press_key", "back", "go_to", "call_page_tool")
	narrow.fails("order_goods", args{"what": "tea"}).has("there is no tool")
	narrow.fails("call_page_tool", args{"name": "order_goods", "arguments": args{"what": "tea"}}).has("there is no tool")
	full := server.connect(t)
	if c := full.InitializeResult().Capabilities; c.Tools == nil || c.Tools.ListChanged {
		t.Error("the full set says that its list changes")
	}
}

// TestDynamicTakesNoFocus holds that the agent's focus is not the person's.
func TestDynamicTakesNoFocus(t *testing.T) {
	t.Parallel()
	server := own(t)
	s := newSite(t, `<title>Front</title>`).page("/back", `<title>Back</title><button onclick="document.title='pressed'">Press</button>`)
	f := server.follower(t, "")
	f.ok("connect_browser", args{"launch": true})
	a := server.agent(t)
	a.ok("browser_tab_open", args{"url": s.URL, "front": true})
	id := f.json("open_tab", args{"url": s.URL + "/back", "focus": false}).Tab.ID
	f.ok("focus_tab", args{"tabId": id})
	f.ok("press", nil)
	if v := a.value("document.visibilityState"); v != `"visible"` {
		t.Errorf("the tab in front is %s", v)
	}
}

func TestDynamicCrash(t *testing.T) {
	t.Parallel()
	server := own(t)
	s := newSite(t, `<title>Fragile</title><button>Thing</button>`)
	f := server.follower(t, "")
	f.ok("connect_browser", args{"launch": true})
	f.told()
	id := f.json("open_tab", args{"url": s.URL}).Tab.ID
	f.told()
	c := server.cdp(t)
	c.send(c.attach(s.URL), "Page.crash", nil)
	f.told()
	v := f.json("list_tabs", nil)
	for _, tab := range v.Tabs {
		if tab.ID == id {
			t.Error("a crashed tab is listed")
		}
	}
	if v.FocusedTabID != nil {
		t.Errorf("tab %d is focused", *v.FocusedTabID)
	}
	f.fails("focus_tab", args{"tabId": id}).has("there is no tab")
}

// TestDynamicBrowserGoes is a person's browser that goes, in each way: the client is
// told once, long before others give up on it, and of nothing in between.
func TestDynamicBrowserGoes(t *testing.T) {
	t.Parallel()
	for name, goes := range map[string]func(*person){
		"Disconnect": func(p *person) { p.extensionPage().disconnect() },
		"closed":     func(p *person) { p.chromium().send("", "Browser.close", nil) },
		"killed":     func(p *person) { _ = p.chrome.Process.Kill() },
		"the extension is turned off": func(p *person) {
			h := p.hand()
			h.send(h.extensions(), "Runtime.evaluate", map[string]any{"expression": `chrome.management.setEnabled("` + extension.ID + `", false)`})
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPerson(t, longGrace)
			s := newSite(t, `<title>One</title><button>Thing</button>`)
			f := p.follower(t, "")
			f.ok("connect_browser", nil).has(`"connected":true`) // it is there: none is launched
			f.told()
			f.lists("list_tabs", "open_tab")
			f.ok("open_tab", args{"url": s.URL})
			f.told()
			goes(p)
			f.told()
			f.lists("connect_browser")
			if _, err := p.says(regexp.MustCompile("browser connection ended")); err != nil {
				t.Fatal(err)
			}
			if v := f.json("connect_browser", nil); v.Connected || v.Error == "" || name == "Disconnect" && !strings.Contains(v.Error, "the person disconnected") {
				t.Errorf("connect_browser: %+v", v)
			}
			f.fails("list_tabs", nil).has("there is no tool", "connect_browser")
			f.untold()
		})
	}
}

// TestDynamicSharedTabs holds what an agent sees of a person's browser, and that
// no debugger is put on a tab to count its tools.
func TestDynamicSharedTabs(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	s := newSite(t, `<title>Private</title><button>Thing</button>`)
	c := p.chromium()
	c.call("", "Target.createTarget", map[string]any{"url": s.URL}, nil)
	f := p.follower(t, "")
	f.ok("connect_browser", nil)
	f.told()
	if v := f.json("list_tabs", nil); len(v.Tabs) != 0 || v.FocusedTabID != nil {
		t.Errorf("list_tabs: %+v", v)
	}
	f.untold()
}

// TestDynamicOverStdio holds that a client at the front of a daemon is told, and
// no other, also when another daemon takes the place of the first.
func TestDynamicOverStdio(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := newSite(t, goods)
	a := d.lines(d.managed("--tools", "dynamic")...)
	other := d.lines(d.managed("--tools", "dynamic", "--dynamic-call")...)
	full := d.lines(d.managed()...)
	narrow := d.lines(d.managed("--tools", "dynamic", "--allow-tools", "*_tab,*_tabs,stock")...)
	if a.tools["listChanged"] != true || full.tools["listChanged"] == true {
		t.Errorf("the capabilities are %v, and of the full set %v", a.tools, full.tools)
	}
	has := func(text string, parts ...string) {
		t.Helper()
		for _, p := range parts {
			if !strings.Contains(text, p) {
				t.Errorf("no %q in %s", p, text)
			}
		}
	}
	lists := func(a *lineAgent, want ...string) {
		t.Helper()
		if got := a.list(); !slices.Equal(got, want) {
			t.Errorf("the tools are %v, want %v", got, want)
		}
	}
	lists(a, "connect_browser")
	has(a.call("connect_browser", args{"launch": true}), `"connected":true`, "+open_tab")
	a.changed()
	has(a.call("open_tab", args{"url": s.URL}), `"toolsAvailable":["stock","order_goods","read_page","find_on_page","press_key","back","go_to"]`)
	a.changed()
	lists(a, "list_tabs", "open_tab", "focus_tab", "close_tab", "stock", "order_goods", "read_page", "find_on_page", "press_key", "back", "go_to")
	has(a.call("order_goods", args{"what": "tea"}), "ordered 1tea")
	lists(other, "connect_browser", "call_page_tool")
	has(full.call("browser_tab_list", nil), "no browser is connected")
	lists(narrow, "list_tabs", "open_tab") // who may not connect is connected by its first call
	has(narrow.call("open_tab", args{"url": s.URL}), `"focused":true`, "+stock")
	lists(narrow, "list_tabs", "open_tab", "focus_tab", "close_tab", "stock")
	if other.told+full.told+a.told != 0 {
		t.Errorf("%d, %d and %d times list_changed without a reason", other.told, full.told, a.told)
	}
	d.kill(d.daemon())
	// The managed browser went with its daemon: the next call finds none of its tabs.
	has(a.call("list_tabs", nil), `"tabs":[`)
	a.changed()
	if names := a.list(); slices.Contains(names, "stock") || !slices.Contains(names, "open_tab") {
		t.Errorf("after another daemon took over the tools are %v", names)
	}
	has(a.call("open_tab", args{"url": s.URL}), `"order_goods"`)
	has(a.call("order_goods", args{"what": "milk", "how_many": 2}), "ordered 2milk")
}
