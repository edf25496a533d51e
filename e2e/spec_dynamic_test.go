package e2e

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// The pages of the specification's examples, as a person reads them.
const (
	specMail = `<title>Inbox (3) - Mail</title><form role=search onsubmit="event.preventDefault(); found.textContent = 'Found ' + q.value"><input id=q type=search aria-label="Search inbox"></form><p id=found></p>
<button onclick="compose.hidden = false">Compose email</button>
<form id=compose hidden onsubmit="event.preventDefault(); document.title = 'Sent'"><label>To <input id=to type=email></label><label>Subject <input id=subject></label><label>Body <textarea id=body></textarea></label><button>Send</button></form>
<ul aria-label=Threads><li><a href="/thread?1">Lunch on Friday</a> Ada<li><a href="/thread?2">Invoice 42</a> Bob<li><a href="/thread?3">Minutes</a> Cy</ul>
<button>Archive selected</button><button>Mark as read</button><button>Delete selected</button>`
	specFlights = `<title>Flights</title><form aria-label="Search flights" action=/results><label>From <input name=from required></label><label>To <input name=to required></label>
<label>Depart date <input name=departDate type=date required></label><label>Return date <input name=returnDate type=date></label><label>Passengers <input name=passengers type=number value=1></label><button>Search flights</button></form>`
	specResults = `<title>Results</title><p id=out></p><ul aria-label=Flights><li><h3>SFO to JFK</h3>$450 <button onclick="out.textContent='took 0'">Select flight</button>
<li><h3>SFO to EWR</h3>$520 <button onclick="out.textContent='took 1'">Select flight</button><li><h3>OAK to JFK</h3>$610 <button onclick="out.textContent='took 2'">Select flight</button></ul>`
	specRepo     = `<title>claude-code</title><h1>claude-code</h1><button onclick="this.textContent='Starred'">Star repo</button><button>Fork repo</button><button>Watch repo</button><a href=/issues>View issues</a>`
	specDeclared = `<title>Tea</title><form toolname=order_tea tooldescription="Order tea" onsubmit="event.preventDefault(); document.title='submitted'"><label>Kind <input name=kind required></label><button>Order</button></form>
<script>document.modelContext?.registerTool({name: 'stock', description: 'What there is', inputSchema: {type: 'object'}, execute: () => ({content: [{type: 'text', text: 'ten boxes'}]})})</script>`
)

// specDynamic is a client that knows the dynamic tools from their specification
// alone, and is told of each change of their list.
type specDynamic struct {
	*lineAgent
	seen int // notifications that led to the list as it was held last
}

// becomes waits until it was told of a change and the tools are core, and then those
// of the page, among which are some. A page that is slow to load may change twice.
func (c *specDynamic) becomes(core []string, page ...string) {
	c.t.Helper()
	limit := time.After(callLimit)
	for was := c.seen; ; {
		if c.told > was {
			if was = c.told; c.differs(core, page) == "" {
				c.seen = c.told
				return
			}
			continue
		}
		select {
		case m := <-c.out:
			if m.Method == "notifications/tools/list_changed" {
				c.told++
			}
		case <-limit:
			c.has(core, page...)
			c.t.Fatalf("no list_changed; the tools are %v", c.list())
		}
	}
}

// has holds what the tools are.
func (c *specDynamic) has(core []string, page ...string) {
	c.t.Helper()
	if not := c.differs(core, page); not != "" {
		c.t.Fatal(not)
	}
	c.seen = c.told
}

// differs says what else the tools are; empty: they are as they should be.
func (c *specDynamic) differs(core, page []string) string {
	c.t.Helper()
	names := c.list()
	if len(names) < len(core) || !slices.Equal(names[:len(core)], core) || len(core) < 4 && len(names) > len(core) {
		return fmt.Sprintf("the tools are %v, want %v", names, core)
	}
	for _, name := range page {
		if !slices.Contains(names, name) {
			return fmt.Sprintf("no %s among %v", name, names)
		}
	}
	return ""
}

// object makes a call and decodes its answer, which must have some fields; a nil
// stands for any value.
func (c *specDynamic) object(tool string, with args, want args) (v map[string]any) {
	c.t.Helper()
	text := c.call(tool, with)
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&v); err != nil {
		c.t.Fatalf("%s %v: %s", tool, with, text)
	}
	for field, value := range want {
		if got, ok := v[field]; !ok || value != nil && fmt.Sprint(got) != fmt.Sprint(value) {
			c.t.Errorf("%s %v: %s is %v, not %v, in %s", tool, with, field, got, value, text)
		}
	}
	return v
}

// opens opens a tab and returns its id.
func (c *specDynamic) opens(url string, focus bool) int {
	c.t.Helper()
	v := c.object("open_tab", args{"url": url, "focus": focus}, args{"tab": nil, "focused": focus, "toolsAvailable": nil})
	tab := v["tab"].(map[string]any)
	if tab["url"] != url || tab["title"] == nil {
		c.t.Errorf("the tab is %v", tab)
	}
	return int(tab["id"].(float64))
}

