package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// waitLimit bounds browser_wait when the call does not say.
	waitLimit = 30 * time.Second
	// lookLimit bounds the look around after a call that went well, and
	// failedLookLimit after one that did not: the page may be what hangs.
	lookLimit       = 10 * time.Second
	failedLookLimit = time.Second
	// restLimit bounds leaving a page in peace.
	restLimit = 2 * time.Second
	// megabyteTime is what a call has beyond its limit for each MB of files, which
	// may have to go through the page.
	megabyteTime = time.Second
	// carriageLimit bounds that.
	carriageLimit = time.Minute
)

// call is one use of a tool.
type call struct {
	session *Session
	tool    *tool
	browser *adapter.Browser // nil where the tool needs none
	tab     *tab             // nil where the tool is not about a page
	page    *adapter.Page
	watch   *adapter.Watch
	held    *adapter.Dialog // that was open when the call began
	show    string          // diff, full or none: what is told of the page
	settled bool            // the body has waited for what there is to wait for
	looked  bool            // a snapshot was taken after the body, and told
	opened  bool            // the body opened the tab to go somewhere with it
	after   adapter.Settled // what was still under way when the body's effects had settled
	// The person took the tab back, or paused agents: nothing may ask for it again before the next call.
	cancelled bool
	came      string // the origin of the page
	connected string // says which browser the call connected to by itself
}

// Call runs a tool and returns its answer; it is the one way in which any tool
// runs. It checks the arguments, finds the page and waits for its turn there,
// refuses while a dialog is open, acts, waits for what the action started, and
// looks around. It never fails: errors are answers. When ctx ends, so does the
// work.
func (s *Session) Call(ctx context.Context, name string, arguments json.RawMessage) *Answer {
	a := &Answer{set: s.profile}
	pause := &s.paused
	if s.profile.acting != nil {
		s = s.profile.acting(s)
	}
	c := &call{session: s, tool: s.toolNamed(name), show: "none"}
	defer func(began time.Time) { c.used(ctx, began, a) }(time.Now())
	if c.tool == nil {
		a.fail(invalid("there is no tool %q: call one that is listed", lines.Short(name, titleLength)))
		return a
	}
	if s.opts.Using != nil {
		s.opts.Using(Use{Tool: c.tool.told()})
	}
	if err := s.refused(c.tool); err != nil {
		a.fail(err)
		return a
	}
	work, done, err := pause.during(ctx)
	defer done()
	if err != nil {
		a.fail(err)
		return a
	}
	defer running(ctx, c.tool.told())()
	args, err := c.tool.decode(arguments)
	if err != nil {
		a.wrong = true
		a.fail(err)
		return a
	}
	if v, ok := args.(showArgs); ok {
		c.show = cmp.Or(v.show(), s.opts.Snapshot)
	}
	err = c.run(work, args, a)
	if err != nil && errors.Is(context.Cause(work), errPaused) {
		err = errPaused
	}
	if err != nil {
		a.wrong = c.tool.kind != onJourney && errors.Is(err, adapter.ErrInvalid) // an address that leads nowhere is none
		a.fail(c.lost(err))
	}
	if work.Err() == nil {
		c.look(work, a)
	}
	a.Remark = cmp.Or(a.Remark, c.connected)
	c.leave(work)
	return a
}

