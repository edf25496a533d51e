package adapter

import (
	"cmp"
	"context"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// MouseOptions say what the mouse does, at points of the page's view in CSS
// pixels.
type MouseOptions struct {
	Action   string  // click, move, down, up, drag or wheel
	X, Y     float64 // where
	ToX, ToY float64 // where a drag ends; how far a wheel turns
	Button   string  // left, right or middle
	Count    int     // of clicks, 1 to 3
}

// Mouse moves, clicks, drags or turns the wheel at coordinates, whatever is
// there. A button that down presses is held until up.
func (p *Page) Mouse(ctx context.Context, o MouseOptions) (Done, error) {
	button, ok := buttons[cmp.Or(strings.ToLower(o.Button), "left")]
	switch {
	case !ok:
		return Done{}, fail(ErrInvalid, "use left, right or middle", "%q is not a mouse button", o.Button)
	case o.Count < 0 || o.Count > 3:
		return Done{}, fail(ErrInvalid, "", "count is %d; it can be 1 to 3", o.Count)
	case o.Action == "wheel" && o.ToX == 0 && o.ToY == 0:
		return Done{}, fail(ErrInvalid, "give toX or toY, in pixels; toY: 300 is down", "the wheel needs a distance")
	}
	return p.perform(ctx, Element{}, "mouse", func(ctx context.Context, a *actor) error {
		a.frame = a.main()
		view, err := a.view(ctx)
		if err != nil {
			return err
		}
		if o.X < 0 || o.Y < 0 || o.X >= view.Width || o.Y >= view.Height {
			return fail(ErrInvalid, "scroll first; coordinates are relative to the viewport", "%v, %v is outside the viewport, which is %v by %v", o.X, o.Y, view.Width, view.Height)
		}
		if err := a.mayPoint(ctx, view, o); err != nil {
			return err
		}
		if o.Action != "move" && o.Action != "wheel" {
			if err := p.confirmed(ctx, a.frame, "", byAny, "the mouse presses at a point of the page"); err != nil {
				return err
			}
		}
		a.ready = ready{Hidden: view.Hidden, Focus: view.Focus}
		if err := a.wake(ctx, a.ready, a.frame); err != nil {
			return err
		}
		a.sent = true
		e := input.DispatchMouseEventParams{X: o.X, Y: o.Y, Button: button.name}
		switch o.Action {
		case "click":
			return a.press(ctx, o.X, o.Y, button.name, button.bit, max(o.Count, 1), 0)
		case "drag":
			if err := a.hold(ctx, input.DispatchMouseEventTypeMouseMoved, e, 0); err != nil {
				return err
			}
			g := &drag{actor: a, x: o.X, y: o.Y, button: button.name, bit: button.bit, frames: []*frame{a.frame}}
			err := g.run(ctx, func(context.Context) (goal, error) { return goal{x: o.ToX, y: o.ToY}, nil })
			switch {
			case g.refused:
				a.done.note("the drop target did not accept what was dragged")
			case g.taken && err == nil:
				a.done.note("dropped")
			}
			return err
		case "move":
			return a.hold(ctx, input.DispatchMouseEventTypeMouseMoved, e, 0)
		case "down":
			e.ClickCount = int64(max(o.Count, 1))
			return a.hold(ctx, input.DispatchMouseEventTypeMousePressed, e, button.bit)
		case "up":
			e.ClickCount = int64(max(o.Count, 1))
			return a.hold(ctx, input.DispatchMouseEventTypeMouseReleased, e, -button.bit)
		case "wheel":
			before, err := ask[string](ctx, p, a.frame, expression("scrolledAt", o.X, o.Y))
			if err != nil {
				return err
			}
			if _, err := call(ctx, a.session, turnWheel, wheelTurn{Type: "mouseWheel", X: o.X, Y: o.Y, DeltaX: o.ToX, DeltaY: o.ToY}); err != nil {
				return err
			}
			return a.scrolled(ctx, o, before)
		}
		return fail(ErrInvalid, "use click, move, down, up, drag or wheel", "%q is not an action of the mouse", o.Action)
	})
}

// wheelTurn are the parameters of a turn of the wheel, of which Chrome wants
// both directions, also where one is zero.
type wheelTurn struct {
	Type   string  `json:"type"`
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	DeltaX float64 `json:"deltaX"`
	DeltaY float64 `json:"deltaY"`
}

var turnWheel = cdp.Command[wheelTurn, cdp.Empty]{Method: input.CommandDispatchMouseEvent}

// hold sends one event of the mouse; bit, if not zero, is pressed with it, or
// released where it is negative.
func (a *actor) hold(ctx context.Context, kind input.DispatchMouseEventType, e input.DispatchMouseEventParams, bit int64) error {
	p := a.page
	p.mu.Lock()
	e.Type, e.Buttons = kind, p.pointer.hold(bit)
	p.mu.Unlock()
	if kind == input.DispatchMouseEventTypeMouseMoved {
		e.Button = heldButton(e.Buttons)
	}
	_, err := call(ctx, a.session, input.DispatchMouseEvent, e)
	return err
}

// heldButton returns the button of a set that a move is told to go with.
func heldButton(bits int64) input.MouseButton {
	for _, b := range buttons {
		if bits&b.bit != 0 {
			return b.name
		}
	}
	return input.MouseButtonNone
}

// scrolled waits for what a wheel moves; there may be nothing.
func (a *actor) scrolled(ctx context.Context, o MouseOptions, before string) error {
	now, err := ask[string](ctx, a.page, a.frame, expression("scrolledAt", o.X, o.Y))
	if err == nil && now == before {
		_, err = ask[cdp.Empty](ctx, a.page, a.frame, expression("change", 150)+".then(() => ({}))")
	}
	return err
}
