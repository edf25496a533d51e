package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// genericCall is listed with Options.DynamicCall, for clients that read the list
// once: through it they reach whatever comes later.
var genericCall = tool{
	name: genericTool, kind: onSession, destructive: true, openWorld: true, duringDialog: true,
	doc: "Call any currently available tool by name; without a name, list them with their arguments.",
	body: do(func(context.Context, *call, *genericArgs) (dynamicClosed, error) {
		panic("tools: the generic tool is no call of its own")
	}),
}

type genericArgs struct {
	Name      string         `json:"name,omitempty"`
	Arguments map[string]any `json:"arguments,omitempty"`
}

// serveDynamic lists the tools of a session at a server, and keeps them up to
// date.
func (s *Session) serveDynamic(server *mcp.Server) {
	d := s.dynamic
	d.list = &toolList{notify: notifier(server), structured: s.opts.Structured}
	if d.generic && s.refused(&genericCall) == nil {
		d.list.generic = &genericCall
	}
	server.AddReceivingMiddleware(d.list.current, d.answer, d.greet)
	d.list.publish(d.available)
	d.list.tell()
}

// answer is a middleware that answers each call, of tools that are not there
// either.
func (d *dynamic) answer(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if call, ok := r.(*mcp.CallToolRequest); ok && method == "tools/call" {
			return d.session.served(ctx, call, func(ctx context.Context) (*mcp.CallToolResult, error) {
				return d.handle(ctx, call.Params.Name, json.RawMessage(call.Params.Arguments))
			})
		}
		return next(ctx, method, r)
	}
}

// greet tells a client that goes on after another process that its tools are
// others.
func (d *dynamic) greet(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		// In the protocol without sessions, a client that calls has subscribed before.
		if method == "notifications/initialized" || method == "tools/call" {
			d.mu.Lock()
			resumed := d.resumed
			d.resumed = false
			d.mu.Unlock()
			if resumed {
				d.list.notify()
			}
		}
		return result, err
	}
}

// handle makes a call.
func (d *dynamic) handle(ctx context.Context, name string, raw json.RawMessage) (*mcp.CallToolResult, error) {
	if name != genericTool || d.list.generic == nil {
		return d.run(ctx, name, raw), nil
	}
	var asked struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if _, err := genericCall.decode(raw); err != nil {
		a := &Answer{set: d.session.profile}
		a.fail(err)
		return dynamicResult(&genericCall, a, false), nil
	}
	if err := json.Unmarshal(raw, &asked); len(raw) > 0 && err != nil {
		return nil, fmt.Errorf("%s: %w", genericTool, err)
	}
	if asked.Name == "" {
		return d.listing(), nil
	}
	return d.run(ctx, asked.Name, asked.Arguments), nil
}

// listing is the list of the moment as an answer.
func (d *dynamic) listing() *mcp.CallToolResult {
	list := slices.DeleteFunc(d.list.read(), func(t *mcp.Tool) bool { return t.Name == genericTool })
	text, err := lines.Marshal(map[string]any{"tools": list})
	if err != nil {
		text = []byte(`{"error":"the list could not be written"}`)
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: string(text)}}}
}

// run calls a tool of the moment, then looks at what the page offers now and
// says in the answer which tools came and went.
func (d *dynamic) run(ctx context.Context, name string, raw json.RawMessage) *mcp.CallToolResult {
	d.begin()
	defer d.end()
	a := &Answer{set: d.session.profile}
	t := d.list.find(name)
	if t == nil || name == genericTool {
		t = coreTool("list_tabs") // its errors are written alike
		a.fail(&Error{Kind: adapter.ErrInvalid, Text: fmt.Sprintf("there is no tool %q now", lines.Short(name, nameLength)),
			Hint: "the tools: " + strings.Join(d.list.names(), ", ")})
	} else {
		a = d.session.Call(ctx, name, raw)
	}
	d.update(context.WithoutCancel(ctx), t.page != nil || name == "close_tab" || a.Dialog != nil)
	a.tools = d.list.news()
	return dynamicResult(t, a, d.list.structured)
}
