package tools

import (
	"context"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
)

// Which tools ask for what is a fact of each: what runs scripts, gives files away or
// closes tabs.
func TestDeeds(t *testing.T) {
	for name, tool := range everySet() {
		if tool.body.run == nil {
			continue
		}
		want := deed("")
		_, carries := tool.body.args().(interface{ carries() []string })
		switch {
		case tool.hasArgument(scripts...):
			want = evaluates
		case carries:
			want = uploads
		case strings.HasPrefix(tool.doc, "Close "):
			want = closes
		}
		_, does := tool.body.args().(doing)
		if tool.deed != want || does != (want != "") {
			t.Errorf("%s does %q, and its arguments say what of it: %v; want %q", name, tool.deed, does, want)
		}
	}
	for d := range deeds {
		if p, err := ReadPolicy([]byte(`{"confirm": ["` + string(d) + `"]}`)); err != nil || !p.asks(d) {
			t.Errorf("%s cannot be asked for: %v", d, err)
		}
	}
}

// asked is a client of a set, whose person answers questions.
type asked struct {
	*testing.T
	client  *mcp.ClientSession
	session *Session

	mu        sync.Mutex
	questions []string
	told      []string // of progress
}

// newAsked connects such a client, with a page of its own. Without an answer it has no
// way to ask.
func newAsked(t *testing.T, version string, o Options, answer func(context.Context) *mcp.ElicitResult) *asked {
	t.Helper()
	url := browserURL(t)
	o.Connect = func(context.Context, Want) (Endpoint, error) { return Endpoint{URL: url, Name: "Chromium"}, nil }
	server, session := NewServer(o)
	a := &asked{T: t, session: session}
	handlers := &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.told = append(a.told, r.Params.Message)
	}}
	if answer != nil {
		handlers.ElicitationHandler = func(ctx context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			a.mu.Lock()
			a.questions = append(a.questions, r.Params.Message)
			a.mu.Unlock()
			return answer(ctx), nil
		}
	}
	a.client = clientOf(t, server, session, handlers, version)
	if now := a.client.InitializeResult().ProtocolVersion; now != version {
		t.Fatalf("they speak %s", now)
	}
	return a
}

// call returns the text of a tool's answer, and whether it is an error.
func (a *asked) call(name string, g args) (string, bool) {
	a.Helper()
	p := &mcp.CallToolParams{Name: name, Arguments: g}
	p.SetProgressToken("1")
	r, err := a.client.CallTool(a.Context(), p)
	if err != nil {
		a.Fatalf("%s: %v", name, err)
	}
	text := ""
	for _, c := range r.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			text += c.Text
		}
	}
	a.Logf("%s %v: %s", name, g, text)
	return text, r.IsError
}

func (a *asked) ok(name string, g args) string {
	a.Helper()
	text, failed := a.call(name, g)
	if failed {
		a.Fatalf("%s: %s", name, text)
	}
	return text
}

func (a *asked) fails(name string, g args, parts ...string) {
	a.Helper()
	text, failed := a.call(name, g)
	if !failed {
		a.Fatalf("%s went through: %s", name, text)
	}
	has(a.T, text, parts...)
}

// put returns the questions that were put since it was called last.
func (a *asked) put() []string {
	a.mu.Lock()
	defer a.mu.Unlock()
	list := a.questions
	a.questions = nil
	return list
}

func everything() Settings {
	return Settings{Bound: Policy{Confirm: []string{"evaluate", "upload", "close"}}}
}

var eras = []string{"2025-06-18", "2025-11-25", "2026-07-28"}

const (
	asYes  = `{"action": "accept", "content": {"allow": true}}`
	asNo   = `{"action": "decline"}`
	asQuit = `{"action": "cancel"}`
)

func saying(text string) *mcp.ElicitResult {
	var r mcp.ElicitResult
	if err := json.Unmarshal([]byte(text), &r); err != nil {
		panic(err)
	}
	return &r
}