// parameters are those of a tool, each with its schema.
func (c *specDynamic) parameters(tool string) (p map[string]map[string]any, required []string) {
	c.t.Helper()
	var list struct {
		Tools []struct {
			Name        string
			InputSchema struct {
				Properties map[string]map[string]any
				Required   []string
			}
		}
	}
	c.ask("tools/list", map[string]any{}, &list)
	for _, t := range list.Tools {
		if t.Name == tool {
			return t.InputSchema.Properties, t.InputSchema.Required
		}
	}
	c.t.Fatalf("no %s", tool)
	return nil, nil
}

// takes holds the types of a tool's parameters, and which of them it needs.
func (c *specDynamic) takes(tool string, types map[string]string, required ...string) {
	c.t.Helper()
	p, needs := c.parameters(tool)
	for name, want := range types {
		if got := p[name]["type"]; got != want {
			c.t.Errorf("%s: %s is of type %v, not %s", tool, name, got, want)
		}
	}
	if !slices.Equal(needs, required) {
		c.t.Errorf("%s needs %v, not %v", tool, needs, required)
	}
}

// TestDynamicAsSpecified is a client that knows the dynamic tools from their
// specification alone, over stdio, and a person in their own browser: the states
// and their edges, the answers' fields, the examples' pages, the edge cases.
func TestDynamicAsSpecified(t *testing.T) {
	t.Parallel()
	s := newSite(t, specMail).page("/thread", `<title>Thread</title><h1>Invoice 42</h1><button>Reply</button>`).page("/flights", specFlights).
		page("/results", specResults).page("/repo", specRepo).page("/tea", specDeclared)
	d := newDesk(t)
	d.env = append(d.env, longGrace)
	if out, err := d.command("extension", "--all-sites", "--port", freePort(t)).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	p := &person{t: t, dir: filepath.Join(d.dir, "extension")}
	c := &specDynamic{lineAgent: d.lines("--tools", "dynamic", "--no-sandbox", "--browser-path", d.path)}
	if c.tools["listChanged"] != true {
		t.Errorf("the capabilities are %v", c.tools)
	}
	c.has([]string{"connect_browser"})
	if p, _ := c.parameters("connect_browser"); p["launch"]["type"] != "boolean" || p["launch"]["default"] != false {
		t.Errorf("launch is %v", p["launch"])
	}

	// The browser comes while it is waited for.
	c.next++
	id := c.next
	c.write(map[string]any{"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": map[string]any{"name": "connect_browser", "arguments": args{}, "_meta": args{"progressToken": "wait"}}})
	if m := <-c.out; m.Method != "notifications/progress" {
		t.Fatalf("no progress but %+v", m)
	}
	p.launch(d.path, t.TempDir(), "--enable-features=WebMCP")
	for m := range c.out {
		if m.Method == "notifications/tools/list_changed" {
			c.told++
		} else if m.ID == id {
			var r struct{ Content []struct{ Text string } }
			if json.Unmarshal(m.Result, &r) != nil || !strings.Contains(r.Content[0].Text, `"connected":true,"browser":{"name":"`) || !strings.Contains(r.Content[0].Text, `"version":"`) || !strings.Contains(r.Content[0].Text, `"tabCount":0`) {
				t.Fatalf("connect_browser: %s", m.Result)
			}
			break
		}
	}
	c.becomes(withoutTabs)
	c.object("list_tabs", nil, args{"tabs": "[]", "focusedTabId": "<nil>"})
	c.takes("open_tab", map[string]string{"url": "string", "focus": "boolean"}, "url")

	// Tabs, of which none is focused.
	mail := c.opens(s.URL+"/", false)
	c.becomes(withTabs)
	flights := c.opens(s.URL+"/flights", false)
	c.has(withTabs)
	c.takes("focus_tab", map[string]string{"tabId": "number"}, "tabId")

	// The mail box.
	core := []string{"list_tabs", "open_tab", "focus_tab", "close_tab"}
	v := c.object("focus_tab", args{"tabId": mail}, args{"success": true, "tab": nil, "toolsAvailable": nil})
	if tab := v["tab"].(map[string]any); tab["title"] != "Inbox (3) - Mail" || tab["url"] != s.URL+"/" || int(tab["id"].(float64)) != mail {
		t.Errorf("the tab is %v", tab)
	}
	c.becomes(core, "compose_email", "search_inbox", "open_thread", "archive_selected", "mark_as_read", "delete_selected")
	c.takes("close_tab", map[string]string{"tabId": "number"})
	c.takes("compose_email", map[string]string{"to": "string", "subject": "string", "body": "string"})
	c.takes("search_inbox", map[string]string{"query": "string"}, "query")
	if p, _ := c.parameters("open_thread"); p["index"]["type"] != "integer" && p["index"]["type"] != "number" {
		t.Errorf("index is %v", p["index"])
	}
	c.says("search_inbox", args{"query": "lunch"}, "Found lunch")
	c.says("compose_email", args{"to": "ada@x.test", "subject": "Hi", "body": "Lunch?"}, "Lunch?")
	c.becomes(core, "send")
	c.says("open_thread", args{"index": 1}, "Invoice 42")
	c.becomes(core, "reply")

	// The flights: the tools of the tab before are gone.
	c.object("focus_tab", args{"tabId": flights}, args{"success": true})
	c.becomes(core, "search_flights")
	if slices.Contains(c.list(), "reply") {
		t.Error("the tools of the tab before are there")
	}
	c.takes("search_flights", map[string]string{"from": "string", "to": "string", "depart_date": "string", "return_date": "string"}, "from", "to", "depart_date")
	if p, _ := c.parameters("search_flights"); p["depart_date"]["format"] != "date" || p["passengers"]["default"] != 1.0 {
		t.Errorf("it takes %v", p)
	}
	c.says("search_flights", args{"from": "SFO", "to": "NYC", "depart_date": "2024-01-19"}, "$450")
	c.becomes(core, "select_flight")
	c.says("select_flight", args{"index": 1}, "took 1")
	v = c.object("list_tabs", nil, args{"focusedTabId": flights})
	for _, tab := range v["tabs"].([]any) {
		tab := tab.(map[string]any)
		if count, _ := tab["toolCount"].(float64); tab["focused"] != (int(tab["id"].(float64)) == flights) || count < 1 || tab["title"] == "" || tab["url"] == "" {
			t.Errorf("a tab is %v", tab)
		}
	}

	// What a page declares; a form of it is there once, and the person submits it.
	c.opens(s.URL+"/tea", true)
	c.becomes(core, "order_tea", "stock")
	for _, name := range c.list() {
		if strings.Contains(name, "order") && name != "order_tea" {
			t.Errorf("a second tool for the form: %s", name)
		}
	}
	c.says("stock", nil, "\nten boxes\n")
	c.object("close_tab", nil, args{"closed": true, "tabId": nil})
	c.becomes(withTabs)
	c.object("list_tabs", nil, args{"focusedTabId": "<nil>"})

	// Errors change nothing.
	for tool, with := range map[string]args{"focus_tab": {"tabId": 9999}, "open_tab": {"url": "no address"}} {
		c.object(tool, with, args{"error": nil})
		c.has(withTabs)
	}

	// The person: goes elsewhere, to a page that no extension may see, and closes.
	hand := p.hand()
	c.opens(s.URL+"/repo", true)
	c.becomes(core, "star_repo", "fork_repo", "watch_repo", "view_issues")
	c.says("star_repo", nil, "Starred")
	c.becomes(core, "starred")
	tab := hand.attach(s.URL + "/repo")
	hand.call(tab, "Page.navigate", map[string]any{"url": s.URL + "/thread"}, nil)
	c.becomes(core, "reply")
	hand.call(tab, "Page.navigate", map[string]any{"url": "chrome://version"}, nil)
	c.becomes(core)
	if names := c.list(); slices.Contains(names, "reply") || slices.Contains(names, "read_page") {
		t.Errorf("the tools of what nobody may see are %v", names)
	}
	hand.call(tab, "Page.navigate", map[string]any{"url": s.URL + "/repo"}, nil)
	c.becomes(core, "star_repo")
	c.object("close_tab", nil, args{"closed": true})
	c.becomes(withTabs)
	c.object("focus_tab", args{"tabId": mail}, args{"success": true})
	c.becomes(core, "reply")
	c.object("close_tab", args{"tabId": flights}, args{"closed": true, "tabId": flights})
	c.has(core, "reply")
	var targets struct {
		TargetInfos []struct{ TargetID, URL string }
	}
	hand.call("", "Target.getTargets", nil, &targets)
	for _, target := range targets.TargetInfos {
		if strings.HasPrefix(target.URL, s.URL+"/thread") {
			hand.send("", "Target.closeTarget", map[string]any{"targetId": target.TargetID})
		}
	}
	c.becomes(withoutTabs)

	// The extension is removed: told at once, and no browser is there.
	c.opens(s.URL+"/repo", true)
	c.becomes(core, "star_repo")
	hand.send(hand.extensions(), "Runtime.evaluate", map[string]any{"expression": `chrome.management.setEnabled("` + extension.ID + `", false)`})
	c.becomes([]string{"connect_browser"})
}

// says makes a call of a page's tool, and holds that its answer has a text.
func (c *specDynamic) says(tool string, with args, want string) {
	c.t.Helper()
	if text := c.call(tool, with); !strings.Contains(text, want) {
		c.t.Errorf("%s %v: no %q in %s", tool, with, want, text)
	}
}
