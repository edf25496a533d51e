package relay

import (
	"encoding/json"
	"slices"
)

// keep tells how an event that Chrome sends once is kept for sessions
// that come late.
type keep struct {
	toggle string
	limit  int                        // how many; the oldest go first
	key    func(params []byte) string // what removes it; nil when nothing does
}

var keeps = map[string]keep{
	"Runtime.executionContextCreated": {"Runtime", 1000, contextKey},
	"Runtime.consoleAPICalled":        {"Runtime", 200, nil},
	"Runtime.exceptionThrown":         {"Runtime", 200, nil},
	"Debugger.scriptParsed":           {"Debugger", 2000, nil},
	"Debugger.paused":                 {"Debugger", 1, nil},
	"Log.entryAdded":                  {"Log", 100, nil},
	"Console.messageAdded":            {"Console", 100, nil},
	"Audits.issueAdded":               {"Audits", 100, nil},
	"CSS.styleSheetAdded":             {"CSS", 500, path("header", "styleSheetId")},
	"WebMCP.toolsAdded":               {"WebMCP", 200, nil},
	"Page.javascriptDialogOpening":    {"Page", 1, nil},
	"Page.lifecycleEvent":             {"Page.lifecycle", 400, path("frameId")},
}

func contextKey(params []byte) string {
	return string(member(member(params, "context"), "id"))
}

func path(names ...string) func([]byte) string {
	return func(params []byte) string {
		for _, n := range names {
			params = member(params, n)
		}
		return string(text(params))
	}
}

// memo is what Chrome said once in a target, in the order it was said.
type memo struct {
	said  []said
	count map[string]int
}

type said struct {
	method string
	key    string
	params []byte
}

// maxSaid bounds one kept event; a bigger one is not replayed.
const maxSaid = 64 << 10

func (m *memo) add(method string, k keep, params []byte) {
	if len(params) > maxSaid {
		return
	}
	e := said{method: method, params: slices.Clone(params)}
	if k.key != nil {
		e.key = k.key(params)
	}
	if m.count == nil {
		m.count = map[string]int{}
	}
	if m.count[method] >= k.limit {
		i := slices.IndexFunc(m.said, func(s said) bool { return s.method == method })
		m.said = slices.Delete(m.said, i, i+1)
		m.count[method]--
	}
	m.count[method]++
	m.said = append(m.said, e)
}

func (m *memo) remove(match func(said) bool) {
	m.said = slices.DeleteFunc(m.said, func(s said) bool {
		if match(s) {
			m.count[s.method]--
			return true
		}
		return false
	})
}

// drop forgets what belongs to a toggle that went off: Chrome will say
// it again.
func (m *memo) drop(toggle string) {
	m.remove(func(s said) bool { return keeps[s.method].toggle == toggle })
}

func (m *memo) only(methods ...string) {
	m.remove(func(s said) bool { return slices.Contains(methods, s.method) })
}

// replay tells one session what the others have heard already.
func (h *hub) replay(s *session, toggle string) {
	for _, e := range slices.Clone(s.target.memo.said) {
		if keeps[e.method].toggle == toggle {
			h.emit(s, e.method, e.params)
		}
	}
}

// remember keeps an event, or forgets what it puts an end to.
func (t *target) remember(method string, params []byte) {
	m := &t.memo
	switch method {
	case "Runtime.executionContextDestroyed":
		id := string(member(params, "executionContextId"))
		m.remove(func(s said) bool { return s.method == "Runtime.executionContextCreated" && s.key == id })
	case "Runtime.executionContextsCleared":
		m.only("Runtime.executionContextCreated", "Runtime.consoleAPICalled", "Runtime.exceptionThrown",
			"Debugger.scriptParsed", "Log.entryAdded", "Console.messageAdded", "Audits.issueAdded")
	case "Debugger.resumed":
		m.only("Debugger.paused")
	case "Debugger.paused":
		m.only("Debugger.paused")
	case "CSS.styleSheetRemoved":
		id := string(text(member(params, "styleSheetId")))
		m.remove(func(s said) bool { return s.method == "CSS.styleSheetAdded" && s.key == id })
	case "Page.javascriptDialogClosed", "Page.javascriptDialogOpening":
		m.only("Page.javascriptDialogOpening")
	case "WebMCP.toolsRemoved":
		m.removeTools(params)
	case "Page.frameNavigated":
		frame := member(params, "frame")
		m.dropTools(string(text(member(frame, "id"))), member(frame, "parentId") == nil)
	case "Page.frameDetached":
		id := string(text(member(params, "frameId")))
		m.dropTools(id, false)
		m.remove(func(s said) bool { return s.method == "Page.lifecycleEvent" && s.key == id })
	case "Page.lifecycleEvent":
		if name := string(text(member(params, "name"))); name == "init" || name == "commit" {
			loader := string(member(params, "loaderId"))
			id := string(text(member(params, "frameId")))
			m.remove(func(s said) bool {
				return s.method == method && s.key == id && string(member(s.params, "loaderId")) != loader
			})
		}
	}
	if k, ok := keeps[method]; ok && t.toggled(k.toggle) != nil {
		m.add(method, k, params)
	}
}

// tools is the part of WebMCP's events that names tools.
type tools struct {
	Tools []json.RawMessage `json:"tools"`
}

type toolName struct {
	Name    string `json:"name"`
	FrameID string `json:"frameId"`
}

// keepTools goes over the kept tools and leaves those that stay says.
func (m *memo) keepTools(stay func(toolName) bool) {
	for i, s := range m.said {
		if s.method != "WebMCP.toolsAdded" {
			continue
		}
		var v, left tools
		if json.Unmarshal(s.params, &v) != nil {
			continue
		}
		for _, raw := range v.Tools {
			var n toolName
			if json.Unmarshal(raw, &n) != nil || stay(n) {
				left.Tools = append(left.Tools, raw)
			}
		}
		if len(left.Tools) == 0 {
			m.said[i].params = nil
		} else if len(left.Tools) < len(v.Tools) {
			m.said[i].params = object(left)
		}
	}
	m.remove(func(s said) bool { return s.method == "WebMCP.toolsAdded" && s.params == nil })
}

func (m *memo) removeTools(params []byte) {
	var v struct {
		Tools []toolName `json:"tools"`
	}
	if json.Unmarshal(params, &v) == nil {
		m.keepTools(func(n toolName) bool { return !slices.Contains(v.Tools, n) })
	}
}

// dropTools forgets the tools of a frame's old document; Chrome does not
// say that they are gone.
func (m *memo) dropTools(frame string, all bool) {
	if m.count["WebMCP.toolsAdded"] == 0 {
		return
	}
	m.keepTools(func(n toolName) bool { return !all && n.FrameID != frame })
}
