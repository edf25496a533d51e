package main

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/tools"
)

// begun begins a session of the protocol and returns its id.
func begun(t *testing.T, url string) string {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, strings.NewReader(initialize))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	id := answer.Header.Get(sessionField)
	if answer.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("%s, session %q", answer.Status, id)
	}
	return id
}

func TestSilentSessionsEnd(t *testing.T) {
	f := newRouter(tools.Options{})
	f.idle = 20 * time.Millisecond
	ended := make(chan *tools.Session, 10)
	f.end = func(s *tools.Session) { ended <- s; _ = s.Close() }
	server := httptest.NewServer(f)
	t.Cleanup(func() { server.Close(); f.close(0) })
	begun(t, server.URL)
	select {
	case <-ended:
	case <-time.After(waitLimit):
		t.Fatal("a session whose client is gone is still there")
	}
}

func TestSessionsWithAStreamAreNotSilent(t *testing.T) {
	f := newRouter(tools.Options{})
	server := httptest.NewServer(f)
	t.Cleanup(func() { server.Close(); f.close(0) })
	id := begun(t, server.URL)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, server.URL, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{sessionField: {id}, "Accept": {"text/event-stream"}, versionField: {"2025-11-25"}}
	answer, err := http.DefaultClient.Do(r)
	if err != nil || answer.StatusCode != http.StatusOK {
		t.Fatal(answer, err)
	}
	defer answer.Body.Close()
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.present[id]; p == nil || p.requests != 1 || p.silence.Stop() {
		t.Errorf("the stream does not hold its session: %+v", p)
	}
}

// Who is not let in gets an answer and no connection.
func TestConnectionsOfStrangersEnd(t *testing.T) {
	t.Setenv("TABRELAY_STATE", t.TempDir())
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	h.routes.Handle("/mcp", guard(testToken, []string{"https://app.example"}, http.HandlerFunc(func(http.ResponseWriter, *http.Request) {})))
	for request, keeps := range map[string]bool{
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n":                                            false,
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer wrong\r\n\r\n":             false,
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer " + testToken + "\r\n\r\n": true,
		"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n":                                                false,
		"GET /cdp/wrong/json/list HTTP/1.1\r\nHost: localhost\r\n\r\n":                             false,
		"GET /extension/wrong HTTP/1.1\r\nHost: localhost\r\n\r\n":                                 false,
	} {
		conn, err := net.Dial("tcp", h.address())
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.SetReadDeadline(time.Now().Add(waitLimit))
		_, _ = conn.Write([]byte(request))
		buf, said := make([]byte, 4096), ""
		for !strings.Contains(said, "\r\n\r\n") {
			n, err := conn.Read(buf)
			said += string(buf[:n])
			if err != nil {
				break
			}
		}
		if closes := strings.Contains(said, "Connection: close"); closes == keeps {
			t.Errorf("%q is answered %q", request, said)
		}
		_ = conn.Close()
	}
	if h.server.ReadHeaderTimeout > 10*time.Second || h.server.IdleTimeout > 2*time.Minute || h.server.IdleTimeout == 0 {
		t.Error("idle connections stay")
	}
}
