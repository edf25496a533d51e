package relay

import (
	"context"
	"net/http"
	"strings"

	"github.com/gorilla/websocket"
)

// through serves an address that leads to a browser which is not behind this server:
// what clients ask before they connect is answered here, and no pages are listed.
func (s *Server) through(w http.ResponseWriter, r *http.Request, at way, rest string) {
	switch {
	case rest == "" || strings.HasPrefix(rest, "devtools/browser/"):
		if !upgrade(w, r) {
			return
		}
		ctx, end := context.WithCancelCause(r.Context())
		defer end(nil)
		release, ok := s.hold(at, &passing{end})
		if !ok {
			http.NotFound(w, r) // revoked meanwhile
			return
		}
		defer release()
		at.address.Through.ServeHTTP(w, r.WithContext(ctx))
	case rest == "json/version":
		reply(w, map[string]string{"Browser": "Chrome", "Protocol-Version": "1.3", "webSocketDebuggerUrl": at.url(r, "browser", randomID())})
	case rest == "json" || rest == "json/list":
		reply(w, []struct{}{})
	default:
		http.NotFound(w, r)
	}
}

// passing is a client whose socket another serves.
type passing struct{ end context.CancelCauseFunc }

func (p *passing) close(code int, why string) { p.end(&websocket.CloseError{Code: code, Text: why}) }
