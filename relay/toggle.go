package relay

import (
	"slices"
	"strings"
)

// toggle is something that a session switches on and off in a target:
// a domain, or one of the features below. Chrome has one switch for all
// sessions, so it is turned off only when nobody needs it.
type toggle struct {
	name string
	on   bool
}

// switches are the toggles that are not of the form X.enable.
var switches = map[string]func(params []byte) toggle{
	"Page.startScreencast":                 func([]byte) toggle { return toggle{castToggle, true} },
	"Page.stopScreencast":                  func([]byte) toggle { return toggle{castToggle, false} },
	"Page.setLifecycleEventsEnabled":       byMember("Page.lifecycle"),
	"Page.setInterceptFileChooserDialog":   byMember("Page.fileChooser"),
	"Emulation.setFocusEmulationEnabled":   byMember(focusToggle),
	"Emulation.setTouchEmulationEnabled":   byMember("Emulation.touch"),
	"Emulation.setEmitTouchEventsForMouse": byMember("Emulation.touchMouse"),
	// Chrome enables the domain itself for whoever asks for the document.
	"DOM.getDocument": func([]byte) toggle { return toggle{"DOM", true} },
}

func byMember(name string) func([]byte) toggle {
	return func(params []byte) toggle {
		return toggle{name, string(member(params, "enabled")) == "true"}
	}
}

// offs are the commands that turn a toggle off, where it is not X.disable.
var offs = map[string]struct{ method, params string }{
	castToggle:             {"Page.stopScreencast", "{}"},
	"Page.lifecycle":       {"Page.setLifecycleEventsEnabled", `{"enabled":false}`},
	"Page.fileChooser":     {"Page.setInterceptFileChooserDialog", `{"enabled":false}`},
	focusToggle:            {"Emulation.setFocusEmulationEnabled", `{"enabled":false}`},
	"Emulation.touch":      {"Emulation.setTouchEmulationEnabled", `{"enabled":false}`},
	"Emulation.touchMouse": {"Emulation.setEmitTouchEventsForMouse", `{"enabled":false}`},
}

// eventToggles are the events that do not belong to their whole domain.
var eventToggles = map[string]string{
	"Page.lifecycleEvent":              "Page.lifecycle",
	"Page.screencastFrame":             castToggle,
	"Page.screencastVisibilityChanged": castToggle,
	"Page.fileChooserOpened":           "Page.fileChooser",
}

func toggleOf(method string, params []byte) (toggle, bool) {
	if domain, ok := strings.CutSuffix(method, ".enable"); ok {
		return toggle{domain, true}, true
	}
	if domain, ok := strings.CutSuffix(method, ".disable"); ok {
		return toggle{domain, false}, true
	}
	if f := switches[method]; f != nil {
		return f(params), true
	}
	return toggle{}, false
}

// toggled is a toggle that is on in a target, with the command that put
// it on, to be sent again when an attachment is renewed.
type toggled struct {
	name   string
	method string
	params []byte
	from   *flow // of who switched it on last
}

func (t *target) toggled(name string) *toggled {
	for _, on := range t.toggles {
		if on.name == name {
			return on
		}
	}
	return nil
}

// needs reports whether a session of the target has the toggle on.
func (t *target) needs(name string) bool {
	for _, s := range t.sessions {
		if s.on[name] {
			return true
		}
	}
	return false
}

// switchOn counts the session in. One that comes late is told what Chrome
// said once to those before it, right before the answer: clients send
// commands in batches, and know a frame only once those are answered.
func (h *hub) switchOn(m *message, name string) {
	s, t := m.session, m.session.target
	fresh := !s.on[name]
	on := t.toggled(name)
	late := on != nil && fresh
	c := &call{target: t, method: m.quoted, params: m.params, name: m.method, toggle: name}
	if on == nil {
		on = &toggled{name: name}
		t.toggles = append(t.toggles, on)
	}
	if late && t.blocked() && name != "Debugger" {
		// The page answers nothing before its dialog is closed, and the
		// session can only close it when it knows of it. Only
		// Debugger.enable has an answer that the relay does not know.
		s.switched(name)
		h.replay(s, name)
		m.ok(nil)
		return
	}
	if late && name == "Page.lifecycle" {
		// Chrome would tell everybody once more.
		c.method, c.params, c.toggle = inTurn, nil, ""
	} else {
		on.method, on.params, on.from = m.method, slices.Clone(m.params), s.client.flow
	}
	if m.method == "DOM.getDocument" {
		on.method, on.params = "DOM.enable", nil
	}
	s.switched(name)
	if late {
		s.late[name] = true
	}
	c.after = func(result []byte, f *fault) {
		if s.closed {
			return
		}
		if f == nil && s.late[name] {
			h.replay(s, name)
		}
		delete(s.late, name)
		if f != nil && fresh {
			delete(s.on, name)
			h.settle(t, name, false)
		}
		h.answer(s, m.id, result, f)
	}
	h.do(c)
}

// blocked reports whether a dialog keeps the target from answering.
func (t *target) blocked() bool { return t.memo.count["Page.javascriptDialogOpening"] > 0 }

// Commands that change nothing. The browser answers the first by itself, and so also
// where a page is busy; the page answers the second, after what it was asked before.
var (
	barrier = []byte(`"Inspector.enable"`)
	inTurn  = []byte(`"Runtime.getIsolateId"`)
)

func (s *session) switched(name string) {
	if s.on == nil {
		s.on, s.late = map[string]bool{}, map[string]bool{}
	}
	s.on[name] = true
}

// switchOff forwards the command only for the last one who leaves.
func (h *hub) switchOff(m *message, name string) {
	s, t := m.session, m.session.target
	delete(s.on, name)
	delete(s.late, name)
	if t.needs(name) || t.tab.state != attached {
		if !t.needs(name) {
			h.settle(t, name, false)
		}
		m.ok(nil)
		return
	}
	h.settle(t, name, false)
	h.plain(m)
}

// settle drops a toggle that nobody needs any more, and with tell also
// switches it off in Chrome.
func (h *hub) settle(t *target, name string, tell bool) {
	if t.toggled(name) == nil || t.needs(name) {
		return
	}
	t.toggles = slices.DeleteFunc(t.toggles, func(on *toggled) bool { return on.name == name })
	t.memo.drop(name)
	if !tell || t.gone || t.crashed || t.tab.state != attached {
		return
	}
	if off, ok := offs[name]; ok {
		h.own(t, off.method, []byte(off.params))
		return
	}
	h.own(t, name+".disable", nil)
}

// tidy undoes what a session that has ended left in its target.
func (h *hub) tidy(s *session) {
	t := s.target
	for _, on := range slices.Clone(t.toggles) {
		if s.on[on.name] {
			h.settle(t, on.name, true)
		}
	}
	h.undo(s)
	h.leaveStreams(s)
	if t.gone || t.crashed || t.tab.state != attached {
		return
	}
	if s.attach != nil {
		h.applyAutoAttach(t, nil)
	}
	if t.waiting && s.parent != nil && s.parent.attach != nil && s.parent.attach.WaitForDebuggerOnStart {
		h.resume(t)
	}
}

// resume lets a paused target run.
func (h *hub) resume(t *target) {
	t.waiting = false
	h.own(t, "Runtime.runIfWaitingForDebugger", nil)
}
