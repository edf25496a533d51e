package adapter

import (
	"context"
	"time"
)

// limit is how long a call may take, and when that ends.
type limit struct {
	whole time.Duration
	until time.Time
}

type limitKey struct{}

// WithLimit is context.WithTimeout that remembers the limit: errors name it as
// it was given, however much of it had passed before they came about.
func WithLimit(ctx context.Context, d time.Duration) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithTimeout(ctx, d)
	until, _ := ctx.Deadline()
	return context.WithValue(ctx, limitKey{}, limit{d, until}), cancel
}

// limitOf returns the limit of what has a deadline: as it was given, or else
// what is left of it.
func limitOf(ctx context.Context) (limit, bool) {
	until, ok := ctx.Deadline()
	if !ok {
		return limit{}, false
	}
	if l, ok := ctx.Value(limitKey{}).(limit); ok && l.until.Equal(until) {
		return l, true
	}
	return limit{roughly(time.Until(until)), until}, true
}

// limited gives what has no deadline one; cancel frees it.
func limited(ctx context.Context, otherwise time.Duration) (_ context.Context, l limit, cancel context.CancelFunc) {
	if l, ok := limitOf(ctx); ok {
		return ctx, l, func() {}
	}
	ctx, cancel = WithLimit(ctx, otherwise)
	l, _ = limitOf(ctx)
	return ctx, l, cancel
}

// roughly is a limit as it was given: what is left of it when it is measured is
// a little less, and nothing when it has passed.
func roughly(d time.Duration) time.Duration {
	if d < time.Second {
		return max(d.Round(10*time.Millisecond), 0)
	}
	return d.Round(100 * time.Millisecond)
}
