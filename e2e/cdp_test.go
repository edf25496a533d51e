package e2e

import (
	"encoding/json"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// client is a CDP client of the relay, as a script of a person's would be.
type client struct {
	t      testing.TB
	socket *websocket.Conn
	next   int
}

// cdp returns a new CDP client of the server's relay.
func (s *server) cdp(t testing.TB) *client {
	t.Helper()
	socket, _, err := websocket.DefaultDialer.Dial(s.relay(t, "/cdp/"), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return &client{t: t, socket: socket}
}

// relay returns the address of one of the relay's sockets, with what stands in its path.
func (s *server) relay(t testing.TB, path string) string {
	t.Helper()
	buf, err := os.ReadFile(filepath.Join(s.state, "relay.json"))
	if err != nil {
		t.Fatal(err)
	}
	var saved struct{ ExtensionID, ClientSecret string }
	if err := json.Unmarshal(buf, &saved); err != nil {
		t.Fatal(err)
	}
	secret := saved.ClientSecret
	if strings.HasPrefix(path, "/extension/") {
		secret = saved.ExtensionID
	}
	u, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	return "ws://" + u.Host + path + secret
}

type message struct {
	ID        int             `json:"id"`
	SessionID string          `json:"sessionId"`
	Method    string          `json:"method"`
	Params    json.RawMessage `json:"params"`
	Result    json.RawMessage `json:"result"`
	Error     *struct {
		Code    int
		Message string
	} `json:"error"`
}

// send sends a command without waiting for its answer.
func (c *client) send(session, method string, params any) int {
	c.t.Helper()
	c.next++
	m := map[string]any{"id": c.next, "method": method, "params": params}
	if params == nil {
		m["params"] = struct{}{}
	}
	if session != "" {
		m["sessionId"] = session
	}
	if err := c.socket.WriteJSON(m); err != nil {
		c.t.Fatal(err)
	}
	return c.next
}

// until reads messages until one fits.
func (c *client) until(fits func(message) bool) message {
	c.t.Helper()
	_ = c.socket.SetReadDeadline(time.Now().Add(40 * time.Second))
	for {
		var m message
		if err := c.socket.ReadJSON(&m); err != nil {
			c.t.Fatalf("cdp: %v", err)
		}
		if fits(m) {
			return m
		}
	}
}

// without waits until no target has an address in which part occurs. It is for a
// client that has not asked for targets before.
func (c *client) without(part string) {
	c.t.Helper()
	id, told := c.send("", "Target.setDiscoverTargets", map[string]any{"discover": true}), false
	left := map[string]string{} // target ids to addresses
	defer func() {
		if len(left) > 0 {
			c.t.Logf("these are left: %v", left)
		}
	}()
	c.until(func(m message) bool {
		var e struct {
			TargetID   string
			TargetInfo struct{ TargetID, URL string }
		}
		_ = json.Unmarshal(m.Params, &e)
		switch {
		case m.ID == id: // after all that are there
			told = true
		case m.Method == "Target.targetDestroyed":
			delete(left, e.TargetID)
		case m.Method == "Target.targetCreated", m.Method == "Target.targetInfoChanged":
			delete(left, e.TargetInfo.TargetID)
			if strings.Contains(e.TargetInfo.URL, part) {
				left[e.TargetInfo.TargetID] = e.TargetInfo.URL
			}
		}
		return told && len(left) == 0
	})
}

// tries sends a command and returns its answer, also where that is an error.
func (c *client) tries(session, method string, params any) message {
	c.t.Helper()
	id := c.send(session, method, params)
	return c.until(func(m message) bool { return m.ID == id })
}

// call sends a command and decodes its result.
func (c *client) call(session, method string, params, result any) {
	c.t.Helper()
	m := c.tries(session, method, params)
	if m.Error != nil {
		c.t.Fatalf("%s: %d %s", method, m.Error.Code, m.Error.Message)
	}
	if result != nil {
		if err := json.Unmarshal(m.Result, result); err != nil {
			c.t.Fatal(err)
		}
	}
}

// attach attaches to the page whose address begins with url.
func (c *client) attach(url string) (session string) {
	c.t.Helper()
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	c.call("", "Target.getTargets", nil, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type == "page" && strings.HasPrefix(target.URL, url) {
			var at struct{ SessionID string }
			c.call("", "Target.attachToTarget", map[string]any{"targetId": target.TargetID, "flatten": true}, &at)
			return at.SessionID
		}
	}
	c.t.Fatalf("no page at %s among %v", url, targets.TargetInfos)
	return ""
}
