package tools

import (
	"context"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
)

type progressKey struct{}

// withProgress lets what a call runs tell how far it is, where its client asked
// to be told.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return ctx
	}
	notify := func(message string, done, total float64) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: message, Progress: done, Total: total})
	}
	ctx = adapter.WithProgress(ctx, func(done, total float64, what string) { notify(what, done, total) })
	return context.WithValue(ctx, progressKey{}, func(message string, done float64) { notify(message, done, 0) })
}

// progress tells how far a call is, in bytes or whatever else grows.
func progress(ctx context.Context, message string, done float64) {
	if tell, ok := ctx.Value(progressKey{}).(func(string, float64)); ok {
		tell(message, done)
	}
}

// Waiting tells a call's client each second that it waits for something, until
// stop is called. Nothing is told after that.
func Waiting(ctx context.Context, message string) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(time.Second)
	over := make(chan struct{})
	go func() { // ends with stop
		defer close(over)
		defer ticker.Stop()
		for waited := 0.0; ; waited++ {
			progress(ctx, message, waited)
			select {
			case <-ticker.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return func() {
		cancel()
		<-over
	}
}
