package tools

import (
	"context"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type progressKey struct{}

// withProgress lets what a call runs tell how far it is, where its client asked
// to be told.
func withProgress(ctx context.Context, r *mcp.CallToolRequest) context.Context {
	token := r.Params.GetProgressToken()
	if token == nil || r.Session == nil {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, func(message string, done float64) {
		_ = r.Session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{ProgressToken: token, Message: message, Progress: done})
	})
}

// progress tells how far a call is, in bytes or whatever else grows.
func progress(ctx context.Context, message string, done float64) {
	if tell, ok := ctx.Value(progressKey{}).(func(string, float64)); ok {
		tell(message, done)
	}
}
