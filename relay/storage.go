package relay

// wipes is also true of an origin that is none: Chrome then clears all of them.
const wipes = "refused: this would wipe the logins or the cache of the whole profile, which belongs to a person; delete individual cookies with Network.deleteCookies"

func clearData(h *hub, m *message) {
	if !webOrigin(string(text(member(m.params, "origin")))) {
		refuse(wipes)(h, m)
		return
	}
	if m.session.kind == pageSession {
		h.forward(m)
		return
	}
	anyTab(h, m)
}

// anyTab sends what Chrome takes on each session through a tab that is
// attached, or else through one that can be.
func anyTab(h *hub, m *message) {
	if f := h.policy.refuse("page", m.method, m.params); f != nil {
		m.fail(f)
		return
	}
	var via *target
	for _, t := range h.order {
		if !t.visible() || t.page.crashed || !m.session.client.sees(t) {
			continue
		}
		if via == nil || t.state == attached && via.tab.state != attached {
			via = t.page
		}
	}
	if via == nil {
		m.fail(failure(codeServer, "%s goes through a tab and no tab is shared; open or share one first", m.method))
		return
	}
	if ctx := member(m.params, "browserContextId"); ctx != nil {
		if _, f := h.contextNamed(m.session.client, string(text(ctx))); f != nil {
			m.fail(f)
			return
		}
		m.params = dropMember(m.params, "browserContextId")
	}
	h.do(&call{target: via, method: m.quoted, params: m.params, name: m.method, holds: true,
		after: func(result []byte, f *fault) {
			m.done(result, f)
			if via.tab.unused() {
				h.release(via.tab)
			}
		}})
}

// dropMember returns an object without one of its members.
func dropMember(object []byte, name string) []byte {
	b := []byte{'{'}
	c := cursor{data: object}
	_ = c.members(func(key []byte) error {
		v, err := c.value()
		if err == nil && string(key) != name {
			if len(b) > 1 {
				b = append(b, ',')
			}
			b = append(append(appendString(b, string(key)), ':'), v...)
		}
		return err
	})
	return append(b, '}')
}
