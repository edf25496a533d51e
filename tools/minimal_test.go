package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"
)

// loginPage is the page of the example in the four tools' specification.
const loginPage = `<title>Login - Example App</title><h1>Welcome back</h1>
<input aria-label="Email" id=mail><script>mail.focus()</script><input type=password aria-label="Password">
<label><input type=checkbox id=keep>Remember me</label><button onclick="document.title='in'">Sign in</button>`

// fourTools calls the minimal set as a client would.
type fourTools struct {
	t *testing.T
	s *Session
}

func newFourTools(t *testing.T) *fourTools {
	url := browserURL(t)
	_, s := NewServer(Options{Settings: Settings{Tools: "minimal"}, Connect: func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium"}, nil }})
	t.Cleanup(func() { _ = s.Close() })
	return &fourTools{t, s}
}

// call returns the text of an answer, and what the reference decoder makes of it.
func (f *fourTools) call(name, arguments string) (text string, decoded map[string]any, failed bool) {
	f.t.Helper()
	r := f.s.profile.encode(f.s.profile.byName[name], f.s.Call(f.t.Context(), name, json.RawMessage(arguments)), false)
	text = r.Content[0].(*mcp.TextContent).Text
	return text, toonDecode(f.t, text), r.IsError
}

// toonDecode decodes with @toon-format/toon.
func toonDecode(t *testing.T, text string) map[string]any {
	t.Helper()
	return toonDecodeAll(t, []string{text})[0]
}

// toonDecodeAll decodes several texts at once.
func toonDecodeAll(t *testing.T, texts []string) (decoded []map[string]any) {
	t.Helper()
	if _, err := os.Stat("../node_modules/@toon-format/toon"); err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal("no @toon-format/toon: run npm ci")
		}
		t.Skip("no @toon-format/toon: run npm ci")
	}
	in, err := json.Marshal(texts)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("node", "--input-type=module", "-e", `import {decode} from "@toon-format/toon"; import {readFileSync} from "node:fs";
		console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((text) => decode(text))))`)
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("decode: %v of\n%s", err, strings.Join(texts, "\n\n"))
	}
	if err := json.Unmarshal(out, &decoded); err != nil {
		t.Fatal(err)
	}
	return decoded
}

func TestMinimal(t *testing.T) {
	base := site(t, map[string]string{"/": loginPage, "/twins": `<button>Same</button><button>Same</button><button disabled>Off</button>`})
	f := newFourTools(t)

	_, v, _ := f.call("navigate", `{"url": "`+base+`/"}`)
	if v["url"] != base+"/" || v["title"] != "Login - Example App" {
		t.Fatalf("navigate: %v", v)
	}
	text, v, _ := f.call("snapshot", `{}`)
	elements, _ := v["elements"].([]any)
	if len(elements) != 5 {
		t.Fatalf("snapshot lists %d elements:\n%s", len(elements), text)
	}
	row := func(name string) map[string]any {
		for _, e := range elements {
			if e := e.(map[string]any); e["name"] == name {
				return e
			}
		}
		t.Fatalf("no element %q in:\n%s", name, text)
		return nil
	}
	for name, want := range map[string][2]string{
		"Welcome back": {"heading", ""}, "Email": {"textbox", "focused"}, "Password": {"textbox", ""},
		"Remember me": {"checkbox", "unchecked"}, "Sign in": {"button", ""},
	} {
		if e := row(name); e["role"] != want[0] || e["states"] != want[1] {
			t.Errorf("%s: %v", name, e)
		}
	}

	if text, v, _ := f.call("interact", `{"action": "click", "element": {"ref": "`+row("Remember me")["ref"].(string)+`"}}`); text != "success: true\nchanged[1]{ref,role,name,states}:\n  e4,checkbox,Remember me,focused checked" || v["success"] != true {
		t.Errorf("interact: %s", text)
	}
	text, v, _ = f.call("interact", `{"action": "type", "element": {"css": "#mail"}, "text": "ada@example.org", "snapshot": true}`)
	if !strings.Contains(text, "checkbox,Remember me,checked") || v["success"] != true || v["title"] == nil {
		t.Errorf("interact with a snapshot:\n%s", text)
	}
	if text, v, _ = f.call("interact", `{"action": "click", "element": {"role": "button", "name": "Sign in"}, "snapshot": true}`); v["title"] != "in" {
		t.Errorf("interact by role and name:\n%s", text)
	}
	if text, _, failed := f.call("interact", `{"action": "type", "element": {"css": "#mail"}, "text": "", "snapshot": true}`); failed || strings.Contains(text, "ada@example.org") {
		t.Errorf("an empty text:\n%s", text)
	}
	if text, _, failed := f.call("interact", `{"action": "press", "key": "Tab"}`); failed {
		t.Errorf("press: %s", text)
	}

	f.call("navigate", `{"url": "`+base+`/twins"}`)
	for arguments, code := range map[string]string{
		`{"action": "click", "element": {"css": ".missing"}}`:                "ELEMENT_NOT_FOUND",
		`{"action": "click", "element": {"ref": "e999"}}`:                    "ELEMENT_NOT_FOUND",
		`{"action": "click", "element": {"role": "button", "name": "Same"}}`: "ELEMENT_AMBIGUOUS",
		`{"action": "click", "element": {"role": "button", "name": "Off"}}`:  "TIMEOUT",
		`{"action": "click", "element": {"ref": "e999", "css": "button"}}`:   "ELEMENT_AMBIGUOUS",
	} {
		text, v, failed := f.call("interact", arguments)
		if e, _ := v["error"].(map[string]any); !failed || e["code"] != code || e["message"] == "" {
			t.Errorf("%s: want %s, got:\n%s", arguments, code, text)
		}
	}
	if text, v, failed := f.call("navigate", `{"url": "http://127.0.0.1:1/"}`); !failed || !strings.Contains(text, "NAVIGATION_FAILED") || v["error"] == nil {
		t.Errorf("navigate: %s", text)
	}
}

