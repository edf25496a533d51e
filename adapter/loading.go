package adapter

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
)

// LoadState is how far a document has come.
type LoadState string

// The load states, in the order in which a document reaches them.
const (
	Committed        LoadState = "commit"
	DOMContentLoaded LoadState = "domcontentloaded"
	Loaded           LoadState = "load"
	// NetworkIdle is half a second after the load in which nothing was fetched
	// that changes what the page shows.
	NetworkIdle LoadState = "networkidle"
)

// idleTime is how long a page fetches nothing before it is idle.
const idleTime = 500 * time.Millisecond

// framesKept is how many frames a page has before those are forgotten that
// documents had which the browser may have kept.
const framesKept = 100

// known reports whether there is such a state.
func (s LoadState) known() bool {
	return s == Committed || s == DOMContentLoaded || s == Loaded || s == NetworkIdle
}

// loading is how the main frame's document loads, as its events tell. CDP's
// lifecycle events would tell the same, but Chrome's renderer crashes when they
// are turned on in a popup that is just being loaded. Page.mu guards it.
type loading struct {
	loader   cdp.LoaderID
	url      string
	dom      bool      // its content is there
	came     time.Time // when it came
	loaded   bool
	moves    int       // documents and places within them that were reached
	starting bool      // a navigation was begun and has not arrived
	since    time.Time // when it was
	response response
}

// reached reports whether the document has come so far; one that is idle is known
// by the time alone.
func (l *loading) reached(s LoadState) bool {
	switch s {
	case Committed:
		return true
	case DOMContentLoaded:
		return l.dom
	}
	return l.loaded
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

// arrive notes the document of a loader.
func (l *loading) arrive(loader cdp.LoaderID) {
	l.loader, l.dom, l.loaded = loader, false, false
}

func (at source) navigationRequested(e *page.EventFrameRequestedNavigation) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isMain(e.FrameID) || e.Disposition != page.ClientNavigationDispositionCurrentTab {
		return
	}
	p.loading.begin()
	p.broadcast()
}

func (at source) navigationStarted(e *page.EventFrameStartedNavigating) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isMain(e.FrameID) ||
		e.NavigationType == page.FrameStartedNavigatingNavigationTypeSameDocument ||
		e.NavigationType == page.FrameStartedNavigatingNavigationTypeHistorySameDocument {
		return
	}
	p.loading.begin()
	p.broadcast()
}

func (at source) frameNavigated(e *page.EventFrameNavigated) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.seed(at.session, e.Frame)
	f.world = realm{}
	p.undeclareFrame(f.id)
	if p.isMain(f.id) {
		l := &p.loading
		l.arrive(e.Frame.LoaderID)
		l.url, l.starting = f.url, false
		l.moves++
		back := e.Type == page.NavigationTypeBackForwardCacheRestore
		p.leave(at.session, back)
		if back { // it has loaded before
			l.dom, l.loaded = true, true
			p.listenAgain(at.session)
		}
		p.console.navigated()
		p.traffic.navigated(e.Frame.LoaderID)
		p.exchanges.navigated(e.Frame.LoaderID)
		p.fate.dead = false
	}
	p.broadcast()
}

// leave takes the frames of a document that another one replaces out of the page;
// mu is held. The browser does not tell that they are gone where it keeps the
// document: when that comes back, so do they, under their refs. Some may have come
// before they are told to be back.
func (p *Page) leave(s *session, back bool) {
	for id, f := range p.tree.frames {
		if p.isMain(id) || back && f.main.id != 0 {
			continue
		}
		if f.session == s {
			f.session, f.world, f.main = nil, realm{}, realm{}
			p.undeclareFrame(id)
		}
		if f.session == nil && len(p.tree.frames) > framesKept {
			p.fell(f)
		}
	}
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
	p.stir()
	p.broadcast()
}

func (at source) stoppedLoading(e *page.EventFrameStoppedLoading) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.isMain(e.FrameID) {
		return
	}
	p.loading.starting = false
	p.broadcast()
}

func (at source) contentLoaded(*page.EventDomContentEventFired) { at.came(DOMContentLoaded) }

func (at source) documentLoaded(*page.EventLoadEventFired) { at.came(Loaded) }

func (at source) came(to LoadState) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.tree.frames[p.tree.root] != nil && p.mainFrame().session != at.session {
		return // a frame in another process tells of itself
	}
	if !p.loading.dom {
		p.loading.dom, p.loading.came = true, time.Now()
	}
	p.loading.loaded = p.loading.loaded || to == Loaded
	p.stir()
	p.broadcast()
}

// idle returns when the page has fetched nothing for a while.
func (p *Page) idle(ctx context.Context) error {
	for {
		p.mu.Lock()
		left, changed := idleTime-time.Since(p.traffic.last), p.changed
		if len(p.traffic.pending) > 0 {
			left = time.Hour
		}
		p.mu.Unlock()
		if left <= 0 {
			return nil
		}
		timer := time.NewTimer(left)
		select {
		case <-changed:
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return context.Cause(ctx)
		case <-p.browser.conn.done:
			timer.Stop()
			return p.browser.conn.err
		}
		timer.Stop()
	}
}

// document notes the answer to a request for the main frame's document; mu is
// held.
func (l *loading) document(e *network.EventResponseReceived) {
	l.response = response{loader: e.LoaderID, status: int(e.Response.Status), text: e.Response.StatusText}
}
