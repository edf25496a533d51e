package tools

import (
	"context"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
)

type progressKey struct{}

// teller tells a call's client how far the call is. The number that it tells grows,
// as the protocol wants it, whoever tells something.
type teller struct {
	// mu guards the following.
	mu     sync.Mutex
	notify func(message string, done, total float64) // nil while nobody is to be told
	next   float64                                   // the least that may be told
	told   time.Time
}

func (t *teller) tell(message string, done, total float64) {
	t.mu.Lock()
	done = max(done, t.next)
	t.next, t.told = done+1, time.Now()
	notify := t.notify
	t.mu.Unlock()
	if notify != nil {
		notify(message, done, total)
	}
}

// follow has t tell the client of another teller from now on, of which nothing else is
// told; nobody where that is nil.
func (t *teller) follow(other *teller) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.notify = nil; other != nil {
		t.notify = other.notify
	}
}

func (t *teller) quiet() time.Duration {
	t.mu.Lock()
	defer t.mu.Unlock()
	return time.Since(t.told)
}

// withProgress lets what a call runs tell how far it is, where its client asked
// to be told.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return ctx
	}
	t := &teller{told: time.Now()}
	t.notify = func(message string, done, total float64) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: message, Progress: done, Total: total})
	}
	ctx = adapter.WithProgress(ctx, func(done, total float64, what string) { t.tell(what, done, total) })
	return context.WithValue(ctx, progressKey{}, t)
}

// progress tells how far a call is, in bytes or whatever else grows.
func progress(ctx context.Context, message string, done float64) {
	if t, ok := ctx.Value(progressKey{}).(*teller); ok {
		t.tell(message, done, 0)
	}
}

// Waiting tells a call's client each second that it waits for something, until
// stop is called. Nothing is told after that.
func Waiting(ctx context.Context, message string) (stop func()) {
	progress(ctx, message, 0)
	return eachSecond(ctx, func() { progress(ctx, message, 0) })
}

// running tells a call's client that the call goes on, when it has heard nothing for
// a second, until stop is called.
func running(ctx context.Context, tool string) (stop func()) {
	t, ok := ctx.Value(progressKey{}).(*teller)
	if !ok {
		return func() {}
	}
	return eachSecond(ctx, func() {
		if t.quiet() >= time.Second {
			t.tell(tool+" is running", 0, 0)
		}
	})
}

// eachSecond calls tell each second until stop is called.
func eachSecond(ctx context.Context, tell func()) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	ticker := time.NewTicker(time.Second)
	over := make(chan struct{})
	go func() { // ends with stop
		defer close(over)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				tell()
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
