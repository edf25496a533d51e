package relay

import (
	"slices"
	"strconv"
)

// resync compares what Chrome says after an attachment was adopted with
// what its sessions know, so that they hear only the difference.
type resync struct {
	known map[string]world // by unique id, those not yet seen again
	until float64          // console messages up to this time were told
}

type world struct{ id, unique string }

func worldOf(params []byte) world {
	c := member(params, "context")
	return world{string(member(c, "id")), string(text(member(c, "uniqueId")))}
}

// resync begins to compare.
func (t *target) resync() {
	r := &resync{known: map[string]world{}}
	for _, e := range t.memo.said {
		switch e.method {
		case "Runtime.executionContextCreated":
			if c := worldOf(e.params); c.id != "" {
				r.known[c.unique] = c
			}
		case "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
			r.until = max(r.until, timestamp(e.params))
		}
	}
	t.sync = r
}

func timestamp(params []byte) float64 {
	v, _ := strconv.ParseFloat(string(member(params, "timestamp")), 64)
	return v
}

// repeats reports whether an event says nothing new.
func (r *resync) repeats(method string, params []byte) bool {
	switch method {
	case "Runtime.executionContextCreated":
		c := worldOf(params)
		_, known := r.known[c.unique]
		delete(r.known, c.unique)
		return known
	case "Runtime.executionContextDestroyed":
		delete(r.known, string(text(member(params, "executionContextUniqueId"))))
	case "Runtime.executionContextsCleared":
		clear(r.known)
	case "Runtime.consoleAPICalled", "Runtime.exceptionThrown":
		return timestamp(params) <= r.until
	}
	return false
}

// restore puts a tab's attachment in the state that its sessions expect.
// An adopted attachment kept its state, only events may have been missed;
// a renewed one knows nothing.
func (h *hub) restore(t *tab, adopted bool) {
	t.each(func(target *target) {
		if len(target.sessions) == 0 || target.gone {
			return
		}
		h.applyAutoAttach(target, nil)
		asked := map[string]bool{}
		for _, c := range t.waiting {
			if c.target == target && c.toggle != "" {
				asked[c.toggle] = true
			}
		}
		for _, on := range slices.Clone(target.toggles) {
			if asked[on.name] {
				continue
			}
			if on.name == "Runtime" && adopted {
				h.compare(target, on)
				continue
			}
			h.as(on.from, func() { h.own(target, on.method, on.params) })
		}
		if !adopted {
			h.renew(target)
			h.catchUpLoad(target)
		}
	})
}

// compare asks Chrome for its execution contexts once more. It only
// tells them to a domain that was off, which loses the bindings.
func (h *hub) compare(t *target, on *toggled) {
	t.resync()
	h.own(t, "Runtime.disable", nil)
	h.do(&call{target: t, method: []byte(`"Runtime.enable"`), params: on.params, after: func([]byte, *fault) {
		if t.sync == nil {
			return
		}
		gone := make([]world, 0, len(t.sync.known))
		for _, c := range t.sync.known {
			gone = append(gone, c)
		}
		slices.SortFunc(gone, func(a, b world) int { return len(a.id) - len(b.id) })
		t.sync = nil
		for _, c := range gone {
			b := append([]byte(`{"executionContextId":`), c.id...)
			b = append(b, `,"executionContextUniqueId":`...)
			h.deliver(t, "Runtime.executionContextDestroyed", append(appendString(b, c.unique), '}'))
		}
	}})
	for _, s := range t.sessions {
		for _, key := range s.keys() {
			if set := s.settings[key]; set.method == "Runtime.addBinding" {
				h.own(t, set.method, set.params)
			}
		}
	}
}
