package adapter

import (
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// exchangeLimit is how many requests a page keeps; older ones are forgotten.
	exchangeLimit = 1000
	// headerLimit is how many bytes of a header's value are kept.
	headerLimit = 8 << 10
	// addressLimit is how many bytes of an address are kept; a data: address
	// may be a whole picture.
	addressLimit = 4 << 10
)

// exchanges are the requests of a page, in a ring. Page.mu guards it.
type exchanges struct {
	list    []*exchange // oldest first
	index   map[network.RequestID]*exchange
	extras  map[network.RequestID]*extras // what came before its request
	count   int                           // of all there ever were
	dropped int                           // of those since the navigation
}

// exchange is a request with its answer, or one that waits for it.
type exchange struct {
	key     network.RequestID // of all processes: it has the process's number in it
	session *session          // that told of it last; a frame's document begins in its parent's
	number  int
	fresh   bool        // of the document that is shown
	frame   cdp.FrameID // that asked; empty for workers and sockets
	loader  cdp.LoaderID
	kind    string
	hops    []*hop // redirects, and last where they led
	extras  *extras
	begun   cdp.TimeSinceEpoch
	ended   cdp.MonotonicTime // 0 while it is under way
	failed  string            // why, or ""
	size    float64           // bytes that came over the network
	body    float64           // bytes of the body as it was sent, 0 when unknown
	cached  bool
	socket  *socket
}

// hop is one request on the way to an answer.
type hop struct {
	method, url string
	headers     network.Headers
	posted      bool
	begun       cdp.MonotonicTime
	answer      *network.Response // only what is read later
	at          cdp.MonotonicTime // when it came
	extra       bool              // extras tell its headers as they were sent
}

// extras are the headers as they went over the network, for each hop in turn.
// They may be told before the request is.
type extras struct {
	sent, received []network.Headers
}

func (x *exchanges) reset() {
	for _, e := range x.list {
		e.interrupt("the page's attachment was lost")
	}
	x.index, x.extras = map[network.RequestID]*exchange{}, map[network.RequestID]*extras{}
}

// interrupt ends a request that will be told of no more.
func (e *exchange) interrupt(why string) {
	if e.ended == 0 {
		e.ended = e.last().begun
		e.failed = why
	}
}

func (e *exchange) last() *hop { return e.hops[len(e.hops)-1] }

// navigated makes the requests of the document of a loader the current ones.
func (x *exchanges) navigated(loader cdp.LoaderID) {
	for _, e := range x.list {
		e.fresh = e.loader == loader
		if !e.fresh && e.ended == 0 && e.socket == nil {
			e.interrupt("aborted by the navigation")
		}
	}
	clear(x.extras)
	x.dropped = 0
}

func (x *exchanges) add(e *exchange) {
	x.count++
	e.number, e.fresh = x.count, true
	if e.extras = x.extras[e.key]; e.extras == nil {
		e.extras = &extras{}
	}
	delete(x.extras, e.key)
	x.list = append(x.list, e)
	x.index[e.key] = e
	if len(x.list) > exchangeLimit {
		old := x.list[0]
		if x.list = slices.Delete(x.list, 0, 1); x.index[old.key] == old {
			delete(x.index, old.key)
		}
		if old.fresh {
			x.dropped++
		}
	}
}

// extrasOf returns where to keep extras of a request; they are bounded as the
// requests are.
func (x *exchanges) extrasOf(key network.RequestID) *extras {
	if e := x.index[key]; e != nil {
		return e.extras
	}
	if x.extras[key] == nil {
		if len(x.extras) >= exchangeLimit {
			clear(x.extras)
		}
		x.extras[key] = &extras{}
	}
	return x.extras[key]
}

// exchangeBegins notes a request, unless a frame that is kept out makes it. That
// a page asks for such a frame is its own affair, and so is where a page goes; mu
// of the page is held.
func (at source) exchangeBegins(e *network.EventRequestWillBeSent) {
	p := at.page
	f := p.tree.frames[e.FrameID]
	elsewhere := e.Type == network.ResourceTypeDocument && p.browser.opts.Sites.refusal(e.Request.URL) == "" && sited(e.Request.URL)
	if !elsewhere && at.keptOut(f) {
		return
	}
	p.exchanges.begins(at.session, e)
}

