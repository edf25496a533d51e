package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

const (
	// inspectLimit bounds a look at what a page offers.
	inspectLimit = 5 * time.Second
	// countLimit bounds the same for all tabs that are listed.
	countLimit = 2 * time.Second
	// A page that changes is looked at when it has been still for quietTime,
	// or has changed for restlessTime.
	quietTime    = 60 * time.Millisecond
	restlessTime = 600 * time.Millisecond
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
	counts  map[*tab]int // of the tools of tabs that were looked at
	waits   map[waitKey]*pendingRun
	busy    int  // calls under way, each of which looks at its end
	missed  bool // something changed meanwhile
	resumed bool // the client knows the list of a process that is gone
}

func newDynamic(s *Session) *dynamic {
	d := &dynamic{session: s, generic: s.opts.DynamicCall, wake: make(chan struct{}, 1), looking: make(chan struct{}, 1),
		counts: map[*tab]int{}, waits: map[waitKey]*pendingRun{}}
	d.looking <- struct{}{}
	return d
}

// number is a tab's id as this set tells it.
func (t *tab) number() int {
	n, _ := strconv.Atoi(strings.TrimPrefix(t.id, "t"))
	return n
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
	return slices.DeleteFunc(list, func(t tool) bool { return d.session.refusal(t.name) != nil })
}

// anyTab tells whether there is a tab; b may be nil.
func (d *dynamic) anyTab(b *adapter.Browser) bool {
	if b != nil {
		return len(d.tabs(b)) > 0
	}
	s := d.session
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.ContainsFunc(s.tabs, func(t *tab) bool { return !t.closed })
}

// seenTab is a tab that can be worked in.
type seenTab struct {
	*tab
	page  *adapter.Page
	about dynamicTab
}

// tabs returns the open tabs that the session sees, but for crashed ones.
func (d *dynamic) tabs(b *adapter.Browser) []seenTab {
	s := d.session
	var list []seenTab
	for _, e := range s.pages(b) {
		s.mu.Lock()
		t := s.tabs[slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == e.ID })]
		s.mu.Unlock()
		if p, err := b.Page(t.target); err == nil && !p.Crashed() {
			list = append(list, seenTab{t, p, dynamicTab{ID: t.number(), Title: e.Title, URL: e.URL}})
		}
	}
	return list
}

// tab describes a tab.
func (d *dynamic) tab(b *adapter.Browser, t *tab) dynamicTab {
	for _, o := range d.tabs(b) {
		if o.tab == t {
			return o.about
		}
	}
	return dynamicTab{ID: t.number()}
}

// find returns the tab with a number, which is the session's from now on.
func (d *dynamic) find(b *adapter.Browser, id float64) (*tab, *adapter.Page, error) {
	open := d.tabs(b)
	if i := slices.IndexFunc(open, func(o seenTab) bool { return float64(o.about.ID) == id }); i >= 0 {
		return d.session.resolve(b, open[i].id)
	}
	e := &Error{Kind: adapter.ErrPageNotFound, Text: fmt.Sprintf("there is no tab %v", id), Hint: "open_tab opens one"}
	if len(open) > 0 {
		ids := make([]string, len(open))
		for i, o := range open {
			ids[i] = strconv.Itoa(o.about.ID)
		}
		e.Hint = "open tabs are " + strings.Join(ids, ", ") + " (list_tabs)"
	}
	return nil, nil, e
}

// focusedID is the number of the focused tab, or 0.
func (d *dynamic) focusedID() float64 {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.focused == nil {
		return 0
	}
	return float64(d.focused.number())
}

// describe lists the tabs. Those that are attached are looked at for the number
// of their tools; of the others the last number is told, because looking would
// put the debugger on them.
func (d *dynamic) describe(ctx context.Context, b *adapter.Browser) dynamicTabs {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	open := d.tabs(b)
	d.mu.Lock()
	focused := d.focused
	d.mu.Unlock()
	var all sync.WaitGroup
	for _, o := range open {
		if o.tab != focused && o.page.Attached() {
			all.Go(func() {
				if list, err := d.inspect(ctx, o.tab, o.page); err == nil {
					d.count(o.tab, list)
				}
			})
		}
	}
	all.Wait()
	v := dynamicTabs{Tabs: []dynamicListed{}}
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, o := range open {
		e := dynamicListed{dynamicTab: o.about, Focused: o.tab == d.focused}
		if n, ok := d.counts[o.tab]; ok {
			e.ToolCount = &n
		}
		if e.Focused {
			v.Focused = &e.ID
		}
		v.Tabs = append(v.Tabs, e)
	}
	return v
}

