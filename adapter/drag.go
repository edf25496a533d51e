package adapter

import (
	"context"
	"math"
	"sync"
	"time"

	"github.com/chromedp/cdproto/input"
)

const (
	dragNudge   = 6               // CSS pixels, each way, that make a drag of a press
	dragBeyond  = 0.3             // of the target's extent, past its centre
	dragPatient = 2 * time.Second // for the browser to take a drag over
)

// Offset is a point within an element, in CSS pixels from its upper left corner.
type Offset struct{ X, Y float64 }

// DragOptions say where a drag begins and ends; nil is the centre.
type DragOptions struct{ At, ToAt *Offset }

// Drag drags an element onto another: to its centre, and a little past it where
// both are items of one list, as sortable lists want it. What the page drags
// with a DataTransfer is dragged so, and dropped. The page has a frame between
// moves, and the time of the timers that its handlers start. It fails with
// ErrNotActionable where what is dropped is not accepted; whether a page of which
// only the mouse is known took it is told where it can be seen, or Unknown.
func (p *Page) Drag(ctx context.Context, from, to Element, o DragOptions) (Done, error) {
	if to.zero() || to.Ref != "" && to.Selector != "" {
		return Done{}, fail(ErrInvalid, "give toRef or toSelector", "the element to drag to is missing, or given twice")
	}
	return p.perform(ctx, from, "drag", func(ctx context.Context, a *actor) error {
		target := &actor{page: p, session: a.session, element: to, act: "drop", until: a.until, limit: a.limit}
		if err := target.prepare(ctx); err != nil {
			return err
		}
		target.element = Element{Ref: target.ready.Ref}
		if err := a.prepare(ctx); err != nil {
			return err
		}
		// Released where it was pressed, it is a click.
		if err := p.confirmed(ctx, a.frame, a.ready.Ref, byPress, a.done.Target); err != nil {
			return err
		}
		a.grip = o.At
		if err := a.wake(ctx, a.ready, a.frame); err != nil {
			return err
		}
		x, y, err := a.at(ctx)
		if err != nil {
			return err
		}
		g := &drag{actor: a, x: x, y: y, button: buttons["left"].name, bit: buttons["left"].bit, frames: []*frame{a.frame}}
		switch {
		case target.frame != a.frame:
			g.frames = append(g.frames, target.frame)
		case o.ToAt == nil:
			g.onto = target.ready.Ref
		}
		err = g.run(ctx, func(ctx context.Context) (goal, error) {
			if err := target.prepare(ctx); err != nil { // the page may have to be scrolled for it
				return goal{}, err
			}
			target.grip = o.ToAt
			x, y, err := target.at(ctx)
			if b := target.ready.Box; g.items {
				return goal{x, y, b.Width, b.Height}, err
			}
			return goal{x: x, y: y}, err
		})
		if err != nil {
			return err
		}
		switch {
		case g.taken && g.refused:
			return fail(ErrNotActionable, "drag it to an element that accepts it", "%s does not accept drops of %s", target.done.Target, a.done.Target)
		case g.taken:
			a.done.note("dropped on %s", target.done.Target)
		case g.moved:
			a.done.note("released on %s", target.done.Target)
		default:
			a.done.turnedOut(Unknown, "released on %s; the page may or may not have accepted it", target.done.Target)
		}
		return nil
	})
}

// goal is where a drag ends: a point and the extent of what is there.
type goal struct{ x, y, width, height float64 }

// drag is a drag under way: the pointer is at x, y.
type drag struct {
	*actor
	x, y      float64
	button    input.MouseButton
	bit       int64
	modifiers int64
	frames    []*frame // that may see it
	onto      string   // the ref of what it goes onto the centre of, in the same frame
	items     bool     // both are items of one list
	held      bool     // the button is down
	data      *input.DragData
	taken     bool // it is one of a DataTransfer
	refused   bool // which found no taker
	moved     bool // what was dragged stands elsewhere, or lies under the pointer
}

// dragView is what a frame has seen of a drag.
type dragView struct {
	Started  bool `json:"started"`
	Accepted bool `json:"accepted"`
	Dropped  bool `json:"dropped"`
	Ended    bool `json:"ended"`
	Moved    bool `json:"moved"`
}

