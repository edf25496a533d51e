package relay

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"
)

// faultTaken is what all hear who use a tab that the person has taken back.
var faultTaken = &fault{code: codeCancelled, message: "the person took this tab back: ask them to share it again in the Tabrelay popup"}

// faultOver is what all hear who use a tab that the person has taken over.
var faultOver = &fault{code: codeOver, message: "the person took this tab over and is using it: wait until they hand it back, or ask them"}

// whyTaken is what the end of an attachment says of a tab that is the person's from then on; nil where it is not.
func whyTaken(reason string) *fault {
	switch reason {
	case "canceled_by_user", "unshared":
		return faultTaken
	case "taken_over":
		return faultOver
	}
	return nil
}

// faultDisconnected is what all hear whose browser the person disconnected.
var faultDisconnected = &fault{code: codeDisconnected, message: "browser disconnected: the person disconnected it; ask them to press Connect in the Tabrelay popup"}

// hello is what an extension says first.
type hello struct {
	Extension string `json:"extensionVersion"`
	InstallID string `json:"installId"`
	Launch    string `json:"launch"`
	Label     string `json:"label"`
	Browser   struct {
		Name      string `json:"name"`
		Version   string `json:"version"`
		UserAgent string `json:"userAgent"`
	} `json:"browser"`
	Tabs []tabInfo `json:"tabs"`

	plain bool // made up for an extension that says none
}

// parseHello reads the first frame after the proofs. The text of an error is fit
// for a close frame.
func parseHello(data []byte) (hello, error) {
	var v hello
	f, _, err := scanWire(data)
	if err != nil || string(text(f.method)) != "hello" {
		return v, fmt.Errorf("hello must follow the proof")
	}
	if err := json.Unmarshal(f.params, &v); err != nil || v.InstallID == "" {
		return v, fmt.Errorf("hello lacks what the relay needs: update the extension")
	}
	return v, nil
}

// greet takes an extension's new socket and matches its tabs with those
// that are known. It does nothing on a hub that has retired.
func (h *hub) greet(p carrier, v hello) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.retired {
		return false
	}
	if old := h.extension; old != nil {
		h.away(faultReplaced)
		old.close(closeReplace, "replaced")
	}
	h.extension = p
	h.simple = v.plain
	h.graceEnds = time.Time{}
	now := h.clock()
	h.info = Browser{InstallID: v.InstallID, Launch: v.Launch, Label: v.Label, Name: v.Browser.Name, Version: v.Browser.Version,
		UserAgent: v.Browser.UserAgent, ExtensionVersion: v.Extension, Connected: true, LastUsed: now}

	// What waited gets its full time, before the first of it is sent.
	h.waits(func(c *call) { h.due(c, h.timeout) })
	here := map[string]bool{}
	for _, info := range v.Tabs {
		here[info.ID] = true
	}
	for _, t := range slices.Clone(h.order) {
		if !here[t.id] {
			h.forget(t, faultUnrun)
		}
	}
	for _, info := range v.Tabs {
		if info.Taken && h.tabs[info.ID] != nil {
			h.take(h.tabs[info.ID], info.Over)
		}
		if info.ID == "" || info.Taken {
			continue
		}
		old := h.tabs[info.ID]
		t := h.known(info)
		t.taken = nil
		if old != nil {
			h.match(t, info)
		}
		h.show(t)
		if t.state == attached && t.unused() && len(t.waiting) == 0 {
			h.release(t)
		}
	}
	queue := h.queue
	h.queue = nil
	for _, c := range queue {
		if c.index >= 0 {
			h.dispatchWire(c)
		}
	}
	h.reschedule()
	return true
}

// take ends all in a tab that the person took back while the extension was away.
func (h *hub) take(t *tab, over bool) {
	t.taken = faultTaken
	if over {
		t.taken = faultOver
	}
	if t.state == lost {
		h.endChildren(t)
	}
	t.state = unattached
	h.failTab(t, t.taken)
}

// match goes on with a tab that was known before the extension came back.
func (h *hub) match(t *tab, info tabInfo) {
	was := t.state
	if info.Attached {
		t.state = attached
		if was != lost {
			h.endChildren(t)
		}
		h.restore(t, was == lost)
		h.flush(t)
		return
	}
	t.state = unattached
	if was == lost {
		h.endChildren(t)
	}
	if len(t.waiting) > 0 {
		h.attach(t)
	}
}

