package adapter

import (
	"context"
	"math"
	"strconv"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

const (
	sliderRounds = 10  // of keys, after each of which the slider is read
	sliderKeys   = 250 // in one of them
	sliderFar    = 20  // steps, from which on pages are tried
	sliderPulls  = 4   // with the pointer, where keys do not come to the number
)

// slider is the state of a slider of the page's own making.
type slider struct {
	Now *float64 `json:"now"`
	Min *float64 `json:"min"`
	Max *float64 `json:"max"`
	X   float64  `json:"x"` // of its middle, in its frame's view
	Y   float64  `json:"y"`
}

// slide moves a slider that has the focus to a number, with keys. It fails with
// ErrNotActionable, and tells where it stands, when the slider does not come to
// stand there.
func (a *actor) slide(ctx context.Context, value string) error {
	want, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
	if err != nil {
		return fail(ErrInvalid, "give a number", "%s takes a number, not %q", a.done.Target, value)
	}
	s, err := a.slider(ctx, nil)
	if err != nil {
		return err
	}
	switch {
	case s.Now == nil:
		return fail(ErrUnsupported, "press arrow keys on it, or drag it", "%s does not expose its value", a.done.Target)
	case s.Min != nil && want < *s.Min || s.Max != nil && want > *s.Max:
		return fail(ErrInvalid, "give a number in its range", "%s goes from %s to %s", a.done.Target, number(s.Min), number(s.Max))
	}
	a.sent = true
	step, page, begun := 0.0, 0.0, s
	arrows := []string{"ArrowUp", "ArrowDown"}
	for range sliderRounds {
		now := *s.Now
		far := want - now
		switch {
		case math.Abs(far) < 1e-9:
			a.done.Value, a.done.HasValue = number(s.Now), true
			return nil
		case step == 0: // what an arrow does is not known yet
			if s, err = a.slideBy(ctx, s, math.Copysign(1, far), arrows[0], arrows[1]); err == nil && *s.Now == now {
				arrows = []string{"ArrowRight", "ArrowLeft"}
				s, err = a.slideBy(ctx, s, math.Copysign(1, far), arrows[0], arrows[1])
			}
			step = math.Abs(*s.Now - now)
		case math.Abs(far/step) > sliderFar && page == 0:
			s, err = a.slideBy(ctx, s, math.Copysign(1, far), "PageUp", "PageDown")
			if page = math.Abs(*s.Now - now); page <= step {
				page = math.Inf(1) // it has none
			}
		case math.Abs(far) >= page && page > 0 && !math.IsInf(page, 1):
			s, err = a.slideBy(ctx, s, math.Trunc(far/page), "PageUp", "PageDown")
		default:
			s, err = a.slideBy(ctx, s, math.Round(far/step), arrows[0], arrows[1])
		}
		if err != nil {
			return err
		}
		if *s.Now == now {
			break
		}
	}
	if step > 0 && math.Abs(want-*s.Now) > 1e-9 {
		if s, err = a.pull(ctx, begun, s, want); err != nil {
			return err
		}
	}
	a.done.Value, a.done.HasValue = number(s.Now), true
	if math.Abs(want-*s.Now) < 1e-9 {
		return nil
	}
	how := "it stopped moving"
	if step > 0 {
		how = "it moves in steps of " + number(&step)
	}
	return fail(ErrNotActionable, "give a number it can have, or drag it", "%s is at %s, not %s: %s", a.done.Target, number(s.Now), number(&want), how)
}

// slideBy presses a key so often, or the other one where times is negative, and
// returns where the slider stands then: as far as is known if it fails.
func (a *actor) slideBy(ctx context.Context, s slider, times float64, up, down string) (slider, error) {
	key := up
	if times < 0 {
		key = down
	}
	list, _ := chords(key)
	w := a.page.Watch(ctx).standing() // it may move with a timer
	for range int(min(math.Abs(times), sliderKeys)) {
		if err := a.tap(ctx, list[0]); err != nil {
			w.Settle(ctx)
			return s, err
		}
	}
	w.Settle(ctx)
	now, err := a.slider(ctx, s.Now)
	if err == nil && now.Now == nil {
		err = advise(ErrStaleRef, AdviceLookAgain, "%s is gone", a.done.Target)
	}
	if err != nil {
		return s, err
	}
	return now, nil
}

// pull drags a slider's handle to a number between two steps of its keys: how far,
// two numbers that it had tell. It returns where the slider stands then.
func (a *actor) pull(ctx context.Context, was, s slider, want float64) (slider, error) {
	handle := &actor{page: a.page, session: a.session, element: Element{Ref: a.ready.Ref}, act: "hover", until: a.until, limit: a.limit}
	for range sliderPulls {
		between := *s.Now - *was.Now
		if between == 0 || s.X == was.X && s.Y == was.Y {
			break
		}
		if err := handle.prepare(ctx); err != nil {
			return s, err
		}
		x, y, err := handle.at(ctx)
		if err != nil {
			return s, err
		}
		far := (want - *s.Now) / between
		w := a.page.Watch(ctx).standing()
		err = a.haul(ctx, x, y, x+far*(s.X-was.X), y+far*(s.Y-was.Y))
		w.Settle(ctx)
		if err != nil {
			return s, err
		}
		now, err := a.slider(ctx, s.Now)
		if err != nil || now.Now == nil || *now.Now == *s.Now {
			return s, err
		}
		if was, s = s, now; math.Abs(want-*s.Now) < 1e-9 {
			break
		}
	}
	return s, nil
}

// haul moves the pointer from one point to another with the button down.
func (a *actor) haul(ctx context.Context, x, y, toX, toY float64) error {
	var sent []func() (cdp.Empty, error)
	for _, e := range []struct {
		kind    input.DispatchMouseEventType
		x, y    float64
		buttons int64
	}{
		{input.DispatchMouseEventTypeMouseMoved, x, y, 0}, {input.DispatchMouseEventTypeMousePressed, x, y, 1},
		{input.DispatchMouseEventTypeMouseMoved, (x + toX) / 2, (y + toY) / 2, 1}, {input.DispatchMouseEventTypeMouseMoved, toX, toY, 1},
		{input.DispatchMouseEventTypeMouseReleased, toX, toY, 0},
	} {
		m := input.DispatchMouseEventParams{Type: e.kind, X: e.x, Y: e.y, Buttons: e.buttons, Button: input.MouseButtonLeft, ClickCount: 1}
		if e.kind == input.DispatchMouseEventTypeMouseMoved {
			m.ClickCount = 0
			if e.buttons == 0 {
				m.Button = ""
			}
		}
		sent = append(sent, start(ctx, a.session, input.DispatchMouseEvent, m))
	}
	for _, answer := range sent {
		if _, err := answer(); err != nil {
			return err
		}
	}
	return nil
}

// slider reads it; where it still stands at before, it may be about to move.
func (a *actor) slider(ctx context.Context, before *float64) (slider, error) {
	return ask[slider](ctx, a.page, a.frame, expression("sliderState", map[string]any{"ref": a.ready.Ref, "before": before}))
}

// number writes a number as short as it can be; "any number" for nil.
func number(n *float64) string {
	if n == nil {
		return "any number"
	}
	return strconv.FormatFloat(math.Round(*n*1e9)/1e9, 'f', -1, 64)
}
