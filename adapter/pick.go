package adapter

import "context"

// picked is what the page shows of an option after a click on it and what that started.
type picked struct {
	Taken bool   `json:"taken"` // it is marked, or shown as the value, or its list took the click and closed
	Open  bool   `json:"open"`  // it can still be seen
	Still bool   `json:"still"` // the page has not answered to the click, in a list for one
	Shown string `json:"shown"` // by the widget, as its value
}

// pick clicks the option that find finds, and looks whether the page took it: a list
// may be drawn anew under the pointer, or not listen yet. Then it tries once more. The
// outcome is set where the page shows no sign of the choice; an option without a ref
// is one that was not found.
func (a *actor) pick(ctx context.Context, find func(context.Context) (widgetOption, error)) (widgetOption, error) {
	var l landing
	var was picked
	for again := false; ; again = true {
		o, err := find(ctx)
		if again && (err != nil || o.Ref == "") && context.Cause(ctx) == nil {
			break
		}
		if err != nil || o.Ref == "" || o.Selected {
			return o, err
		}
		w := a.page.Watch(ctx).standing()
		l, err = a.clickOn(ctx, Element{Ref: o.Ref})
		after := w.Settle(ctx)
		if err != nil || l.gone || l.silent {
			return o, err
		}
		was, err = ask[picked](ctx, a.page, a.frame, expression("tookOption", map[string]any{"arrived": l.Arrived, "later": after.Later().Milliseconds()}))
		if err != nil || was.Taken {
			return o, err
		}
		if again || l.Arrived && !was.Still {
			break
		}
	}
	switch {
	case !was.Open:
		a.done.turnedOut(Unknown, "its list closed before the click reached the option")
	case l.Arrived:
		a.done.turnedOut(Unknown, "the option was clicked, but its list is still open and does not mark it as chosen")
	default:
		a.done.turnedOut(Different, "the option was not chosen: its list changed under the pointer")
	}
	a.done.Value, a.done.HasValue = was.Shown, true
	return widgetOption{}, nil
}
