package relay

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func TestB63RefusedBeforeUpgrade(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	good := d.client()
	session := attachTab1(t, good)
	for _, c := range []struct {
		name, path, host, origin string
		status                   int
	}{
		{"wrong path", "/nope", "", "", 404},
		{"root", "/", "", "", 404},
		{"wrong secret", "/cdp/nope", "", "", 404},
		{"half a secret", "/cdp/cdp-sec", "", "", 404},
		{"more than the secret", "/cdp/cdp-secret2", "", "", 404},
		{"no secret", "/cdp/", "", "", 404},
		{"unknown extension", "/extension/nope", "", origin, 404},
		{"client secret for the extension", "/extension/cdp-secret", "", origin, 404},
		{"path behind the id", "/extension/ext-id/x", "", origin, 404},
		{"unknown page", "/cdp/cdp-secret/devtools/page/NOPE", "", "", 404},
		{"other host", "/cdp/cdp-secret", "evil.test", "", 403},
		{"other host with port", "/extension/ext-id", "evil.test:8765", origin, 403},
		{"host that begins well", "/cdp/cdp-secret", "127.0.0.1.evil.test", "", 403},
		{"web origin", "/cdp/cdp-secret", "", "https://evil.test", 403},
		{"local web origin", "/cdp/cdp-secret", "", "http://127.0.0.1:8765", 403},
		{"null origin", "/cdp/cdp-secret", "", "null", 403},
		{"extension without origin", "/extension/ext-id", "", "", 403},
		{"other extension", "/extension/ext-id", "", "chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba", 403},
		{"web origin for the list", "/cdp/cdp-secret/json/list", "", "https://evil.test", 403},
		{"unknown browser", "/cdp/cdp-secret?browser=other", "", "", 503},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := http.Header{}
			if c.host != "" {
				h.Set("Host", c.host)
			}
			if c.origin != "" {
				h.Set("Origin", c.origin)
			}
			_, resp, err := d.dial(c.path, h)
			if err == nil {
				t.Fatal("was let in")
			}
			if resp == nil || resp.StatusCode != c.status {
				t.Fatal(resp, err)
			}
		})
	}
	fine(t, good, session)
}

func TestB63LoopbackNames(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	for _, host := range []string{"localhost:1", "127.0.0.1", "[::1]:9", "LOCALHOST"} {
		c, _, err := d.dial("/cdp/cdp-secret", http.Header{"Host": {host}})
		if err != nil {
			t.Fatal(host, err)
		}
		c.Close()
	}
	c, _, err := d.dial("/cdp/cdp-secret", http.Header{"Origin": {origin}})
	if err != nil {
		t.Fatal(err)
	}
	c.Close()
}

func TestB63OversizedFrameFromClient(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	good, bad := d.client(), d.client()
	session := attachTab1(t, good)
	_ = bad.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte(" "), 100<<20))
	if code, why := closeCode(bad); code != websocket.CloseMessageTooBig && code != 0 {
		t.Fatal(code, why)
	}
	fine(t, good, session)
}

func TestB63OversizedFrameFromExtension(t *testing.T) {
	d := newDesk(t, Options{})
	bad, good, session := d.goodAndBad()
	_ = bad.WriteMessage(websocket.TextMessage, bytes.Repeat([]byte(" "), 100<<20))
	waitGone(t, d.server, "a")
	fine(t, good, session)
}

// goodAndBad connects two extensions, a which is to misbehave, and b with a client
// and its session on a tab.
func (d *desk) goodAndBad() (bad, good *websocket.Conn, session string) {
	d.t.Helper()
	bad = d.extension("a")
	d.extension("b")
	good, _, err := d.dial("/cdp/cdp-secret?browser=b", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return bad, good, attachTab1(d.t, good)
}

// waitGone waits until a browser is not connected.
func waitGone(t *testing.T, s *Server, install string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for {
		s.mu.Lock()
		changed := s.changed
		s.mu.Unlock()
		connected := false
		for _, b := range s.Browsers() {
			connected = connected || b.InstallID == install && b.Connected
		}
		if !connected {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatal("the browser is still connected")
		}
	}
}

func TestB63GarbageFromClient(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	c := d.client()
	for _, garbage := range []string{"", "x", "{", `{"id":1,"method":"\u`, "{\"id\":1,\"method\":\"A.b\",\"params\":{\"a\":\"\xff\"}}"} {
		say(t, c, garbage)
		_, data, err := c.ReadMessage()
		if f, _ := scanMessage(data); err != nil || string(member(f.err, "code")) != "-32700" {
			t.Fatalf("%q: %s %v", garbage, data, err)
		}
	}
	fine(t, c, attachTab1(t, c))
}

func TestB63GarbageFromExtension(t *testing.T) {
	d := newDesk(t, Options{})
	bad, good, session := d.goodAndBad()
	say(t, bad, "garbage")
	waitGone(t, d.server, "a")
	fine(t, good, session)
}

func TestB63SlowClientIsClosed(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	good, slow := d.client(), d.client()
	session, mute := attachTab1(t, good), attachTab1(t, slow)
	// Each answer is 2 MB and is never read: what queues up ends the client.
	for n := range 70 {
		message := fmt.Sprintf(`{"id":%d,"method":"Runtime.evaluate","params":{"expression":"2000000"},"sessionId":"%s"}`, n+10, mute)
		if slow.WriteMessage(websocket.TextMessage, []byte(message)) != nil {
			break
		}
	}
	fine(t, good, session)
	h := d.server.pick("i")
	if !eventually(t, func() bool {
		h.mu.Lock()
		defer h.mu.Unlock()
		return len(h.clients) == 1
	}, func() { fine(t, good, session) }) {
		t.Fatal("the client that does not read is still there")
	}
}

// eventually asks again after each round trip of step, which is what
// moves the relay on.
func eventually(t *testing.T, is func() bool, step func()) bool {
	end := time.Now().Add(60 * time.Second)
	for time.Now().Before(end) {
		if is() {
			return true
		}
		step()
	}
	return is()
}
