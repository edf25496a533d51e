package tools

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// toolList is what a client is offered at the moment. The client is told once of
// each change, and what it lists or calls is never half of one: the server has
// nothing of the list but what makes it tell.
type toolList struct {
	// Static after construction.
	notify     func() // tells the client that the list changed
	structured bool
	generic    *tool // listed at all times; nil for none

	// publishing is held by who changes the list.
	publishing sync.Mutex

	// mu guards the following.
	mu    sync.Mutex
	tools []tool
	wrote map[string]string // the signatures, by name
	told  []knownTool       // that the client knows, by listing or by an answer
}

// publish lists the tools that available returns, and tells the client where they
// are others.
func (l *toolList) publish(available func() []tool) (changed bool) {
	l.publishing.Lock()
	defer l.publishing.Unlock()
	list := available()
	if l.generic != nil {
		list = append(list, *l.generic)
	}
	wrote := make(map[string]string, len(list))
	for i := range list {
		wrote[list[i].name] = list[i].signature()
	}
	l.mu.Lock()
	same := maps.Equal(wrote, l.wrote)
	l.tools, l.wrote = list, wrote
	l.mu.Unlock()
	if !same {
		l.notify()
	}
	return !same
}

// notifier returns what tells a server's client that the list changed: the server
// does whenever it gets a tool, whichever that is.
func notifier(server *mcp.Server) func() {
	return func() {
		server.AddTool(coreTool("connect_browser").listed(), func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			panic("tools: a call of the dynamic set came by")
		})
	}
}

// signature is what makes a tool another one. What the fields of a form hold, and
// which of them still want something, changes with each use of it and is no
// reason to read the list again.
func (t *tool) signature() string {
	d := t.declaration(false)
	d.InputSchema = json.RawMessage(t.wants())
	text, err := lines.Marshal(d)
	if err != nil {
		return t.name
	}
	return string(text)
}

// wants is the schema of a tool's arguments, without what they are by default
// and which are required.
func (t *tool) wants() string {
	s := *t.takes()
	s.Required = nil
	s.Properties = slices.Clone(s.Properties)
	for i, p := range s.Properties {
		still := *p.Schema
		still.Default = nil
		s.Properties[i].Schema = &still
	}
	text, err := lines.Marshal(&s)
	if err != nil {
		return "{}"
	}
	return string(text)
}

// listed is a tool as it is listed: with its arguments, also where it has none.
func (t *tool) listed() *mcp.Tool {
	d := t.declaration(false)
	if len(t.takes().Properties) == 0 {
		d.InputSchema = schema.Object()
	}
	return d
}

// find returns a tool of the moment, or nil.
func (l *toolList) find(name string) *tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.IndexFunc(l.tools, func(t tool) bool { return t.name == name }); i >= 0 {
		t := l.tools[i]
		return &t
	}
	return nil
}

// names returns the names of the moment, without that of the generic tool.
func (l *toolList) names() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.DeleteFunc(toolNames(l.tools), func(name string) bool { return name == genericTool })
}

// knownTool is a tool as a client knows it.
type knownTool struct{ name, wants string }

// known returns the tools of the moment, without the generic one; mu is held.
func (l *toolList) known() []knownTool {
	var list []knownTool
	for i := range l.tools {
		if t := &l.tools[i]; t.name != genericTool {
			list = append(list, knownTool{t.name, t.wants()})
		}
	}
	return list
}

// tell notes that the client knows the tools of the moment.
func (l *toolList) tell() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = l.known()
}

// news tells which tools came, went and take other arguments since the client
// was last told, as answers do: +new ~changed −gone. It is told now.
func (l *toolList) news() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := l.known()
	at := func(list []knownTool, name string) int {
		return slices.IndexFunc(list, func(k knownTool) bool { return k.name == name })
	}
	var parts []string
	for _, k := range now {
		if i := at(l.told, k.name); i < 0 {
			parts = append(parts, "+"+k.name)
		} else if l.told[i].wants != k.wants {
			parts = append(parts, "~"+k.name)
		}
	}
	for _, k := range l.told {
		if at(now, k.name) < 0 {
			parts = append(parts, "−"+k.name)
		}
	}
	l.told = now
	return strings.Join(parts, " ")
}

// current is a middleware that lists the tools of the moment.
func (l *toolList) current(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		list, ok := result.(*mcp.ListToolsResult)
		if !ok || err != nil {
			return result, err
		}
		list.Tools = l.read()
		return list, nil
	}
}

// read returns the tools of the moment, and notes that the client knows them.
func (l *toolList) read() []*mcp.Tool {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.told = l.known()
	list := make([]*mcp.Tool, len(l.tools))
	for i := range l.tools {
		list[i] = l.tools[i].listed()
	}
	return list
}

func toolNames(list []tool) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names
}
