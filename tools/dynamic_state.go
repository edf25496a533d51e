package tools

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

const (
	// inspectLimit bounds a look at what a page offers.
	inspectLimit = 5 * time.Second
	// countLimit bounds the same for all tabs that are listed.
	countLimit = 2 * time.Second
)

// dynamic is the state of a session whose tools follow the browser and the
// focused page. What is listed is worked out of it in one place, available.
type dynamic struct {
	// Static after construction.
	session *Session
	list    *toolList
	generic bool          // call_page_tool is listed, too
	wake    chan struct{} // holds a token when the follower has to look again

	// looking holds one token; who has it may look at the focused page.
	looking chan struct{}

	// mu guards the following.
	mu      sync.Mutex
	focused *tab // the tab whose tools are listed; nil for none
	page    []tool
	foreign bool         // it shows what the agent may not see
	counts  map[*tab]int // of the tools of tabs that were looked at
	waits   map[waitKey]*pendingRun
	busy    int  // calls under way, each of which looks at its end
	missed  bool // something changed meanwhile
	turns   int  // calls that ended and lists that changed
	resumed bool // the client knows the list of a process that is gone
}

func newDynamic(s *Session) *dynamic {
	d := &dynamic{session: s, generic: s.opts.DynamicCall, wake: make(chan struct{}, 1), looking: make(chan struct{}, 1),
		counts: map[*tab]int{}, waits: map[waitKey]*pendingRun{}}
	d.looking <- struct{}{}
	return d
}

// connected returns the browser, and whether the session has one or will have
// it with the next call.
func (d *dynamic) connected() (*adapter.Browser, bool) {
	s := d.session
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser != nil {
		return s.browser, s.browser.Err() == nil
	}
	// Who may not connect by itself is connected with its first call.
	return nil, (s.want != nil || s.refusal("connect_browser") != nil) && !s.closed
}

// available returns the tools of the moment, in their order.
func (d *dynamic) available() []tool {
	b, connected := d.connected()
	d.mu.Lock()
	focused, page := d.focused, d.page
	d.mu.Unlock()
	var list []tool
	core := func(names ...string) {
		for _, name := range names {
			list = append(list, *coreTool(name))
		}
	}
	switch {
	case !connected:
		core("connect_browser")
	case focused != nil:
		core("list_tabs", "open_tab", "focus_tab", "close_tab")
		list = append(list, page...)
	case d.anyTab(b):
		core("list_tabs", "open_tab", "focus_tab")
	default:
		core("list_tabs", "open_tab")
	}
	return d.permitted(list)
}

// focus makes a call's tab the focused one, for the agent alone, and returns the
// names of its tools. What the page shows now is what later changes are told
// against.
func (d *dynamic) focus(ctx context.Context, c *call) ([]string, error) {
	if c.page.Dialog() == nil && !c.page.BrowsersOwn() {
		limited, cancel := context.WithTimeout(ctx, inspectLimit)
		snap, err := c.page.Snapshot(limited, adapter.SnapshotOptions{})
		cancel()
		switch {
		case err == nil:
			c.tab.saw(c.session, snap)
			c.tab.url = snap.URL
		case errors.Is(err, adapter.ErrDialogOpen), errors.Is(err, context.DeadlineExceeded), errors.Is(err, adapter.ErrTimeout):
		default:
			return nil, err
		}
	}
	list, err := d.look(ctx, c.tab, c.page, func() bool { d.focused = c.tab; return true })
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, adapter.ErrTimeout), errors.Is(err, adapter.ErrScript), errors.Is(err, adapter.ErrStaleRef):
		list = d.compose(c.tab, c.page.Declared(), nil) // a page that hangs, or is just going elsewhere
		d.mu.Lock()
		d.focused, d.page, d.counts[c.tab] = c.tab, list, len(list)
		d.mu.Unlock()
	default:
		return nil, err
	}
	c.session.mu.Lock()
	c.session.activate(c.tab)
	c.session.mu.Unlock()
	d.rouse()
	return toolNames(list), nil
}

// look inspects a page, one look at a time, so that the last one counts. What it
// found are the tools of the focused tab if fits, which is called under mu, says so.
func (d *dynamic) look(ctx context.Context, t *tab, p *adapter.Page, fits func() bool) ([]tool, error) {
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	select {
	case <-d.looking:
		defer func() { d.looking <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	list, err := d.inspect(ctx, t, p)
	if err != nil {
		return nil, err
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[t] = len(list)
	if fits() {
		d.page = list
	}
	return list, nil
}

// update brings the state in line with the browser and lists the tools that
// follow from it; look says that the focused page may offer something else.
func (d *dynamic) update(ctx context.Context, look bool) {
	b, connected := d.connected()
	d.mu.Lock()
	focused := d.focused
	d.mu.Unlock()
	if focused != nil {
		var p *adapter.Page
		if connected && b != nil {
			for _, o := range d.tabs(b) {
				if o.tab == focused {
					p = o.page
				}
			}
		}
		if p != nil {
			d.mu.Lock()
			was := d.foreign
			d.foreign = p.Closed()
			look = look || was || d.foreign
			d.mu.Unlock()
		}
		switch {
		case p == nil:
			d.blur(focused)
		case look && (p.Attached() || p.Closed()): // what the person took back is not attached again unasked
			_, _ = d.look(ctx, focused, p, func() bool { return d.focused == focused })
		}
	}
	if d.list.publish(d.available) {
		d.mu.Lock()
		d.turns++
		d.mu.Unlock()
	}
}

// blur takes the focus from a tab that is gone.
func (d *dynamic) blur(t *tab) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.focused == t {
		d.focused, d.page = nil, nil
	}
	delete(d.counts, t)
	for key := range d.waits {
		if key.tab == t {
			delete(d.waits, key)
		}
	}
}

// resume lists what there is after another process: the browser is connected
// with the next call, and no tab is focused.
func (d *dynamic) resume() {
	d.mu.Lock()
	d.resumed = true
	d.mu.Unlock()
	d.update(context.Background(), false)
}

// anyTab reports whether there is a tab; b may be nil.
func (d *dynamic) anyTab(b *adapter.Browser) bool {
	if b != nil {
		return len(d.tabs(b)) > 0
	}
	s := d.session
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.tabs, func(t *tab) bool { return !t.closed })
}

// lost puts the state back to the beginning when a connection has ended.
func (d *dynamic) lost(b *adapter.Browser) {
	s := d.session
	s.mu.Lock()
	if s.browser == b {
		s.browser, s.want = nil, nil
	}
	s.mu.Unlock()
	d.update(context.Background(), false)
}
