package adapter

import (
	"cmp"
	"context"
	"errors"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

// ClickOptions say how to click; the zero value is one click of the left button.
type ClickOptions struct {
	Button    string   // left, right or middle
	Count     int      // 1 to 3
	Modifiers []string // Control, Shift, Alt, Meta, ControlOrMeta
}

// buttons are the mouse's buttons and their bits in the set of those pressed.
var buttons = map[string]struct {
	name input.MouseButton
	bit  int64
}{
	"left":   {input.MouseButtonLeft, 1},
	"right":  {input.MouseButtonRight, 2},
	"middle": {input.MouseButtonMiddle, 4},
}

// moveAttempts is how often the pointer follows an element that moves.
const moveAttempts = 8

// undrawnLimit is how long a press is tried again that the page heard nothing of: in
// a window Chrome drops presses until something of a page was drawn, or for a second.
const undrawnLimit = 2 * time.Second

// Click clicks an element when it is visible, enabled and not covered, which it
// waits for. A dialog that the click opens ends it without an error.
func (p *Page) Click(ctx context.Context, e Element, o ClickOptions) (Done, error) {
	button, ok := buttons[cmp.Or(strings.ToLower(o.Button), "left")]
	if !ok {
		return Done{}, fail(ErrInvalid, "use left, right or middle", "%q is not a mouse button", o.Button)
	}
	if o.Count < 0 || o.Count > 3 {
		return Done{}, fail(ErrInvalid, "", "count is %d; it can be 1 to 3", o.Count)
	}
	modifiers, err := modifierBits(o.Modifiers)
	if err != nil {
		return Done{}, err
	}
	return p.perform(ctx, e, "click", func(ctx context.Context, a *actor) error {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		switch a.ready.Kind {
		case "select":
			a.done.note("its list opens outside the page; select an option instead of clicking")
		case "option":
			if a.ready.X == 0 && a.ready.Y == 0 {
				return advise(ErrNotActionable, AdviceSelect, "%s is in a closed list", a.done.Target)
			}
		}
		landed, err := a.clickAt(ctx, button.name, button.bit, max(o.Count, 1), modifiers)
		if err != nil {
			return err
		}
		a.clicked(landed)
		if a.ready.Link && !landed.Prevented && (button.bit == 4 || button.bit == 1 && modifiers&(keyboard.Control|keyboard.Meta|keyboard.Shift) != 0) {
			// It opens a tab without the page asking for one.
			p.mu.Lock()
			p.windows.ask(true)
			p.mu.Unlock()
		}
		return nil
	})
}

// landing is what the page saw of a click.
type landing struct {
	Missed    bool   `json:"missed"`  // something else was under the pointer, and was kept from seeing it
	Seen      bool   `json:"seen"`    // its frame saw a press
	Arrived   bool   `json:"arrived"` // the click event came to the element
	Left      bool   `json:"left"`    // the element was gone when the button was released
	Went      string `json:"went"`    // the element that got it instead
	Unsent    string `json:"unsent"`  // what kept its form from being sent
	Prevented bool   `json:"prevented"`
	Next      int    `json:"next"`

	gone   bool // its document went away
	silent bool // its document did not answer in time
}

// clicked says what is known of a click that was not missed.
func (a *actor) clicked(l landing) {
	switch {
	case l.Arrived && l.Unsent != "":
		a.done.turnedOut(Different, unsentForm, l.Unsent)
	case l.Arrived || l.gone:
	case l.silent:
		a.done.turnedOut(Unknown, "the page has not answered since the press")
	case a.ready.Kind == "frame":
		a.done.turnedOut(Unknown, "an element inside the frame received it")
	case l.Went != "":
		a.done.turnedOut(Different, "the click event went to %s instead", l.Went)
	case l.Left:
		a.done.turnedOut(Different, "it went away at the press: no click event followed")
	default:
		a.done.turnedOut(Different, "no click event followed the press")
	}
}

// clickAt moves the pointer to the element that was prepared and clicks, all of
// it on its way at once: a press makes the renderer handle the move before it
// without waiting for a frame. The page script holds back a press that meets
// something else than the element, because it moved or was covered in between;
// then it is tried again, as it is where the page, or a frame of another process,
// has not been drawn yet.
func (a *actor) clickAt(ctx context.Context, button input.MouseButton, bit int64, count int, modifiers int64) (landing, error) {
	if err := a.page.confirmed(ctx, a.frame, a.ready.Ref, byPress, a.done.Target); err != nil {
		return landing{}, err
	}
	var lost time.Time // when the first press came to nobody
	for n := 0; n < moveAttempts || a.left() > 0; n++ {
		if a.ready.Kind == "keyed" {
			a.sent = true
			a.done.note("it is out of sight: pressed Space on it")
			space, _ := chords("Space")
			return landing{Arrived: true}, a.strike(ctx, space)
		}
		x, y, err := a.at(ctx)
		among := a.amongFrames()
		if err == nil && (among || !lost.IsZero()) {
			// The browser finds the frame of another process by what was drawn
			// last, which a scroll just now has not reached: wait until the
			// element's frame sees the pointer.
			x, y, _, err = a.pointTo(ctx, modifiers, 2)
		}
		if err != nil {
			return landing{}, err
		}
		a.sent = true
		if err := a.press(ctx, x, y, button, bit, count, modifiers); err != nil {
			return landing{}, err
		}
		l, _ := a.landed(ctx) // the landing says what an error means
		switch {
		case l.Missed:
		case l.Seen || a.ready.Kind == "frame":
			return l, nil
		case lost.IsZero():
			lost = time.Now()
		case !among && time.Since(lost) > undrawnLimit:
			return l, nil
		}
		a.sent = false
		notes := a.done.Notes
		if err := a.prepare(ctx); err != nil {
			return landing{}, err
		}
		a.done.Notes = notes
	}
	return landing{}, advise(ErrNotActionable, AdviceScript, "%s keeps moving away from the pointer", a.done.Target)
}

// amongFrames reports whether the pointer may not reach the element's frame at
// once.
func (a *actor) amongFrames() bool {
	if a.ready.Kind == "frame" { // what is within it sees the pointer
		return false
	}
	if a.frame != a.main() {
		return true
	}
	if !a.ready.Scrolled {
		return false
	}
	a.page.mu.Lock()
	defer a.page.mu.Unlock()
	for _, f := range a.page.tree.frames {
		if f.session != nil && f.session != a.session {
			return true
		}
	}
	return false
}

// landed asks what became of a click; where the document went away, or a dialog
// opened, it came to something.
func (a *actor) landed(ctx context.Context) (landing, error) {
	p := a.page
	p.mu.Lock()
	q := map[string]any{"prefix": p.prefix(a.frame), "next": a.frame.next}
	p.mu.Unlock()
	l, there, err := askHere[landing](ctx, p, a.frame, expression("landed", q))
	switch {
	case !there:
		return landing{Seen: true, gone: true}, nil
	case errors.Is(err, context.DeadlineExceeded):
		return landing{Seen: true, silent: true}, err
	case err != nil:
		return landing{Seen: true, gone: true}, err
	}
	p.numbered(a.frame, l.Next)
	return l, nil
}

// press presses and releases a button, count times; everything is on its way
// at once.
func (a *actor) press(ctx context.Context, x, y float64, button input.MouseButton, bit int64, count int, modifiers int64) error {
	press := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMousePressed, X: x, Y: y, Modifiers: modifiers, Button: button, Buttons: bit}
	release := press
	release.Type, release.Buttons = input.DispatchMouseEventTypeMouseReleased, 0
	move := press
	move.Type, move.Button, move.Buttons = input.DispatchMouseEventTypeMouseMoved, "", 0
	moved := start(ctx, a.session, input.DispatchMouseEvent, move)
	var sent []func() (cdp.Empty, error)
	for n := range count {
		press.ClickCount, release.ClickCount = int64(n+1), int64(n+1)
		sent = append(sent, start(ctx, a.session, input.DispatchMouseEvent, press), start(ctx, a.session, input.DispatchMouseEvent, release))
	}
	if _, err := moved(); err != nil {
		return err
	}
	for i, answer := range sent {
		if _, err := answer(); err != nil {
			if i%2 == 0 { // pressed, and perhaps stopped there by a dialog
				a.page.releaseLater(release)
			}
			return err
		}
	}
	return nil
}

