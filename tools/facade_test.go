package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// nineTools calls the facade as a client would.
type nineTools struct {
	t *testing.T
	s *Session
	p *profile
}

func newNineTools(t *testing.T, o Options) *nineTools {
	t.Helper()
	url := browserURL(t)
	o.Tools = "facade"
	o.Connect = func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium"}, nil }
	_, s := NewServer(o)
	t.Cleanup(func() {
		s.CloseTabs(context.Background())
		_ = s.Close()
	})
	f := &nineTools{t, s, s.profile}
	// A tab of its own, also where others were left open.
	b, err := s.connection(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := s.open(t.Context(), b, false, ""); err != nil {
		t.Fatal(err)
	}
	return f
}

// reply is an answer of the facade as a client reads it.
type reply struct {
	t    *testing.T
	text string
	m    map[string]any
}

func (f *nineTools) call(name string, g args) reply {
	f.t.Helper()
	raw, err := json.Marshal(g)
	if err != nil {
		f.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(f.t.Context(), time.Minute)
	defer cancel()
	begin := time.Now()
	r := f.p.encode(f.p.byName[name], f.s.Call(ctx, name, raw), false)
	v := reply{t: f.t, text: r.Content[0].(*mcp.TextContent).Text}
	f.t.Logf("%s %s (%s)\n%.2000s", name, raw, time.Since(begin).Round(time.Millisecond), v.text)
	if err := json.Unmarshal([]byte(v.text), &v.m); err != nil {
		f.t.Fatalf("%s answers no JSON object: %v\n%s", name, err, v.text)
	}
	if v.m["success"] != !r.IsError || (v.m["error"] == nil) == r.IsError {
		f.t.Errorf("success, error and isError disagree: %s", v.text)
	}
	for _, word := range regexp.MustCompile(`browser_[a-z_]+`).FindAllString(v.str("error"), -1) {
		if f.p.byName[word] == nil {
			f.t.Errorf("an error names %s, which is no tool of the set: %s", word, v.text)
		}
	}
	return v
}

func (f *nineTools) ok(name string, g args) reply {
	f.t.Helper()
	v := f.call(name, g)
	if v.m["success"] != true {
		f.t.Fatalf("%s: %s", name, v.text)
	}
	return v
}

// fails calls a tool that must fail with an error that has some parts.
func (f *nineTools) fails(name string, g args, parts ...string) reply {
	f.t.Helper()
	v := f.call(name, g)
	if v.m["success"] != false {
		f.t.Fatalf("%s %v did not fail: %s", name, g, v.text)
	}
	has(f.t, v.str("error"), parts...)
	return v
}

// at returns what is at a path such as data.status; nil where there is nothing.
func (r reply) at(path string) any {
	var v any = r.m
	for _, name := range strings.Split(path, ".") {
		m, ok := v.(map[string]any)
		if !ok {
			return nil
		}
		v = m[name]
	}
	return v
}

func (r reply) str(path string) string { s, _ := r.at(path).(string); return s }
func (r reply) num(path string) int    { n, _ := r.at(path).(float64); return int(n) }

// is checks a part of the answer.
func (r reply) is(path string, want any) reply {
	r.t.Helper()
	if n, ok := want.(int); ok {
		want = float64(n)
	}
	if got := r.at(path); got != want {
		r.t.Errorf("%s is %v, not %v: %.500s", path, got, want, r.text)
	}
	return r
}

func TestFacadeList(t *testing.T) {
	text := listing(t, Options{Settings: Settings{Tools: "facade"}})
	t.Logf("tools/list: %d bytes", len(text))
	if len(text) > 7<<10 {
		t.Errorf("tools/list has %d bytes", len(text))
	}
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	if len(list.Tools) != 10 { // the nine, and browser_batch
		t.Errorf("%d tools", len(list.Tools))
	}
	var b strings.Builder
	for _, tool := range list.Tools {
		b.Write(tool)
		b.WriteByte('\n')
	}
	golden(t, "testdata/facade.jsonl", b.String())
}

// TestFacadeParameters holds the parameters, their types and their defaults to
// the specification.
func TestFacadeParameters(t *testing.T) {
	for name, want := range map[string]string{
		"browser_session":  "action! instance_id headless=true profile anti_detect=false use_pool=true",
		"browser_navigate": "action! url wait_for timeout=30",
		"browser_interact": "action! selector text secret clear=false delay=0 button=left click_count=1 value index label values fields direction=down amount=100 key modifiers state=visible timeout=30",
		"browser_inspect":  "action! selector max_depth collapse_depth ellipsize_text_after=128 attribute",
		"browser_extract":  "action! selector use_chunking=false offset=0 length snapshot_checksum ellipsize_text_after=128 include_tag_names=true skip_hidden=true max_depth",
		"browser_capture":  "action! selector full_page=false save_to_disk=true",
		"browser_execute":  "action! code! args use_chunking=false offset=0 length snapshot_checksum",
		"browser_storage":  "action! filename timeout=30 behavior=allow download_path",
		"web_search":       "query! max_results=10 search_engine_url timeout",
	} {
		tool := profileNamed("facade").byName[name]
		if tool == nil {
			t.Errorf("there is no %s", name)
			continue
		}
		var list []string
		takes := tool.takes()
		for _, p := range takes.Properties {
			if p.Name == "ref" || p.Name == "page_id" { // ours
				continue
			}
			s := p.Name
			if takes.Requires(p.Name) {
				s += "!"
			}
			if p.Default != nil {
				s += fmt.Sprintf("=%v", p.Default)
			}
			list = append(list, s)
		}
		if got := strings.Join(list, " "); got != want {
			t.Errorf("%s takes\n%s, not\n%s", name, got, want)
		}
		if (takes.Property("selector") == nil) != (takes.Property("ref") == nil) {
			t.Errorf("%s takes a selector but no ref", name)
		}
	}
}

// TestFacadeWrongCalls holds that each wrong action and each missing parameter
// is told by its name.
func TestFacadeWrongCalls(t *testing.T) {
	_, s := NewServer(Options{Settings: Settings{Tools: "facade"}, Connect: func(context.Context, Want) (Endpoint, error) {
		t.Error("a browser was asked for")
		return Endpoint{}, ErrBrowserNotAvailable
	}})
	f := &nineTools{t, s, s.profile}
	actions := map[string]string{
		"browser_session": "launch, terminate, list, get_active", "browser_navigate": "goto, back, forward, refresh, get_url",
		"browser_interact": "click, type, select, fill, hover, scroll, press, wait", "browser_inspect": "get_html, exists, get_attribute",
		"browser_extract": "get_text, get_cookies", "browser_capture": "screenshot, element_screenshot", "browser_execute": "execute, evaluate",
		"browser_storage": "list_downloads, clear_downloads, wait_for_download, list_screenshots, clear_screenshots, set_download_behavior",
	}
	for name, list := range actions {
		f.fails(name, args{"action": "fly"}, `"action"`, list, "fly")
		f.fails(name, args{}, `"action"`, "missing", list)
	}
	for _, c := range []struct {
		name  string
		args  args
		parts []string
	}{
		{"browser_session", args{"action": "terminate"}, []string{`"instance_id"`, "terminate"}},
		{"browser_navigate", args{"action": "goto"}, []string{`"url"`, "goto"}},
		{"browser_interact", args{"action": "click"}, []string{`"selector"`, "click"}},
		{"browser_interact", args{"action": "hover"}, []string{`"selector"`, "hover"}},
		{"browser_interact", args{"action": "wait"}, []string{`"selector"`, "wait"}},
		{"browser_interact", args{"action": "type", "text": "x"}, []string{`"selector"`, "type"}},
		{"browser_interact", args{"action": "type", "selector": "#x"}, []string{`"text"`, "type"}},
		{"browser_interact", args{"action": "press"}, []string{`"key"`, "press"}},
		{"browser_interact", args{"action": "select", "selector": "#x"}, []string{"value, index, label and values"}},
		{"browser_interact", args{"action": "select", "selector": "#x", "value": "a", "index": 1}, []string{"value, index, label and values", "2"}},
		{"browser_interact", args{"action": "click", "selector": "#x", "ref": "e1"}, []string{"selector and ref"}},
		{"browser_interact", args{"action": "click", "selector": "#x", "button": "top"}, []string{`"button"`, "left, right, middle"}},
		{"browser_interact", args{"action": "press", "key": "a", "modifiers": []string{"hyper"}}, []string{"ctrl, alt, shift, meta"}},
		{"browser_interact", args{"action": "wait", "selector": "#x", "state": "gone"}, []string{"visible, hidden, present"}},
		{"browser_inspect", args{"action": "exists"}, []string{`"selector"`, "exists"}},
		{"browser_inspect", args{"action": "get_attribute", "attribute": "href"}, []string{`"selector"`, "get_attribute"}},
		{"browser_inspect", args{"action": "get_attribute", "selector": "a"}, []string{`"attribute"`, "get_attribute"}},
		{"browser_capture", args{"action": "element_screenshot"}, []string{`"selector"`, "element_screenshot"}},
		{"browser_execute", args{"action": "execute"}, []string{`"code"`, "missing"}},
		{"browser_execute", args{"action": "evaluate", "code": "1", "args": []int{1}}, []string{"args", "execute"}},
		{"browser_storage", args{"action": "set_download_behavior", "behavior": "never"}, []string{"allow, deny, allowAndName, default"}},
		{"browser_navigate", args{"action": "goto", "adress": "x"}, []string{`"adress"`, "url?"}},
		{"web_search", args{}, []string{`"query"`, "missing"}},
		{"web_search", args{"query": " "}, []string{`"query"`}},
		{"web_search", args{"query": "x", "search_engine_url": "https://example.org/"}, []string{"{query}"}},
	} {
		f.fails(c.name, c.args, c.parts...)
	}
}

func TestFacadeRetiredNames(t *testing.T) {
	c := client(t, Options{Settings: Settings{Tools: "facade"}, Connect: func(context.Context, Want) (Endpoint, error) { return Endpoint{}, ErrBrowserNotAvailable }})
	names := profileNamed("facade").byName
	for old := range retired {
		r, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: old, Arguments: args{"selector": "#x"}})
		if err != nil {
			t.Fatalf("%s: %v", old, err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		var v struct {
			Success bool
			Error   string
		}
		if err := json.Unmarshal([]byte(text), &v); err != nil || v.Success || !r.IsError {
			t.Errorf("%s: %s", old, text)
		}
		_, instead, _ := strings.Cut(v.Error, ": call ")
		tool, rest, _ := strings.Cut(instead, " ")
		action := regexp.MustCompile(`"action": "(\w+)"`).FindStringSubmatch(rest)
		if names[tool] == nil || action == nil || !strings.Contains(string(must(lines.Marshal(names[tool].takes()))), `"`+action[1]+`"`) {
			t.Errorf("%s is told to be %q", old, v.Error)
		}
	}
	if len(retired) != 26 { // 29 of old, of which 3 have a name that is still one
		t.Errorf("%d names", len(retired))
	}
	if _, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_fly"}); err == nil {
		t.Error("browser_fly is no error")
	}
	// In the full set these are tools.
	full := client(t, Options{Connect: func(context.Context, Want) (Endpoint, error) { return Endpoint{}, ErrBrowserNotAvailable }})
	r, err := full.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_click", Arguments: args{"selector": "#x"}})
	if err != nil || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "browser_connect") {
		t.Errorf("browser_click of the full set: %v %v", r, err)
	}
}

// TestFacadeDocs holds that the facade's tools are told briefly and plainly.
func TestFacadeDocs(t *testing.T) {
	for _, tool := range facade {
		if !strings.HasSuffix(tool.doc, ".") || len(tool.doc) > 120 {
			t.Errorf("%s: its doc is a short sentence or two, not %q", tool.name, tool.doc)
		}
		text := string(must(lines.Marshal(tool.takes())))
		lacks(t, text, "oneOf", "anyOf", "allOf", `"null"`, "$ref")
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
