package adapter

import (
	"cmp"
	"context"
	"crypto/rand"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/target"
)

// Options are the settings of a connection. The zero value is usable.
type Options struct {
	// Header goes with the WebSocket request.
	Header http.Header
	// Logger receives what is worth knowing; never content of a page.
	Logger *slog.Logger
	// AllowFile permits file: addresses.
	AllowFile bool
	// Sites are those that may be opened, looked at and acted on.
	Sites Sites
	// HideCookies leaves out of the headers of requests the values of cookies that
	// no script of a page can read.
	HideCookies bool
	// Roots are the folders that files may be read from.
	Roots []string
	// ActionTimeout bounds an action on an element; 5 s if zero.
	ActionTimeout time.Duration
	// NavigationTimeout bounds a navigation; 30 s if zero.
	NavigationTimeout time.Duration
	// WebMCP listens to the tools that pages declare.
	WebMCP bool
	// RefuseDownloads is as if Browser.RefuseDownloads were called at once.
	RefuseDownloads bool
}

// Browser is a connection to a browser. Its pages are the tabs that the other
// side shows; they stay open when it is closed.
type Browser struct {
	// Static after construction.
	opts     Options
	conn     *conn
	root     *session
	version  Version
	world    string // the name of this connection's isolated world
	ready    chan struct{}
	handOver bool // files go through the page even where Chrome may read them

	// mu guards the following.
	mu      sync.Mutex
	tabs    []*Tab
	kept    map[string]string // by tab, the site for which the person has to be asked
	pages   map[string]*Page
	news    []TabEvent
	seq     int
	changed chan struct{} // closed and replaced when the tabs change
	saved   downloads
}

// Version is what the browser says of itself.
type Version struct {
	Product   string // such as Chrome/156.0.8078.79
	UserAgent string
}

// Dial connects to the CDP endpoint at url (ws://…). The caller closes it.
func Dial(ctx context.Context, url string, o Options) (*Browser, error) {
	o.ActionTimeout = cmp.Or(o.ActionTimeout, 5*time.Second)
	o.NavigationTimeout = cmp.Or(o.NavigationTimeout, 30*time.Second)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	b := &Browser{
		opts:    o,
		world:   "tabrelay-" + rand.Text()[:8],
		pages:   map[string]*Page{},
		kept:    map[string]string{},
		changed: make(chan struct{}),
		ready:   make(chan struct{}),
		saved:   downloads{refused: o.RefuseDownloads},
	}
	var err error
	if b.conn, b.root, err = dial(ctx, url, o.Header, b.handle); err != nil {
		return nil, err
	}
	close(b.ready)
	version := start(ctx, b.root, browser.GetVersion, cdp.Empty{})
	discover := start(ctx, b.root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	behaviour := start(ctx, b.root, browser.SetDownloadBehavior, downloadBehaviour(o.RefuseDownloads))
	v, err := version()
	if err == nil {
		_, err = discover()
	}
	if err == nil {
		_, err = behaviour()
	}
	if err != nil {
		b.conn.close()
		return nil, err
	}
	b.version = Version{Product: v.Product, UserAgent: v.UserAgent}
	return b, nil
}

// Close ends the connection; tabs stay as they are.
func (b *Browser) Close() error {
	if b.Err() == nil {
		b.leave(leaveLimit)
	}
	b.conn.close()
	return nil
}

// Done is closed when the connection has ended; Err says why.
func (b *Browser) Done() <-chan struct{} { return b.conn.done }

// Err returns why the connection ended, or nil while it lives.
func (b *Browser) Err() error {
	select {
	case <-b.conn.done:
		return b.conn.err
	default:
		return nil
	}
}

// Version returns what the browser said of itself at the start.
func (b *Browser) Version() Version { return b.version }

// Page returns the page of a tab. Nothing is sent: it is attached when it is
// first used. It fails with ErrPageNotFound when there is no such tab.
func (b *Browser) Page(id string) (*Page, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.index(id); i < 0 {
		return nil, advise(ErrPageNotFound, AdviceListPages, "this tab no longer exists")
	}
	p := b.pages[id]
	if p == nil {
		p = newPage(b, id)
		b.pages[id] = p
	}
	return p, nil
}

func (b *Browser) handle(_ *session, method string, params jsonv2.Value) {
	<-b.ready // events of the first moment wait for conn to be set
	if h := rootEvents[method]; h != nil {
		h(b, params)
	}
}

func (b *Browser) detached(e *target.EventDetachedFromTarget) {
	b.mu.Lock()
	var page *Page
	for _, p := range b.pages {
		if p.holds(e.SessionID) {
			page = p
		}
	}
	b.mu.Unlock()
	if page != nil {
		page.detach(e.SessionID)
	}
}

func (b *Browser) crashed(id string) {
	b.mu.Lock()
	p := b.pages[id]
	b.broadcast()
	b.mu.Unlock()
	// An attached page is told in its own session, in order with what revives it.
	if p != nil && !p.isAttached() {
		p.crash()
	}
}