// run presses, moves to where the drag ends, and lets go. Whatever happens, no
// button stays down.
func (g *drag) run(ctx context.Context, end func(context.Context) (goal, error)) (err error) {
	p := g.page
	pressing := p.Watch(ctx)
	if err := g.watched(ctx); err != nil {
		pressing.Settle(ctx)
		return err
	}
	p.mu.Lock()
	p.pointer.drag = nil
	p.mu.Unlock()
	post(g.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	defer post(g.session, input.SetInterceptDrags, input.SetInterceptDragsParams{})
	defer func() { g.drop(err) }()
	if err := g.grab(ctx, pressing); err != nil {
		return err
	}
	// It begins before the page is scrolled: a drag starts where it was pressed.
	startX, startY := g.x, g.y
	if err := g.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, startX+dragNudge, startY+dragNudge); err != nil {
		return err
	}
	if err := g.take(ctx); err != nil {
		return err
	}
	if g.taken {
		g.held = false // the browser has let go of the mouse
		if err := g.carry(ctx, input.DispatchDragEventTypeDragEnter, g.x, g.y); err != nil {
			return err
		}
	}
	to, err := end(ctx)
	if err != nil {
		return err
	}
	w, settled := p.Watch(ctx).standing(), false
	defer func() {
		if !settled {
			w.Settle(ctx)
		}
	}()
	crosses := g.taken && g.crosses()
	if crosses {
		if err := g.carry(ctx, input.DispatchDragEventTypeDragEnter, to.x, to.y); err != nil {
			return err
		}
		g.x, g.y = to.x, to.y // from now on it is over the other process alone
	}
	for _, at := range g.way(to, startX, startY) {
		if err := g.move(ctx, at[0], at[1]); err != nil {
			return err
		}
	}
	begin := time.Now()
	settled = true
	if w.Settle(ctx); time.Since(begin) > dragTimer { // a timer of the page's has run: it may look again at where the pointer is
		if err := g.move(ctx, g.x, g.y); err != nil {
			return err
		}
	}
	data := g.data
	if err := g.release(ctx); err != nil || !crosses {
		return err
	}
	// The drop ends the drag in the process that it is in. The other, where it
	// began, would take the next one for the same. What lies outside of the view,
	// which the page may have been scrolled to, is the page's own.
	p.mu.Lock()
	if g.frame.session == g.session {
		startX, startY = -1, -1
	}
	p.mu.Unlock()
	_, err = call(ctx, g.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: input.DispatchDragEventTypeDragCancel, X: startX, Y: startY, Data: data})
	return err
}

// watched makes the frames look for a drag, and learns whether it is one between the
// items of a list.
func (g *drag) watched(ctx context.Context) error {
	for _, f := range g.frames {
		ref, onto := "", ""
		if f == g.frame {
			ref, onto = g.ready.Ref, g.onto
		}
		items, err := ask[bool](ctx, g.page, f, expression("watchDrag", ref, onto))
		if err != nil {
			return err
		}
		g.items = g.items || items
	}
	return nil
}

// way returns where the pointer stops on its way from a start: halfway, at the
// end, and past the centre of what is there, along the axis of the drag. A mouse
// that stays where it is tells a page nothing, and costs a frame.
func (g *drag) way(to goal, startX, startY float64) [][2]float64 {
	far := max(math.Hypot(to.x-startX, to.y-startY), 1)
	past := [2]float64{to.x + (to.x-startX)/far*to.width*dragBeyond, to.y + (to.y-startY)/far*to.height*dragBeyond}
	stops := [][2]float64{{(g.x + to.x) / 2, (g.y + to.y) / 2}, {to.x, to.y}}
	if g.taken || past != stops[1] {
		stops = append(stops, past)
	}
	return stops
}

// crosses reports whether the drag ends in a frame of another process, which has
// to be told that it comes in.
func (g *drag) crosses() bool {
	g.page.mu.Lock()
	defer g.page.mu.Unlock()
	return g.frames[0].session != g.frames[len(g.frames)-1].session
}

// dragTimer is more than asking a page that started no timer takes.
const dragTimer = 40 * time.Millisecond

