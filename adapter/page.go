package adapter

import (
	"cmp"
	"context"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
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
	fate      fate
	active    map[*operation]struct{}
	changed   chan struct{} // closed and replaced when the state changes
	tree      tree
	dialogs   dialogs
	loading   loading
	traffic   traffic
	console   console
	exchanges exchanges
	settings  settings
	begun     string // the address that the tab was opened with, until it is navigated
	windows   windows
	pointer   pointer
	saving    int // downloads that began in it, which the browser tells of later
	awake     awake
	drawing   chan struct{} // has room for one: Chrome gives a page after a picture the size that it had before
	declared  declared
	chooser   chooser
	recording *recording
	told      map[string]toldOffer // by key; what Offers last told
	offered   []Offer              // by the document of offeredBy, before a dialog of its was in front
	offeredBy cdp.LoaderID
	modal     bool // such a dialog is
}

// operation is something that runs in the page; a dialog or a crash ends it.
type operation struct{ cancel context.CancelCauseFunc }

func newPage(b *Browser, id string) *Page {
	p := &Page{
		drawing:   make(chan struct{}, 1),
		browser:   b,
		id:        id,
		attaching: make(chan struct{}, 1),
		active:    map[*operation]struct{}{},
		changed:   make(chan struct{}),
		tree:      tree{frames: map[cdp.FrameID]*frame{}, root: cdp.FrameID(id)},
		windows:   windows{blanks: map[string]bool{}},
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
	s, err := p.session, p.fate.ended
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
	p.fate.dead = false
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
	if err := p.fate.use(); err != nil {
		return nil, nil, err
	}
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
	for _, f := range p.tree.frames {
		f.session, f.world, f.main = nil, realm{}, realm{}
	}
	p.loading = loading{}
	p.traffic.reset()
	p.exchanges.reset()
	p.awake.end()
	p.chooser, p.pointer.held, p.recording = chooser{}, 0, nil
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
	p.session, p.dialogs.open = nil, nil
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
	p.fate.dead = true
	p.dialogs.open = nil
	p.sleep()
	p.reset()
	p.interrupt(advise(ErrCrashed, AdviceRevive, "the page crashed"))
}

// end notes that the tab is gone.
func (p *Page) end(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.fate.ended = cmp.Or(p.fate.ended, cause)
	cause = p.fate.ended
	if p.session != nil {
		p.browser.conn.end(p.session.id, cause)
	}
	p.awake.end()
	p.undeclare(func(Declared) bool { return true })
	p.interrupt(cause)
}

func (p *Page) handle(s *session, method string, params jsonv2.Value) {
	if h := pageEvents[method]; h != nil {
		h(source{p, s}, params)
	}
}
