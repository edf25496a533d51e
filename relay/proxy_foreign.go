package relay

import "slices"

// foreign is an extension that is not ours and speaks the proxy's
// protocol. All of its fields but the first three are guarded by
// proxy.mu.
type foreign struct {
	id, name string
	party    *party

	calls    map[uint64]*farCall
	lastCall uint64
}

// farCall is a message that a foreign extension has not answered yet.
type farCall struct {
	connection *connection
	reply      string // the client's id for it
	stop       func() bool
}

// connectForeign joins a client with a tab of a foreign extension. mu is
// held.
func (x *proxy) connectForeign(p *party, far *foreign, reply string, raw []byte) {
	c := &connection{proxy: x, client: p, far: far}
	if raw != nil {
		n, ok := integer(raw)
		if !ok {
			p.peer.send(proxyFailure(reply, "tabId must be a tab's number for this extension"))
			return
		}
		if held := x.holder(p, nil, far, n); held != "" {
			p.peer.send(proxyFailure(reply, held))
			return
		}
		c.tab = &n
	}
	if why := x.reserve(p); why != "" {
		p.peer.send(proxyFailure(reply, why))
		return
	}
	x.add(c)
	p.peer.send(proxySuccess(reply, c.id))
}

// toForeign sends a message on, whose params name the connection's tab.
// Clients number theirs as they like, so each gets a number of its own. mu
// is held.
func (x *proxy) toForeign(c *connection, reply string, f proxyFrame) {
	far := c.far
	if len(far.calls) >= maxPending {
		c.client.peer.send(proxyError(reply, c.id, "too many messages are waiting for the extension"))
		return
	}
	far.lastCall++
	n := far.lastCall
	if c.spoke == 0 {
		c.spoke = n
	}
	call := &farCall{connection: c, reply: reply}
	far.calls[n] = call
	call.stop = x.after(x.timeout, func() { x.overdue(far, n) })
	b := append(make([]byte, 0, len(f.params)+len(f.method)+200), `{"id":`...)
	far.party.peer.sendFor(&c.client.flow, f.passed(append(appendNumber(b, n), ','), c))
}

func (x *proxy) overdue(far *foreign, n uint64) {
	x.mu.Lock()
	defer x.mu.Unlock()
	call := far.calls[n]
	delete(far.calls, n)
	if call != nil && call.reply != "" { // who gave no id waits for nothing
		call.connection.client.peer.send(proxyError(call.reply, call.connection.id, "the extension did not answer within "+x.timeout.String()))
	}
}

// dropCalls forgets what a connection still waits for.
func (far *foreign) dropCalls(c *connection) {
	for n, call := range far.calls {
		if call.connection == c {
			call.stop()
			delete(far.calls, n)
		}
	}
}

// fromForeign carries out one frame of a foreign extension.
func (x *proxy) fromForeign(far *foreign, f proxyFrame) {
	x.mu.Lock()
	defer x.mu.Unlock()
	if f.method == nil && f.id != nil {
		x.farAnswer(far, f)
		return
	}
	raw := member(f.params, "tabId")
	if raw == nil {
		raw = f.tab
	}
	tab, ok := integer(raw)
	event := member(f.params, "method")
	cdp := string(text(f.method)) == "forwardCDPEvent"
	if cdp && (!ok || len(text(event)) == 0) {
		far.party.peer.send(proxyError("", "", "forwardCDPEvent needs params.tabId and params.method"))
		return
	}
	named := f.connection
	if named == nil {
		named = member(f.params, "connectionId")
	}
	var c *connection
	if id := string(text(named)); ok {
		c = x.bound(far, tab, id)
	} else if c = x.connections[id]; c != nil && c.far != far {
		c = nil
	}
	if c == nil || len(text(f.method)) == 0 {
		return // nobody is connected to the tab, or it is the extension's own affair
	}
	c.client.peer.send(f.passed(append(make([]byte, 0, len(f.params)+len(f.method)+100), '{'), c))
}

// lose ends all that hung on a foreign extension. mu is held.
func (x *proxy) lose(far *foreign) {
	x.extensions = slices.DeleteFunc(x.extensions, func(other *foreign) bool { return other == far })
	x.gone = append(x.gone, far.id)
	if len(x.gone) > rememberGone {
		x.gone = x.gone[1:]
	}
	for _, c := range x.sorted() {
		if c.far == far {
			x.end(c, extensionGone)
		}
	}
}

// farAnswer passes a result on to who asked for it.
func (x *proxy) farAnswer(far *foreign, f proxyFrame) {
	n, ok := integer(f.id)
	call := far.calls[uint64(n)]
	if !ok || call == nil {
		return // overdue
	}
	call.stop()
	delete(far.calls, uint64(n))
	c := call.connection
	if tab, ok := integer(f.tab); ok {
		x.bound(far, tab, c.id)
	}
	switch failed := len(f.err) > 0 && string(f.err) != "null"; {
	case failed:
		c.client.peer.send(proxyResult(call.reply, c.id, "error", f.err))
	case call.reply == "":
	case len(f.result) == 0:
		c.client.peer.send(proxyResult(call.reply, c.id, "result", empty))
	default:
		c.client.peer.send(proxyResult(call.reply, c.id, "result", f.result))
	}
}

// bound finds the connection to a tab. A tab that nobody has belongs to
// the connection that the extension names with it, else to the oldest
// one that waits to hear which tab was opened for it.
func (x *proxy) bound(far *foreign, tab int64, named string) *connection {
	var first *connection
	for _, c := range x.connections {
		switch {
		case c.far != far:
		case c.tab == nil && c.spoke != 0 && (first == nil || c.spoke < first.spoke):
			first = c
		case c.tab == nil:
		case *c.tab == tab:
			return c
		}
	}
	if c := x.connections[named]; c != nil && c.far == far && c.tab == nil {
		c.tab = &tab
		return c
	}
	if named != "" || first == nil {
		return nil
	}
	first.tab = &tab
	return first
}
