package tools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// desk is a client of a server with a browser, and what its log hears.
func desk(t *testing.T, version string, o Options) (*mcp.ClientSession, <-chan occurrence) {
	t.Helper()
	url := browserURL(t)
	o.Output = t.TempDir()
	o.Connect = func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium"}, nil }
	server, session := NewServer(o)
	heard := make(chan occurrence, 100)
	c := clientOf(t, server, session, &mcp.ClientOptions{
		//lint:ignore SA1019 clients have it that speak another version than the newest
		LoggingMessageHandler: func(_ context.Context, r *mcp.LoggingMessageRequest) {
			var o occurrence
			text, _ := json.Marshal(r.Params.Data)
			_ = json.Unmarshal(text, &o)
			o.Outcome = string(r.Params.Level) + " " + o.Outcome
			heard <- o
		}}, version)
	return c, heard
}

func calls(t *testing.T, c *mcp.ClientSession, name string, with args) *mcp.CallToolResult {
	t.Helper()
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: name, Arguments: with})
	if err != nil {
		t.Fatal(err)
	}
	return result
}

func TestPagesAreResources(t *testing.T) {
	base := site(t, map[string]string{"/": todo, "/second": `<title>Second</title><h1>Second</h1><p>word hunter2secret</p>`})
	c, _ := desk(t, "2025-11-25", Options{})
	for _, c := range []*mcp.ClientSession{c, client(t, Options{})} { // of an older version of the protocol, and of the newest
		if icons := c.InitializeResult().ServerInfo.Icons; len(icons) != 1 || !strings.HasPrefix(icons[0].Source, "data:image/svg+xml;base64,") {
			t.Errorf("%+v", icons)
		}
	}
	completed := func(uri, argument, begun, page string) []string {
		t.Helper()
		q := &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/resource", URI: uri}, Argument: mcp.CompleteParamsArgument{Name: argument, Value: begun}}
		if page != "" {
			q.Context = &mcp.CompleteContext{Arguments: map[string]string{"pageId": page}}
		}
		result, err := c.Complete(t.Context(), q)
		if err != nil {
			t.Fatal(err)
		}
		return result.Completion.Values
	}
	if list := completed(pageTemplate, "pageId", "", ""); len(list) != 0 {
		t.Errorf("without a browser there are %q", list)
	}
	if _, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: pageURI + "t1"}); err == nil {
		t.Error("a page is read without a browser")
	}
	calls(t, c, "browser_navigate", args{"url": base + "/"})
	open := completed(pageTemplate, "pageId", "", "") // the tab that the browser began with may be among them
	calls(t, c, "browser_tab_open", args{"url": base + "/second"})
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 {
		t.Fatal(templates, err)
	}
	ids := completed(pageTemplate, "pageId", "t", "")
	if len(ids) < 2 || slices.Contains(open, ids[0]) || !slices.Contains(ids, open[0]) {
		t.Fatalf("pages are completed to %q after %q", ids, open)
	}
	second, first := ids[0], open[0] // the active one comes first
	refs := completed(elementTemplate, "ref", "", first)
	if len(refs) < 7 || !slices.Equal(completed(elementTemplate, "ref", refs[0], first)[:1], refs[:1]) || len(completed(elementTemplate, "ref", "", "t99")) != 0 {
		t.Errorf("refs are completed to %q", refs)
	}
	read := func(uri string) string {
		t.Helper()
		result, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			return "error: " + err.Error()
		}
		return result.Contents[0].Text
	}
	has(t, read(pageURI+second), `heading "Second"`, "hunter2secret")
	has(t, read(pageURI+first), `button "Add"`, `heading "To do"`)
	text := read(pageURI + first + "/" + refs[0])
	has(t, text, "["+refs[0]+"]")
	lacks(t, text, `heading "To do"`)
	has(t, read(pageURI+"t99"), "error", "not found")
	has(t, read(pageURI+first+"/e999"), "e999 is not in this document")
	if _, err := c.Complete(t.Context(), &mcp.CompleteParams{Ref: &mcp.CompleteReference{Type: "ref/prompt", Name: "x"}, Argument: mcp.CompleteParamsArgument{Name: "y"}}); err == nil {
		t.Error("an unknown prompt is completed")
	}
	if list, err := client(t, Options{Filters: []Filter{{Deny: []string{"browser_snapshot"}}}}).ListResourceTemplates(t.Context(), nil); err != nil || len(list.ResourceTemplates) != 0 {
		t.Errorf("pages are resources without snapshots: %v %v", list, err)
	}
}

