package relay

import (
	"slices"
	"strings"
	"time"
)

// lose notes that an extension's socket has ended. Where the person ended it,
// nobody waits for it to come back.
func (h *hub) lose(p peer, byPerson bool) (was bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.extension != p {
		return false
	}
	if byPerson {
		h.away(faultDisconnected)
		h.giveUp(faultDisconnected)
	} else {
		h.away(faultLost)
	}
	h.reschedule()
	return true
}

// away starts the grace time: what was on its way fails, since nobody
// knows whether it was done, and what comes now waits.
func (h *hub) away(why *fault) {
	h.extension = nil
	h.info.Connected = false
	no := false // who comes back says again that they watch
	h.wish(h.info.InstallID, Wish{Watching: &no})
	h.graceEnds = h.clock().Add(h.grace)
	for _, t := range h.order {
		switch t.state {
		case attached:
			t.state = lost
		case attaching, detaching:
			t.state = unattached
		}
	}
	h.waits(func(c *call) { h.due(c, min(patience, h.grace)) })
	for _, c := range h.inFlight(func(*call) bool { return true }) {
		h.finish(c, nil, why)
	}
}

// giveUp ends everything that hoped for the extension to come back. The
// clients go before the tabs: these were not closed, as far as anybody
// knows.
func (h *hub) giveUp(why *fault) {
	h.graceEnds = time.Time{}
	queue := h.queue
	h.queue = nil
	for _, c := range queue {
		h.finish(c, nil, why)
	}
	for _, t := range h.order {
		h.failTab(t, why)
	}
	h.part(func(*client) bool { return true }, why)
	for _, t := range slices.Clone(h.order) {
		h.forget(t, why)
	}
}

// part ends clients, who are told why.
func (h *hub) part(which func(*client) bool, why *fault) {
	reason, _, _ := strings.Cut(why.message, ";") // what to do is too long for a close frame
	for _, c := range slices.Clone(h.clients) {
		if which(c) {
			h.drop(c)
			c.peer.close(closeGone, reason)
		}
	}
}

// givesUpAt returns when a client has waited long enough for an extension that is
// away.
func (h *hub) givesUpAt(c *client) time.Time {
	if c.away == 0 || c.away >= h.grace {
		return h.graceEnds
	}
	return h.graceEnds.Add(c.away - h.grace)
}

// absent does what is due while the extension is away.
func (h *hub) absent(now time.Time) {
	if !h.graceEnds.After(now) {
		h.giveUp(faultGone)
		return
	}
	h.part(func(c *client) bool { return !h.givesUpAt(c).After(now) }, faultGone)
}

// absentUntil returns when absent has something to do next.
func (h *hub) absentUntil() time.Time {
	next := h.graceEnds
	for _, c := range h.clients {
		if at := h.givesUpAt(c); at.Before(next) {
			next = at
		}
	}
	return next
}
