package adapter

import (
	"context"
	"errors"
	"slices"
	"time"
)

// awaitsRequest is what the page script waits for in a frame.
type awaitsRequest struct {
	Text     string `json:"text,omitzero"`
	TextGone string `json:"textGone,omitzero"`
	Selector string `json:"selector,omitzero"`
	Wait     int64  `json:"wait"` // ms
}

// frameLook is how long a frame looks before it is asked again.
const frameLook = 2 * time.Second

// look asks a frame once, for as long as wait.
func (p *Page) look(ctx context.Context, f *frame, q awaitsRequest, wait time.Duration) (bool, error) {
	q.Wait = wait.Milliseconds()
	limited, cancel := context.WithTimeout(ctx, wait+lateness)
	defer cancel()
	held, err := ask[bool](limited, p, f, expression("awaits", q))
	if limited.Err() != nil && ctx.Err() == nil {
		return false, nil
	}
	return held, err
}

// documents returns the frames that can be asked, the main one first, and what
// tells that they are other ones.
func (p *Page) documents() ([]*frame, []realm) {
	main := func() *frame {
		p.mu.Lock()
		defer p.mu.Unlock()
		return p.mainFrame()
	}()
	frames := append([]*frame{main}, p.otherFrames(main)...)
	p.mu.Lock()
	defer p.mu.Unlock()
	contexts := make([]realm, len(frames))
	for i, f := range frames {
		contexts[i] = f.main
	}
	return frames, contexts
}

// shown returns when some frame shows what is asked for.
func (p *Page) shown(ctx context.Context, w *patience, q awaitsRequest) error {
	for wait := time.Duration(0); ; wait = frameLook {
		frames, contexts := p.documents()
		held, err := p.anyHolds(ctx, frames, contexts, q, wait)
		if held || err != nil {
			return err
		}
		w.begin(ctx)
	}
}

// anyHolds asks frames at the same time; it also returns when they are no
// longer those of the page.
func (p *Page) anyHolds(ctx context.Context, frames []*frame, contexts []realm, q awaitsRequest, wait time.Duration) (bool, error) {
	if err := context.Cause(ctx); err != nil {
		return false, err
	}
	inner, cancel := context.WithCancel(ctx)
	defer cancel()
	type answer struct {
		held bool
		err  error
	}
	answers := make(chan answer, len(frames))
	for _, f := range frames {
		go func() { // ends with inner
			held, err := p.look(inner, f, q, wait)
			answers <- answer{held, err}
		}()
	}
	gone := false
	for range frames {
		for again := true; again; {
			p.mu.Lock()
			changed := p.changed
			p.mu.Unlock()
			if _, now := p.documents(); wait > 0 && !slices.Equal(now, contexts) {
				return false, nil
			}
			select {
			case a := <-answers:
				again = false
				if a.held || errors.Is(a.err, ErrInvalid) {
					return a.held, a.err
				}
				gone = gone || a.err != nil
			case <-changed:
			case <-ctx.Done():
				return false, context.Cause(ctx)
			case <-p.browser.conn.done:
				return false, p.browser.conn.err
			}
		}
	}
	if gone { // a document went away under the question: wait for the next
		settled := func() bool { return p.tree.frames[frames[0].id] != nil && p.tree.frames[frames[0].id].main.id != 0 }
		return false, p.await(ctx, settled)
	}
	return false, nil
}

// gone returns when no frame shows what is asked for.
func (p *Page) gone(ctx context.Context, w *patience, q awaitsRequest) error {
	for {
		clean := true
		frames, _ := p.documents()
		for _, f := range frames {
			held, err := p.look(ctx, f, q, 0)
			if err != nil && context.Cause(ctx) != nil {
				return context.Cause(ctx)
			}
			if err != nil || held {
				continue // a frame that has gone shows nothing
			}
			clean = false
			w.begin(ctx)
			if _, err := p.look(ctx, f, q, frameLook); err != nil && context.Cause(ctx) != nil {
				return context.Cause(ctx)
			}
		}
		if clean {
			return nil
		}
	}
}
