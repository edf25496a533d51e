package relay

import "slices"

// targets lists what can be attached to.
func targets(h *hub, m *message) {
	var p struct {
		Filter filter `json:"filter"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	var infos [][]byte
	if p.Filter.allows("browser") {
		infos = append(infos, h.targetInfo(nil, browserSession, true))
	}
	for _, t := range h.order {
		if t.held || t.taken != nil || !m.session.client.sees(t) {
			continue
		}
		if p.Filter.allows("tab") {
			infos = append(infos, h.targetInfo(t.page, tabSession, false))
		}
		t.each(func(target *target) {
			if !target.hidden && p.Filter.allows(target.typ) {
				infos = append(infos, h.targetInfo(target, pageSession, false))
			}
		})
	}
	b := []byte(`{"targetInfos":[`)
	for i, info := range infos {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, info...)
	}
	m.ok(append(b, "]}"...))
}

// find returns the target that an id names to a client, and as what.
func (h *hub) find(by *client, id string) (*target, kind) {
	for _, t := range h.order {
		if !by.sees(t) {
			continue
		}
		if t.id == id {
			return t.page, pageSession
		}
		if t.outerID == id {
			return t.page, tabSession
		}
		for _, target := range t.targets {
			if target.id == id && !target.hidden {
				return target, pageSession
			}
		}
	}
	return nil, browserSession
}

// named reads a targetId and finds it.
func (h *hub) named(m *message) (*target, kind, bool) {
	id := string(text(member(m.params, "targetId")))
	t, k := h.find(m.session.client, id)
	if t == nil {
		m.fail(faultNoTarget)
	}
	return t, k, t != nil
}

func targetInfoOf(h *hub, m *message) {
	id := string(text(member(m.params, "targetId")))
	t, k := m.session.target, m.session.kind
	if id != "" && id != h.browser {
		var ok bool
		if t, k, ok = h.named(m); !ok {
			return
		}
	} else if id == h.browser {
		t = nil
	}
	m.ok(wrap("targetInfo", h.targetInfo(t, k, false)))
}

func closeTarget(h *hub, m *message) {
	t, _, ok := h.named(m)
	if !ok {
		return
	}
	h.wire("closeTab", wrap("id", t.tab.quoted), nil, func(_ []byte, f *fault) {
		m.done([]byte(`{"success":true}`), f)
	})
}

func activateTarget(h *hub, m *message) {
	t, _, ok := h.named(m)
	if !ok {
		return
	}
	h.wire("activateTab", wrap("id", t.tab.quoted), nil, func(_ []byte, f *fault) { m.done(nil, f) })
}

// createTarget opens a tab, behind the person's own unless a client
// says background:false.
func createTarget(h *hub, m *message) {
	var p struct {
		URL        string `json:"url"`
		Background *bool  `json:"background"`
		Context    string `json:"browserContextId"`
	}
	f := decode(m.params, &p)
	var in *browserContext
	if f == nil {
		in, f = h.contextNamed(m.session.client, p.Context)
	}
	if f == nil && !m.session.client.files && isFile(p.URL) {
		f = faultFile
	}
	if f != nil {
		m.fail(f)
		return
	}
	if p.URL == "" {
		p.URL = "about:blank"
	}
	h.createTab(p.URL, p.Background != nil && !*p.Background, in, func(t *tab, f *fault) {
		if f != nil {
			m.fail(f)
			return
		}
		if m.session.closed || m.session.client.gone {
			h.close(t) // nobody knows of it
			return
		}
		if !t.unused() {
			h.attach(t)
		}
		if title := m.session.client.title; title != "" {
			h.groupTabs([]string{t.id}, title, groupColors[0], false)
		}
		m.ok(wrap("targetId", t.quoted))
	})
}

// createTab opens a tab, which comes attached, in a context unless that is nil.
func (h *hub) createTab(url string, active bool, in *browserContext, then func(*tab, *fault)) {
	if in != nil {
		h.opening++
	}
	params := object(struct {
		URL    string `json:"url"`
		Active bool   `json:"active"`
	}{url, active})
	h.wire("createTab", appendAgent(params, h.sender), nil, func(result []byte, f *fault) {
		if in != nil {
			h.opening--
			defer h.unhold()
		}
		var info tabInfo
		if f == nil {
			if bad := decode(result, &info); bad != nil || info.ID == "" {
				f = failure(codeServer, "the extension opened a tab without reporting its id")
			}
		}
		if f != nil {
			then(nil, f)
			return
		}
		t := h.tabs[info.ID]
		if t == nil {
			t = h.known(info)
		} else if info.Attached && t.state == unattached {
			h.reattached(t)
		}
		if t.held = false; in != nil && !h.adopt(t, in) {
			h.close(t)
			then(nil, failure(codeServer, "the browser context was disposed while its tab opened"))
			return
		}
		t.fresh = url == "about:blank"
		h.show(t)
		then(t, nil)
	})
}

// close closes a tab that nobody waits for.
func (h *hub) close(t *tab) {
	h.wire("closeTab", wrap("id", t.quoted), nil, func([]byte, *fault) {})
}

func attachToBrowser(h *hub, m *message) {
	s := h.openBrowser(m.session)
	m.ok(wrap("sessionId", appendString(nil, s.id)))
}

// openBrowser makes a session that acts as a root.
func (h *hub) openBrowser(parent *session) *session {
	s := &session{id: h.newID(), client: parent.client, kind: browserSession, parent: parent}
	s.client.sessions[s.id] = s
	b := append([]byte(`{"sessionId":"`), s.id...)
	b = append(b, `","targetInfo":`...)
	b = append(b, h.targetInfo(nil, browserSession, true)...)
	h.emit(parent, "Target.attachedToTarget", append(b, `,"waitingForDebugger":false}`...))
	return s
}

// attachToTarget answers when Chrome's debugger is on the tab.
func attachToTarget(h *hub, m *message) {
	if string(member(m.params, "flatten")) == "false" {
		m.fail(failure(codeServer, "only flat sessions are supported: attach with flatten: true"))
		return
	}
	if string(text(member(m.params, "targetId"))) == h.browser {
		attachToBrowser(h, m)
		return
	}
	t, k, ok := h.named(m)
	if !ok {
		return
	}
	parent := m.session
	announce := func() {
		if parent.closed || parent.client.gone {
			if t.tab.unused() {
				h.release(t.tab)
			}
			return
		}
		s := h.open(parent, k, t, false)
		m.ok(wrap("sessionId", appendString(nil, s.id)))
	}
	if k == tabSession || t.tab.state == attached && h.extension != nil {
		announce()
		return
	}
	h.whenAttached(t, func(f *fault) {
		if f != nil {
			m.fail(f)
			return
		}
		announce()
	})
}

func detachFromTarget(h *hub, m *message) {
	var p struct {
		SessionID string `json:"sessionId"`
		TargetID  string `json:"targetId"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	s := m.session.client.sessions[p.SessionID]
	if p.SessionID == "" {
		for _, other := range sorted(m.session.client.sessions) {
			if other.target != nil && other.target.id == p.TargetID {
				s = other
			}
		}
	}
	if s == nil {
		m.fail(faultNoSession)
		return
	}
	h.end(under(s))
	m.ok(nil)
}

func setDiscover(h *hub, m *message) {
	var p struct {
		Discover bool   `json:"discover"`
		Filter   filter `json:"filter"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	s := m.session
	if !p.Discover {
		s.discover = nil
		m.ok(nil)
		return
	}
	if s.discover == nil {
		s.discover = &discovery{seen: map[string]bool{}, kept: map[*tab]bool{}}
	}
	s.discover.filter = p.Filter
	if p.Filter.allows("browser") && !s.discover.seen[h.browser] {
		s.discover.seen[h.browser] = true
		h.emit(s, "Target.targetCreated", wrap("targetInfo", h.targetInfo(nil, browserSession, true)))
	}
	for _, t := range slices.Clone(h.order) {
		if !s.discover.seen[t.id] && !s.discover.seen[t.outerID] {
			h.discover(s, t)
		}
	}
	m.ok(nil)
}