func TestConfirm(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Shop</title><input type=file id=f><p id=n>0</p>`})
	file := filepath.Join(t.TempDir(), "a.txt")
	if err := os.WriteFile(file, []byte("a"), 0o600); err != nil {
		t.Fatal(err)
	}
	more := `++document.getElementById('n').textContent`
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			says := asYes
			o := Options{Settings: everything()}
			o.Root = []string{filepath.Dir(file)}
			a := newAsked(t, version, o, func(context.Context) *mcp.ElicitResult { return saying(says) })
			has(t, a.ok("browser_navigate", args{"url": base}), "Shop")
			a.ok("browser_wait", args{"timeMs": 1})
			if q := a.put(); q != nil {
				t.Fatalf("asked for nothing: %q", q)
			}
			a.ok("browser_evaluate", args{"script": more + " // \u202e\n// as you are"})
			q := a.put()
			if len(q) != 1 || !strings.HasPrefix(q[0], "Allow browser_evaluate on "+base+`? It runs a script: “++document`) || strings.ContainsAny(q[0], "\u202e\n") {
				t.Fatalf("asked is %q", q)
			}
			a.ok("browser_upload", args{"selector": "#f", "files": []string{file}})
			a.ok("browser_wait", args{"predicate": "true"})
			text := a.ok("browser_batch", args{"steps": []any{args{"tool": "browser_evaluate", "arguments": args{"script": more}}, args{"tool": "browser_evaluate", "arguments": args{"script": more}}}})
			has(t, text, "result: 2", "result: 3")
			if q := a.put(); len(q) != 4 || !strings.Contains(q[0], "gives the page 1 file: ") || !strings.Contains(q[0], "a.txt") {
				t.Fatalf("asked is %q", q)
			}
			for _, says = range []string{asNo, asQuit, `{"action": "accept"}`, `{"action": "accept", "content": {"allow": false}}`} {
				a.fails("browser_evaluate", args{"script": more}, "they said no", "nothing was done")
			}
			a.fails("browser_upload", args{"selector": "#f", "files": []string{file}}, "before pages get files, and they said no")
			says = asYes
			has(t, a.ok("browser_evaluate", args{"script": more}), "result: 4") // and no more than that
			a.mu.Lock()
			defer a.mu.Unlock()
			if !slices.Contains(a.told, "waiting for the person to confirm") {
				t.Errorf("told is %q", a.told)
			}
		})
	}
}

// Tabs that an agent did not open are closed with the person's leave.
func TestConfirmClosing(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Mail</title>`, "/mine": `<title>Mine</title><button onclick="open('/mine')">Open</button>`})
	for set, tools := range map[string]struct{ open, close, id, list string }{
		"full":    {"browser_tab_open", "browser_tab_close", "pageId", "browser_tab_list"},
		"dynamic": {"open_tab", "close_tab", "tabId", "list_tabs"},
	} {
		t.Run(set, func(t *testing.T) {
			says := asNo
			o := Options{Settings: everything()}
			o.Tools = set
			a := newAsked(t, eras[1], o, func(context.Context) *mcp.ElicitResult { return saying(says) })
			if set == "dynamic" {
				a.ok("connect_browser", nil)
			}
			a.ok(tools.open, args{"url": base + "/mine"})
			theirs, err := a.session.browser.Open(t.Context(), false, "")
			if err == nil {
				_, err = theirs.Navigate(t.Context(), base+"/", adapter.Loaded)
			}
			if err != nil {
				t.Fatal(err)
			}
			a.ok(tools.list, nil)
			var id any
			a.session.mu.Lock()
			for _, tab := range a.session.tabs {
				if tab.target == theirs.ID() {
					id = map[string]any{"full": tab.id, "dynamic": tab.number()}[set]
				}
			}
			a.session.mu.Unlock()
			a.fails(tools.close, args{tools.id: id}, "they said no", "tabs are closed that you did not open")
			if q := a.put(); len(q) != 1 || !strings.Contains(q[0], `that the agent did not open: “`) {
				t.Fatalf("asked is %q", q)
			}
			says = asYes
			a.ok(tools.close, args{tools.id: id})
			if _, err := a.session.browser.Page(theirs.ID()); err == nil {
				t.Error("it is still there")
			}
			a.put()
			a.ok(tools.close, nil) // its own
			if q := a.put(); q != nil {
				t.Fatalf("asked is %q", q)
			}
		})
	}
}

