package relay

import "slices"

// Group shows tabs as belonging together, each in the group of a title in its
// own window, which is made where there is none. It only asks: nothing is
// waited for, and a tab that cannot be in a group stays as it is. Color is one
// of Chrome's names for those of groups.
func (s *Server) Group(ids []string, title, color string) {
	for _, h := range s.all() {
		h.group(ids, title, color)
	}
}

// RenameGroups gives the groups of a title that Group made another one, in all
// browsers. It only asks, too.
func (s *Server) RenameGroups(title, to, color string) {
	for _, h := range s.all() {
		h.renameGroups(title, to, color)
	}
}

func (h *hub) group(ids []string, title, color string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	var here []string
	for _, id := range ids {
		if h.tabs[id] != nil {
			here = append(here, id)
		}
	}
	if len(here) > 0 {
		h.groupTabs(here, title, color)
	}
}

// groupTabs is group for tabs that are there; mu is held, as in what follows.
func (h *hub) groupTabs(ids []string, title, color string) {
	h.post("groupTabs", struct {
		IDs   []string `json:"ids"`
		Title string   `json:"title"`
		Color string   `json:"color"`
	}{ids, title, color})
}

// ungroup says at the groups of a client with a title that it has gone, unless
// another has it.
func (h *hub) ungroup(c *client) {
	if c.title != "" && !slices.ContainsFunc(h.clients, func(o *client) bool { return o.title == c.title }) {
		h.retitleGroups(c.title, c.title+" (left)", "grey")
	}
}

func (h *hub) renameGroups(title, to, color string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.retitleGroups(title, to, color)
}

func (h *hub) retitleGroups(title, to, color string) {
	h.post("renameGroups", struct {
		Title string `json:"title"`
		To    string `json:"to"`
		Color string `json:"color"`
	}{title, to, color})
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
