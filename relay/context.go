package relay

import (
	"fmt"
	"slices"
)

// browserContext is a client's own set of tabs in the one profile: they stand
// in a group, and close with it. Cookies and storage are the profile's.
type browserContext struct {
	id    string
	owner *client
	title string // of its group
	color string
}

// maxContexts bounds the contexts of one client.
const maxContexts = 64

// groupColors are Chrome's names, given in turn.
var groupColors = []string{"blue", "green", "purple", "orange", "cyan", "pink", "yellow", "red"}

func createContext(h *hub, m *message) {
	var p struct {
		ProxyServer string   `json:"proxyServer"`
		Origins     []string `json:"originsWithUniversalNetworkAccess"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	owner, own := m.session.client, 0
	for _, c := range h.contexts {
		if c.owner == owner {
			own++
		}
	}
	switch {
	case p.ProxyServer != "" || len(p.Origins) > 0:
		m.fail(failure(codeServer, "a browser context here shares the profile's network: it cannot have its own proxy or universal network access"))
		return
	case own >= maxContexts:
		m.fail(failure(codeServer, "this client has %d browser contexts: dispose one first", own))
		return
	}
	h.contextsMade++
	c := &browserContext{id: h.newID(), owner: owner, title: fmt.Sprintf("context %d", h.contextsMade),
		color: groupColors[(h.contextsMade-1)%len(groupColors)]}
	if h.contextsMade == 1 {
		h.log.Warn("a client made a browser context: its tabs have a group of their own and close with it, but cookies and storage are the profile's")
	}
	h.contexts = append(h.contexts, c)
	m.ok(wrap("browserContextId", appendString(nil, c.id)))
}

// contextNamed returns the context of an id, nil for the browser's own. A client
// that sees its own tabs alone has another in its place. Whoever disposes a
// context closes its tabs, so it is its owner's alone.
func (h *hub) contextNamed(by *client, id string) (*browserContext, *fault) {
	if id == "" || id == h.context {
		return by.own, nil
	}
	for _, c := range h.contexts {
		if c.id == id && c.owner == by {
			return c, nil
		}
	}
	return nil, failure(codeServer, "Failed to find browser context with id %.100s", id)
}

func browserContexts(h *hub, m *message) {
	ids := []string{}
	for _, c := range h.contexts {
		if c.owner == m.session.client && c != c.owner.own {
			ids = append(ids, c.id)
		}
	}
	m.ok(object(struct {
		IDs     []string `json:"browserContextIds"`
		Default string   `json:"defaultBrowserContextId"`
	}{ids, h.context}))
}

// disposeContext answers when the context's tabs are closed.
func disposeContext(h *hub, m *message) {
	c, f := h.contextNamed(m.session.client, string(text(member(m.params, "browserContextId"))))
	if f == nil && c == m.session.client.own {
		f = failure(codeServer, "the default browser context cannot be disposed")
	}
	if f != nil {
		m.fail(f)
		return
	}
	h.dispose(c, func() { m.ok(nil) })
}

// dispose closes a context's tabs, then calls back.
func (h *hub) dispose(c *browserContext, then func()) {
	h.contexts = slices.DeleteFunc(h.contexts, func(other *browserContext) bool { return other == c })
	for _, s := range c.owner.all() {
		delete(s.downloads, c.id)
	}
	left := 1
	done := func([]byte, *fault) {
		if left--; left == 0 {
			then()
		}
	}
	for _, t := range slices.Clone(h.order) {
		if t.context == c && !h.over() {
			left++
			h.wire("closeTab", wrap("id", t.quoted), nil, done)
		}
	}
	done(nil, nil)
}

// disposeOf ends the contexts of a client that has gone.
func (h *hub) disposeOf(owner *client) {
	for _, c := range slices.Clone(h.contexts) {
		if c.owner == owner {
			h.dispose(c, func() {})
		}
	}
}

// adopt puts a tab into a context and its group. It reports whether the context
// is still there: the tab of one that has ended is to be closed.
func (h *hub) adopt(t *tab, c *browserContext) bool {
	t.context = c
	if !slices.Contains(h.contexts, c) {
		return false
	}
	h.groupTabs([]string{t.id}, c.title, c.color, false)
	return true
}

// contextOf is the id of the context that a tab is in.
func (h *hub) contextOf(t *tab) string {
	if t.context != nil {
		return t.context.id
	}
	return h.context
}

// hold keeps a tab from the clients while nobody knows whose it is: one that
// is opened for a context is told of before the answer that names it.
func (h *hub) hold(t *tab) {
	if h.opening > 0 && t.about.OpenerID == "" {
		t.held = true
	}
}

// unhold shows the tabs that were held, when all that were asked for are known.
func (h *hub) unhold() {
	if h.opening > 0 {
		return
	}
	for _, t := range slices.Clone(h.order) {
		if t.held {
			t.held = false
			h.show(t)
		}
	}
}