// The wait for somebody who never answers ends, and where nobody can be asked nothing is
// done.
func TestConfirmWithoutAnAnswer(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Shop</title>`})
	o := Options{Settings: everything(), AnswerTimeout: 300 * time.Millisecond}
	o.Tools = "facade"
	a := newAsked(t, eras[1], o, func(ctx context.Context) *mcp.ElicitResult {
		<-ctx.Done()
		return saying(asYes)
	})
	a.ok("browser_navigate", args{"action": "goto", "url": base})
	a.fails("browser_execute", args{"action": "evaluate", "code": "document.title = 'done'"}, "did not answer within 300ms", `"kind":"Timeout"`)
	if title := a.ok("browser_navigate", args{"action": "get_url"}); strings.Contains(title, "done") {
		t.Errorf("it ran: %s", title)
	}
	a = newAsked(t, eras[1], Options{Settings: everything()}, nil)
	a.ok("browser_navigate", args{"url": base})
	a.fails("browser_evaluate", args{"script": "1"}, "nobody could be", "elicitation", "policy file")
}

// A call in rounds goes on as the call that it was, once, and ends with its request.
func TestRounds(t *testing.T) {
	var k rounds
	began := make(chan struct{}, 9)
	run := func(ctx context.Context) (*mcp.CallToolResult, error) {
		began <- struct{}{}
		yes, err := ctx.Value(askerKey{}).(asker)(ctx, "May it?")
		if err != nil {
			return nil, err
		}
		return &mcp.CallToolResult{IsError: !yes}, nil
	}
	call := &mcp.CallToolParamsRaw{Name: "a", Arguments: json.RawMessage(`{"x":1}`)}
	first, err := k.serve(t.Context(), call, run)
	if err != nil || !first.NeedsInput() || first.InputRequests[question].(*mcp.ElicitParams).Message != "May it?" {
		t.Fatalf("%+v, %v", first, err)
	}
	answers := mcp.InputResponseMap{question: saying(asYes)}
	for _, other := range []*mcp.CallToolParamsRaw{
		{Name: "b", Arguments: call.Arguments, RequestState: first.RequestState, InputResponses: answers},
		{Name: "a", Arguments: json.RawMessage(`{"x":2}`), RequestState: first.RequestState, InputResponses: answers},
		{Name: "a", Arguments: call.Arguments, RequestState: "made up", InputResponses: answers},
	} {
		if _, err := k.serve(t.Context(), other, run); err == nil {
			t.Errorf("%s %s goes on", other.Name, other.Arguments)
		}
	}
	// An answer without a question, and an agent that says yes before it is asked.
	if r, err := k.serve(t.Context(), &mcp.CallToolParamsRaw{Name: "a", InputResponses: answers}, run); err != nil || !r.NeedsInput() {
		t.Errorf("%+v, %v", r, err)
	}
	again := *call
	again.RequestState, again.InputResponses = first.RequestState, answers
	if r, err := k.serve(t.Context(), &again, run); err != nil || r.IsError || r.NeedsInput() {
		t.Errorf("%+v, %v", r, err)
	}
	if _, err := k.serve(t.Context(), &again, run); err == nil {
		t.Error("it goes on twice")
	}
	// A yes that comes when nobody waits for it any more.
	limit, end := context.WithCancel(t.Context())
	late, err := k.serve(t.Context(), call, func(ctx context.Context) (*mcp.CallToolResult, error) {
		_, err := ctx.Value(askerKey{}).(asker)(limit, "May it?")
		return nil, err
	})
	if err != nil {
		t.Fatal(err)
	}
	k.mu.Lock()
	c := k.open[late.RequestState]
	k.mu.Unlock()
	end()
	<-c.over
	again.RequestState = late.RequestState
	if _, err := k.serve(t.Context(), &again, run); err == nil || len(k.open) != 1 {
		t.Errorf("it goes on when it is over: %v, %d", err, len(k.open))
	}
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan error)
	go func() {
		_, err := k.serve(ctx, call, func(ctx context.Context) (*mcp.CallToolResult, error) {
			began <- struct{}{}
			<-ctx.Done()
			return nil, ctx.Err()
		})
		over <- err
	}()
	for len(began) > 0 {
		<-began
	}
	cancel()
	if err := <-over; err == nil {
		t.Error("it outlives its request")
	}
	k.mu.Lock()
	left := slices.Collect(maps.Values(k.open))
	k.mu.Unlock()
	k.close()
	for _, c := range left {
		select {
		case <-c.over:
		case <-time.After(30 * time.Second):
			t.Error("it outlives its session")
		}
	}
	if len(left) != 1 {
		t.Errorf("%d calls were left", len(left))
	}
}

// What a call in rounds tells goes to the request that waits for it.
func TestRoundsTellTheRequestThatWaits(t *testing.T) {
	var k rounds
	var told []string
	of := func(name string) context.Context {
		return context.WithValue(t.Context(), progressKey{}, &teller{notify: func(m string, _, _ float64) { told = append(told, name+" "+m) }})
	}
	run := func(ctx context.Context) (*mcp.CallToolResult, error) {
		progress(ctx, "begins", 0)
		_, err := ctx.Value(askerKey{}).(asker)(ctx, "May it?")
		progress(ctx, "ends", 0)
		return &mcp.CallToolResult{}, err
	}
	call := &mcp.CallToolParamsRaw{Name: "a"}
	first, err := k.serve(of("first"), call, run)
	if err != nil {
		t.Fatal(err)
	}
	k.mu.Lock()
	c := k.open[first.RequestState]
	k.mu.Unlock()
	c.teller.tell("waits", 0, 0)
	call.RequestState, call.InputResponses = first.RequestState, mcp.InputResponseMap{question: saying(asYes)}
	if _, err := k.serve(of("second"), call, run); err != nil {
		t.Fatal(err)
	}
	if want := []string{"first begins", "second ends"}; !slices.Equal(told, want) {
		t.Errorf("told is %q, want %q", told, want)
	}
}
