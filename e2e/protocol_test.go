package e2e

import (
	"io"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

func TestB61BadArguments(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open("about:blank")
	for _, c := range []struct {
		tool string
		with args
		want string
	}{
		{"browser_navigate", args{}, "url"},
		{"browser_navigate", args{"url": 5}, "url"},
		{"browser_navigate", args{"url": "about:blank", "waitUntil": "whenever"}, "waitUntil"},
		{"browser_click", args{}, "ref"},
		{"browser_click", args{"ref": "e1", "selector": "p"}, "selector"},
		{"browser_click", args{"ref": "e1", "button": "fourth"}, "button"},
		{"browser_click", args{"ref": "e1", "colour": "red"}, "colour"},
		{"browser_click", args{"ref": "nonsense"}, "nonsense"},
		{"browser_snapshot", args{"depth": "deep"}, "depth"},
		{"browser_snapshot", args{"pageId": "t4711"}, "t4711"},
		{"browser_snapshot", args{"ref": "e99999"}, "e99999"},
		{"browser_wait", args{}, "text"},
		{"browser_tab_focus", args{}, "pageId"},
		{"browser_select", args{"ref": "e1", "values": "x"}, "values"},
	} {
		a.fails(c.tool, c.with).has("error:", c.want).within(2 * time.Second)
	}
	if an := a.call("browser_dance", nil); !an.failed || !strings.Contains(an.text, "browser_dance") {
		t.Fatalf("an unknown tool: %s", an.text)
	}
	a.ok("browser_snapshot", nil)
}

func TestB61NotConnected(t *testing.T) {
	t.Parallel()
	a := &agent{t, shared(t).connect(t)}
	a.fails("browser_snapshot", nil).has("error:", "hint:", "browser_connect")
	a.ok("browser_connect", nil)
	a.fails("browser_connect", nil).has("error:", "already connected")
	a.ok("browser_disconnect", nil)
	a.fails("browser_tab_list", nil).has("browser_connect")
	a.ok("browser_connect", nil)
}

// TestNavigateConnects begins with an address, as most agents do.
func TestNavigateConnects(t *testing.T) {
	t.Parallel()
	url := newSite(t, "<h1>Here</h1>").URL
	for tool, again := range map[string]string{"browser_navigate": "browser_tab_open", "browser_tab_open": "browser_navigate"} {
		a := &agent{t, shared(t).connect(t)}
		a.ok(tool, args{"url": url}).has("connected to Chromium", "It is ", "Here")
		a.ok(again, args{"url": url}).lacks("connected to")
		a.fails("browser_connect", nil).has("already connected")
	}
}

func TestB62HTTPDoors(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const hello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`
	post := func(change func(*http.Request)) (int, string) {
		r, err := http.NewRequestWithContext(t.Context(), "POST", s.url, strings.NewReader(hello))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+token)
		change(r)
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		body, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(body)
	}
	for name, c := range map[string]struct {
		change func(*http.Request)
		want   int
	}{
		"fine":            {func(*http.Request) {}, 200},
		"host":            {func(r *http.Request) { r.Host = "evil.test" }, 403},
		"origin":          {func(r *http.Request) { r.Header.Set("Origin", "https://evil.test") }, 403},
		"loopback origin": {func(r *http.Request) { r.Header.Set("Origin", "http://localhost:3000") }, 403},
		"no token":        {func(r *http.Request) { r.Header.Del("Authorization") }, 401},
		"wrong token":     {func(r *http.Request) { r.Header.Set("Authorization", "Bearer nope") }, 401},
		"unknown session": {func(r *http.Request) { r.Header.Set("Mcp-Session-Id", "nope") }, 404},
	} {
		if got, body := post(c.change); got != c.want {
			t.Errorf("%s: status %d, want %d: %s", name, got, c.want, body)
		} else if strings.Contains(body, token) {
			t.Errorf("%s: the answer has the token", name)
		}
	}
}

func TestB63SocketDoors(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	a.open(newSite(t, `<h1>undisturbed</h1>`).URL)
	ext, cdp := server.relay(t, "/extension/"), server.relay(t, "/cdp/")
	origin := "chrome-extension://" + extension.ID
	dial := func(address, origin, host string) (*websocket.Conn, int) {
		h := http.Header{}
		if origin != "" {
			h.Set("Origin", origin)
		}
		if host != "" {
			h.Set("Host", host)
		}
		c, res, err := websocket.DefaultDialer.Dial(address, h)
		if err == nil {
			t.Cleanup(func() { c.Close() })
		}
		if res == nil {
			t.Fatal(err)
		}
		return c, res.StatusCode
	}
	wrong := func(address string) string {
		u, _ := url.Parse(address)
		u.Path = u.Path[:strings.LastIndex(u.Path, "/")+1] + "00000000-0000-0000-0000-000000000000"
		return u.String()
	}
	for name, c := range map[string]struct {
		address, origin, host string
		want                  int
	}{
		"wrong secret":           {wrong(ext), origin, "", 404},
		"wrong client secret":    {wrong(cdp), "", "", 404},
		"web origin":             {ext, "https://evil.test", "", 403},
		"web origin of a client": {cdp, "https://evil.test", "", 403},
		"other extension":        {ext, "chrome-extension://" + strings.Repeat("a", 32), "", 403},
		"wrong host":             {cdp, "", "evil.test", 403},
	} {
		if _, got := dial(c.address, c.origin, c.host); got != c.want {
			t.Errorf("%s: status %d, want %d", name, got, c.want)
		}
	}

	old, _ := dial(ext, origin, "")
	_ = old.WriteMessage(websocket.TextMessage, []byte(`{"method":"hello","params":{"protocol":99,"installId":"x","tabs":[]}}`))
	closed(t, old, "update")

	garbage, _ := dial(cdp, "", "")
	_ = garbage.WriteMessage(websocket.TextMessage, []byte("}{ not json"))
	_ = garbage.WriteMessage(websocket.BinaryMessage, []byte{0, 1, 2})
	huge, _ := dial(cdp, "", "")
	_ = huge.WriteMessage(websocket.TextMessage, []byte(`{"id":1,"method":"`+strings.Repeat("x", 100<<20)+`"}`))
	closed(t, huge, "")

	a.ok("browser_snapshot", nil).has(`heading "undisturbed"`)
}

// closed waits for the other side to close, with a reason that has a word.
func closed(t *testing.T, c *websocket.Conn, word string) {
	t.Helper()
	_ = c.SetReadDeadline(time.Now().Add(30 * time.Second))
	for {
		_, _, err := c.ReadMessage()
		if err == nil {
			continue
		}
		if strings.Contains(err.Error(), "timeout") || !strings.Contains(err.Error(), word) {
			t.Errorf("the socket ended with %v", err)
		}
		return
	}
}
