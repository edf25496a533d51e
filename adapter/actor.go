package adapter

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"
)

// actor is an action under way in a page.
type actor struct {
	// Static after construction.
	page    *Page
	session *session // of the page
	element Element
	act     string
	clear   bool
	until   time.Time
	limit   time.Duration
	grip    *Offset // where within the element the pointer goes; nil is its centre

	// Set as the action goes on.
	frame  *frame
	target *session // of the frame, while a script runs in it
	ready  ready
	sent   bool // input has gone out: what comes now is its effect
	loose  bool // an option may only begin with what is wanted, or hold it
	by     OptionKey
	done   Done
}

// perform runs an action within its time. A dialog that the action opens ends
// it without an error.
func (p *Page) perform(ctx context.Context, e Element, act string, do func(context.Context, *actor) error) (Done, error) {
	l, ok := limitOf(ctx)
	if !ok {
		l.whole = p.browser.opts.ActionTimeout
		l.until = time.Now().Add(l.whole)
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, l.whole+answerTime)
		defer cancel()
	}
	if e.Ref != "" && e.Selector != "" {
		return Done{}, fail(ErrInvalid, "give one of them", "both ref and selector are given")
	}
	a := &actor{page: p, element: e, act: act, limit: l.whole, until: l.until}
	err := a.try(ctx, do)
	if !a.sent && a.done.Target == "" && errors.Is(err, ErrConnectionLost) && a.session != nil && p.holds(a.session.id) {
		// The way to the tab broke and is there again; nothing has been done yet.
		a = &actor{page: p, element: e, act: act, limit: l.whole, until: l.until}
		err = a.try(ctx, do)
	}
	if err == nil && a.done.Outcome == "" {
		a.done.Outcome = Happened
	}
	a.done.frame, a.done.ref = a.frame, a.ready.Ref
	return a.done, err
}

// try goes once through an action.
func (a *actor) try(ctx context.Context, do func(context.Context, *actor) error) error {
	p := a.page
	s, err := p.attached(ctx)
	if err != nil {
		return err
	}
	a.session = s
	run, stop, err := p.running(ctx)
	if err != nil {
		return err
	}
	defer stop()
	switch a.act {
	case "click", "press", "type", "drag", "mouse":
		p.expectChooser(s)
	}
	switch err := p.reason(do(run, a)); {
	case a.sent && errors.Is(err, ErrDialogOpen):
		return nil
	case errors.Is(err, context.DeadlineExceeded):
		return timeoutError(ctx, a.doing(), a.limit)
	case a.sent && errors.Is(err, errSwapped): // as the action made it, or by itself
		a.done.turnedOut(Unknown, "another page took this one's place before it answered")
		return nil
	case a.sent && contextGone(err): // the page went elsewhere, as the action made it
		return nil
	default:
		return err
	}
}

// doing says what was under way.
func (a *actor) doing() string {
	act, on := a.act, a.element.said()
	if a.element.zero() {
		on = "the page"
	}
	if act == "shot" {
		act = "take a picture of"
	}
	return act + " " + on
}

// answerTime is what an action has beyond its limit to say what hindered it.
const answerTime = 500 * time.Millisecond

// prepare finds the element and makes it ready, or says why it cannot be.
func (a *actor) prepare(ctx context.Context) error {
	if a.element.zero() && a.act == "type" {
		e, err := a.page.focused(ctx)
		if err != nil {
			return err
		}
		a.element = e
	}
	if a.element.zero() {
		return advise(ErrInvalid, AdviceGiveElement, "no element is given")
	}
	p := a.page
	frames, e, err := p.framesFor(ctx, a.element)
	if err != nil {
		return err
	}
	f := frames[0]
	r, err := p.prepareIn(ctx, f, a.request(0, e))
	if err == nil && r.Objection.is(objectsNone) {
		f, r, err = a.elsewhere(ctx, frames, e, r)
	}
	if err != nil {
		return err
	}
	if r.Objection.is(objectsSizeless) && p.heed(ctx, f) { // what listens around it takes the click
		if r, err = p.prepareIn(ctx, f, a.request(0, Element{Ref: r.Ref})); err != nil {
			return err
		}
	}
	if err := a.wakeForInput(ctx, r, f); err != nil {
		return err
	}
	if wait := a.left(); wait > 0 && (r.Objection.passes() || r.Objection.is(objectsNone) && p.stillLoading()) {
		a.frame, a.ready = f, r
		if r.Hidden { // what moves comes to rest in frames
			if err := p.wake(ctx, a.session); err != nil {
				return err
			}
		}
		later, err := p.prepareIn(ctx, f, a.request(wait, e))
		switch {
		case err == nil:
			r = later
		case !errors.Is(err, context.DeadlineExceeded): // else what hindered at first is told
			return err
		}
		if err := a.wakeForInput(ctx, r, f); err != nil {
			return err
		}
	}
	a.frame, a.ready = f, r
	if err := a.objected(r); err != nil {
		return err
	}
	a.done.Target, a.done.Ref = r.Target, r.Ref
	a.done.Notes = append(a.done.Notes, r.Notes...)
	return nil
}

