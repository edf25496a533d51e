package adapter

import (
	"context"
	"image/color"
	"slices"
	"sync"
	"time"
)

// coverColor is that of what a picture does not show.
var coverColor = color.RGBA{0x44, 0x44, 0x44, 0xff}

// privateIn adds where the frames of the page show in plain letters what is not to
// be told to where the main one does. The person sees no difference: what is
// covered is the picture.
func (a *actor) privateIn(ctx context.Context, main [][4]float64, x, y float64) []box {
	var list []box
	for _, b := range main {
		list = append(list, box{b[0], b[1], b[2], b[3]})
	}
	frames := a.page.otherFrames(a.main())
	found := make([][]box, len(frames))
	eachOf(frames, func(i int, f *frame) {
		within, done := a.page.reading(ctx, f)
		boxes, err := ask[[][4]float64](within, a.page, f, expression("privateBoxes", false))
		done(err)
		if err != nil || len(boxes) == 0 {
			return
		}
		if at, ok := a.cornerOf(ctx, f); ok {
			for _, b := range boxes {
				found[i] = append(found[i], box{x + at.X + b[0]*at.Scale, y + at.Y + b[1]*at.Scale, b[2] * at.Scale, b[3] * at.Scale})
			}
		}
	})
	return append(list, slices.Concat(found...)...)
}

// eachOf does something in each frame at once, and returns when all is done.
func eachOf(frames []*frame, do func(int, *frame)) {
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() { do(i, f) })
	}
	wg.Wait()
}

// cornerOf is where a frame's corner lies in the view of the page.
func (a *actor) cornerOf(ctx context.Context, f *frame) (origin, bool) {
	at := origin{Scale: 1}
	for main := a.main(); f != main; {
		parent, ref, err := a.page.ownerOf(ctx, f)
		if err != nil {
			return at, false
		}
		corner, err := ask[*origin](ctx, a.page, parent, expression("frameCorner", ref))
		if err != nil || corner == nil {
			return at, false
		}
		at = origin{X: corner.X + at.X*corner.Scale, Y: corner.Y + at.Y*corner.Scale, Scale: corner.Scale * at.Scale}
		f = parent
	}
	return at, true
}

// showLimit bounds showing what a print did not.
const showLimit = 2 * time.Second

// dotPrivate makes dots of what the page and its frames show in plain letters and
// is not to be told, as no print can be painted over, until show.
func (p *Page) dotPrivate(ctx context.Context) (show func()) {
	p.mu.Lock()
	main := p.mainFrame()
	p.mu.Unlock()
	frames := append(p.otherFrames(main), main)
	dotted := make([]bool, len(frames))
	eachOf(frames, func(i int, f *frame) {
		within, done := p.reading(ctx, f)
		some, err := ask[bool](within, p, f, expression("dotPrivate"))
		dotted[i] = some || err != nil // it may have done so all the same
		done(err)
	})
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), showLimit)
		defer cancel()
		eachOf(frames, func(i int, f *frame) {
			if dotted[i] {
				_, _ = ask[any](ctx, p, f, expression("showPrivate")) // one that went has nothing to show
			}
		})
	}
}
