package relay

import "strings"

// focusToggle makes a page believe that it is seen and has the focus. A tab
// behind draws no frames otherwise, and a client that waits for one hangs.
const focusToggle = "Emulation.focus"

const castToggle = "Page.screencast"

// focus makes a tab that a client's session drives behave as in front, until
// the session ends. A client that chose for itself is left alone.
func (h *hub) focus(s *session, method string) {
	t := s.target
	if s.focused || s.client.plain || t.typ != "page" && t.typ != "iframe" {
		return
	}
	if toggle, ok := toggleOf(method, nil); ok {
		s.focused = toggle.name == focusToggle
		return
	}
	if !drives(method) {
		return
	}
	s.focused = true
	s.switched(focusToggle)
	if t.toggled(focusToggle) != nil {
		return
	}
	on := &toggled{name: focusToggle, method: "Emulation.setFocusEmulationEnabled", params: []byte(`{"enabled":true}`)}
	t.toggles = append(t.toggles, on)
	h.do(&call{target: t, method: appendString(nil, on.method), params: on.params, toggle: on.name,
		after: func([]byte, *fault) {}}) // a page that takes none stays as it is
}

// drives reports whether a command works with a page. Those by which a client
// only gets to know a tab leave it as it is.
func drives(method string) bool {
	switch method {
	case "Runtime.evaluate", "Runtime.callFunctionOn", "Page.navigate", "Page.reload", "Page.captureScreenshot",
		"Page.printToPDF", "DOM.focus", "DOM.scrollIntoViewIfNeeded":
		return true
	}
	return strings.HasPrefix(method, "Input.")
}

// capture takes a picture. A tab behind that believes itself seen draws one
// only under a screencast, which runs as long as the picture takes.
func capture(h *hub, m *message) {
	s, t := m.session, m.session.target
	if fault := h.unfit(s, m.method); fault != nil {
		m.fail(fault)
		return
	}
	h.focus(s, m.method)
	if s.client.plain || t.toggled(focusToggle) == nil || t.toggled(castToggle) != nil && t.casts == 0 {
		h.plain(m)
		return
	}
	if t.casts++; t.casts == 1 {
		h.own(t, "Page.startScreencast", []byte(`{"format":"jpeg","quality":1,"maxWidth":16,"maxHeight":16}`))
	}
	h.do(&call{target: t, method: m.quoted, params: m.params, name: m.method, after: func(result []byte, f *fault) {
		if t.casts--; t.casts == 0 && t.toggled(castToggle) == nil && !t.gone && !t.crashed && t.tab.state == attached {
			h.own(t, "Page.stopScreencast", nil)
		}
		m.done(result, f)
	}})
}
