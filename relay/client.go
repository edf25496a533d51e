package relay

import (
	"cmp"
	"slices"
	"time"
)

// client is one CDP peer. All of its fields are guarded by the hub's mu.
type client struct {
	peer     peer
	root     *session // the session without an id
	sessions map[string]*session
	plain    bool            // its tabs stay behind as they are: it sees to frames and focus itself
	files    bool            // it asked for file: addresses; static after construction
	far      bool            // it is on another machine; static, too
	writes   bool            // copies of downloads go wherever it says; static, too
	title    string          // of its tabs' group; empty where they have none
	own      *browserContext // of one that sees its own tabs alone
	flow     *flow           // what it has on its way to the browser
	away     time.Duration   // how long it waits for an extension that is away; 0 for as long as the hub
	name     string          // as the person sees it; static after construction
	agent    bool            // it is one of this program's agents; static after construction
	paused   bool            // the person paused it
	entry    *entry          // while it waits to be let in; nil from then on
	visit    func(came bool) // hears when it is let in, and when it has gone then
	deeds    map[string]bool // ids of the questions that the person is asked for it before it acts
	gone     bool
}

// sees reports whether a client may know of a tab.
func (c *client) sees(t *tab) bool { return c.own == nil || t.context != nil && t.context.owner == c }

// guest is what a client is let in as.
type guest struct {
	page  string // the tab that its own root stands for; without it that is the browser
	plain bool
	files bool          // it asks for file: addresses, too
	agent bool          // it says that it is one of this program's agents
	only  bool          // it sees the tabs that it opens and no others
	far   bool          // it is on another machine
	name  string        // as the person sees it; may be empty
	id    string        // of the address that it came by; empty for the owner's own
	flow  *flow         // shared by those of one socket; nil for one of its own
	away  time.Duration // how long it waits for an extension that is away; 0 for the grace time

	port    int             // that asks for no secret, through which it came; or 0
	program string          // what it calls itself
	visit   func(came bool) // hears when it is let in, and when it has gone then; must not wait; nil for nobody
}

// connect lets a client in.
func (h *hub) connect(p peer, g guest) (*client, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.admit(p, g)
}

func (h *hub) admit(p peer, g guest) (*client, bool) {
	if h.over() {
		return nil, false // the grace ended since the client was let in
	}
	c := &client{peer: p, plain: g.plain, files: g.files, far: g.far, writes: g.files && g.port == 0, away: g.away, name: cmp.Or(g.name, g.id, "cdp"), agent: g.agent, visit: g.visit, sessions: map[string]*session{}, flow: cmp.Or(g.flow, &flow{name: cmp.Or(g.name, g.id)})}
	c.paused = h.pauses(c)
	c.root = &session{client: c, kind: browserSession}
	if g.page != "" {
		t := h.tabs[g.page]
		if t == nil {
			return nil, false
		}
		c.root.kind = pageSession
		h.join(c.root, t.page)
	}
	if g.far {
		c.title = g.name
	}
	if g.only {
		c.own = &browserContext{id: h.newID(), owner: c, title: cmp.Or(g.name, "CDP client"), color: groupColors[0]}
		h.contexts = append(h.contexts, c.own)
	}
	h.clients = append(h.clients, c)
	h.info.LastUsed = h.clock()
	h.enter(c, g)
	return c, true
}

// disconnect forgets a client and all that it left in the tabs.
func (h *hub) disconnect(c *client) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.drop(c)
	h.reschedule()
}

func (h *hub) drop(c *client) {
	if c.gone {
		return
	}
	c.gone = true
	if c.entry != nil {
		h.forgetEntry(c)
	} else {
		c.visits(false)
	}
	h.forgetDeeds(c)
	if i := slices.Index(h.clients, c); i >= 0 {
		h.clients = append(h.clients[:i], h.clients[i+1:]...)
	}
	h.leave(append(sorted(c.sessions), c.root))
	h.disposeOf(c)
	h.ungroup(c)
}
