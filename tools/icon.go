package tools

import (
	"context"
	"encoding/base64"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// icon is the program's.
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#277a70"/><path d="M2 4h5l1 1h6v8H2z" fill="#fff"/><path d="M5 9h6" stroke="#125066"/><circle cx="5" cy="9" r="1.5" fill="#125066"/><circle cx="11" cy="9" r="1.5" fill="#f0a030"/></svg>`

// withIcon has clients know the program's icon once: in the newest version of the
// protocol every answer says who gave it, which would be the longer for it.
func withIcon(who *mcp.Implementation) mcp.Middleware {
	shown := *who
	shown.Icons = []mcp.Icon{{Source: "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(icon)), MIMEType: "image/svg+xml", Sizes: []string{"any"}}}
	return func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			result, err := next(ctx, method, r)
			if err != nil {
				return result, err
			}
			switch told := result.(type) {
			case *mcp.InitializeResult:
				now := *told
				now.ServerInfo = &shown
				return &now, nil
			case *mcp.DiscoverResult:
				told.SetMeta(map[string]any{mcp.MetaKeyServerInfo: &shown})
			}
			return result, nil
		}
	}
}
