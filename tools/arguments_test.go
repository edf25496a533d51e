package tools

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// nowhere is where no browser is to be had.
func nowhere(context.Context, Want) (Endpoint, error) {
	return Endpoint{}, &Error{Kind: ErrNotConnected, Text: "there is none"}
}

func TestB61Arguments(t *testing.T) {
	s := newSession(Options{Connect: nowhere})
	for _, c := range []struct {
		tool, args string
		want       string // in the error; empty where the arguments are good
	}{
		{"browser_navigate", ``, `argument "url" is missing: it must be a string`},
		{"browser_navigate", `null`, `argument "url" is missing`},
		{"browser_navigate", `{"url":null}`, `argument "url" is missing`},
		{"browser_navigate", `{"url":7}`, `argument "url" must be a string (a missing scheme is added), not the number 7`},
		{"browser_navigate", `{"url":"x","urk":"y"}`, `unknown argument "urk": expected: url, waitUntil?, snapshot?, pageId?, timeoutMs?`},
		{"browser_navigate", `{"url":"x","waitUntil":"idle"}`, `argument "waitUntil" must be one of commit, domcontentloaded, load, networkidle, not "idle"`},
		{"browser_navigate", `[1]`, `the arguments must be an object, not an array`},
		{"browser_navigate", `{"url":"x","timeoutMs":0}`, `argument "timeoutMs" must be 1 or more, not 0`},
		{"browser_navigate", `{"url":"x","timeoutMs":1.5}`, `argument "timeoutMs" must be a whole number, not the number 1.5`},
		{"browser_navigate", `{"url":"x","snapshot":null}`, ``},
		{"browser_click", `{}`, `the element is missing: give ref`},
		{"browser_click", `{"ref":"e1","selector":"b"}`, `ref and selector are both given`},
		{"browser_click", `{"ref":"e1","count":"2"}`, `argument "count" must be a whole number, not a string`},
		{"browser_click", `{"ref":"e1","modifiers":"Shift"}`, `argument "modifiers" must be an array of Alt, Control, Meta, Shift, not a string`},
		{"browser_click", `{"ref":"e1","modifiers":["Shift","Ctrl"]}`, `argument "modifiers[1]" must be one of Alt, Control, Meta, Shift, not "Ctrl"`},
		{"browser_click", `{"ref":"e1","button":"right","count":2,"modifiers":["Shift"]}`, ``},
		{"browser_type", `{"ref":"e1"}`, `argument "text" is missing`},
		{"browser_type", `{"ref":"e1","text":""}`, ``},
		{"browser_type", `{"ref":"e1","text":"a","clear":"yes"}`, `argument "clear" must be true or false (replace what is there), not a string`},
		{"browser_select", `{"ref":"e1","values":[]}`, `argument "values" is empty`},
		{"browser_select", `{"ref":"e1","values":["a",1]}`, `argument "values[1]" must be a string, not the number 1`},
		{"browser_scroll", `{}`, ``},
		{"browser_scroll", `{"to":"element"}`, `the element is missing`},
		{"browser_wait", `{}`, `nothing to wait for`},
		{"browser_wait", `{"timeMs":500,"timeoutMs":400}`, `could never succeed`},
		{"browser_tab_list", ``, ``},
		{"browser_tab_list", `{"all":true}`, `unknown argument "all": there are no arguments`},
		{"browser_dialog", `{"action":"ok"}`, `argument "action" must be one of accept, dismiss, not "ok"`},
	} {
		answer := s.Call(context.Background(), c.tool, json.RawMessage(c.args))
		text := answer.Text()
		if c.want == "" {
			if answer.Error == nil || answer.Error.Kind != "NotConnected" {
				t.Errorf("%s %s: not taken: %s", c.tool, c.args, text)
			}
		} else if !strings.HasPrefix(text, "error: ") || !strings.Contains(text, c.want) || answer.Error.Kind != "InvalidArgument" {
			t.Errorf("%s %s: want %q, got %q", c.tool, c.args, c.want, text)
		}
	}
}

// wrongFor are values that a type does not take.
var wrongFor = map[string][]string{
	"string": {`7`, `{}`, `[]`, `true`}, "boolean": {`"yes"`, `1`}, "integer": {`"2"`, `1.5`, `1e99`, `{}`}, "number": {`"2"`, `[]`},
	"array": {`"x"`, `{}`, `7`}, "object": {`"x"`, `[1]`, `7`},
}

// rightFor is a value that an argument takes.
func rightFor(s *schema.Schema) string {
	if s.Enum != nil {
		return strconv.Quote(s.Enum[0].(string))
	}
	switch s.Type {
	case "boolean":
		return "true"
	case "integer", "number":
		return "1"
	case "array":
		if s.Items.Property("tool") != nil {
			return `[{"tool":"browser_fly"}]`
		}
		if s.Items.Type == "object" {
			return `[{"ref":"e1","value":"x"}]`
		}
		return "[" + rightFor(s.Items) + "]"
	case "object":
		return `{"a":"b"}`
	}
	return `"x"`
}

// TestB61EveryTool holds for each argument of each tool that a wrong value is an
// error which names it, and says what it takes, in few bytes.
func TestB61EveryTool(t *testing.T) {
	s := newSession(Options{Connect: nowhere})
	long := `"` + strings.Repeat("x", 10_000) + `"`
	for _, tool := range all() {
		takes := tool.takes()
		// with are arguments of which one has a value, and the others what they need.
		with := func(name, value string) string {
			list := []string{strconv.Quote(name) + ":" + value}
			for _, p := range takes.Properties {
				if takes.Requires(p.Name) && p.Name != name {
					list = append(list, strconv.Quote(p.Name)+":"+rightFor(p.Schema))
				}
			}
			return "{" + strings.Join(list, ",") + "}"
		}
		refused := func(arguments, want string) {
			t.Helper()
			answer := s.Call(t.Context(), tool.name, json.RawMessage(arguments))
			text := answer.Text()
			if answer.Error == nil || answer.Error.Kind != "InvalidArgument" || !strings.Contains(text, want) || len(text) > 600 {
				t.Errorf("%s %.100s: want %s, got %.700s", tool.name, arguments, want, text)
			}
		}
		refused(`{"urk":1}`, `"urk"`)
		refused(`"text"`, `an object`)
		refused(`{"a":`, `JSON`)
		for _, p := range takes.Properties {
			name := `"` + p.Name
			for _, wrong := range wrongFor[p.Type] {
				refused(with(p.Name, wrong), name)
			}
			if p.Items != nil && p.Items.Enum != nil {
				refused(with(p.Name, `[`+long+`]`), p.Items.Enum[0].(string))
			} else if p.Enum != nil {
				refused(with(p.Name, long), p.Enum[0].(string))
			}
			if takes.Requires(p.Name) {
				refused(`{}`, `is missing`)
			}
		}
	}
}

// Over the protocol, too, bad arguments are an answer that the agent can read;
// only a tool that does not exist is an error of the protocol.
func TestB61OverTheProtocol(t *testing.T) {
	c := client(t, Options{})
	r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_click", Arguments: map[string]any{"ref": 5}})
	if err != nil {
		t.Fatal(err)
	}
	text, _ := r.Content[0].(*mcp.TextContent)
	if !r.IsError || text == nil || !strings.Contains(text.Text, `argument "ref" must be a string`) {
		t.Errorf("got %+v", r)
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_fly"}); err == nil || !strings.Contains(err.Error(), "browser_fly") {
		t.Errorf("an unknown tool: %v", err)
	}
}