// hear takes one frame of the extension. An error means that its socket
// is not worth keeping. data may be reused afterwards.
func (h *hub) hear(p peer, data []byte) error {
	f, event, err := scanWire(data)
	if err != nil {
		return err
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.extension != p {
		return nil // a straggler of a socket that was replaced
	}
	switch {
	case f.method == nil && f.id != nil:
		h.outcome(f)
	case string(f.method) == `"forwardCDPEvent"`:
		h.event(event)
	case f.method != nil:
		h.told(string(text(f.method)), f.params)
	default:
		return errSyntax
	}
	h.reschedule()
	return nil
}

// outcome ends the call that an answer belongs to. One that is overdue
// has none any more.
func (h *hub) outcome(f frame) {
	var id uint64
	for _, b := range f.id {
		if b < '0' || b > '9' {
			return
		}
		id = id*10 + uint64(b-'0')
	}
	c := h.calls[id]
	if c == nil {
		return
	}
	if len(f.err) > 0 && string(f.err) != "null" {
		h.finish(c, nil, &fault{raw: slices.Clone(f.err)})
		if t := c.target; t != nil && t.parent != nil && !t.gone && string(member(f.err, "code")) == "-32001" {
			h.endChild(t) // it went while nobody listened
		}
		return
	}
	if c.target != nil && c.target.crashed && revives[c.name] {
		c.target.crashed = false
	}
	h.finish(c, f.result, nil)
}

// told takes what the extension tells of its tabs.
func (h *hub) told(method string, params []byte) {
	switch method {
	case "downloadChanged":
		h.downloadChanged(params)
		return
	case "watching", "paused", "clearHistory", "endAddress":
		h.wished(method, params)
		return
	case "leaving":
		h.part(func(c *client) bool { return c.away > 0 }, faultLeft)
		return
	}
	var info struct {
		tabInfo
		Reason string `json:"reason"`
	}
	if json.Unmarshal(params, &info) != nil || info.ID == "" {
		return
	}
	t := h.tabs[info.ID]
	switch method {
	case "tabOpened", "tabUpdated":
		if t == nil {
			t = h.known(info.tabInfo)
			h.hold(t)
		} else {
			if method == "tabOpened" {
				t.taken = nil
			}
			t.update(params)
			if string(member(params, "attached")) == "true" && t.state == unattached {
				h.reattached(t)
			}
		}
		h.show(t)
	case "tabClosed":
		if t != nil {
			h.forget(t, failure(codeClosed, "Target closed: the tab was closed"))
		}
	case "tabDetached":
		if t != nil {
			h.tabDetached(t, info.Reason)
		}
	}
}

// update takes over what an event says and leaves what it is silent on.
func (t *tab) update(params []byte) {
	next := t.about
	if json.Unmarshal(params, &next) == nil {
		t.about.merge(next)
	}
}

// reattached goes on with a tab that the extension attached by itself.
func (h *hub) reattached(t *tab) {
	if t.unused() {
		t.state = attached
		return
	}
	t.state = attached
	h.restore(t, false)
	h.flush(t)
}

// tabDetached ends an attachment. Where the tab can be had again its
// sessions stay, and their next command attaches it.
func (h *hub) tabDetached(t *tab, reason string) {
	if f := whyTaken(reason); f != nil {
		t.taken = f
	}
	if t.state == detaching || t.state == unattached {
		return // our own doing, or known already
	}
	t.state = unattached
	why := failure(codeServer, "the debugger was detached from the tab (%s)", reason)
	stays := true
	switch reason {
	case "canceled_by_user", "unshared", "taken_over":
		why = t.taken
	case "replaced_with_devtools":
		why = failure(codeServer, "DevTools was opened on the tab and took the debugger; close it and attach again")
		stays = false
	case "target_closed":
		why = failure(codeSwapped, "the tab's page was replaced while the command ran; look at it before doing it again")
	case "withheld":
		why = failure(codeWithheld, "the tab came to %s, which the person has not allowed", strings.TrimSuffix(t.about.URL, "/"))
	case "not_eligible":
		why = failure(codeServer, "the tab went to a page that extensions cannot control; navigate it elsewhere or use another tab")
	default:
		if stays = strings.HasPrefix(reason, "blocked: "); stays { // it may come back
			why = failure(codeBlocked, "%s", reason)
		}
	}
	h.failTab(t, why)
	h.endChildren(t)
	if !stays {
		all := slices.Clone(t.page.sessions)
		h.end(all)
		for _, s := range all {
			if s == s.client.root { // without the page it is nothing
				h.drop(s.client)
				s.client.peer.close(1000, why.message)
			}
		}
	}
}
