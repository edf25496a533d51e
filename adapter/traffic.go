package adapter

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
)

// traffic is what a page is fetching. Page.mu guards it.
type traffic struct {
	seq     int
	last    time.Time // when one began or ended
	pending map[network.RequestID]*request
}

// request is one that has not ended.
type request struct {
	seq    int // counts up over the attachment
	loader cdp.LoaderID
	kind   network.ResourceType
	since  time.Time
}

// trafficLimit is how many pending requests are watched; a page that has more
// is not going to settle.
const trafficLimit = 1000

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
	if !awaited[e.Type] || t.pending[e.RequestID] != nil || len(t.pending) >= trafficLimit {
		return
	}
	t.seq++
	t.last = time.Now()
	t.pending[e.RequestID] = &request{seq: t.seq, loader: e.LoaderID, kind: e.Type, since: time.Now()}
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
	if p.traffic.pending[id] != nil {
		delete(p.traffic.pending, id)
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
