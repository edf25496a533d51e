package relay

import (
	"encoding/json"
	"fmt"
)

// ownWindow is why a page's session has no window: clients that find one there
// go on to size it.
const ownWindow = "the tab's window is the person's: ask for it by targetId on the browser's session"

// bounds says where a page's window is. It is the page's word, and so without
// the window's state.
const boundsOf = `JSON.stringify({left:screenX,top:screenY,width:outerWidth,height:outerHeight})`

func windowForTarget(h *hub, m *message) {
	t, _, ok := h.named(m)
	if !ok {
		return
	}
	h.bounds(t, func(bounds []byte, f *fault) {
		m.done(fmt.Appendf(nil, `{"windowId":%d,"bounds":%s}`, t.tab.about.WindowID, bounds), f)
	})
}

func windowBounds(h *hub, m *message) {
	var p struct {
		WindowID int64 `json:"windowId"`
	}
	if f := decode(m.params, &p); f != nil {
		m.fail(f)
		return
	}
	var via *target
	for _, t := range h.order {
		if t.about.WindowID == p.WindowID && m.session.client.sees(t) && t.visible() && !t.page.crashed && (via == nil || t.state == attached) {
			via = t.page
		}
	}
	if via == nil {
		m.fail(failure(codeServer, "Browser window not found"))
		return
	}
	h.bounds(via, func(bounds []byte, f *fault) { m.done(wrap("bounds", bounds), f) })
}

// bounds asks a page for where its window is.
func (h *hub) bounds(t *target, then func([]byte, *fault)) {
	params := object(struct {
		Expression string `json:"expression"`
		ByValue    bool   `json:"returnByValue"`
	}{boundsOf, true})
	h.do(&call{target: t, method: []byte(`"Runtime.evaluate"`), params: params, name: "Runtime.evaluate", holds: true,
		after: func(result []byte, f *fault) {
			value := text(member(member(result, "result"), "value"))
			if f == nil && !json.Valid(value) {
				f = failure(codeServer, "the page does not report where its window is")
			}
			then(value, f)
			if t.tab.unused() {
				h.release(t.tab)
			}
		}})
}