// noise is a page with a picture that does not get smaller.
const noise = `<body style="margin:0"><canvas width=1500 height=1500></canvas><script>
	const c = document.querySelector('canvas').getContext('2d'), d = c.createImageData(1500, 1500);
	for (let i = 0; i < d.data.length; i++) d.data[i] = i % 4 === 3 ? 255 : Math.random() * 256;
	c.putImageData(d, 0, 0)</script>`

func TestFilesAreLinked(t *testing.T) {
	base := site(t, map[string]string{"/": todo, "/noise": noise})
	for version, links := range map[string]int{"2025-03-26": 0, "2025-06-18": 1} {
		c, _ := desk(t, version, Options{})
		calls(t, c, "browser_navigate", args{"url": base + "/"})
		linksIn := func(result *mcp.CallToolResult) (n int) {
			for _, part := range result.Content {
				if link, ok := part.(*mcp.ResourceLink); ok {
					n++
					read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: link.URI})
					if err != nil || int64(len(read.Contents[0].Blob)) != *link.Size || link.Name == "" {
						t.Errorf("%+v: %v", link, err)
					}
				}
			}
			return n
		}
		for name, with := range map[string]args{"browser_screenshot": {"file": "seen.png"}, "browser_pdf": {}, "browser_network": {"har": "all.har"},
			"browser_batch": {"steps": []args{{"tool": "browser_screenshot", "arguments": args{"file": "two.png"}}}}} {
			if n := linksIn(calls(t, c, name, with)); n != links {
				t.Errorf("%s: %s has %d links", version, name, n)
			}
		}
		if links == 0 {
			continue
		}
		shown := calls(t, c, "browser_screenshot", args{})
		if _, ok := shown.Content[0].(*mcp.ImageContent); !ok || linksIn(shown) != 0 {
			t.Errorf("a small picture: %+v", shown.Content)
		}
		calls(t, c, "browser_navigate", args{"url": base + "/noise"})
		large := calls(t, c, "browser_screenshot", args{"fullPage": true})
		if text, ok := large.Content[0].(*mcp.TextContent); !ok || !strings.Contains(text.Text, "too large to be shown") || linksIn(large) != 1 {
			t.Errorf("a large picture: %+v", large.Content)
		}
	}
}

func TestLogging(t *testing.T) {
	c, heard := desk(t, "2025-11-25", Options{})
	calls(t, c, "browser_connect", nil)
	//lint:ignore SA1019 clients have it that speak another version than the newest
	if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "warning"}); err != nil {
		t.Fatal(err)
	}
	next := func() occurrence {
		t.Helper()
		select {
		case o := <-heard:
			return o
		case <-time.After(30 * time.Second):
			t.Fatal("nothing is logged")
			return occurrence{}
		}
	}
	calls(t, c, "browser_tab_list", nil) // is no warning
	calls(t, c, "browser_click", args{"ref": "e1", "pageId": "t99"})
	if o := next(); o.Event != "call" || o.Tool != "browser_click" || o.Outcome != "warning error" || o.Why != "PageNotFound" {
		t.Errorf("%+v", o)
	}
	//lint:ignore SA1019 clients have it that speak another version than the newest
	if err := c.SetLoggingLevel(t.Context(), &mcp.SetLoggingLevelParams{Level: "debug"}); err != nil {
		t.Fatal(err)
	}
	calls(t, c, "browser_disconnect", nil)
	var events []string
	for range 2 {
		o := next()
		events = append(events, o.Event+" "+o.Outcome)
	}
	slices.Sort(events)
	if want := []string{"call debug done", "disconnected warning "}; !slices.Equal(events, want) {
		t.Errorf("%q", events)
	}
	calls(t, c, "browser_connect", nil)
	if o := next(); o.Event != "connected" || o.Browser != "Chromium" || o.Outcome != "info " {
		t.Errorf("%+v", o)
	}
}
