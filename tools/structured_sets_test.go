package tools

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestEverySetIsServedStructured begins a session of each set, also where the
// person asked for structured answers.
func TestEverySetIsServedStructured(t *testing.T) {
	for _, set := range Profiles() {
		client(t, Options{Settings: Settings{Tools: set, Structured: true}})
	}
}

// TestStructuredAnswersFitTheirSchemas is a client that holds each answer against
// the schema that was listed, as clients do that then refuse the answer: also after
// an error, and with a dialog.
func TestStructuredAnswersFitTheirSchemas(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>Shop</title><input id=q aria-label=Query value=tea><input type=checkbox aria-label=New><button onclick="console.error('bad')">Log</button>
<button id=ask onclick="alert('Hm')">Ask</button>`, "/bare": `<button>Only</button>`, "/empty": ""})
	url := browserURL(t)
	type step struct {
		tool   string
		with   args
		failed bool
	}
	for set, steps := range map[string][]step{
		"minimal": {
			{"navigate", args{"url": base}, false}, {"snapshot", nil, false}, {"interact", args{"action": "click", "element": args{"role": "button", "name": "Log"}}, false},
			{"interact", args{"action": "type", "element": args{"css": "#q"}, "text": "x", "snapshot": true}, false}, {"console", nil, false},
			{"interact", args{"action": "click", "element": args{"css": "#none"}}, true}, {"interact", args{"action": "click", "element": args{"css": "#ask"}}, false},
			{"snapshot", nil, true}, {"interact", args{"action": "press", "key": "Enter"}, false}, {"navigate", args{"url": base + "/bare"}, false}, {"snapshot", nil, false},
			{"navigate", args{"url": base + "/empty"}, false}, {"snapshot", nil, false}, {"navigate", args{"url": "http://127.0.0.1:1/"}, true},
		},
		"facade": {
			{"browser_navigate", args{"action": "goto", "url": base}, false}, {"browser_session", args{"action": "list"}, false}, {"browser_extract", args{"action": "get_text"}, false},
			{"browser_extract", args{"action": "get_cookies"}, false}, {"browser_execute", args{"action": "evaluate", "code": "null"}, false}, {"browser_execute", args{"action": "evaluate", "code": "[1]"}, false},
			{"browser_interact", args{"action": "click", "selector": "#none"}, true}, {"browser_storage", args{"action": "list_downloads"}, false},
			{"browser_interact", args{"action": "click", "selector": "#ask"}, false}, {"browser_inspect", args{"action": "get_html"}, true}, {"browser_interact", args{"action": "press", "key": "Enter"}, false},
		},
		"full": {
			{"browser_navigate", args{"url": base}, false}, {"browser_click", args{"selector": "#none"}, true}, {"browser_evaluate", args{"script": "[1]"}, false}, {"browser_tab_list", nil, false},
			{"browser_click", args{"selector": "#ask"}, false}, {"browser_snapshot", nil, true}, {"browser_dialog", args{"action": "accept"}, false}, {"browser_console", nil, false},
		},
	} {
		c := client(t, Options{Settings: Settings{Tools: set, Structured: true}, Connect: func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium"}, nil }})
		list, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		schemas := map[string]*jsonschema.Resolved{}
		for _, tool := range list.Tools {
			var s jsonschema.Schema
			text, _ := json.Marshal(tool.OutputSchema)
			if err := json.Unmarshal(text, &s); err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			if schemas[tool.Name], err = s.Resolve(nil); err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
		}
		for _, step := range steps {
			r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: step.tool, Arguments: step.with})
			if err != nil {
				t.Fatalf("%s %v: %v", step.tool, step.with, err)
			}
			if r.IsError != step.failed {
				t.Errorf("%s %v: %s", step.tool, step.with, r.Content[0].(*mcp.TextContent).Text)
			}
			if r.StructuredContent == nil {
				t.Errorf("%s %v: no structured content", step.tool, step.with)
			} else if err := schemas[step.tool].Validate(r.StructuredContent); err != nil {
				t.Errorf("%s %v: %v in %v", step.tool, step.with, err, r.StructuredContent)
			}
		}
	}
}
