package relay

import (
	"encoding/json"
	"slices"
	"strings"
)

// childAttached takes a frame or worker in that Chrome attached below a
// target, and tells those sessions of the parent that want it.
func (h *hub) childAttached(parent *target, params []byte) {
	var p struct {
		SessionID string                     `json:"sessionId"`
		Info      map[string]json.RawMessage `json:"targetInfo"`
		Waiting   bool                       `json:"waitingForDebugger"`
	}
	if json.Unmarshal(params, &p) != nil || p.SessionID == "" || p.Info == nil {
		return
	}
	t := parent.tab
	if t.targets[p.SessionID] != nil {
		return
	}
	t.made++
	c := &target{tab: t, parent: parent, chrome: appendString(nil, p.SessionID), waiting: p.Waiting, order: t.made,
		id: string(text(p.Info["targetId"])), typ: string(text(p.Info["type"]))}
	c.hidden = hide(c.typ, string(text(p.Info["url"])))
	p.Info["browserContextId"] = appendString(nil, h.contextOf(t))
	p.Info["attached"] = json.RawMessage("true")
	c.raw = object(p.Info)
	t.targets[p.SessionID] = c

	held := false
	for _, s := range slices.Clone(parent.sessions) {
		if (h.announce(s, c) || s.catchUp > 0) && s.attach != nil && s.attach.WaitForDebuggerOnStart {
			held = true
		}
	}
	if c.waiting && !held {
		h.resume(c)
	}
}

// hide tells of the children that belong to nobody's page: service
// workers and other extensions.
func hide(typ, url string) bool {
	return typ == "service_worker" || strings.HasPrefix(url, "chrome-extension://")
}

// childDetached ends a child and what is below it.
func (h *hub) childDetached(t *tab, params []byte) {
	c := t.targets[string(text(member(params, "sessionId")))]
	if c == nil || c.parent == nil {
		return
	}
	h.endChild(c)
}

func (h *hub) endChild(c *target) {
	for _, below := range c.tab.children(c) {
		h.endChild(below)
	}
	c.gone = true
	for _, call := range h.inFlight(func(call *call) bool { return call.target == c }) {
		h.finish(call, nil, faultClosed)
	}
	for key, other := range c.tab.targets {
		if other == c {
			delete(c.tab.targets, key)
		}
	}
	var all []*session
	for _, s := range c.sessions {
		all = append(all, under(s)...)
	}
	h.end(all)
}

// endChildren ends what came through an attachment that is no more, and
// tells the page's sessions that its contexts are gone too.
func (h *hub) endChildren(t *tab) {
	for _, c := range t.children(t.page) {
		h.endChild(c)
	}
	if t.page.toggled("Runtime") != nil {
		h.deliver(t.page, "Runtime.executionContextsCleared", empty)
	}
	t.reset()
}
