package adapter

import (
	"context"
	"image/color"
	"slices"
	"sync"
	"time"
)

// coverColor covers what a picture must not show.
var coverColor = color.RGBA{0x44, 0x44, 0x44, 0xff}

// privateIn returns the boxes of the page in which it shows what is not to be told:
// those of its main frame, which are given, fields of the others, and frames that are
// kept out or do not say what they show. The view begins at x, y. The person sees no
// difference: only the picture is covered.
func (a *actor) privateIn(ctx context.Context, main []box, x, y float64) []box {
	frames := a.page.otherFrames(a.main())
	found := make([][]box, len(frames))
	eachOf(frames, func(i int, f *frame) {
		var boxes []box
		whole := a.page.isOutside(f)
		if !whole {
			within, done := a.page.reading(ctx, f)
			var err error
			boxes, err = ask[[]box](within, a.page, f, expression("privateBoxes", false))
			whole = done(err)
		}
		if !whole && len(boxes) == 0 {
			return
		}
		at, ok := a.cornerOf(ctx, f)
		if !ok {
			return
		}
		if whole {
			boxes = []box{{Width: at.Width, Height: at.Height}}
		}
		for _, b := range boxes {
			found[i] = append(found[i], box{x + at.X + b.X*at.Scale, y + at.Y + b.Y*at.Scale, b.Width * at.Scale, b.Height * at.Scale})
		}
	})
	return append(main, slices.Concat(found...)...)
}

// eachOf does something in each frame at once, and returns when all is done.
func eachOf(frames []*frame, do func(int, *frame)) {
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() { do(i, f) })
	}
	wg.Wait()
}

// cornerOf returns where a frame's corner lies in the view of the page, and its size.
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
		if at.Width == 0 { // the frame's own corner
			at.Width, at.Height = corner.Width, corner.Height
		}
		at.X, at.Y, at.Scale = corner.X+at.X*corner.Scale, corner.Y+at.Y*corner.Scale, corner.Scale*at.Scale
		f = parent
	}
	return at, true
}

// showLimit bounds how long it takes to show the letters again.
const showLimit = 2 * time.Second

// conceal turns the letters in the page and its frames that are not to be told
// into dots, and hides the frames that are kept out, until show is called: a print
// cannot be painted over.
func (p *Page) conceal(ctx context.Context) (show func()) {
	p.mu.Lock()
	main := p.mainFrame()
	p.mu.Unlock()
	frames, hidden := append(p.otherFrames(main), main), map[*frame][]string{}
	for _, f := range frames {
		if !p.isOutside(f) {
			continue
		}
		if parent, ref, err := p.ownerOf(ctx, f); err == nil {
			hidden[parent] = append(hidden[parent], ref)
		}
	}
	concealed := make([]bool, len(frames))
	eachOf(frames, func(i int, f *frame) {
		within, done := p.reading(ctx, f)
		some, err := ask[bool](within, p, f, expression("conceal", append([]string{}, hidden[f]...)))
		concealed[i] = some || err != nil // it may have done so all the same
		done(err)
	})
	return func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), showLimit)
		defer cancel()
		eachOf(frames, func(i int, f *frame) {
			if concealed[i] {
				_, _ = ask[any](ctx, p, f, expression("reveal")) // one that went has nothing to show
			}
		})
	}
}
