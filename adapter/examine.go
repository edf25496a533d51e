package adapter

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Examined is what there is of an element, without acting on it.
type Examined struct {
	Target   string // the first one as a snapshot shows it, without its ref
	Count    int    // that match
	Visible  int    // of those
	Value    string // of the attribute that was asked for, if HasValue
	HasValue bool
}

// Examine looks for elements and reads an attribute of the first, if one is
// named: an attribute as it is written, but a field's value as it is now, and
// never that of a password. A selector that matches nothing in the main document
// is looked for in the frames. Nothing found is no failure.
func (p *Page) Examine(ctx context.Context, e Element, attribute string) (Examined, error) {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return Examined{}, err
	}
	defer stop()
	frames, e, err := p.framesFor(ctx, e)
	if err != nil {
		return Examined{}, p.reason(err)
	}
	for i, f := range frames {
		within, done := p.reading(ctx, f)
		res, err := ask[struct {
			Count  int     `json:"count"`
			Shown  int     `json:"shown"`
			Value  *string `json:"value"`
			Target string  `json:"target"`
		}](within, p, f, expression("examine", map[string]any{"ref": e.Ref, "selector": e.Selector, "attribute": attribute}))
		if done(err); err != nil && i > 0 && context.Cause(ctx) == nil {
			continue // it went away, or hangs
		}
		if err != nil {
			return Examined{}, p.reason(err)
		}
		if res.Count > 0 {
			v := Examined{Target: res.Target, Count: res.Count, Visible: res.Shown}
			if res.Value != nil {
				v.Value, v.HasValue = *res.Value, true
			}
			return v, nil
		}
	}
	return Examined{}, nil
}

// The states in which an element is waited for.
const (
	ElementVisible = "visible"
	ElementHidden  = "hidden" // cannot be seen, or is not there
	ElementPresent = "present"
)

// otherFramesLook is how long the main document is watched before the frames are
// asked again, which are not.
const otherFramesLook = 250 * time.Millisecond

// AwaitElement returns when an element is in a state. At ctx's deadline it fails
// with ErrTimeout; navigations on the way do not matter.
func (p *Page) AwaitElement(ctx context.Context, e Element, state string) error {
	ctx, l, cancel := limited(ctx, p.browser.opts.ActionTimeout)
	defer cancel()
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	w := &patience{page: p}
	for ; ; w.begin(ctx) {
		held, err := p.stands(ctx, e, state)
		switch {
		case held:
			return nil
		case context.Cause(ctx) != nil && errors.Is(context.Cause(ctx), context.DeadlineExceeded):
			return advise(ErrTimeout, AdviceMoreTime, "%s did not become %s within %s",
				e.said(), state, l.whole)
		case context.Cause(ctx) != nil:
			return p.reason(context.Cause(ctx))
		case err != nil && !contextGone(err):
			return p.reason(err)
		case err != nil: // the document goes: look in the next one
			if err := p.await(ctx, func() bool { f := p.mainFrame(); return f.main.id != 0 && f.session != nil }); err != nil && context.Cause(ctx) == nil {
				return p.reason(err)
			}
		}
	}
}

// stands looks in each frame, the last time for a while in the first of them.
func (p *Page) stands(ctx context.Context, e Element, state string) (bool, error) {
	frames, e, err := p.framesFor(ctx, e)
	if err != nil {
		return false, err
	}
	held := false
	for i, f := range frames {
		now, err := p.becomes(ctx, f, e, state, 0)
		if err != nil && i > 0 && context.Cause(ctx) == nil {
			continue // it went away
		}
		if err != nil {
			return false, err
		}
		if held = now; held != (state == ElementHidden) {
			break // one that shows it is enough, or too much
		}
		held = state == ElementHidden
	}
	if held {
		return true, nil
	}
	wait := frameLook
	if len(frames) > 1 {
		wait = otherFramesLook
	}
	now, err := p.becomes(ctx, frames[0], e, state, wait)
	if len(frames) > 1 && state == ElementHidden {
		return false, err // the others are asked first
	}
	return now, err
}

// becomes asks one frame, which looks for as long as wait.
func (p *Page) becomes(ctx context.Context, f *frame, e Element, state string, wait time.Duration) (bool, error) {
	limited, cancel := context.WithTimeout(ctx, wait+lateness)
	defer cancel()
	held, err := ask[bool](limited, p, f, expression("becomes",
		map[string]any{"ref": e.Ref, "selector": e.Selector, "state": state, "wait": wait.Milliseconds()}))
	if limited.Err() != nil && ctx.Err() == nil {
		return false, nil // a page that is busy
	}
	if err != nil {
		return false, fmt.Errorf("look for %s: %w", e.said(), err)
	}
	return held, nil
}
