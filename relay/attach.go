package relay

import (
	"container/heap"
	"slices"
	"strconv"
	"time"
)

// do sends a command to a target, once its tab is attached. c needs its
// target, its method and its params; those may be reused afterwards.
func (h *hub) do(c *call) {
	if c.name == "" {
		c.name = string(text(c.method))
	}
	h.start(c)
	if c.target == nil {
		if h.extension == nil {
			if h.keep(c) {
				h.queue = append(h.queue, c)
			}
			return
		}
		h.dispatchWire(c)
		return
	}
	t := c.target.tab
	switch {
	case c.target.gone:
		h.finish(c, nil, faultClosed)
	case t.taken != nil:
		h.finish(c, nil, t.taken)
	case h.extension != nil && t.state == attached && c.probe:
		h.finish(c, nil, nil)
	case h.extension != nil && t.state == attached:
		h.dispatchCDP(c)
	case c.target != t.page && (t.state == unattached || t.state == detaching):
		// A frame or worker ends with the attachment that it came through.
		h.finish(c, nil, faultNoSession)
	default:
		if h.keep(c) {
			t.waiting = append(t.waiting, c)
			h.attach(t)
		}
	}
}

// whenAttached calls back once the target's tab is attached, or cannot be.
func (h *hub) whenAttached(t *target, then func(*fault)) {
	h.do(&call{target: t, name: "Target.attachToTarget", probe: true,
		after: func(_ []byte, f *fault) { then(f) }})
}

// maxKept bounds the commands of one sender that wait, in bytes with their
// overhead. A client is slowed long before that.
const maxKept = maxFlow + maxFrame + 1<<20

// keep copies what a call brought, since it must outlive the frame that
// it came in. It fails the call when too much of its sender's is waiting already.
func (h *hub) keep(c *call) bool {
	c.kept = len(c.method) + len(c.params) + overhead
	c.from.add(c.kept)
	if c.from.full() {
		h.finish(c, nil, failure(codeServer, "too many commands are waiting for the browser; wait for answers before sending more"))
		return false
	}
	c.method = slices.Clone(c.method)
	c.params = slices.Clone(c.params)
	if h.extension == nil {
		h.due(c, min(patience, h.grace))
	}
	return true
}

// letGo gives up the bytes that a call holds.
func (c *call) letGo() {
	c.from.add(-c.kept)
	c.kept = 0
}

// patience is how long a command waits for an extension that is away. A
// worker that was stopped comes back within a second or two; past that the
// browser has ended, and whoever waits should hear it.
const patience = 4 * time.Second

// due sets a new deadline.
func (h *hub) due(c *call, in time.Duration) {
	if c.index >= 0 {
		c.deadline = h.clock().Add(in)
		heap.Fix(&h.deadlines, c.index)
	}
}

// waits visits the commands that wait for the extension or for a tab.
func (h *hub) waits(visit func(*call)) {
	for _, c := range h.queue {
		visit(c)
	}
	for _, t := range h.order {
		for _, c := range t.waiting {
			visit(c)
		}
	}
}

// own sends a command of the hub's own making; errors are logged only.
func (h *hub) own(t *target, method string, params []byte) {
	h.do(&call{target: t, method: appendString(nil, method), params: params, name: method,
		after: func(_ []byte, f *fault) {
			if f != nil {
				h.log.Debug("the browser refused a command of the relay's own", "method", method)
			}
		}})
}

// wire sends one of the extension's own commands.
func (h *hub) wire(method string, params []byte, t *target, after func(result []byte, f *fault)) {
	if h.simple && beyondPlain[method] {
		after(nil, faultPlain)
		return
	}
	c := &call{target: t, method: appendString(nil, method), params: params, name: method, after: after}
	if t != nil { // it is about attaching, so it cannot wait for it
		h.start(c)
		h.dispatchWire(c)
		return
	}
	h.do(c)
}