func (d *dynamic) count(t *tab, list []tool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.counts[t] = len(list)
}

// focus makes a call's tab the focused one, for the agent alone, and returns the
// names of its tools. What the page shows now is what later changes are told
// against.
func (d *dynamic) focus(ctx context.Context, c *call) ([]string, error) {
	if c.page.Dialog() == nil {
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
	list, err := d.look(ctx, c.tab, c.page)
	switch {
	case err == nil:
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, adapter.ErrTimeout), errors.Is(err, adapter.ErrScript), errors.Is(err, adapter.ErrStaleRef):
		list = d.compose(c.tab, c.page.Declared(), nil) // a page that hangs, or is just going elsewhere
	default:
		return nil, err
	}
	d.mu.Lock()
	d.focused, d.page, d.counts[c.tab] = c.tab, list, len(list)
	d.mu.Unlock()
	c.session.mu.Lock()
	c.session.activate(c.tab)
	c.session.mu.Unlock()
	d.rouse()
	return toolNames(list), nil
}

// look inspects a page, one look at a time.
func (d *dynamic) look(ctx context.Context, t *tab, p *adapter.Page) ([]tool, error) {
	ctx, cancel := context.WithTimeout(ctx, inspectLimit)
	defer cancel()
	select {
	case <-d.looking:
		defer func() { d.looking <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	return d.inspect(ctx, t, p)
}

// abandon closes a tab that could not be opened, as if it had never been.
func (d *dynamic) abandon(ctx context.Context, b *adapter.Browser, t *tab) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restLimit)
	defer cancel()
	_ = closeTab(ctx, b, t.target)
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
		switch {
		case p == nil:
			d.blur(focused)
		case look:
			if list, err := d.look(ctx, focused, p); err == nil {
				d.mu.Lock()
				d.counts[focused] = len(list)
				if d.focused == focused {
					d.page = list
				}
				d.mu.Unlock()
			}
		}
	}
	d.list.publish(d.available)
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

// begin marks that a call is under way: until its end, which looks at the page
// by itself, the follower stands back, so that a client is told once.
func (d *dynamic) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy++
}

func (d *dynamic) end() {
	d.mu.Lock()
	d.busy--
	missed := d.busy == 0 && d.missed
	if missed {
		d.missed = false
	}
	d.mu.Unlock()
	if missed {
		d.rouse()
	}
}

// idle tells whether no call is under way; one that is will make up for it.
func (d *dynamic) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.missed = d.missed || d.busy > 0
	return d.busy == 0
}

// rouse makes the follower look again.
func (d *dynamic) rouse() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// follow keeps the list in line with what happens without a call. It ends with
// the connection, which puts the state back to the beginning.
func (d *dynamic) follow(b *adapter.Browser) {
	ctx := context.Background()
	for look := false; ; {
		changed, stirring := b.Changed(), d.stirring(b)
		if d.idle() {
			d.update(ctx, look)
		}
		select {
		case <-b.Done():
			d.lost(b)
			return
		case <-changed:
			look = false
		case <-d.wake:
			look = true
		case <-stirring:
			look = true
			d.settle(b)
		}
	}
}

// stirring is closed when the focused page changes; nil where none is.
func (d *dynamic) stirring(b *adapter.Browser) <-chan struct{} {
	d.mu.Lock()
	focused := d.focused
	d.mu.Unlock()
	if focused == nil {
		return nil
	}
	p, err := b.Page(focused.target)
	if err != nil {
		return nil
	}
	return p.Stirring()
}

// settle returns when the focused page has been still for a moment.
func (d *dynamic) settle(b *adapter.Browser) {
	limit := time.NewTimer(restlessTime)
	defer limit.Stop()
	for {
		quiet := time.NewTimer(quietTime)
		select {
		case <-d.stirring(b):
			quiet.Stop()
		case <-quiet.C:
			return
		case <-limit.C:
			quiet.Stop()
			return
		case <-b.Done():
			quiet.Stop()
			return
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

func toolNames(list []tool) []string {
	names := make([]string, len(list))
	for i := range list {
		names[i] = list[i].name
	}
	return names
}