// begins notes a request, or that one goes on elsewhere; mu is held.
func (x *exchanges) begins(s *session, e *network.EventRequestWillBeSent) {
	key := e.RequestID
	h := &hop{method: e.Request.Method, url: lines.Clip(e.Request.URL+e.Request.URLFragment, addressLimit),
		headers: kept(e.Request.Headers), posted: e.Request.HasPostData, begun: e.Timestamp}
	old := x.index[key]
	switch {
	case old != nil && e.RedirectResponse != nil:
		from := old.last()
		from.answer, from.at, from.extra = trimmed(e.RedirectResponse), e.Timestamp, e.RedirectHasExtraInfo
		if len(old.hops) < 32 {
			old.hops = append(old.hops, h)
		}
		old.loader = e.LoaderID
	case old != nil && old.ended == 0:
		old.hops[len(old.hops)-1] = h
	default:
		x.add(&exchange{key: key, session: s, frame: e.FrameID, loader: e.LoaderID, kind: kindOf(e.Type), hops: []*hop{h}, begun: e.WallTime})
	}
}

func kindOf(t network.ResourceType) string {
	switch t {
	case "":
		return "other"
	case network.ResourceTypeXHR:
		return "xhr"
	}
	return strings.ToLower(string(t))
}

// exchangeMoves looks up what an event of a request is about and changes it.
func (at source) exchangeMoves(id network.RequestID, change func(*exchange)) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if e := p.exchanges.index[id]; e != nil {
		e.session = at.session
		change(e)
	}
}

func (at source) exchangeAnswered(e *network.EventResponseReceived) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		h := x.last()
		h.answer, h.at, h.extra = trimmed(e.Response), e.Timestamp, e.HasExtraInfo
		x.kind = kindOf(e.Type)
		x.cached = x.cached || e.Response.FromDiskCache || e.Response.FromPrefetchCache
	})
}

func (at source) exchangeFinished(e *network.EventLoadingFinished) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		x.ended, x.size, x.body = e.Timestamp, e.EncodedDataLength, e.EncodedBodyLength
	})
}

func (at source) exchangeFailed(e *network.EventLoadingFailed) {
	at.exchangeMoves(e.RequestID, func(x *exchange) {
		x.ended, x.failed = e.Timestamp, e.ErrorText
		switch {
		case e.CorsErrorStatus != nil:
			x.failed += " (CORS: " + string(e.CorsErrorStatus.CorsError) + ")"
		case e.BlockedReason != "":
			x.failed += " (blocked: " + string(e.BlockedReason) + ")"
		case e.Canceled && x.failed == "net::ERR_ABORTED":
			x.failed = "canceled"
		}
	})
}

func (at source) exchangeCached(e *network.EventRequestServedFromCache) {
	at.exchangeMoves(e.RequestID, func(x *exchange) { x.cached = true })
}

func (at source) headersSent(e *network.EventRequestWillBeSentExtraInfo) {
	at.page.mu.Lock()
	defer at.page.mu.Unlock()
	if x := at.page.exchanges.extrasOf(e.RequestID); len(x.sent) < 32 {
		x.sent = append(x.sent, kept(at.cookiesHidden(e.Headers, e.AssociatedCookies)))
	}
}

func (at source) headersReceived(e *network.EventResponseReceivedExtraInfo) {
	at.page.mu.Lock()
	defer at.page.mu.Unlock()
	if x := at.page.exchanges.extrasOf(e.RequestID); len(x.received) < 32 {
		x.received = append(x.received, kept(at.cookiesHidden(e.Headers, nil)))
	}
}

// kept bounds the values of headers in their place.
func kept(h network.Headers) network.Headers {
	for name, v := range h {
		if s, ok := v.(string); ok && len(s) > headerLimit {
			h[name] = lines.Clip(s, headerLimit)
		}
	}
	return h
}

// trimmed keeps of a response what is read later.
func trimmed(r *network.Response) *network.Response {
	return &network.Response{Status: r.Status, StatusText: r.StatusText, Headers: kept(r.Headers), MimeType: r.MimeType,
		RemoteIPAddress: r.RemoteIPAddress, RemotePort: r.RemotePort, Timing: r.Timing, Protocol: r.Protocol,
		FromServiceWorker: r.FromServiceWorker, EncodedDataLength: r.EncodedDataLength}
}