// run does the work of a call, up to where there is something to look at.
func (c *call) run(ctx context.Context, args any, a *Answer) error {
	limit, asked := c.limit(args)
	on, paged := args.(pageArgs)
	if paged {
		if err := c.enter(ctx, on.pageID(), limit); err != nil {
			return err
		}
	}
	if err := c.confirm(ctx, args); err != nil {
		return err
	}
	work, cancel := adapter.WithLimit(ctx, limit)
	defer cancel()
	if paged && c.tool.settles {
		c.watch = c.page.Watch(work)
	}
	v, err := c.tool.body.run(c.askFirst(work), c, args)
	if errors.Is(err, adapter.ErrUnconfirmed) {
		c.settle(ctx) // nothing was started
		if err = c.ask(ctx, submits, err.Error()); err == nil {
			again, cancel := adapter.WithLimit(ctx, limit)
			defer cancel()
			work, c.watch, c.settled = again, c.page.Watch(again), false
			v, err = c.tool.body.run(work, c, args)
		}
	}
	if c.page != nil && errors.Is(err, adapter.ErrAsked) && (c.tool.repeatable || c.tool.kind == onJourney) {
		if err = c.permit(ctx, err); err == nil {
			again, cancel := adapter.WithLimit(ctx, limit)
			defer cancel()
			work = again
			v, err = c.tool.body.run(work, c, args)
		}
	}
	if c.opened && (errors.Is(err, adapter.ErrBlocked) || errors.Is(err, adapter.ErrAsked)) {
		c.session.abandon(ctx, c.browser, c.tab)
		c.leave(ctx)
		c.tab, c.page, c.watch = nil, nil, nil
	}
	if c.detached(err) {
		check, cancel := ctx, func() {}
		if !c.tool.repeatable { // the page may be what hangs
			check, cancel = context.WithTimeout(ctx, failedLookLimit)
		}
		_, e := c.snapshot(check)
		cancel()
		if errors.Is(e, adapter.ErrPageNotFound) {
			err = e
		} else if e == nil && c.tool.repeatable {
			v, err = c.tool.body.run(work, c, args)
		}
	}
	if errors.Is(err, adapter.ErrPageNotFound) && c.page != nil {
		soon, cancel := context.WithTimeout(ctx, failedLookLimit)
		_ = c.page.Gone(soon) // so that the answer tells it
		cancel()
	}
	c.cancelled = errors.Is(err, adapter.ErrCancelled) || errors.Is(err, adapter.ErrPaused)
	if stop := c.stopped(err); stop != "" {
		a.Result, err = stopped{Stopped: stop}, nil
	} else if err == nil {
		a.Result = v.(value)
		if f, ok := v.(filler); ok {
			f.fill(a)
		}
	}
	if err == nil {
		if asked {
			ctx = work // what was asked for bounds all of it
		}
		c.settle(ctx)
		if c.page != nil {
			err = c.page.Allowed(ctx) // it may have led elsewhere
		}
	}
	return err
}

// permit waits for the person where the call's page shows a site that agents may
// not use yet, or its body was refused with such an error.
func (c *call) permit(ctx context.Context, err error) error {
	site := c.page.Withheld(err)
	if site == "" {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, c.session.opts.NavigationTimeout)
	defer cancel()
	defer Waiting(ctx, "waiting for the person to allow "+site)()
	return c.page.Permitted(wait, site)
}

// settle waits for what the call started in the page, once; it is bounded by
// itself, too. A body that looks at the page calls it, else the pipeline does.
func (c *call) settle(ctx context.Context) {
	if c.watch != nil && !c.settled {
		c.settled = true
		c.after = c.watch.Settle(ctx)
	}
}

// limit is how long a call's work may take, and whether the call says so.
func (c *call) limit(args any) (limit time.Duration, asked bool) {
	if v, ok := args.(interface{ limit() int }); ok && v.limit() > 0 {
		return time.Duration(v.limit()) * time.Millisecond, true
	}
	switch c.tool.kind {
	case onJourney:
		return c.session.opts.NavigationTimeout, false
	case onPatience:
		return waitLimit, false
	case onSession:
		return c.session.opts.ConnectTimeout, false
	}
	limit = c.session.opts.ActionTimeout
	if v, ok := args.(interface{ carries() []string }); ok {
		limit += c.session.carriage(v.carries())
	}
	return limit, false
}

// enter finds the page and takes its turn there.
func (c *call) enter(ctx context.Context, pageID string, limit time.Duration) error {
	s := c.session
	if err := c.connect(ctx); err != nil {
		return err
	}
	t, p, err := s.resolve(c.browser, pageID)
	if pageID == "" && c.tool.opens && errors.Is(err, adapter.ErrPageNotFound) {
		t, p, err = s.open(ctx, c.browser, false, "")
	}
	if err != nil {
		return err
	}
	turn, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if err := t.take(turn); err != nil {
		return err
	}
	c.tab, c.page, c.held = t, p, p.Dialog()
	c.came = adapter.Origin(p.URL())
	if s.opts.Using != nil {
		s.opts.Using(Use{Tool: c.tool.told(), Page: t.id, Site: c.came})
	}
	if c.tool.kind != onJourney { // which may lead to a site that is allowed
		if err := c.permit(ctx, nil); err != nil {
			return err
		}
		if err := p.Allowed(turn); err != nil {
			return err
		}
	}
	if d := c.held; d != nil && !c.tool.duringDialog {
		return d.Blocking()
	}
	return nil
}

