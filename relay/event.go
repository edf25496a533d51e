package relay

import (
	"bytes"
	"strings"
)

// event routes a CDP event to the sessions that it concerns.
func (h *hub) event(f frame) {
	t := h.tabs[string(text(f.id))]
	if t == nil {
		return
	}
	target := t.page
	if len(f.sessionID) > 0 && string(f.sessionID) != "null" {
		if target = t.targets[string(text(f.sessionID))]; target == nil {
			return
		}
	}
	if bytes.IndexByte(f.method, '\\') >= 0 {
		return // no event has such a name
	}
	method := string(text(f.method))
	params := f.params
	if len(params) == 0 || params[0] != '{' {
		params = empty
	}
	switch method {
	case "Target.attachedToTarget":
		h.childAttached(target, params)
		return
	case "Target.detachedFromTarget":
		h.childDetached(t, params)
		return
	case "Inspector.targetCrashed":
		h.crashed(target)
	case "Inspector.targetReloadedAfterCrash":
		target.crashed = false
	}
	if strings.HasPrefix(method, "Target.") {
		return
	}
	if target.sync != nil && target.sync.repeats(method, params) {
		return
	}
	if strings.HasPrefix(method, "Tracing.") {
		h.traced(target, method, params)
		return
	}
	h.deliver(target, method, params)
}

// deliver keeps an event, and gives it to the sessions that switched its
// domain on. When none did it goes to all: Chrome must have had a reason.
func (h *hub) deliver(t *target, method string, params []byte) {
	if t.hidden {
		return
	}
	t.remember(method, params)
	t.notesLoad(method, params)
	name := eventToggles[method]
	if name == "" {
		name, _, _ = strings.Cut(method, ".")
	}
	all := name == "Inspector" || !t.needs(name)
	if all && name == castToggle {
		return // of the relay's own
	}
	for _, s := range t.sessions {
		if s.late[name] {
			continue // it is told with the answer
		}
		if all || s.on[name] || method == "Runtime.bindingCalled" && s.bound(params) {
			h.emit(s, method, params)
		}
	}
}

// bound reports whether the session added the binding that was called.
func (s *session) bound(params []byte) bool {
	return s.settings["Runtime.addBinding/"+string(text(member(params, "name")))] != nil
}

// crashed fails what waits for a target that will not answer any more.
func (h *hub) crashed(t *target) {
	t.crashed = true
	for _, c := range h.inFlight(func(c *call) bool { return c.target == t && !revives[c.name] }) {
		h.finish(c, nil, faultCrashed)
	}
	if t != t.tab.page {
		return
	}
	params := object(struct {
		ID     string `json:"targetId"`
		Status string `json:"status"`
		Code   int    `json:"errorCode"`
	}{t.id, "crashed", 0})
	for _, c := range h.clients {
		for _, s := range c.discoverers() {
			if s.discover.seen[t.id] {
				h.emit(s, "Target.targetCrashed", params)
			}
		}
	}
}
