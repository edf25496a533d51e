package relay

import (
	"slices"
	"strings"
)

// kind tells what a session is attached to.
type kind int

const (
	browserSession kind = iota // the root, or attachToBrowserTarget
	tabSession                 // a target of type "tab", around a page
	pageSession                // a page, a frame or a worker
)

// session is one CDP session of one client. Several sessions, of one
// client or of many, share the attachment of their target.
type session struct {
	id     string // empty for a client's root
	client *client
	kind   kind
	target *target  // for pageSession; for tabSession the page inside
	parent *session // where it was announced; nil for roots
	auto   bool     // made by setAutoAttach of the parent
	closed bool

	catchUp   int                 // setAutoAttach commands that are not answered yet
	attach    *autoAttach         // set while it wants to be attached to what comes
	discover  *discovery          // set while it wants to be told of targets
	downloads map[string]behavior // what it wants of them, by id of the context

	on       map[string]bool     // toggles that this session switched on
	late     map[string]bool     // those of them that are not answered yet
	settings map[string]*setting // what it set in the target, by key
	scripts  []*script           // its scripts for new documents
	streams  map[string]bool     // handles of IO that were made for it
	starting int                 // recordings that it asked for and that are not answered yet
	focused  bool                // it is seen to that its target behaves as in front, or it chose itself
}

// autoAttach is what a session asked for with Target.setAutoAttach.
type autoAttach struct {
	AutoAttach             bool   `json:"autoAttach"`
	WaitForDebuggerOnStart bool   `json:"waitForDebuggerOnStart"`
	Flatten                bool   `json:"flatten"`
	Filter                 filter `json:"filter"`

	seen map[*tab]bool // on a browserSession: tabs it was attached to
}

// discovery is what a session asked for with Target.setDiscoverTargets.
type discovery struct {
	filter filter
	seen   map[string]bool // target ids that it was told of
	kept   map[*tab]bool   // of an agent, tabs that it knows to be withheld
}

// filter is CDP's TargetFilter: the first entry that matches decides.
type filter []struct {
	Type    string `json:"type"`
	Exclude bool   `json:"exclude"`
}

func (f filter) allows(typ string) bool {
	if f == nil {
		return typ != "browser" && typ != "tab"
	}
	for _, e := range f {
		if e.Type == "" || e.Type == typ {
			return !e.Exclude
		}
	}
	return false
}

// join gives a target a session.
func (h *hub) join(s *session, t *target) {
	s.target = t
	if s.id != "" {
		s.client.sessions[s.id] = s
	}
	if s.kind == pageSession {
		t.sessions = append(t.sessions, s)
	} else {
		t.tab.outer = append(t.tab.outer, s)
	}
}

// open makes a session and announces it on its parent.
func (h *hub) open(parent *session, k kind, t *target, waiting bool) *session {
	s := &session{id: h.newID(), client: parent.client, kind: k, parent: parent}
	h.join(s, t)
	info := h.targetInfo(t, k, true)
	b := append([]byte(`{"sessionId":"`), s.id...)
	b = append(b, `","targetInfo":`...)
	b = append(b, info...)
	b = append(b, `,"waitingForDebugger":`...)
	if waiting {
		b = append(b, "true}"...)
	} else {
		b = append(b, "false}"...)
	}
	h.emit(parent, "Target.attachedToTarget", b)
	return s
}

// detached tells the parent that a session has ended.
func (h *hub) detached(s *session) {
	if s.parent == nil || s.parent.closed {
		return
	}
	id := ""
	switch {
	case s.target == nil:
		id = h.browser
	case s.kind == tabSession:
		id = s.target.tab.outerID
	default:
		id = s.target.id
	}
	b := append([]byte(`{"sessionId":"`), s.id...)
	b = append(b, `","targetId":`...)
	b = appendString(b, id)
	h.emit(s.parent, "Target.detachedFromTarget", append(b, '}'))
}

// under lists a session and the sessions announced on it, inner ones
// first.
func under(s *session) []*session {
	var all []*session
	for _, other := range sorted(s.client.sessions) {
		if other.parent == s && !other.closed {
			all = append(all, under(other)...)
		}
	}
	return append(all, s)
}

// end closes sessions and tells their parents. What they left in their
// targets is undone unless the target is gone as well.
func (h *hub) end(sessions []*session) {
	for _, s := range sessions {
		if !s.closed {
			h.detached(s)
		}
	}
	h.leave(sessions)
}

// leave takes sessions from their targets and puts those back in order.
func (h *hub) leave(sessions []*session) {
	var left []*session
	for _, s := range sessions {
		if s.closed {
			continue
		}
		s.closed = true
		delete(s.client.sessions, s.id)
		if t := s.target; t != nil {
			t.sessions = without(t.sessions, s)
			t.tab.outer = without(t.tab.outer, s)
			left = append(left, s)
		}
	}
	for _, s := range left {
		// All ends with the attachment but the size, which Chrome leaves to a
		// tab behind that is drawing then.
		if s.kind == pageSession && (!s.target.tab.unused() || s.settings[sized] != nil) {
			h.tidy(s)
		}
	}
	for _, s := range left {
		if tab := s.target.tab; tab.unused() {
			h.release(tab)
		}
	}
}

func without(list []*session, s *session) []*session {
	for i, other := range list {
		if other == s {
			return append(list[:i:i], list[i+1:]...)
		}
	}
	return list
}

// sorted lists sessions in the order of their ids, so that what the hub
// says does not hang on Go's map order.
func sorted(m map[string]*session) []*session {
	list := make([]*session, 0, len(m))
	for _, s := range m {
		list = append(list, s)
	}
	slices.SortFunc(list, func(a, b *session) int { return strings.Compare(a.id, b.id) })
	return list
}
