package adapter

import (
	"context"
	"time"
)

const (
	// frameAnswer is how long a frame in a process of its own, which may hang
	// while the page does not, has to be read.
	frameAnswer = 3 * time.Second
	// lateAnswer is how long one has that did not answer the last time.
	lateAnswer = 400 * time.Millisecond
)

// reading bounds the reading of a frame within the page, so that one which hangs
// leaves time for the rest. The caller calls done with what came of it, which
// reports whether the frame was too late.
func (p *Page) reading(ctx context.Context, f *frame) (_ context.Context, done func(error) (late bool)) {
	p.mu.Lock()
	s, limit := f.session, frameAnswer
	if s != nil && s == p.session {
		p.mu.Unlock()
		return ctx, func(error) bool { return false }
	}
	if f.late {
		limit = lateAnswer
	}
	p.mu.Unlock()
	if until, ok := ctx.Deadline(); ok {
		limit = min(limit, time.Until(until)/2)
	}
	limited, cancel := context.WithTimeout(ctx, limit)
	return limited, func(err error) bool {
		late := err != nil && limited.Err() != nil && ctx.Err() == nil
		cancel()
		p.mu.Lock()
		f.late = late
		p.mu.Unlock()
		return late
	}
}
