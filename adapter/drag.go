package adapter

import (
	"context"
	"math"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
)

const (
	dragSteps   = 8               // moves on the way
	dragNudges  = 2               // moves that make a drag of a press
	dragNudge   = 4               // CSS pixels of one of them
	dragBeyond  = 0.3             // of the target's extent, past its centre
	dragPatient = 2 * time.Second // for the browser to take a drag over
)

// drags is what is known of the drag under way; Page.mu guards it.
type drags struct {
	data *input.DragData // of one that the page began by itself, with a DataTransfer
}

// Drag drags an element onto another, in steps and past its centre in the
// direction of the drag, as sortable lists want it. What the page drags with a
// DataTransfer is dragged so, and dropped.
func (p *Page) Drag(ctx context.Context, from, to Element) (Done, error) {
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
		stop, err := a.rouse(ctx)
		if err != nil {
			return err
		}
		defer stop()
		x, y, _, err := a.pointTo(ctx, 0, 1)
		if err != nil {
			return err
		}
		g := &drag{actor: a, x: x, y: y, button: buttons["left"].name, bit: buttons["left"].bit, frames: []*frame{a.frame, target.frame}}
		err = g.run(ctx, func(ctx context.Context) (goal, error) {
			if err := target.prepare(ctx); err != nil { // the page may have to be scrolled for it
				return goal{}, err
			}
			x, y, err := target.at(ctx)
			b := target.ready.Box
			return goal{x, y, b.Width, b.Height}, err
		})
		if err != nil {
			return err
		}
		switch {
		case g.taken && g.refused:
			return fail(ErrNotActionable, "drag it to an element that accepts it", "%s does not accept what %s gives", target.done.Target, a.done.Target)
		case g.taken:
			a.done.note("dropped on %s", target.done.Target)
		default:
			a.done.note("released on %s", target.done.Target)
		}
		return nil
	})
}

// rouse is wake for what moves the pointer and waits for it. A hidden tab draws
// once a second after the first moves, and each move waits for that: a
// screencast makes it draw. The caller calls stop.
func (a *actor) rouse(ctx context.Context) (stop func(), _ error) {
	if a.roused {
		return func() {}, nil
	}
	b := *a
	b.act = "hover"
	if err := b.wake(ctx, a.ready, a.frame); err != nil {
		return nil, err
	}
	a.page.mu.Lock()
	hidden := a.page.emulated
	a.page.mu.Unlock()
	if !hidden {
		return func() {}, nil
	}
	a.roused = true
	still := draws(a.session)
	return func() {
		a.roused = false
		still()
	}, nil
}

// draws makes a hidden page that believes itself visible draw, until stop: a
// screencast asks for frames, which nobody looks at.
func draws(s *session) (stop func()) {
	post(s, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 16, MaxHeight: 16})
	return func() { post(s, page.StopScreencast, cdp.Empty{}) }
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
	held      bool     // the button is down
	data      *input.DragData
	taken     bool // it is one of a DataTransfer
	refused   bool // which found no taker
}

// dragView is what a frame has seen of a drag.
type dragView struct {
	Started  bool `json:"started"`
	Accepted bool `json:"accepted"`
	Dropped  bool `json:"dropped"`
	Ended    bool `json:"ended"`
}

// run presses, moves to where the drag ends, and lets go. Whatever happens, no
// button stays down.
func (g *drag) run(ctx context.Context, end func(context.Context) (goal, error)) (err error) {
	p := g.page
	for _, f := range g.frames {
		if _, err := ask[bool](ctx, p, f, expression("watchDrag")+" ?? true"); err != nil {
			return err
		}
	}
	p.mu.Lock()
	p.drags.data = nil
	p.mu.Unlock()
	post(g.session, input.SetInterceptDrags, input.SetInterceptDragsParams{Enabled: true})
	defer post(g.session, input.SetInterceptDrags, input.SetInterceptDragsParams{})
	defer func() { g.drop(err) }()
	g.sent = true
	if err := g.mouse(ctx, input.DispatchMouseEventTypeMousePressed, g.x, g.y); err != nil {
		return err
	}
	g.held = true
	// It begins before the page is scrolled: a drag starts where it was pressed.
	startX, startY := g.x, g.y
	for n := range dragNudges {
		d := float64(n+1) * dragNudge
		if err := g.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, startX+d, startY+d); err != nil {
			return err
		}
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
	far := max(math.Hypot(to.x-startX, to.y-startY), 1)
	dx, dy := (to.x-startX)/far, (to.y-startY)/far
	fromX, fromY := g.x, g.y
	for n := 1; n <= dragSteps; n++ {
		part := float64(n) / dragSteps
		if err := g.move(ctx, fromX+(to.x-fromX)*part, fromY+(to.y-fromY)*part); err != nil {
			return err
		}
	}
	// Past the centre, along the axis of the drag.
	beyondX, beyondY := dx*to.width*dragBeyond, dy*to.height*dragBeyond
	for _, part := range []float64{0.5, 1, 1} {
		if err := g.move(ctx, to.x+beyondX*part, to.y+beyondY*part); err != nil {
			return err
		}
	}
	return g.release(ctx)
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
	err = p.await(wait, func() bool { return p.drags.data != nil })
	if err != nil && ctx.Err() == nil {
		return nil // the page began one, and the browser did not: go on with the mouse
	}
	p.mu.Lock()
	g.data = p.drags.data
	p.mu.Unlock()
	g.taken = err == nil
	return err
}

func (g *drag) move(ctx context.Context, x, y float64) error {
	if g.taken {
		return g.carry(ctx, input.DispatchDragEventTypeDragOver, x, y)
	}
	return g.mouse(ctx, input.DispatchMouseEventTypeMouseMoved, x, y)
}

// release lets go at the pointer's place.
func (g *drag) release(ctx context.Context) error {
	if !g.taken {
		g.held = false
		return g.mouse(ctx, input.DispatchMouseEventTypeMouseReleased, g.x, g.y)
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

func (at source) dragIntercepted(e *input.EventDragIntercepted) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.drags.data = e.Data
	p.broadcast()
}
