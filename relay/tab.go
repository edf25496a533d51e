package relay

import (
	"strings"
)

// attachment is how far the debugger is on a tab.
type attachment int

const (
	unattached attachment = iota
	attaching
	attached
	detaching
	lost // it was attached when the extension went away
)

// tab is one tab of the browser. Its debugger attachment is shared by
// the sessions of all clients.
type tab struct {
	id      string
	quoted  []byte // the id as JSON
	number  int64  // counts the browser's tabs, for who cannot use ids
	outerID string // id of the target of type "tab" around the page
	about   tabInfo
	context *browserContext // nil for the browser's own
	held    bool            // not shown yet
	fresh   bool            // it was opened empty, and has not been navigated

	state   attachment
	page    *target
	targets map[string]*target // by Chrome's session id, the page under ""
	outer   []*session         // sessions of type "tab", and none else
	made    int                // targets so far
	waiting []*call            // commands that came before the attachment
	taken   *fault             // what those hear who use it: the person took it back, and may share it again; else nil
	gone    bool
}

// tabInfo is a tab as the extension tells it.
type tabInfo struct {
	ID        string `json:"id"`
	Title     string `json:"title"`
	URL       string `json:"url"`
	OpenerID  string `json:"openerId"`
	Attached  bool   `json:"attached"`
	Discarded bool   `json:"discarded"`
	Frozen    bool   `json:"frozen"`
	WindowID  int64  `json:"windowId"`
	Taken     bool   `json:"taken"`
	Over      bool   `json:"over"`
	Withheld  bool   `json:"withheld"` // it shows a site that agents may not use, or not yet
}

// target is what one of Chrome's debugger sessions speaks to: a page, or
// a frame or worker inside of it.
type target struct {
	id      string
	tab     *tab
	parent  *target // nil for the page
	chrome  []byte  // Chrome's session id, quoted; nil for the page
	raw     []byte  // Chrome's targetInfo; nil for the page
	typ     string
	order   int  // counts the tab's targets
	hidden  bool // no client may see it
	waiting bool // paused until somebody resumes it
	crashed bool
	gone    bool

	sessions []*session
	toggles  []*toggled // what is switched on in it, oldest first
	memo     memo
	sync     *resync
	attach   autoAttach // what Chrome was asked for last
	fonts    bool       // they were set
	casts    int        // pictures that need the relay's own screencast
	recorder *session   // the session that records a trace
	loading  bool       // its load event is still to come
}

// known returns the tab that info speaks of, new if it must be.
func (h *hub) known(info tabInfo) *tab {
	if t := h.tabs[info.ID]; t != nil {
		t.about.merge(info)
		return t
	}
	h.numbers++
	t := &tab{id: info.ID, number: h.numbers, quoted: appendString(nil, info.ID), outerID: h.newID(), about: info}
	if info.Attached {
		t.state = attached
	}
	t.page = &target{id: t.id, tab: t, typ: "page"}
	t.targets = map[string]*target{"": t.page}
	h.tabs[t.id] = t
	h.order = append(h.order, t)
	if opener := h.tabs[info.OpenerID]; opener != nil && opener.context != nil && !h.adopt(t, opener.context) {
		h.close(t)
	}
	return t
}

func (i *tabInfo) merge(n tabInfo) {
	opener := i.OpenerID
	*i = n
	if n.OpenerID == "" {
		i.OpenerID = opener
	}
}

// visible reports whether clients are attached to the tab unasked. A tab
// that sleeps would hold up whoever speaks to it at once, and one on a
// page of the browser itself cannot be attached.
func (t *tab) visible() bool {
	if t.taken != nil || t.about.Discarded || t.about.Frozen {
		return false
	}
	return !t.barred()
}

// barred reports whether the tab is on a page where no debugger may be, or not yet.
func (t *tab) barred() bool {
	if t.about.Withheld {
		return true
	}
	scheme, _, ok := strings.Cut(t.about.URL, ":")
	return ok && !strings.EqualFold(scheme, "about") && !eligible(scheme)
}

// unused tells that no client has a session in the tab.
func (t *tab) unused() bool {
	if len(t.outer) > 0 {
		return false
	}
	for _, target := range t.targets {
		if len(target.sessions) > 0 {
			return false
		}
	}
	return true
}

// each visits the tab's targets, parents before children.
func (t *tab) each(visit func(*target)) {
	var walk func(*target)
	walk = func(p *target) {
		visit(p)
		for _, c := range t.children(p) {
			walk(c)
		}
	}
	walk(t.page)
}

// sessions lists all sessions in the tab, the outer ones last.
func (t *tab) sessions() []*session {
	var all []*session
	t.each(func(target *target) { all = append(all, target.sessions...) })
	return append(all, t.outer...)
}

// targetInfo is CDP's TargetInfo.
func (h *hub) targetInfo(t *target, k kind, attached bool) []byte {
	if t == nil {
		return object(targetInfo{ID: h.browser, Type: "browser", Attached: true})
	}
	if t.raw != nil {
		return t.raw
	}
	info := targetInfo{
		ID: t.id, Type: "page", Title: t.tab.about.Title, URL: t.tab.about.URL,
		Attached: attached || len(t.sessions) > 0, OpenerID: t.tab.about.OpenerID, Context: h.contextOf(t.tab),
	}
	if k == tabSession {
		info.ID, info.Type, info.OpenerID = t.tab.outerID, "tab", ""
		info.Attached = attached || len(t.tab.outer) > 0
	}
	return object(info)
}

