package relay

import (
	"fmt"
	"slices"
)

func (m *message) autoAttach() (*autoAttach, bool) {
	var p autoAttach
	f := decode(m.params, &p)
	if f == nil && p.AutoAttach && !p.Flatten {
		f = failure(codeServer, "only flat sessions are supported: send flatten: true")
	}
	if f != nil {
		m.fail(f)
		return nil, false
	}
	return &p, true
}

// stopAutoAttach ends the sessions that a session's auto attaching made.
func (h *hub) stopAutoAttach(s *session) {
	s.attach = nil
	for _, other := range sorted(s.client.sessions) {
		if other.parent == s && other.auto && !other.closed {
			h.end(under(other))
		}
	}
}

// startAutoAttach returns what auto attaching a session asks for; nil where it
// asks for none, which is then done and answered.
func (h *hub) startAutoAttach(m *message) *autoAttach {
	p, ok := m.autoAttach()
	if ok && !p.AutoAttach {
		h.stopAutoAttach(m.session)
		m.ok(nil)
		return nil
	}
	return p
}

func browserAutoAttach(h *hub, m *message) {
	p, s := h.startAutoAttach(m), m.session
	if p == nil {
		return
	}
	p.seen = map[*tab]bool{}
	if s.attach != nil {
		p.seen = s.attach.seen
	}
	s.attach = p
	for _, t := range slices.Clone(h.order) {
		h.autoAttach(s, t)
	}
	m.ok(nil)
}

// tabAutoAttach gives a session on a target of type "tab" the page.
func tabAutoAttach(h *hub, m *message) {
	p, s := h.startAutoAttach(m), m.session
	if p == nil {
		return
	}
	s.attach = p
	if p.Filter.allows("page") && !s.has(s.target) {
		h.open(s, pageSession, s.target, false).auto = true
	}
	m.ok(nil)
}

// has reports whether auto attaching already gave s a session on t.
func (s *session) has(t *target) bool {
	for _, other := range t.sessions {
		if other.parent == s && other.auto {
			return true
		}
	}
	return false
}

func pageAutoAttach(h *hub, m *message) {
	p, ok := m.autoAttach()
	if !ok {
		return
	}
	s, t := m.session, m.session.target
	if t.gone {
		m.fail(faultClosed)
		return
	}
	if !p.AutoAttach {
		h.stopAutoAttach(s)
		h.applyAutoAttach(t, m)
		return
	}
	s.attach = p
	h.applyAutoAttach(t, m)
}

// announce gives a session its own session on a child, if it wants one.
func (h *hub) announce(s *session, child *target) bool {
	if s.attach == nil || s.catchUp > 0 || child.hidden || !s.attach.Filter.allows(child.typ) || s.has(child) {
		return false
	}
	h.open(s, pageSession, child, child.waiting).auto = true
	return true
}

// applyAutoAttach brings Chrome's auto attaching in a target to what its
// sessions need together, then answers m. Chrome takes the children from
// everybody when it is off, so it stays on while one of them is used.
func (h *hub) applyAutoAttach(t *target, m *message) {
	var want autoAttach
	for _, s := range t.sessions {
		if s.attach != nil {
			want.AutoAttach = true
			want.WaitForDebuggerOnStart = want.WaitForDebuggerOnStart || s.attach.WaitForDebuggerOnStart
		}
	}
	if !want.AutoAttach && t.attach.AutoAttach && t.tab.usedBelow(t) {
		want.AutoAttach = true
	}
	same := want.AutoAttach == t.attach.AutoAttach && want.WaitForDebuggerOnStart == t.attach.WaitForDebuggerOnStart
	idle := t.gone || t.crashed || t.tab.state == unattached && len(t.tab.waiting) == 0
	if idle || same && m == nil {
		if m != nil {
			m.ok(nil) // what it wants is asked for when the tab is attached
		}
		return
	}
	if same && t.blocked() {
		for _, child := range t.tab.children(t) {
			h.announce(m.session, child)
		}
		m.ok(nil)
		return
	}
	c := &call{target: t, method: barrier}
	if !same {
		t.attach = want
		c.method = []byte(`"Target.setAutoAttach"`)
		c.params = fmt.Appendf(nil, `{"autoAttach":%t,"waitForDebuggerOnStart":%t,"flatten":true}`,
			want.AutoAttach, want.WaitForDebuggerOnStart)
	}
	if m != nil {
		m.session.catchUp++
	}
	c.after = func(_ []byte, f *fault) {
		if f != nil && !same {
			t.attach = autoAttach{}
		}
		if m == nil || m.session.closed {
			return
		}
		// The children come right before the answer: a client knows their
		// frames only once its earlier commands are answered.
		if m.session.catchUp--; f == nil {
			for _, child := range t.tab.children(t) {
				if !h.announce(m.session, child) && child.waiting && len(child.sessions) == 0 {
					h.resume(child)
				}
			}
		}
		m.done(nil, f)
	}
	h.do(c)
}

// children lists the children of a target in the order of their ids.
func (t *tab) children(parent *target) []*target {
	var list []*target
	for _, c := range t.targets {
		if c.parent == parent && c.parent != nil {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *target) int { return a.order - b.order })
	return list
}

func (t *tab) usedBelow(p *target) bool {
	for _, c := range t.children(p) {
		if len(c.sessions) > 0 || t.usedBelow(c) {
			return true
		}
	}
	return false
}
