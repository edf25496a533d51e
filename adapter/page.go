package adapter

import (
	"cmp"
	"context"
	"errors"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webmcp"
)

// Page is a tab that is driven. It stays the same for the life of the tab,
// through navigations, crashes and lost attachments.
type Page struct {
	// Static after construction.
	browser   *Browser
	id        string
	attaching chan struct{} // holds one token; who has it may attach

	// mu guards the following.
	mu        sync.Mutex
	session   *session // nil while not attached
	ended     error    // why the tab is gone
	dead      bool     // the renderer crashed
	denied    error    // what the next use of the page must be told, once
	cancelled bool     // the person took the debugger off, and nobody has used the page since
	dialog    *Dialog
	armed     []DialogAnswer
	active    map[*operation]struct{}
	changed   chan struct{} // closed and replaced when the state changes

	frames   map[cdp.FrameID]*frame
	root     cdp.FrameID // of the main one
	ordinals int         // of frames; the main frame has none

	loading   loading
	traffic   traffic
	console   console
	exchanges exchanges
	settings  settings
	begun     string                          // the address that the tab was opened with, until it is navigated
	opened    int                             // windows that the page asked for
	saving    int                             // downloads that began in it, which the browser tells of later
	named     int                             // those of them that are to show an address
	blanks    map[string]bool                 // tabs that came of it and do not show it yet
	arrived   int                             // tabs that came while it was attached
	emulated  bool                            // focus emulation is on
	pressed   *input.DispatchMouseEventParams // a button to release when the dialog closes
	held      int64                           // the buttons that are held down
	drags     drags
	declared  declared
	chooser   chooser
	recording *recording
	told      map[string]toldOffer // by key; what Offers last told
}

// operation is something that runs in the page; a dialog or a crash ends it.
type operation struct{ cancel context.CancelCauseFunc }

func newPage(b *Browser, id string) *Page {
	p := &Page{
		browser:   b,
		id:        id,
		root:      cdp.FrameID(id),
		attaching: make(chan struct{}, 1),
		active:    map[*operation]struct{}{},
		changed:   make(chan struct{}),
		frames:    map[cdp.FrameID]*frame{},
		blanks:    map[string]bool{},
	}
	p.attaching <- struct{}{}
	p.reset()
	return p
}

// ID returns the CDP target id of the tab.
func (p *Page) ID() string { return p.id }

// attached returns the session of the page, which it makes when there is none:
// it lives as long as the tab, or until the browser ends it.
func (p *Page) attached(ctx context.Context) (*session, error) {
	select {
	case <-p.attaching:
		defer func() { p.attaching <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	p.mu.Lock()
	s, err := p.session, p.ended
	p.mu.Unlock()
	if s != nil || err != nil {
		return s, err
	}
	res, err := call(ctx, p.browser.root, target.AttachToTarget, target.AttachToTargetParams{TargetID: target.ID(p.id), Flatten: new(true)})
	if err != nil {
		return nil, p.reason(err)
	}
	p.mu.Lock()
	p.reset()
	p.dead = false
	p.mu.Unlock()
	s = p.browser.conn.session(res.SessionID, p.handle)
	s.listen(p.refused)
	if err := p.enable(ctx, s); err != nil {
		p.browser.conn.end(s.id, err)
		post(p.browser.root, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: s.id})
		return nil, p.reason(err)
	}
	p.mu.Lock()
	p.session = s
	p.mu.Unlock()
	return s, nil
}

// enable turns on what the page listens to, in one round trip.
func (p *Page) enable(ctx context.Context, s *session) error {
	steps := []func() error{
		discard(start(ctx, s, page.Enable, page.EnableParams{})),
		discard(start(ctx, s, runtime.Enable, cdp.Empty{})),
		discard(start(ctx, s, network.Enable, network.EnableParams{})),
		discard(start(ctx, s, log.Enable, cdp.Empty{})),
		discard(start(ctx, s, target.SetAutoAttach, autoAttach)),
	}
	tools := p.listenToTools(ctx, s)
	tree := start(ctx, s, page.GetFrameTree, cdp.Empty{})
	state := start(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: `Reflect.get(Document.prototype, "readyState", document)`, ReturnByValue: new(true)})
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	res, err := tree()
	if err != nil {
		return err
	}
	tools()
	// Its document may have come far before anybody listened.
	ready, err := state()
	if err != nil && !contextGone(err) {
		return err
	}
	p.mu.Lock()
	p.plant(s, res.FrameTree)
	p.rooted(res.FrameTree.Frame.ID)
	if err == nil && ready.Result != nil {
		p.loading.dom = p.loading.dom || string(ready.Result.Value) != `"loading"`
		p.loading.loaded = p.loading.loaded || string(ready.Result.Value) == `"complete"`
	}
	p.mu.Unlock()
	p.dress(s, true)
	return nil
}

