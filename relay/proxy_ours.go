package relay

import (
	"cmp"
	"strings"
)

// entry is a browser as clients of the proxy see it; its id is empty when
// it is gone for good.
func (h *hub) entry(tabs bool) extensionEntry {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.retired {
		return extensionEntry{}
	}
	major, _, _ := strings.Cut(h.info.Version, ".")
	e := extensionEntry{ID: h.info.InstallID, Connected: h.info.Connected,
		Name: strings.TrimSpace(cmp.Or(h.info.Name, "browser") + " " + major)}
	if tabs {
		for _, t := range h.order {
			e.Tabs = append(e.Tabs, tabEntry{t.number, t.id, t.about.Title, t.about.URL})
		}
	}
	return e
}

// connectOurs joins a client with a tab of one of our browsers. There the
// connection is a client like any other, whose root is the tab.
func (x *proxy) connectOurs(p *party, h *hub, reply string, raw []byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	defer h.reschedule()
	if h.extension == nil {
		p.peer.send(proxyFailure(reply, extensionGone))
		return
	}
	if raw == nil {
		h.createTab("about:blank", false, nil, func(t *tab, f *fault) {
			if f != nil {
				p.peer.send(proxyFailure(reply, f.text()))
				return
			}
			if !x.join(p, h, reply, t) {
				h.close(t) // made for nobody
			}
		})
		return
	}
	t := h.tabs[string(text(raw))]
	if n, ok := integer(raw); ok {
		for _, other := range h.order {
			if other.number == n {
				t = other
			}
		}
	}
	if t == nil {
		p.peer.send(proxyFailure(reply, "unknown tab "+clip(string(raw))+": give the number or target id of a shared tab, as list_extensions {tabs: true} tells them"))
		return
	}
	x.join(p, h, reply, t)
}

// join makes the connection once the debugger is on the tab. It tells
// whether the tab is taken, or will be. The hub is locked.
func (x *proxy) join(p *party, h *hub, reply string, t *tab) bool {
	c := &connection{proxy: x, client: p, hub: h, tab: &t.number, waiting: map[uint64]string{}}
	x.mu.Lock()
	why := x.holder(p, h, nil, t.number)
	if why == "" && !p.gone {
		why = x.reserve(p)
	}
	if why != "" || p.gone {
		x.mu.Unlock()
		p.peer.send(proxyFailure(reply, why))
		return false
	}
	x.add(c)
	x.mu.Unlock()
	h.whenAttached(t.page, func(f *fault) {
		x.mu.Lock()
		defer x.mu.Unlock()
		switch {
		case c.over:
			return // its client has gone, and nobody has the tab
		case f != nil:
			x.forget(c)
			p.peer.send(proxyFailure(reply, f.text()))
			return
		}
		c.ours, _ = h.admit(c, guest{page: t.id, plain: x.plain, flow: &p.flow})
		if c.ours == nil {
			x.forget(c)
			p.peer.send(proxyFailure(reply, "the tab was closed"))
			return
		}
		p.peer.send(proxySuccess(reply, c.id))
	})
	return true
}

// text is what a fault says, without its code.
func (f *fault) text() string {
	if f.raw != nil {
		return string(text(member(f.raw, "message")))
	}
	return f.message
}

// toOurs sends a command to the tab.
func (c *connection) toOurs(reply string, session, method, params []byte) {
	x := c.proxy
	x.mu.Lock()
	if c.over {
		x.mu.Unlock()
		return // it was told
	}
	if len(c.waiting) >= maxPending {
		x.mu.Unlock()
		c.client.peer.send(proxyError(reply, c.id, "too many commands are waiting for the browser"))
		return
	}
	c.lastID++
	n := c.lastID
	c.waiting[n] = reply
	ours := c.ours
	x.mu.Unlock()
	if ours == nil {
		return // not connected yet: nobody knows its id
	}
	b := append(make([]byte, 0, len(params)+len(method)+120), `{"id":`...)
	b = append(append(appendNumber(b, n), `,"method":`...), method...)
	if len(session) > 0 {
		b = append(append(b, `,"sessionId":`...), session...)
	}
	if len(params) > 0 {
		b = append(append(b, `,"params":`...), params...)
	}
	c.hub.receive(ours, append(b, '}'))
}

// send takes what the hub says to the connection and passes it on under
// the connection's id. The hub is locked.
func (c *connection) send(data []byte) {
	f, err := scanMessage(data)
	if err != nil {
		return // the hub writes none such
	}
	x := c.proxy
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case c.over:
	case f.id == nil:
		b := append(make([]byte, 0, len(data)+100), `{"method":"forwardCDPEvent","connectionId":"`...)
		b = append(append(b, c.id...), `","params":`...)
		c.client.peer.send(append(proxyCommand(b, c.tab, f.sessionID, f.method, f.params), '}'))
	default:
		n, _ := integer(f.id)
		reply := c.waiting[uint64(n)]
		delete(c.waiting, uint64(n))
		if f.err != nil {
			c.client.peer.send(proxyResult(reply, c.id, "error", f.err))
		} else if reply != "" {
			c.client.peer.send(proxyResult(reply, c.id, "result", f.result))
		}
	}
}

// close tells the client that the tab, or its browser, is gone. The hub is
// locked and has dropped the connection.
func (c *connection) close(code int, reason string) {
	if code == closeGone {
		reason = extensionGone
	}
	c.proxy.mu.Lock()
	defer c.proxy.mu.Unlock()
	c.proxy.end(c, reason)
}