// TestMinimalStates holds the states, and that what is written on a page can be
// read.
func TestMinimalStates(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>States</title><input id=mail aria-label=Mail><script>mail.focus()</script><input type=checkbox checked aria-label=On><input type=radio aria-label=Off>
<div role=checkbox tabindex=0 aria-checked=mixed aria-label=Some></div><button aria-pressed=true>Bold</button><button disabled>Not</button><button aria-expanded=true>Open</button><details><summary>Shut</summary>inner</details>
<button role=switch aria-checked=true disabled>Both</button><p>Some <b>words</b> and <a href=#>a link</a>.</p>
<table><tr><th>Name<th>Price<tr><td>Tea<td>3</table><div role=status>Saved, too</div><label>Colour <select><option>red</select></label>`})
	f := newFourTools(t)
	f.call("navigate", `{"url": "`+base+`/"}`)
	text, v, _ := f.call("snapshot", `{}`)
	got := map[string]string{}
	for _, e := range v["elements"].([]any) {
		e := e.(map[string]any)
		got[e["role"].(string)+" "+e["name"].(string)] = e["states"].(string)
	}
	for element, states := range map[string]string{
		"textbox Mail": "focused", "checkbox On": "checked", "radio Off": "unchecked", "checkbox Some": "mixed", "button Bold": "pressed", "button Not": "disabled", "button Open": "expanded",
		"button Shut": "collapsed", "switch Both": "checked disabled", "text Some words and": "", "link a link": "", "row Name | Price": "",
		"row Tea | 3": "", "status Saved, too": "", "combobox Colour": "",
	} {
		if s, ok := got[element]; !ok || s != states {
			t.Errorf("%s is %q:\n%s", element, s, text)
		}
	}
}

func TestMinimalWithoutABrowser(t *testing.T) {
	_, s := NewServer(Options{Settings: Settings{Tools: "minimal"}, Connect: func(context.Context, Want) (Endpoint, error) {
		return Endpoint{}, &Error{Kind: ErrBrowserNotAvailable, Text: "no browser runs", Hint: "start one"}
	}})
	f := &fourTools{t, s}
	for name, arguments := range map[string]string{"snapshot": `{}`, "console": `{}`, "navigate": `{"url": "http://127.0.0.1/"}`, "interact": `{"action": "press", "key": "a"}`} {
		_, v, failed := f.call(name, arguments)
		if e, _ := v["error"].(map[string]any); !failed || e["code"] != "NO_TAB" || e["message"] != "no browser runs; start one" {
			t.Errorf("%s: %v", name, v)
		}
	}
}

// TestMinimalDialog holds that a dialog is told and can be answered.
func TestMinimalDialog(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>ask</title><button id=c onclick="document.title = confirm('Sure?')">Ask</button>
<button id=p onclick="document.title = prompt('Name?', 'Ada')">Prompt</button><a href=/ target=_blank>New</a>`})
	f := newFourTools(t)
	f.call("navigate", `{"url": "`+base+`/"}`)
	ok := func(arguments, want string) {
		t.Helper()
		if text, v, failed := f.call("interact", arguments); failed || v["success"] != true || !strings.Contains(text, want) {
			t.Errorf("%s: no %q in\n%s", arguments, want, text)
		}
	}
	ok(`{"action": "click", "element": {"css": "#c"}, "snapshot": true}`, "message: Sure?")
	for name, arguments := range map[string]string{"snapshot": `{}`, "interact": `{"action": "click", "element": {"css": "#p"}}`, "navigate": `{"url": "` + base + `/"}`} {
		text, v, _ := f.call(name, arguments)
		if e, _ := v["error"].(map[string]any); e["code"] != "DIALOG_OPEN" || v["dialog"] == nil || !strings.Contains(text, "interact press with key Enter accepts it") {
			t.Errorf("%s: %s", name, text)
		}
	}
	ok(`{"action": "press", "key": "Escape", "snapshot": true}`, `title: "false"`)
	ok(`{"action": "click", "element": {"css": "#p"}}`, "default: Ada")
	ok(`{"action": "press", "key": "Enter", "text": "Grace", "snapshot": true}`, "title: Grace")
	// The reference decoder reads what there is to tell besides.
	ok(`{"action": "click", "element": {"role": "link", "name": "New"}}`, "tabs_opened[1]: ")
}