// enableChild turns on what is listened to in a frame of another process. Its
// answers nobody waits for: what they bring comes as events.
func (p *Page) enableChild(s *session) {
	post(s, page.Enable, page.EnableParams{})
	post(s, runtime.Enable, cdp.Empty{})
	post(s, network.Enable, network.EnableParams{})
	post(s, log.Enable, cdp.Empty{})
	if p.browser.opts.WebMCP {
		post(s, webmcp.Enable, cdp.Empty{})
	}
	later := p.dress(s, false)
	post(s, target.SetAutoAttach, autoAttach)
	if !later {
		post(s, runtime.RunIfWaitingForDebugger, cdp.Empty{})
	}
}

func discard[R any](f func() (R, error)) func() error {
	return func() error {
		_, err := f()
		return err
	}
}

// running wraps what runs in the page: the context ends with the reason when a
// dialog opens, the renderer crashes or the tab goes. It fails at once where
// that is so already. The caller calls stop.
func (p *Page) running(ctx context.Context) (_ context.Context, stop func(), _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if err := p.hindrance(); err != nil {
		return nil, nil, err
	}
	if err := p.denied; err != nil {
		p.denied = nil
		return nil, nil, err
	}
	p.cancelled = false
	ctx, cancel := context.WithCancelCause(ctx)
	op := &operation{cancel}
	p.active[op] = struct{}{}
	return ctx, func() {
		p.mu.Lock()
		delete(p.active, op)
		p.mu.Unlock()
		cancel(nil)
	}, nil
}

// refused hears that a command failed. That the person pressed Cancel is told
// once, maybe to a command that the outcome of the call does not hang on: what
// runs ends, or else what comes next is told.
func (p *Page) refused(err error) {
	if !errors.Is(err, ErrCancelled) && !errors.Is(err, ErrPageLost) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(err, ErrPageLost) { // that it is gone is told next
		p.ended = err
		return
	}
	p.emulated, p.chooser.watched = false, false // nothing may ask for the tab again only to end it
	if len(p.active) == 0 && !p.cancelled {      // else it is told already: several were on their way
		p.denied = err
	}
	p.cancelled = true
	p.interrupt(err)
}

// hindrance returns why nothing can run in the page now, or nil; mu is held.
func (p *Page) hindrance() error {
	switch {
	case p.ended != nil:
		return p.ended
	case p.dead:
		return advise(ErrCrashed, AdviceRevive, "the page crashed")
	case p.dialog != nil:
		return p.dialog.Blocking()
	}
	return nil
}

// interrupt ends what runs in the page; mu is held.
func (p *Page) interrupt(cause error) {
	for op := range p.active {
		op.cancel(cause)
	}
	clear(p.active)
	p.broadcast()
}

// broadcast wakes who waits for the page's state; mu is held.
func (p *Page) broadcast() {
	close(p.changed)
	p.changed = make(chan struct{})
}

// await returns when ok, which is called under mu, holds.
func (p *Page) await(ctx context.Context, ok func() bool) error {
	return p.browser.conn.watch(ctx, func() (bool, <-chan struct{}) {
		p.mu.Lock()
		defer p.mu.Unlock()
		return ok(), p.changed
	})
}

// reset forgets what belonged to an attachment; mu is held, or nobody else has
// the page yet. Numbers of frames and refs go on.
func (p *Page) reset() {
	for _, f := range p.frames {
		f.session, f.world, f.main = nil, realm{}, realm{}
	}
	p.loading = loading{}
	p.traffic.reset()
	p.exchanges.reset()
	p.emulated = false
	p.chooser, p.held, p.recording = chooser{}, 0, nil
	p.undeclare(func(Declared) bool { return true })
}

func (p *Page) holds(id target.SessionID) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session != nil && p.session.id == id
}

// detach notes that the browser ended the attachment; the next use attaches
// again.
func (p *Page) detach(id target.SessionID) {
	lost := advise(ErrConnectionLost, AdviceRetry, "the browser ended debugging of this tab (the person may have pressed Cancel or opened the developer tools)")
	p.browser.conn.end(id, lost)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.session, p.dialog = nil, nil
	p.reset()
	p.interrupt(lost)
}

func (p *Page) isAttached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session != nil
}

func (p *Page) crash() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dead = true
	p.dialog = nil
	p.reset()
	p.interrupt(advise(ErrCrashed, AdviceRevive, "the page crashed"))
}

// end notes that the tab is gone.
func (p *Page) end(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ended = cmp.Or(p.ended, cause)
	cause = p.ended
	if p.session != nil {
		p.browser.conn.end(p.session.id, cause)
	}
	p.undeclare(func(Declared) bool { return true })
	p.interrupt(cause)
}

// tabArrived notes that the browser has a new tab, which the page may have
// asked for; blank is set where it did and the tab does not show its address
// yet.
func (p *Page) tabArrived(id string, blank bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.arrived++
	if blank {
		p.blanks[id] = true
	}
	p.broadcast()
}

// tabNamed notes that a tab which the page opened shows an address, or is gone.
func (p *Page) tabNamed(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.blanks[id] {
		delete(p.blanks, id)
		p.broadcast()
	}
}

// reason returns what is known to be behind err.
func (p *Page) reason(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h := p.hindrance(); h != nil && err != nil {
		return h
	}
	return err
}

func (p *Page) handle(s *session, method string, params jsonv2.Value) {
	if h := pageEvents[method]; h != nil {
		h(source{p, s}, params)
	}
}
