package adapter

import (
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// traffic is what a page is fetching. Page.mu guards it.
type traffic struct {
	seq     int
	last    time.Time // when one began or ended
	pending map[network.RequestID]*request
	endless map[string]bool // addresses that took longer than an action waits, when they were asked last
}

// request is one that has not ended.
type request struct {
	seq    int // counts up over the attachment
	loader cdp.LoaderID
	kind   network.ResourceType
	to     string // its address without the query
	since  time.Time
}

// trafficLimit is how many pending requests are watched; a page that has more
// is not going to settle.
const trafficLimit = 1000

// endlessLimit is how many addresses that take long are remembered.
const endlessLimit = 200

// awaited are the kinds of request that change what a page shows. Images and
// the like show up later; streams and beacons never end, or change nothing.
var awaited = map[network.ResourceType]bool{
	network.ResourceTypeDocument:   true,
	network.ResourceTypeStylesheet: true,
	network.ResourceTypeScript:     true,
	network.ResourceTypeXHR:        true,
	network.ResourceTypeFetch:      true,
}

func (t *traffic) reset() { t.pending = map[network.RequestID]*request{} }

// navigated forgets the requests of the documents before loader's: they end
// without a word.
func (t *traffic) navigated(loader cdp.LoaderID) {
	for id, r := range t.pending {
		if r.loader != loader {
			delete(t.pending, id)
		}
	}
}

func (at source) requestBegins(e *network.EventRequestWillBeSent) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	at.exchangeBegins(e)
	t := &p.traffic
	if e.Type == network.ResourceTypeScript && e.LoaderID == "" {
		return // of a worker, which alone hears of its end
	}
	if !awaited[e.Type] || t.pending[e.RequestID] != nil || len(t.pending) >= trafficLimit {
		return
	}
	t.seq++
	t.last = time.Now()
	to, _, _ := strings.Cut(e.Request.URL, "?")
	t.pending[e.RequestID] = &request{seq: t.seq, loader: e.LoaderID, kind: e.Type, to: to, since: time.Now()}
}

// takesLong notes a request that is not waited for any longer, such as one that a
// server answers when there is news: nor is the next one.
func (t *traffic) takesLong(r *request) {
	if t.endless == nil || len(t.endless) >= endlessLimit {
		t.endless = map[string]bool{}
	}
	t.endless[r.to] = true
}

func (at source) responseBegins(e *network.EventResponseReceived) {
	p := at.page
	at.exchangeAnswered(e)
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.Type != network.ResourceTypeDocument || !p.isMain(e.FrameID) {
		return
	}
	p.loading.document(e)
}

func (at source) requestEnds(id network.RequestID) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if r := p.traffic.pending[id]; r != nil {
		delete(p.traffic.pending, id)
		if time.Since(r.since) < requestLimit {
			delete(p.traffic.endless, r.to)
		}
		p.traffic.last = time.Now()
		p.broadcast()
	}
}

func (at source) requestFinished(e *network.EventLoadingFinished) {
	at.exchangeFinished(e)
	at.requestEnds(e.RequestID)
}

func (at source) requestFailed(e *network.EventLoadingFailed) {
	at.exchangeFailed(e)
	at.requestEnds(e.RequestID)
}
