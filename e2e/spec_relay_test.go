package e2e

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// specTools are those that the specification names.
var specTools = strings.Fields(`connect disconnect tab_open tab_list tab_focus tab_close navigate back forward reload
	click type select drag snapshot screenshot content evaluate wait cookies storage`)

// TestToolsAsSpecified is an agent that knows the tools from the specification of
// server, relay and extension alone: schemas, the envelope, errors with the page
// around them; and a CDP client that knows what the relay answers itself.
func TestToolsAsSpecified(t *testing.T) {
	t.Parallel()
	server := own(t, "--structured")
	session := server.connect(t)
	list, err := session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	schemas := map[string]map[string]any{}
	for _, tool := range list.Tools {
		schemas[tool.Name], _ = tool.OutputSchema.(map[string]any)
	}
	for _, name := range specTools {
		s := schemas["browser_"+name]
		properties, _ := s["properties"].(map[string]any)
		for _, member := range []string{"snapshot", "modalStates", "consoleSummary"} {
			if properties[member] == nil {
				t.Errorf("browser_%s: no %s in its output schema %v", name, member, s)
			}
		}
		if s["required"] != nil { // an error has none of them
			t.Errorf("browser_%s: its answers always have %v", name, s["required"])
		}
	}
	call := func(fails bool, tool string, with args, members ...string) map[string]any {
		t.Helper()
		r, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_" + tool, Arguments: with})
		if err != nil {
			t.Fatalf("%s: %v", tool, err)
		}
		v, _ := r.StructuredContent.(map[string]any)
		if r.IsError != fails || (v["error"] != nil) != fails {
			t.Fatalf("%s %v: %v", tool, with, v)
		}
		for _, member := range members {
			if v[member] == nil {
				t.Errorf("%s %v: no %s in %v", tool, with, member, v)
			}
		}
		return v
	}
	s := newSite(t, `<title>Start</title><h1>Hello</h1><button onclick="this.textContent='Gone on'">Go</button><button onclick="this.remove()">Leave</button>
<button onclick="alert('Stop')">Alert</button><button onclick="console.error('bad')">Log</button><a href=/second>Second</a>`).page("/second", `<title>Second</title><h1>World</h1>`)

	call(true, "click", args{"selector": "button"}, "error", "hint") // NotConnected
	v := call(false, "connect", nil, "browser", "pages")
	if _, ok := v["pages"].([]any); !ok {
		t.Errorf("connect: %v", v)
	}
	call(true, "connect", nil, "error", "hint") // AlreadyConnected
	v = call(false, "navigate", args{"url": s.URL}, "snapshot", "url")
	if v["url"] != s.URL+"/" || !strings.Contains(v["snapshot"].(string), `"Hello"`) {
		t.Errorf("navigate: %v", v)
	}
	v = call(false, "click", args{"selector": "text=Go", "snapshot": "full"}, "ref", "snapshot")
	if v["clicked"] != true || !strings.Contains(v["snapshot"].(string), `"Gone on"`) {
		t.Errorf("click: %v", v)
	}
	gone := call(false, "click", args{"selector": "text=Leave"}, "ref")["ref"]
	v = call(true, "click", args{"ref": gone, "snapshot": "full"}, "error", "hint", "snapshot")
	if v["kind"] != "StaleRef" {
		t.Errorf("a stale ref: %v", v)
	}
	if v = call(true, "click", args{"selector": "button", "pageId": "t99"}, "error", "hint"); v["kind"] != "PageNotFound" {
		t.Errorf("no such page: %v", v)
	}
	v = call(false, "click", args{"selector": "text=Log"}, "consoleSummary")
	if n := v["consoleSummary"].(map[string]any)["errors"]; n != 1.0 {
		t.Errorf("the console: %v", v)
	}
	call(false, "click", args{"selector": "text=Alert"}, "modalStates")
	call(true, "click", args{"selector": "text=Log"}, "error", "hint", "modalStates")
	call(false, "dialog", args{"action": "accept"})
	call(false, "click", args{"selector": "text=Second", "snapshot": "full"}, "url", "snapshot")
	call(false, "back", nil, "url")
	call(false, "tab_open", args{"url": s.URL + "/second"})
	call(false, "tab_list", nil, "pages")

	// The relay, to a CDP client.
	c := server.cdp(t)
	version := struct{ Product, UserAgent string }{}
	c.call("", "Browser.getVersion", nil, &version)
	if !strings.HasPrefix(version.Product, "Chrome/") || version.UserAgent == "" {
		t.Errorf("the version is %+v", version)
	}
	c.call("", "Browser.setDownloadBehavior", args{"behavior": "default"}, nil)
	context := struct{ BrowserContextID string }{}
	if c.call("", "Target.createBrowserContext", nil, &context); context.BrowserContextID == "" {
		t.Error("a context has no id")
	}
	c.call("", "Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, nil)
	target := struct{ TargetID string }{}
	id, child := c.send("", "Target.createTarget", args{"url": s.URL, "browserContextId": context.BrowserContextID}), map[string]string{}
	answer := c.until(func(m message) bool { // it is told of before the answer
		var e struct {
			SessionID  string
			TargetInfo struct{ TargetID string }
		}
		if m.Method == "Target.attachedToTarget" && json.Unmarshal(m.Params, &e) == nil {
			child[e.TargetInfo.TargetID] = e.SessionID
		}
		return m.ID == id
	})
	if err := json.Unmarshal(answer.Result, &target); err != nil || child[target.TargetID] == "" {
		t.Fatalf("the new tab %s is not among %v", answer.Result, child)
	}
	at := child[target.TargetID]
	c.call(at, "Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true}, nil)
	info := struct {
		TargetInfo struct{ TargetID, Type, URL string }
	}{}
	c.call("", "Target.getTargetInfo", args{"targetId": target.TargetID}, &info)
	if info.TargetInfo.TargetID != target.TargetID || info.TargetInfo.Type != "page" {
		t.Errorf("the target is %+v", info)
	}
	value := struct{ Result struct{ Value float64 } }{}
	if c.call(at, "Runtime.evaluate", args{"expression": "1+1"}, &value); value.Result.Value != 2 {
		t.Errorf("1+1 is %v", value)
	}
	var document struct{ Root struct{ NodeName string } }
	if c.call(at, "DOM.getDocument", nil, &document); document.Root.NodeName != "#document" {
		t.Errorf("the document is %+v", document)
	}
	c.send("", "Target.closeTarget", args{"targetId": target.TargetID})
	c.until(func(m message) bool {
		return m.Method == "Target.detachedFromTarget" && strings.Contains(string(m.Params), at)
	})
	c.call("", "Target.disposeBrowserContext", args{"browserContextId": context.BrowserContextID}, nil)
	call(false, "disconnect", nil)
	call(true, "click", args{"selector": "button"}, "error", "hint")
}
