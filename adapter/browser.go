package adapter

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"slices"
	"strings"
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
	// Roots are the folders that files may be read from and written to.
	Roots []string
	// ActionTimeout bounds an action on an element; 5 s if zero.
	ActionTimeout time.Duration
	// NavigationTimeout bounds a navigation; 30 s if zero.
	NavigationTimeout time.Duration
	// WebMCP listens to the tools that pages declare.
	WebMCP bool
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

// Tab is a tab as the browser lists it, attached or not.
type Tab struct {
	ID     string // CDP target id
	Title  string
	URL    string
	Opener string // the ID of the tab that opened it, or ""
}

// TabEvent tells that a tab came or went.
type TabEvent struct {
	Seq    int // counts up from 1 over the connection's life
	Tab    Tab
	Closed bool
}

// newsLimit is how many tab events are kept; older ones are forgotten.
const newsLimit = 256

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
		changed: make(chan struct{}),
		ready:   make(chan struct{}),
	}
	var err error
	if b.conn, b.root, err = dial(ctx, url, o.Header, b.handle); err != nil {
		return nil, err
	}
	close(b.ready)
	version := start(ctx, b.root, browser.GetVersion, cdp.Empty{})
	discover := start(ctx, b.root, target.SetDiscoverTargets, target.SetDiscoverTargetsParams{Discover: true})
	// Downloads are told to the root session alone. Chrome wants a behaviour
	// with it; "default" leaves the person's choice as it is.
	behaviour := start(ctx, b.root, browser.SetDownloadBehavior, browser.SetDownloadBehaviorParams{
		Behavior: browser.SetDownloadBehaviorBehaviorDefault, EventsEnabled: new(true)})
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

// Tabs returns the open tabs in the order in which they appeared.
func (b *Browser) Tabs() []Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	tabs := make([]Tab, len(b.tabs))
	for i, t := range b.tabs {
		tabs[i] = *t
	}
	return tabs
}

// News returns the tab events after the one numbered since, oldest first, and
// the number of the last.
func (b *Browser) News(since int) ([]TabEvent, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, _ := slices.BinarySearchFunc(b.news, since+1, func(e TabEvent, n int) int { return e.Seq - n })
	return slices.Clone(b.news[i:]), b.seq
}

// Changed returns a channel that is closed when the tabs change.
func (b *Browser) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// Page returns the page of a tab. Nothing is sent: it is attached when it is
// first used. It fails with ErrPageNotFound when there is no such tab.
func (b *Browser) Page(id string) (*Page, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if i := b.index(id); i < 0 {
		return nil, fail(ErrPageNotFound, "see browser_tab_list for the open pages", "there is no such tab any more")
	}
	p := b.pages[id]
	if p == nil {
		p = newPage(b, id)
		b.pages[id] = p
	}
	return p, nil
}

// Open opens a tab for an address, in front of the others if front is set. The
// tab is empty until Navigate goes to the address; only a data: address is there
// from the beginning, since Chrome lets no extension navigate to one.
func (b *Browser) Open(ctx context.Context, front bool, address string) (*Page, error) {
	begin := "about:blank"
	if strings.HasPrefix(strings.ToLower(address), "data:") {
		begin = address
	}
	id, err := b.create(ctx, target.CreateTargetParams{URL: begin, Background: new(!front)})
	if err != nil {
		return nil, err
	}
	p, err := b.arrived(ctx, id, begin)
	if ctx.Err() != nil {
		b.unwanted(id)
	}
	return p, err
}

