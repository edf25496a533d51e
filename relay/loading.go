package relay

import "slices"

// Chrome lets go of a tab for a moment when one of its frames sets out for a scheme
// that it does not know, such as an app's. What the page says until it is attached
// again is lost, and who waits for its load event would wait for ever.

// notesLoad notes in what a page says whether its load event is still to come.
func (t *target) notesLoad(method string, params []byte) {
	switch method {
	case "Page.frameNavigated":
		t.loading = t.loading || member(member(params, "frame"), "parentId") == nil
	case "Page.loadEventFired":
		t.loading = false
	}
}

// catchUpLoad tells what was lost of a page's loading, where that is over.
func (h *hub) catchUpLoad(t *target) {
	if t != t.tab.page || !t.loading || !t.needs("Page") {
		return
	}
	h.do(&call{target: t, method: []byte(`"Runtime.evaluate"`), params: []byte(`{"expression":"document.readyState","returnByValue":true}`),
		after: func(result []byte, f *fault) {
			if f != nil || t.gone || !t.loading || string(text(member(member(result, "result"), "value"))) != "complete" {
				return
			}
			// When it was is not known.
			for _, method := range []string{"Page.domContentEventFired", "Page.loadEventFired"} {
				h.deliver(t, method, []byte(`{"timestamp":0}`))
			}
			h.deliver(t, "Page.frameStoppedLoading", slices.Concat([]byte(`{"frameId":`), t.tab.quoted, []byte(`}`)))
		}})
}