// left is the time that remains for waiting in the page.
func (a *actor) left() time.Duration { return time.Until(a.until) - 20*time.Millisecond }

func (p *Page) stillLoading() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loading.starting || !p.loading.dom
}

func (a *actor) request(wait time.Duration, e Element) prepareRequest {
	return prepareRequest{Ref: e.Ref, Selector: e.Selector, Act: a.act, Clear: a.clear, Wait: wait.Milliseconds()}
}

// prepareIn asks one frame.
func (p *Page) prepareIn(ctx context.Context, f *frame, q prepareRequest) (ready, error) {
	p.mu.Lock()
	q.Prefix, q.Next = p.prefix(f), f.next
	p.mu.Unlock()
	function := "prepare"
	if q.X != 0 || q.Y != 0 {
		function = "still"
	}
	r, err := ask[ready](ctx, p, f, expression(function, q))
	if err == nil {
		p.numbered(f, r.Next)
	}
	return r, err
}

// numbered notes the next free number of refs in a frame.
func (p *Page) numbered(f *frame, next int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	f.next = max(f.next, next)
}

// elsewhere looks for what the first of some frames has nothing for in the others.
func (a *actor) elsewhere(ctx context.Context, frames []*frame, e Element, none ready) (*frame, ready, error) {
	p, main, others := a.page, frames[0], frames[1:]
	answers := make([]ready, len(others))
	var wg sync.WaitGroup
	for i, f := range others {
		wg.Go(func() {
			within, done := p.reading(ctx, f)
			r, err := p.prepareIn(within, f, a.request(0, e))
			if done(err); err != nil {
				r = ready{Objection: &objection{Code: objectsNone}} // it went away, or hangs
			}
			answers[i] = r
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, ready{}, err
	}
	found, all := -1, &objection{Code: objectsMany}
	for i, r := range answers {
		switch o := r.Objection; {
		case o.is(objectsNone):
			none.Objection.List = append(none.Objection.List, o.List...)
			continue
		case o.is(objectsMany):
			all.Count += o.Count
			all.List = append(all.List, o.List...)
		default:
			all.Count++
			all.List = append(all.List, r.Target)
		}
		found = i
	}
	switch {
	case all.Count == 0:
		return main, none, nil
	case all.Count == 1:
		return others[found], answers[found], nil
	}
	all.List = all.List[:min(len(all.List), 10)]
	return main, ready{Objection: all}, nil
}

// otherFrames returns the frames below the main one, oldest first.
func (p *Page) otherFrames(main *frame) []*frame {
	p.mu.Lock()
	defer p.mu.Unlock()
	var list []*frame
	for _, f := range p.tree.frames {
		if f != main && f.session != nil {
			list = append(list, f)
		}
	}
	slices.SortFunc(list, func(a, b *frame) int { return a.ordinal - b.ordinal })
	return list
}

// wakeForInput is wake for an action that input follows.
func (a *actor) wakeForInput(ctx context.Context, r ready, f *frame) error {
	switch a.act {
	case "click", "hover", "type", "press":
		return a.wake(ctx, r, f)
	}
	return nil
}

// wake makes a page that nobody sees take input as one that is seen.
func (a *actor) wake(ctx context.Context, r ready, f *frame) error {
	main := a.main()
	if !r.Hidden && !r.Focus && f != main { // another frame has it, or none
		view, err := a.view(ctx)
		if err != nil {
			return err
		}
		r.Focus = view.Focus
	}
	if !r.Hidden && r.Focus {
		return nil
	}
	return a.page.wake(ctx, a.session)
}

func (a *actor) main() *frame {
	a.page.mu.Lock()
	defer a.page.mu.Unlock()
	return a.page.mainFrame()
}