// create makes a tab. One that comes when nobody waits for it any more is closed
// again: no agent would know of it.
func (b *Browser) create(ctx context.Context, params target.CreateTargetParams) (string, error) {
	type made struct {
		id  string
		err error
	}
	done := make(chan made, 1)
	b.conn.wg.Go(func() { // ends with the answer, or the connection
		res, err := call(context.WithoutCancel(ctx), b.root, target.CreateTarget, params)
		done <- made{string(res.TargetID), err}
		if err == nil && ctx.Err() != nil {
			b.unwanted(string(res.TargetID))
		}
	})
	select {
	case m := <-done:
		return m.id, m.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (b *Browser) unwanted(id string) {
	post(b.root, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
}

// arrived returns the page of a new tab when it is there and attached.
func (b *Browser) arrived(ctx context.Context, id, begin string) (*Page, error) {
	if err := b.wait(ctx, func() bool { return b.index(id) >= 0 }); err != nil {
		return nil, err
	}
	p, err := b.Page(id)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.begun = begin
	p.mu.Unlock()
	_, err = p.attached(ctx)
	return p, err
}

// Front brings a tab to the front of its window, for the person to see.
func (b *Browser) Front(ctx context.Context, id string) error {
	_, err := call(ctx, b.root, target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(id)})
	return err
}

// CloseTab closes a tab and returns when it is gone, or with ErrDialogOpen when
// the page asks before it goes.
func (b *Browser) CloseTab(ctx context.Context, id string) error {
	err := b.closeTab(ctx, id)
	if errors.Is(err, ErrConnectionLost) && b.Err() == nil {
		// Its attachment went first, or the command was lost; to close it twice does no harm.
		if err = b.closeTab(ctx, id); errors.Is(err, ErrPageNotFound) {
			return nil
		}
	}
	return err
}

func (b *Browser) closeTab(ctx context.Context, id string) error {
	p, err := b.Page(id)
	if err != nil {
		return err
	}
	run, stop, err := p.running(ctx)
	if err != nil && !errors.Is(err, ErrCrashed) {
		return err
	}
	if err == nil {
		defer stop()
	} else {
		run = ctx // a crashed page has nothing to ask
	}
	gone := func() bool { return b.index(id) < 0 }
	_, err = call(run, b.root, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
	if err == nil {
		err = b.wait(run, gone)
	}
	if errors.Is(err, ErrPageNotFound) {
		err = b.wait(ctx, gone) // its attachment went first
	}
	return err
}

// Gone returns when the page's tab is not listed any more, which is told after
// what failed for it.
func (p *Page) Gone(ctx context.Context) error {
	return p.browser.wait(ctx, func() bool { return p.browser.index(p.id) < 0 })
}

// wait returns when ok, which is called under mu, holds.
func (b *Browser) wait(ctx context.Context, ok func() bool) error {
	return b.conn.watch(ctx, func() (bool, <-chan struct{}) {
		b.mu.Lock()
		defer b.mu.Unlock()
		return ok(), b.changed
	})
}

// index returns the place of a tab, or -1; mu is held.
func (b *Browser) index(id string) int {
	return slices.IndexFunc(b.tabs, func(t *Tab) bool { return t.ID == id })
}

func (b *Browser) handle(_ *session, method string, params jsonv2.Value) {
	<-b.ready // events of the first moment wait for conn to be set
	if h := rootEvents[method]; h != nil {
		h(b, params)
	}
}

func (b *Browser) tabInfo(info *target.Info) {
	if info.Type != "page" || info.Subtype == "prerender" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.broadcast()
	t := Tab{ID: string(info.TargetID), Title: info.Title, URL: info.URL, Opener: string(info.OpenerID)}
	if i := b.index(t.ID); i >= 0 {
		*b.tabs[i] = t
		if opener := b.pages[t.Opener]; opener != nil && !blank(t.URL) {
			opener.tabNamed(t.ID)
		}
		return
	}
	b.tabs = append(b.tabs, &t)
	b.report(t, false)
	for id, p := range b.pages {
		p.tabArrived(t.ID, id == t.Opener && blank(t.URL))
	}
}

// blank tells whether a tab shows nothing yet.
func blank(url string) bool { return url == "" || url == "about:blank" }

func (b *Browser) tabGone(id string) {
	b.mu.Lock()
	i := b.index(id)
	if i < 0 {
		b.mu.Unlock()
		return
	}
	t := *b.tabs[i]
	b.tabs = slices.Delete(b.tabs, i, i+1)
	p := b.pages[id]
	delete(b.pages, id)
	if opener := b.pages[t.Opener]; opener != nil {
		opener.tabNamed(id)
	}
	b.report(t, true)
	b.broadcast()
	b.mu.Unlock()
	if p != nil {
		p.end(fail(ErrPageNotFound, "see browser_tab_list for the open pages", "the tab was closed"))
	}
}

// report adds to the news; mu is held.
func (b *Browser) report(t Tab, closed bool) {
	b.seq++
	b.news = append(b.news, TabEvent{Seq: b.seq, Tab: t, Closed: closed})
	if len(b.news) > newsLimit {
		b.news = slices.Delete(b.news, 0, len(b.news)-newsLimit)
	}
}

// broadcast wakes who waits for the tabs; mu is held.
func (b *Browser) broadcast() {
	close(b.changed)
	b.changed = make(chan struct{})
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
