package relay

import "slices"

// Group shows tabs as belonging together, each in the group of a title in its
// own window, which is made where there is none. It only asks: nothing is
// waited for, and a tab that cannot be in a group stays as it is. Color is one
// of Chrome's names for those of groups. Of tabs that were taken those alone are
// moved that another agent left.
func (s *Server) Group(ids []string, title, color string, taken bool) {
	for _, h := range s.all() {
		h.group(ids, title, color, taken)
	}
}

// LeaveGroups says at the groups of a title that Group made that nobody has them
// any more, in all browsers. It only asks, too.
func (s *Server) LeaveGroups(title string) {
	for _, h := range s.all() {
		h.mu.Lock()
		h.leaveGroups(title)
		h.mu.Unlock()
	}
}

func (h *hub) group(ids []string, title, color string, taken bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var here []string
	for _, id := range ids {
		if h.tabs[id] != nil {
			here = append(here, id)
		}
	}
	if len(here) > 0 {
		h.groupTabs(here, title, color, taken)
	}
}

// groupTabs is group for tabs that are there; mu is held, as in what follows.
func (h *hub) groupTabs(ids []string, title, color string, taken bool) {
	h.post("groupTabs", struct {
		IDs   []string `json:"ids"`
		Title string   `json:"title"`
		Color string   `json:"color"`
		Taken bool     `json:"taken,omitempty"`
	}{ids, title, color, taken})
}

// ungroup says at the groups of a client with a title that it has gone, unless
// another has it.
func (h *hub) ungroup(c *client) {
	if c.title != "" && !slices.ContainsFunc(h.clients, func(o *client) bool { return o.title == c.title }) {
		h.leaveGroups(c.title)
	}
}

func (h *hub) leaveGroups(title string) {
	h.post("leaveGroups", struct {
		Title string `json:"title"`
	}{title})
}

// over reports whether the browser is gone and nothing waits for it any more.
func (h *hub) over() bool { return h.retired || h.extension == nil && h.graceEnds.IsZero() }

// post sends one of the extension's own commands whose outcome nobody waits for.
func (h *hub) post(method string, params any) {
	if h.over() {
		return
	}
	h.wire(method, object(params), nil, func(_ []byte, f *fault) {
		if f != nil {
			h.log.Debug("the extension refused", "method", method)
		}
	})
	h.reschedule()
}