func (h *hub) number(c *call) []byte {
	h.lastCall++
	c.id = h.lastCall
	h.calls[c.id] = c
	c.letGo()
	b := make([]byte, 0, len(c.params)+len(c.method)+180)
	b = append(b, `{"id":`...)
	return strconv.AppendUint(b, c.id, 10)
}

func (h *hub) dispatchWire(c *call) {
	b := append(h.number(c), `,"method":`...)
	b = append(b, c.method...)
	b = append(b, `,"params":`...)
	if len(c.params) == 0 {
		b = append(b, "{}"...)
	}
	b = append(b, c.params...)
	c.params = nil
	h.extension.sendFor(c.from, append(b, '}'))
}

func (h *hub) dispatchCDP(c *call) {
	b := append(h.number(c), `,"method":"forwardCDPCommand","params":{"id":`...)
	b = append(b, c.target.tab.quoted...)
	if c.target.chrome != nil {
		b = append(b, `,"sessionId":`...)
		b = append(b, c.target.chrome...)
	}
	b = append(b, `,"method":`...)
	b = append(b, c.method...)
	b = append(b, `,"params":`...)
	if len(c.params) == 0 {
		b = append(b, "{}"...)
	}
	b = append(b, c.params...)
	c.method, c.params = nil, nil
	h.extension.sendFor(c.from, append(b, '}', '}'))
}

// attach asks for the debugger on a tab. While it is on its way nothing
// is asked twice.
func (h *hub) attach(t *tab) {
	if h.extension == nil || t.state != unattached || t.gone {
		return
	}
	t.state = attaching
	h.wire("attachTab", appendAgent(wrap("id", t.quoted), h.sender), t.page, func(_ []byte, f *fault) {
		if t.gone || t.state != attaching {
			return
		}
		if f != nil {
			t.state = unattached
			waiting := t.waiting
			t.waiting = nil
			for _, c := range waiting {
				h.finish(c, nil, f)
			}
			return
		}
		t.state = attached
		h.restore(t, false)
		h.flush(t)
		if t.unused() {
			h.release(t)
		}
	})
}

// appendAgent adds to the params of a command whose it is, so that the person can be
// told where they are asked.
func appendAgent(params []byte, by *flow) []byte {
	if by == nil || by.name == "" {
		return params
	}
	b := append(params[:len(params)-1], `,"agent":`...)
	return append(appendString(b, by.name), '}')
}

// flush sends what waited for the attachment.
func (h *hub) flush(t *tab) {
	waiting := t.waiting
	t.waiting = nil
	for _, c := range waiting {
		switch {
		case c.index < 0: // overdue, or given up
		case c.probe:
			h.finish(c, nil, nil)
		case c.target.gone:
			h.finish(c, nil, faultClosed)
		default:
			h.dispatchCDP(c)
		}
	}
}

// release takes the debugger from a tab that no client uses.
func (h *hub) release(t *tab) {
	if h.extension == nil || h.simple || t.state != attached || t.gone || !t.unused() || len(t.waiting) > 0 {
		return
	}
	if len(h.inFlight(func(c *call) bool { return c.holds && c.target.tab == t })) > 0 {
		return // its answer releases the tab
	}
	t.state = detaching
	t.reset()
	h.wire("detachTab", wrap("id", t.quoted), t.page, func([]byte, *fault) {
		if t.gone || t.state != detaching {
			return
		}
		t.state = unattached
		if len(t.waiting) > 0 {
			h.attach(t)
		}
	})
}

// reset forgets what hung on the attachment.
func (t *tab) reset() {
	for key, target := range t.targets {
		if key != "" {
			target.gone = true
			delete(t.targets, key)
		}
	}
	p := t.page
	p.memo, p.attach, p.crashed, p.sync, p.fonts = memo{}, autoAttach{}, false, nil, false
	if len(p.sessions) == 0 {
		p.toggles = nil
	}
}

// inFlight lists the calls sent and not answered that match, in order.
func (h *hub) inFlight(match func(*call) bool) []*call {
	var list []*call
	for _, c := range h.calls {
		if match(c) {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b *call) int { return int(a.id) - int(b.id) })
	return list
}
