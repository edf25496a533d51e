package adapter

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// LoadState is how far a document has come, as CDP's lifecycle events tell.
type LoadState string

// The load states, in the order in which a document reaches them.
const (
	Committed        LoadState = "commit"
	DOMContentLoaded LoadState = "domcontentloaded"
	Loaded           LoadState = "load"
	NetworkIdle      LoadState = "networkidle"
)

// lifecycle names the CDP lifecycle event of each state.
var lifecycle = map[LoadState]string{
	Committed:        "commit",
	DOMContentLoaded: "DOMContentLoaded",
	Loaded:           "load",
	NetworkIdle:      "networkIdle",
}

// loading is how the main frame's document loads. Page.mu guards it.
type loading struct {
	loader   cdp.LoaderID
	url      string
	reached  map[string]bool // lifecycle events of the loader
	moves    int             // documents and places within them that were reached
	starting bool            // a navigation was begun and has not arrived
	since    time.Time       // when it was
	response response
}

// response is the last answer to the main frame's request for a document.
type response struct {
	loader cdp.LoaderID
	status int
	text   string
}

func (l *loading) begin() {
	if !l.starting {
		l.starting, l.since = true, time.Now()
	}
}

// arrive notes the document of a loader; the same one may arrive twice, since
// lifecycle events come before and after the commit.
func (l *loading) arrive(loader cdp.LoaderID) {
	if loader != l.loader {
		l.loader = loader
		l.reached = map[string]bool{"commit": true}
	}
}

func (p *Page) isMain(id cdp.FrameID) bool { return string(id) == p.id }

func (at source) navigationRequested(e *page.EventFrameRequestedNavigation) {
	p := at.page
	if !p.isMain(e.FrameID) || e.Disposition != page.ClientNavigationDispositionCurrentTab {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loading.begin()
	p.broadcast()
}

func (at source) navigationStarted(e *page.EventFrameStartedNavigating) {
	p := at.page
	if !p.isMain(e.FrameID) ||
		e.NavigationType == page.FrameStartedNavigatingNavigationTypeSameDocument ||
		e.NavigationType == page.FrameStartedNavigatingNavigationTypeHistorySameDocument {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loading.begin()
	p.broadcast()
}

func (at source) frameNavigated(e *page.EventFrameNavigated) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.seed(at.session, e.Frame)
	f.world = 0
	if p.isMain(f.id) {
		l := &p.loading
		l.arrive(e.Frame.LoaderID)
		l.url, l.starting = f.url, false
		l.moves++
		if e.Type == page.NavigationTypeBackForwardCacheRestore { // it has loaded before
			l.reached = map[string]bool{"commit": true, "DOMContentLoaded": true, "load": true, "networkIdle": true}
		}
		p.console.navigated()
		p.traffic.navigated(e.Frame.LoaderID)
		p.dead = false
	}
	p.broadcast()
}

func (at source) navigatedWithin(e *page.EventNavigatedWithinDocument) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.frameOf(e.FrameID, at.session)
	f.url = e.URL
	if p.isMain(f.id) {
		p.loading.url, p.loading.starting = e.URL, false
		p.loading.moves++
	}
	p.broadcast()
}

func (at source) stoppedLoading(e *page.EventFrameStoppedLoading) {
	p := at.page
	if !p.isMain(e.FrameID) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loading.starting = false
	p.broadcast()
}

func (at source) lifecycleReached(e *page.EventLifecycleEvent) {
	p := at.page
	if !p.isMain(e.FrameID) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.loading.arrive(e.LoaderID)
	p.loading.reached[e.Name] = true
	p.broadcast()
}

func (at source) windowOpens(*page.EventWindowOpen) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.opened++
	p.broadcast()
}

// document notes the answer to a request for the main frame's document; mu is
// held.
func (l *loading) document(e *network.EventResponseReceived) {
	l.response = response{loader: e.LoaderID, status: int(e.Response.Status), text: e.Response.StatusText}
}