// grab presses on the element, and waits for the timers with which a page tells
// a drag from a press, which w sees. As a click does, it presses again where something else
// came under the pointer, or where the press did not reach the element's frame.
func (g *drag) grab(ctx context.Context, w *Watch) error {
	for n := 0; n < moveAttempts || !g.element.zero() && g.left() > 0; n++ {
		among := !g.element.zero() && g.amongFrames()
		if among {
			var err error
			if g.x, g.y, _, err = g.pointTo(ctx, g.modifiers, 2); err != nil {
				w.Settle(ctx)
				return err
			}
		}
		w.standing()
		g.sent = true
		move := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseMoved, X: g.x, Y: g.y, Modifiers: g.modifiers}
		moved := start(ctx, g.session, input.DispatchMouseEvent, move)
		err := g.mouse(ctx, input.DispatchMouseEventTypeMousePressed, g.x, g.y)
		g.held = err == nil
		if _, e := moved(); err == nil {
			err = e
		}
		if err != nil || g.element.zero() {
			w.Settle(ctx)
			return err
		}
		var settling sync.WaitGroup
		settling.Go(func() { w.Settle(ctx) })
		press, err := ask[landing](ctx, g.page, g.frame, expression("pressed"))
		settling.Wait()
		if err != nil || !press.Missed && (press.Seen || !among) {
			return err
		}
		g.held = false
		if err := g.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, g.x, g.y); err != nil {
			return err
		}
		if _, err := g.landed(ctx); err != nil {
			return err
		}
		if err := g.prepare(ctx); err != nil {
			return err
		}
		if g.x, g.y, err = g.at(ctx); err != nil {
			return err
		}
		w = g.page.Watch(ctx)
	}
	w.Settle(ctx)
	return advise(ErrNotActionable, AdviceRetry, "%s keeps moving away from the pointer", g.done.Target)
}

// take waits for the data of a drag that the page began by itself.
func (g *drag) take(ctx context.Context) error {
	p := g.page
	v, err := ask[dragView](ctx, p, g.frames[0], expression("dragState"))
	if err != nil || !v.Started {
		return err
	}
	wait, cancel := context.WithTimeout(ctx, dragPatient)
	defer cancel()
	err = p.await(wait, func() bool { return p.pointer.drag != nil })
	if err != nil && ctx.Err() == nil {
		return nil // the page began one, and the browser did not: go on with the mouse
	}
	p.mu.Lock()
	g.data = p.pointer.drag
	p.mu.Unlock()
	g.taken = err == nil
	return err
}

func (g *drag) move(ctx context.Context, x, y float64) error {
	if g.taken {
		if err := g.carry(ctx, input.DispatchDragEventTypeDragOver, x, y); err != nil {
			return err
		}
		// The events of a drag come as fast as they are sent. Pages look at most once a frame.
		_, err := ask[bool](ctx, g.page, g.frames[len(g.frames)-1], expression("frame")+".then(() => true)")
		return err
	}
	return g.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, x, y)
}

// release lets go at the pointer's place.
func (g *drag) release(ctx context.Context) error {
	if !g.taken {
		g.held = false
		if err := g.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, g.x, g.y); err != nil || g.element.zero() {
			return err
		}
		v, err := ask[dragView](ctx, g.page, g.frame, expression("dragOver"))
		g.moved = err != nil || v.Moved // its document went away
		return nil
	}
	err := g.carry(ctx, input.DispatchDragEventTypeDrop, g.x, g.y)
	if err != nil {
		return err
	}
	g.data = nil
	dropped := false
	for _, f := range g.frames {
		v, err := ask[dragView](ctx, g.page, f, expression("dragState"))
		if err != nil {
			return nil // it came to another document
		}
		dropped = dropped || v.Dropped
	}
	g.refused = !dropped
	return nil
}

// drop ends what is still held, when the drag is over or was cut short.
func (g *drag) drop(err error) {
	release := input.DispatchMouseEventParams{Type: input.DispatchMouseEventTypeMouseReleased, X: g.x, Y: g.y, Button: g.button, ClickCount: 1}
	if g.data != nil {
		post(g.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: input.DispatchDragEventTypeDragCancel, X: g.x, Y: g.y, Data: g.data})
	}
	if !g.held {
		return
	}
	if err != nil && g.page.Dialog() != nil {
		g.page.releaseLater(release)
		return
	}
	post(g.session, input.DispatchMouseEvent, release)
}

func (g *drag) mouse(ctx context.Context, kind input.DispatchMouseEventType, x, y float64) error {
	e := input.DispatchMouseEventParams{Type: kind, X: x, Y: y, Button: g.button, Buttons: g.bit, Modifiers: g.modifiers}
	switch kind {
	case input.DispatchMouseEventTypeMousePressed:
		e.ClickCount = 1
	case input.DispatchMouseEventTypeMouseReleased:
		e.ClickCount, e.Buttons = 1, 0
	}
	if _, err := call(ctx, g.session, input.DispatchMouseEvent, e); err != nil {
		return err
	}
	g.x, g.y = x, y
	return nil
}

func (g *drag) carry(ctx context.Context, kind input.DispatchDragEventType, x, y float64) error {
	_, err := call(ctx, g.session, input.DispatchDragEvent, input.DispatchDragEventParams{Type: kind, X: x, Y: y, Data: g.data, Modifiers: g.modifiers})
	if err == nil {
		g.x, g.y = x, y
	}
	return err
}
