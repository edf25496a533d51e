package adapter

import (
	"cmp"
	"context"
	"strings"
)

// ScrollOptions say where to scroll; the zero value is a page down.
type ScrollOptions struct {
	Direction string  // up, down, left or right
	Amount    float64 // CSS pixels; somewhat less than a page if 0
	To        string  // top, bottom, or element: the element comes into view
}

// Scroll scrolls the page, or the nearest thing around an element that scrolls.
// A note tells what lies beyond.
func (p *Page) Scroll(ctx context.Context, e Element, o ScrollOptions) (Done, error) {
	direction, to := cmp.Or(strings.ToLower(o.Direction), "down"), strings.ToLower(o.To)
	switch direction {
	case "up", "down", "left", "right":
	default:
		return Done{}, fail(ErrInvalid, "use up, down, left or right", "%q is not a direction", o.Direction)
	}
	switch to {
	case "", "top", "bottom":
	case "element":
		if e.zero() {
			return Done{}, fail(ErrInvalid, "give the element's ref or a selector", "to is element, but no element was given")
		}
	default:
		return Done{}, fail(ErrInvalid, "use top, bottom or element", "%q is not a place to scroll to", o.To)
	}
	if o.Amount < 0 {
		return Done{}, fail(ErrInvalid, "use direction to scroll the other way", "amount is negative")
	}
	return p.perform(ctx, e, "scroll", func(ctx context.Context, a *actor) error {
		if !e.zero() {
			if err := a.prepare(ctx); err != nil {
				return err
			}
		} else {
			a.frame = a.main()
			view, err := a.view(ctx)
			if err != nil {
				return err
			}
			a.ready.Hidden = view.Hidden
		}
		if a.ready.Hidden { // it hears of scrolling when it draws
			if err := a.wake(ctx, a.ready, a.frame); err != nil {
				return err
			}
		}
		a.sent = true
		res, err := ask[struct {
			Moved  bool   `json:"moved"`
			Note   string `json:"note"`
			Target string `json:"target"`
		}](ctx, p, a.frame, expression("scrollPage", map[string]any{"ref": a.ready.Ref, "direction": direction, "amount": o.Amount, "to": to}))
		if err != nil {
			return err
		}
		a.done.Target = cmp.Or(res.Target, "the page")
		if res.Moved {
			a.done.note("%s", res.Note)
		} else {
			a.done.turnedOut(Nothing, "nothing to scroll in that direction: %s", res.Note)
		}
		return nil
	})
}
