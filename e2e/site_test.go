package e2e

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// site serves the pages of one test: paths to HTML, or to handlers.
type site struct {
	*httptest.Server
	mux *http.ServeMux
}

// newSite serves html at /.
func newSite(t testing.TB, html string) *site {
	t.Helper()
	s := &site{mux: http.NewServeMux()}
	s.Server = httptest.NewUnstartedServer(s.mux)
	ctx, end := context.WithCancel(context.Background())
	s.Config.BaseContext = func(net.Listener) context.Context { return ctx }
	s.Start()
	t.Cleanup(func() {
		end() // the browser asks again when its connection is closed
		s.CloseClientConnections()
		s.Close()
	})
	s.page("/{$}", html)
	return s
}

// page serves html at a path; ORIGIN in it is the same server under another
// host, which the browser takes for another site.
func (s *site) page(path, html string) *site {
	return s.handle(path, func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		_, _ = io.WriteString(w, strings.ReplaceAll(html, "ORIGIN", s.other()))
	})
}

func (s *site) handle(path string, h http.HandlerFunc) *site {
	s.mux.HandleFunc(path, h)
	return s
}

// other returns the site's address under another host.
func (s *site) other() string { return strings.Replace(s.URL, "127.0.0.1", "localhost", 1) }

// hold is a handler that answers nothing until its client or the site goes.
func hold(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