type targetInfo struct {
	ID       string `json:"targetId"`
	Type     string `json:"type"`
	Title    string `json:"title"`
	URL      string `json:"url"`
	Attached bool   `json:"attached"`
	OpenerID string `json:"openerId,omitempty"`
	Access   bool   `json:"canAccessOpener"`
	Context  string `json:"browserContextId,omitempty"`
}

// show tells of a tab whoever asked to be told, each once, and attaches
// it to those who want what comes.
func (h *hub) show(t *tab) {
	for _, c := range h.clients {
		for _, s := range c.discoverers() {
			h.discover(s, t)
		}
		for _, s := range c.browsers() {
			h.autoAttach(s, t)
		}
	}
}

// browsers lists the client's sessions that speak for the browser.
func (c *client) browsers() []*session {
	var list []*session
	if c.root.kind == browserSession {
		list = append(list, c.root)
	}
	for _, s := range sorted(c.sessions) {
		if s.kind == browserSession {
			list = append(list, s)
		}
	}
	return list
}

// all lists the client's sessions, the root first.
func (c *client) all() []*session { return append([]*session{c.root}, sorted(c.sessions)...) }

// discoverers are the client's sessions that want to be told of targets.
func (c *client) discoverers() []*session {
	var list []*session
	for _, s := range c.all() {
		if s.discover != nil {
			list = append(list, s)
		}
	}
	return list
}

// discover tells one session of a tab, or of what changed in it.
func (h *hub) discover(s *session, t *tab) {
	if t.held || t.taken != nil || !s.client.sees(t) {
		return
	}
	for _, k := range []kind{tabSession, pageSession} {
		id, typ := t.id, "page"
		if k == tabSession {
			id, typ = t.outerID, "tab"
		}
		if !s.discover.filter.allows(typ) {
			continue
		}
		method := "Target.targetInfoChanged"
		if !s.discover.seen[id] {
			if !t.visible() && s.discover.filter.allows("tab") {
				continue // whoever asks for these waits until each is attached
			}
			s.discover.seen[id] = true
			method = "Target.targetCreated"
		}
		h.emit(s, method, wrap("targetInfo", h.targetInfo(t.page, k, false)))
	}
	if s.client.agent && s.discover.kept[t] != t.about.Withheld {
		h.withhold(s, t)
	}
}

// withhold tells an agent that a tab shows a site which the person has to be asked
// for, or does no more.
func (h *hub) withhold(s *session, t *tab) {
	about := struct {
		ID   string `json:"targetId"`
		Site string `json:"site"`
	}{ID: t.id}
	if t.about.Withheld {
		s.discover.kept[t] = true
		about.Site = strings.TrimSuffix(t.about.URL, "/")
	} else {
		delete(s.discover.kept, t)
	}
	h.emit(s, "Tabrelay.withheld", object(about))
}

// autoAttach attaches a tab to one session that asked for it, once.
// Chrome is not asked before the first command.
func (h *hub) autoAttach(s *session, t *tab) {
	if s.attach == nil || s.attach.seen[t] || t.held || !s.client.sees(t) || !t.visible() {
		return
	}
	s.attach.seen[t] = true
	if s.attach.Filter.allows("tab") {
		h.open(s, tabSession, t.page, false).auto = true
	}
	if s.attach.Filter.allows("page") {
		h.open(s, pageSession, t.page, false).auto = true
	}
}

// forget removes a tab that is no more, and tells everybody.
func (h *hub) forget(t *tab, why *fault) {
	if t.gone {
		return
	}
	t.gone = true
	delete(h.tabs, t.id)
	for i, other := range h.order {
		if other == t {
			h.order = append(h.order[:i], h.order[i+1:]...)
			break
		}
	}
	h.failTab(t, why)
	t.each(func(target *target) { target.gone = true })
	all := t.sessions()
	h.end(all)
	for _, s := range all {
		if s == s.client.root { // the client was connected to this page alone
			h.drop(s.client)
			s.client.peer.close(1000, "the tab was closed")
		}
	}
	for _, c := range h.clients {
		for _, s := range c.browsers() {
			if s.attach != nil {
				delete(s.attach.seen, t)
			}
		}
		for _, s := range c.discoverers() {
			delete(s.discover.kept, t)
			for _, id := range []string{t.id, t.outerID} {
				if s.discover.seen[id] {
					delete(s.discover.seen, id)
					h.emit(s, "Target.targetDestroyed", wrap("targetId", appendString(nil, id)))
				}
			}
		}
	}
}

// failTab ends all that waits for the tab.
func (h *hub) failTab(t *tab, why *fault) {
	waiting := t.waiting
	t.waiting = nil
	for _, c := range waiting {
		h.finish(c, nil, why)
	}
	for _, c := range h.inFlight(func(c *call) bool { return c.target != nil && c.target.tab == t }) {
		if t.gone && c.name == "Page.close" {
			h.finish(c, nil, nil) // that is what it asked for
			continue
		}
		h.finish(c, nil, why)
	}
}

// wrap makes an object with one member.
func wrap(key string, value []byte) []byte {
	b := make([]byte, 0, len(key)+len(value)+5)
	b = append(b, `{"`...)
	b = append(b, key...)
	b = append(b, `":`...)
	b = append(b, value...)
	return append(b, '}')
}