// connect finds the browser of the call. A tool that opens a page connects to one,
// where none is connected and the set has a tool to connect with, and the answer says to which.
func (c *call) connect(ctx context.Context) (err error) {
	s := c.session
	c.browser, err = s.connection(ctx)
	if c.tool.opens && !s.connects() && errors.Is(err, ErrNotConnected) {
		ctx, cancel := context.WithTimeout(ctx, s.opts.ConnectTimeout)
		defer cancel()
		if c.browser, err = s.connect(ctx, Want{}, true); err == nil {
			c.connected = s.connected(c.browser).browser()
		}
	}
	return err
}

// adopt makes a page that the body came to, such as a new tab, the call's own.
func (c *call) adopt(ctx context.Context, t *tab, p *adapter.Page) error {
	if err := t.take(ctx); err != nil {
		return err
	}
	c.tab, c.page = t, p
	return nil
}

// leave ends what the call held.
func (c *call) leave(ctx context.Context) {
	if c.tab == nil {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restLimit)
	defer cancel()
	c.page.Rest(ctx)
	c.tab.release()
}

// detached reports whether an error may be the first sign that a tab is closing:
// the end of its attachment is told before its own.
func (c *call) detached(err error) bool {
	return errors.Is(err, adapter.ErrConnectionLost) && c.page != nil && c.browser.Err() == nil
}

// snapshot takes a snapshot of the call's page; a lost attachment is renewed
// once, which only works where the tab is still there.
func (c *call) snapshot(ctx context.Context) (*adapter.Snapshot, error) {
	if site := c.page.Withheld(nil); site != "" {
		return nil, &Error{Kind: adapter.ErrBlocked, Text: "the page is now at " + site + ", which the person has not allowed: they are asked at the next call"}
	}
	ctx, cancel := context.WithTimeout(ctx, lookLimit)
	defer cancel()
	snap, err := c.page.Snapshot(ctx, adapter.SnapshotOptions{Busy: c.tool.settles})
	if c.detached(err) {
		snap, err = c.page.Snapshot(ctx, adapter.SnapshotOptions{Busy: c.tool.settles})
	}
	if c.detached(err) { // once more: it is closing
		soon, cancel := context.WithTimeout(ctx, failedLookLimit)
		defer cancel()
		if c.page.Gone(soon) == nil {
			_, err = c.browser.Page(c.tab.target)
		}
	}
	return snap, err
}

// stopped tells what cut an action short that was none of its failures: it
// opened a dialog, or closed its own tab.
func (c *call) stopped(err error) string {
	switch {
	case err == nil || c.page == nil || !c.tool.acts():
		return ""
	case errors.Is(err, adapter.ErrDialogOpen) && c.page.Dialog() != nil && c.page.Dialog() != c.held:
		return "a dialog opened"
	case errors.Is(err, adapter.ErrPageNotFound) && !errors.Is(err, adapter.ErrPageLost) && (!c.tool.duringDialog || c.tool.kind == onElement):
		return "the page closed"
	}
	return ""
}

// lost turns an error that a lost connection caused into the one that says so.
func (c *call) lost(err error) error {
	if c.browser == nil || c.browser.Err() == nil || errors.Is(err, context.Canceled) {
		return err
	}
	return c.session.lose(c.browser, c.browser.Err())
}

// open opens a tab and makes it the active one.
func (s *Session) open(ctx context.Context, b *adapter.Browser, front bool, address string) (*tab, *adapter.Page, error) {
	done := s.opts.Claims.open(s)
	defer done()
	p, err := b.Open(ctx, front, address)
	if err != nil {
		return nil, nil, err
	}
	return s.own(p.ID()), p, nil
}
