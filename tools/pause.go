package tools

import (
	"context"
	"sync"

	"github.com/tabrelay/tabrelay/adapter"
)

// errPaused is the error of every call while the person has paused the agent.
var errPaused = &Error{Kind: adapter.ErrPaused, Text: "the person paused this agent",
	Hint: "nothing runs until they press Resume in Tabrelay: ask them, or wait"}

// pause holds whether the person has paused an agent.
type pause struct {
	// mu guards the following.
	mu    sync.Mutex
	on    bool
	under map[*context.CancelCauseFunc]bool // what ends the calls under way
}

// Pause ends what the agent does and refuses what it asks for, until it is called
// with false.
func (s *Session) Pause(on bool) {
	p := &s.paused
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on = on; on {
		for end := range p.under {
			(*end)(errPaused)
		}
	}
}

// Paused reports whether Pause holds the agent.
func (s *Session) Paused() bool {
	s.paused.mu.Lock()
	defer s.paused.mu.Unlock()
	return s.paused.on
}

// during returns a context for a call, which a pause ends. The caller calls done.
func (p *pause) during(ctx context.Context) (_ context.Context, done func(), err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.on {
		return ctx, func() {}, errPaused
	}
	ctx, end := context.WithCancelCause(ctx)
	if p.under == nil {
		p.under = map[*context.CancelCauseFunc]bool{}
	}
	p.under[&end] = true
	return ctx, func() {
		p.mu.Lock()
		delete(p.under, &end)
		p.mu.Unlock()
		end(nil)
	}, nil
}