// pointTo moves the pointer onto the element, wherever it goes meanwhile, and
// returns where the pointer is, and whether it was seen on the element. It waits
// for the frame's handling of moves, as many in a row as arrivals says.
func (a *actor) pointTo(ctx context.Context, modifiers int64, arrivals int) (x, y float64, over bool, err error) {
	if err := a.wake(ctx, a.ready, a.frame); err != nil {
		return 0, 0, false, err
	}
	came := 0
	for n := range moveAttempts {
		if x, y, err = a.at(ctx); err != nil {
			return 0, 0, false, err
		}
		// A pointer that comes to where it was is no move.
		x += float64(n%2) / 2
		move := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: x, Y: y, Modifiers: modifiers}
		if _, err = call(ctx, a.session, input.DispatchMouseEvent, move); err != nil {
			return 0, 0, false, err
		}
		if a.ready.Kind == "frame" { // what is within it sees the pointer
			return x, y, true, nil
		}
		r, err := a.still(ctx)
		if err != nil {
			return 0, 0, false, err
		}
		switch {
		case r.Same:
			if !r.Over {
				came = 0
			} else if came++; came == arrivals {
				return x, y, true, nil
			}
		case r.Objection.passes(): // it may be gone or covered now: wait as at first
			notes := a.done.Notes
			if err := a.prepare(ctx); err != nil {
				return 0, 0, false, err
			}
			a.done.Notes = notes
		default:
			if err := a.objected(r); err != nil {
				return 0, 0, false, err
			}
			a.ready = r
		}
	}
	// It never rests: go where it is now.
	x, y, err = a.at(ctx)
	return x, y, false, err
}

// still asks whether the pointer is on the element; else where that is.
func (a *actor) still(ctx context.Context) (ready, error) {
	q := a.request(0, Element{Ref: a.ready.Ref})
	q.X, q.Y = a.ready.X, a.ready.Y
	return a.page.prepareIn(ctx, a.frame, q)
}
