package adapter

import "context"

// progressKey is where a context carries who is told of progress.
type progressKey struct{}

// WithProgress returns a context in which long work tells how far it is: done of
// total, which is 0 where it is unknown, and of what. tell is called in the
// goroutine of the work, and must not wait.
func WithProgress(ctx context.Context, tell func(done, total float64, what string)) context.Context {
	return context.WithValue(ctx, progressKey{}, tell)
}

func progress(ctx context.Context, done, total float64, what string) {
	if tell, ok := ctx.Value(progressKey{}).(func(float64, float64, string)); ok {
		tell(done, total, what)
	}
}