func TestMinimalConsole(t *testing.T) {
	base := site(t, map[string]string{"/": `<script>console.warn("careful, you"); console.error("wrong")</script>`})
	f := newFourTools(t)
	f.call("navigate", `{"url": "`+base+`/"}`)
	text, v, _ := f.call("console", `{}`)
	logs, _ := v["logs"].([]any)
	if len(logs) != 2 || logs[0].(map[string]any)["level"] != "warn" || logs[0].(map[string]any)["text"] != "careful, you" || logs[1].(map[string]any)["level"] != "error" {
		t.Errorf("console:\n%s", text)
	}
}

// TestMinimalTokens holds the answer to the specification's example to the
// tokens of the answer that it shows.
func TestMinimalTokens(t *testing.T) {
	const shown = "url: https://example.com/login\ntitle: Login - Example App\nelements[5]{ref,role,name,states}:\n  e1,heading,Welcome back,\n  e2,textbox,Email,focused\n  e3,textbox,Password,\n  e4,checkbox,Remember me,unchecked\n  e5,button,Sign in,\n"
	ours, err := minimalEncoder.Encode(pageElements{
		URL: "https://example.com/login", Title: "Login - Example App",
		Elements: pageTable{{Ref: "e1", Role: "heading", Name: "Welcome back"}, {Ref: "e2", Role: "textbox", Name: "Email", States: "focused"}, {Ref: "e3", Role: "textbox", Name: "Password"},
			{Ref: "e4", Role: "checkbox", Name: "Remember me", States: "unchecked"}, {Ref: "e5", Role: "button", Name: "Sign in"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	count := func(s string) int { ids, _, _ := codec.Encode(s); return len(ids) }
	t.Logf("%d tokens, %d in the example", count(ours), count(shown))
	if count(ours) > count(shown) {
		t.Errorf("%d tokens, more than the example's %d:\n%s", count(ours), count(shown), ours)
	}
}

// TestMinimalWrongArguments holds that what is wrong with a call is an error of
// the protocol, and no element's.
func TestMinimalWrongArguments(t *testing.T) {
	c := client(t, Options{Settings: Settings{Tools: "minimal"}, Connect: func(context.Context, Want) (Endpoint, error) { return Endpoint{}, ErrBrowserNotAvailable }})
	for _, call := range []struct {
		tool string
		with args
		says string
	}{
		{"interact", args{"action": "click"}, "element is missing"},
		{"interact", args{"action": "fly", "element": args{"css": "button"}}, "click, type, hover, select, press"},
		{"interact", args{"action": "click", "element": args{"css": "button", "name": "Off"}}, "role"},
		{"interact", args{"action": "type", "element": args{"css": "button"}, "unknown": "x"}, "unknown"},
		{"interact", args{"action": "select", "element": args{"css": "select"}}, "value"},
		{"interact", args{"action": "select", "element": args{"css": "select"}, "value": "a", "values": []string{"b"}}, "either"},
		{"navigate", args{}, "url"},
	} {
		_, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: call.tool, Arguments: call.with})
		wire, ok := errors.AsType[*jsonrpc.Error](err)
		if !ok || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(wire.Message, call.says) {
			t.Errorf("%s %v: %v", call.tool, call.with, err)
		}
	}
}

// TestB100DecodedWithoutOptions holds that the format's own decoder reads answers
// and errors without options, on a page with all that has to be quoted.
func TestB100DecodedWithoutOptions(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>a: "b", c</title><button>x: y</button><button>, </button><button>-1</button><button>true</button><button>#e</button>
<label>Tags <select multiple id=tags><option selected>red, dark<option>green<option selected>blue</select></label><input aria-label=Name value="a,b: c">
<button onclick="console.error('two\nlines: yes')">Log</button><img src=x><p>1.5e3</p><p>[x]</p><p>back\slash</p>`, "/empty": ""})
	f := newFourTools(t)
	_, v, _ := f.call("navigate", `{"url": "`+base+`/?q=a:b,c&d[]={1}#x"}`)
	if v["url"] != base+"/?q=a:b,c&d[]={1}#x" || v["title"] != `a: "b", c` {
		t.Errorf("navigate: %v", v)
	}
	text, v, _ := f.call("snapshot", `{}`)
	names, values, states := map[string]bool{}, map[string]string{}, map[string]string{}
	for _, e := range v["elements"].([]any) {
		e := e.(map[string]any)
		name, _ := e["name"].(string)
		names[name] = true
		values[name], _ = e["value"].(string)
		states[name], _ = e["states"].(string)
		if e["role"] == "image" {
			t.Errorf("a picture that says nothing is listed:\n%s", text)
		}
	}
	for _, name := range []string{"x: y", "-1", "true", "#e", "1.5e3", "[x]", `back\slash`} {
		if !names[name] {
			t.Errorf("no %q in\n%s", name, text)
		}
	}
	if values["Name"] != "a,b: c" || states["red, dark"] != "selected" || states["green"] != "" || states["blue"] != "selected" {
		t.Errorf("values are %v:\n%s", values, text)
	}
	if text, _, failed := f.call("interact", `{"action": "select", "element": {"css": "#tags"}, "values": ["green", "blue"], "snapshot": true}`); failed || !strings.Contains(text, "option,green,selected,") || strings.Contains(text, `dark",selected`) {
		t.Errorf("several choices:\n%s", text)
	}
	f.call("interact", `{"action": "click", "element": {"role": "button", "name": "Log"}}`)
	if _, v, _ := f.call("console", `{}`); len(v["logs"].([]any)) == 0 {
		t.Error("the console is empty")
	}
	if _, v, _ := f.call("navigate", `{"url": "`+base+`/empty"}`); v["url"] == nil || v["title"] != "" {
		t.Errorf("an empty page: %v", v)
	}
	_, v, _ = f.call("snapshot", `{}`)
	if elements, ok := v["elements"].([]any); !ok || len(elements) != 0 || v["title"] != "" {
		t.Errorf("an empty page: %v", v)
	}
	for _, with := range []string{`{"action": "click", "element": {"css": "a["}}`, `{"action": "click", "element": {"ref": "none"}}`, `{"action": "press", "key": "Nokey+x"}`} {
		if a := f.s.Call(t.Context(), "interact", json.RawMessage(with)); !a.wrong {
			t.Errorf("%s is told as an error of an element: %+v", with, a.Error)
		}
	}
	if _, v, _ := f.call("navigate", `{"url": "back"}`); v["url"] != base+"/?q=a:b,c&d[]={1}#x" {
		t.Errorf("back: %v", v)
	}
	text, v, failed := f.call("interact", `{"action": "click", "element": {"css": "#none"}}`)
	if e, _ := v["error"].(map[string]any); !failed || e["code"] != "ELEMENT_NOT_FOUND" || strings.Contains(text, "timeoutMs") {
		t.Errorf("an error:\n%s", text)
	}
}

// TestMinimalTextIsItsValue holds that the format's own decoder makes of each text,
// without options, the very value that stands beside it as structured content.
func TestMinimalTextIsItsValue(t *testing.T) {
	words := []string{"a, b: \"c\"", "- d", "-", "--", "-0", "007", "1e5", "-1.50", "0x1F", "true", "False", "null", "[3]: x", "[2]{a,b}:", "{x}", "#h", "|", "\\", "\\n", "a\tb", "é😀", "\u00a0x", "\u0007bell",
		"elements[1]{ref,role}:", "e1,button,x", "url: y", `""`, "'", "0", "", "x:", ":x", "NaN", "12345678901234567890", "<b>", "a  b", "\r\nlast"}
	list, err := json.Marshal(words)
	if err != nil {
		t.Fatal(err)
	}
	base := site(t, map[string]string{"/": `<title></title><input id=f><script>const words = ` + strings.ReplaceAll(string(list), "<", `\u003c`) + `; document.title = words.join(' ');
for (const w of words) { const b = document.createElement('button'); b.textContent = w || '?'; b.ariaLabel = w; document.body.append(b); const p = document.createElement('p'); p.textContent = w; document.body.append(p) }
function log() { for (const w of words) console.log(w); console.error(words) }</script><button id=log onclick="log()">Log</button><button id=ask onclick="prompt(words.join('\n'), words[0])">Ask</button>`})
	f := newFourTools(t)
	var texts []string
	var values []map[string]any
	for _, call := range [][2]string{
		{"navigate", `{"url": "` + base + `/?q=a:b,c&d[]={1}'#- x"}`}, {"snapshot", `{}`}, {"interact", `{"action": "click", "element": {"css": "#log"}, "snapshot": true}`}, {"console", `{}`},
		{"interact", `{"action": "type", "element": {"css": "#f"}, "text": "- \"1\", 2: \\", "snapshot": true}`}, {"interact", `{"action": "click", "element": {"css": "button"}}`},
		{"interact", `{"action": "click", "element": {"role": "button", "name": "- \"1\", 2: \\"}}`}, {"interact", `{"action": "click", "element": {"css": "#ask"}}`}, {"snapshot", `{}`}, {"interact", `{"action": "press", "key": "Escape"}`},
		{"navigate", `{"url": "http://nowhere.invalid/a:b,c"}`},
	} {
		r := f.s.profile.encode(f.s.profile.byName[call[0]], f.s.Call(t.Context(), call[0], json.RawMessage(call[1])), true)
		var value map[string]any
		if data, err := json.Marshal(r.StructuredContent); err != nil || json.Unmarshal(data, &value) != nil {
			t.Fatalf("%s: %v", call, err)
		}
		texts, values = append(texts, r.Content[0].(*mcp.TextContent).Text), append(values, value)
	}
	for i, decoded := range toonDecodeAll(t, texts) {
		if diff := cmp.Diff(values[i], decoded); diff != "" {
			t.Errorf("decoded otherwise: %s\n%s", diff, texts[i])
		}
	}
}

func TestMinimalListIsSmall(t *testing.T) {
	var list []*mcp.Tool
	for i := range minimal {
		list = append(list, minimal[i].declaration(false))
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("tools/list: %d bytes", len(text))
	if len(text) > 1200 {
		t.Errorf("tools/list has %d bytes:\n%s", len(text), text)
	}
}
