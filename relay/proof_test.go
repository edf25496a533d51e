package relay

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// proving is what an extension hears and says before hello.
type proving struct {
	Method string `json:"method"`
	Params struct {
		Nonce    string `json:"nonce,omitempty"`
		MAC      string `json:"mac,omitempty"`
		Protocol any    `json:"protocol,omitempty"`
	} `json:"params"`
}

func readProving(t testing.TB, c *websocket.Conn) (f proving) {
	t.Helper()
	_, data, err := c.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &f); err != nil {
		t.Fatal(err)
	}
	return f
}

// beginProof reads the relay's nonce and answers with one, as an extension that
// dialled an address does.
func beginProof(t testing.TB, c *websocket.Conn, key []byte, address string) *proof {
	t.Helper()
	p := newProof(key, address)
	asked := readProving(t, c)
	mine := p.nonce
	p.nonce, p.theirs = asked.Params.Nonce, mine
	if err := c.WriteMessage(websocket.TextMessage, []byte(proveFrame(mine))); err != nil {
		t.Fatal(err)
	}
	return p
}

// proveTo does all that comes before hello.
func proveTo(t testing.TB, c *websocket.Conn, key []byte, address string) {
	t.Helper()
	p := beginProof(t, c, key, address)
	if got := readProving(t, c); got.Method != "proof" || got.Params.MAC != encode(p.mac("relay")) {
		t.Fatalf("the relay proves with %+v", got)
	}
	if err := c.WriteMessage(websocket.TextMessage, proofFrame(encode(p.mac("extension")))); err != nil {
		t.Fatal(err)
	}
}

func encode(mac []byte) string { return base64.RawURLEncoding.EncodeToString(mac) }

func proveFrame(nonce string) string {
	return fmt.Sprintf(`{"method":"prove","params":{"protocol":2,"nonce":%q}}`, nonce)
}

func proofFrame(mac string) []byte {
	return fmt.Appendf(nil, `{"method":"proof","params":{"mac":%q}}`, mac)
}

// unproven is the socket of an extension that has said nothing yet.
func (d *desk) unproven() *websocket.Conn {
	d.t.Helper()
	c, _, err := d.dial("/extension/ext-id", http.Header{"Origin": {origin}})
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// proven is the socket of an extension that is to say hello.
func (d *desk) proven() *websocket.Conn {
	d.t.Helper()
	c := d.unproven()
	proveTo(d.t, c, testKey, strings.TrimPrefix(d.http.URL, "http://"))
	return c
}

// TestB88TheRelayWantsAProof holds that who cannot prove the key, for this
// address and in this connection, is no browser.
func TestB88TheRelayWantsAProof(t *testing.T) {
	d := newDesk(t, Options{})
	here := strings.TrimPrefix(d.http.URL, "http://")
	frame := func(format string, args ...any) func(*websocket.Conn) string {
		return func(*websocket.Conn) string { return fmt.Sprintf(format, args...) }
	}
	// A proof that was right in another connection.
	then := beginProof(t, d.unproven(), testKey, here)
	seen := encode(then.mac("extension"))
	prove := func(key []byte, address, role string) func(*websocket.Conn) string {
		return func(c *websocket.Conn) string {
			p := beginProof(t, c, key, address)
			readProving(t, c)
			return string(proofFrame(encode(p.mac(role))))
		}
	}
	for name, c := range map[string]struct {
		say  func(*websocket.Conn) string
		code int
		want string
	}{
		"hello at once":            {frame("%s", greeting("i")), 4001, "update the extension"},
		"an older protocol":        {frame(`{"method":"prove","params":{"protocol":1,"nonce":%q}}`, newProof(nil, "").nonce), 4001, "update the extension"},
		"a newer protocol":         {frame(`{"method":"prove","params":{"protocol":3,"nonce":%q}}`, newProof(nil, "").nonce), 4001, "update tabrelay"},
		"a protocol that is none":  {frame(`{"method":"prove","params":{"protocol":"<b>","nonce":"x"}}`), 4001, "update"},
		"a short nonce":            {frame(`{"method":"prove","params":{"protocol":2,"nonce":"abc"}}`), 4004, "key"},
		"a nonce of two lines":     {frame(`{"method":"prove","params":{"protocol":2,"nonce":%q}}`, strings.Repeat("a", 21)+"\n"+strings.Repeat("a", 22)), 4004, "key"},
		"a proof without a nonce":  {frame(`{"method":"proof","params":{"mac":%q}}`, seen), 4004, "key"},
		"a command":                {frame(`{"id":1,"method":"listTabs","params":{}}`), 4004, "key"},
		"garbage":                  {frame("garbage"), 4004, "key"},
		"another key":              {prove([]byte("another key of 32 bytes, as long"), here, "extension"), 4004, "key"},
		"an empty key":             {prove(nil, here, "extension"), 4004, "key"},
		"another port was dialled": {prove(testKey, "127.0.0.1:1", "extension"), 4004, "key"},
		"another address":          {prove(testKey, "[::1]"+here[strings.LastIndex(here, ":"):], "extension"), 4004, "key"},
		"the relay's own proof":    {prove(testKey, here, "relay"), 4004, "key"},
		"a proof that was seen": {func(c *websocket.Conn) string {
			beginProof(t, c, testKey, here)
			return string(proofFrame(seen))
		}, 4004, "key"},
		"a proof that was seen, with its nonce": {func(c *websocket.Conn) string {
			readProving(t, c)
			say(t, c, proveFrame(then.theirs))
			return string(proofFrame(seen))
		}, 4004, "key"},
		"a proof before its nonce": {func(c *websocket.Conn) string {
			p := newProof(testKey, here)
			p.nonce = readProving(t, c).Params.Nonce
			return string(proofFrame(encode(p.mac("extension"))))
		}, 4004, "key"},
		"two nonces": {func(c *websocket.Conn) string {
			beginProof(t, c, testKey, here)
			return proveFrame(newProof(nil, "").nonce)
		}, 4004, "key"},
	} {
		t.Run(name, func(t *testing.T) {
			socket := d.unproven()
			say(t, socket, c.say(socket))
			say(t, socket, greeting("i"))
			if code, why := closeCode(socket); code != c.code || !strings.Contains(why, c.want) {
				t.Error(code, why)
			}
			if r := d.server.Refused(); r == nil || !strings.Contains(r.Why, c.want) || time.Since(r.At) > time.Minute {
				t.Errorf("the refusal is told as %+v", r)
			}
		})
	}
	t.Run("hello in place of the proof", func(t *testing.T) {
		socket := d.unproven()
		beginProof(t, socket, testKey, here)
		say(t, socket, greeting("i"))
		if code, _ := closeCode(socket); code != 4001 {
			t.Error(code)
		}
	})
	t.Run("something else than hello after it", func(t *testing.T) {
		socket := d.proven()
		say(t, socket, `{"method":"keepalive","params":{}}`)
		if code, why := closeCode(socket); code != 4001 || !strings.Contains(why, "hello") {
			t.Error(code, why)
		}
	})
	t.Run("the extension knows another key", func(t *testing.T) {
		socket := d.unproven()
		_ = socket.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(4004, "no proof"))
		late := time.After(20 * time.Second)
		for { // the close frame is answered before the refusal is noted
			changed := d.server.Changed()
			r := d.server.Refused()
			if r != nil && strings.Contains(r.Why, "key") {
				break
			}
			select {
			case <-changed:
			case <-late:
				t.Fatalf("the refusal is told as %+v", r)
			}
		}
	})
	if n := len(d.server.Browsers()); n != 0 {
		t.Fatal(n, "browsers are known")
	}
}

// TestB88WhatAProofIsOver holds the proof as docs/protocol.md has it, for both ends.
func TestB88WhatAProofIsOver(t *testing.T) {
	p := proof{key: testKey, address: "127.0.0.1:8765", nonce: strings.Repeat("A", 43), theirs: strings.Repeat("B", 43)}
	for role, want := range map[string]string{
		"relay":     "82TPcgyuuv7GNRmouIwYQ9P3U90FQBdt0LFEE_bCJUg",
		"extension": "FPM3fiHR56xlgAoxHpZQUZQVeTj9YHDqeDKeseiawXo",
	} {
		if got := encode(p.mac(role)); got != want {
			t.Errorf("the proof of the %s is %s", role, got)
		}
	}
}

func TestWrongProtocol(t *testing.T) {
	for said, want := range map[string]string{
		"1": errUpdate.Error(), "3": "speaks protocol 3", "10": "speaks protocol 10", "": "protocol unknown", "null": "protocol unknown",
		`"2"`: "protocol unknown", "123456789": "protocol unknown", "12345678": "speaks protocol 12345678",
	} {
		if err := wrongProtocol(said); !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", said, err)
		}
	}
}

// TestB88WhereARequestWasTaken holds that the address in a proof is the one that a
// browser dials, on whichever socket it comes.
func TestB88WhereARequestWasTaken(t *testing.T) {
	for _, c := range []struct {
		at   net.Addr
		want string
	}{
		{&net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8765}, "127.0.0.1:8765"},
		{&net.TCPAddr{IP: net.ParseIP("::ffff:127.0.0.1"), Port: 8765}, "127.0.0.1:8765"},
		{&net.TCPAddr{IP: net.IPv6loopback, Port: 8765, Zone: "lo"}, "[::1]:8765"},
		{&net.UnixAddr{Name: "/tmp/x", Net: "unix"}, ""},
		{nil, ""},
	} {
		ctx := t.Context()
		if c.at != nil {
			ctx = context.WithValue(ctx, http.LocalAddrContextKey, c.at)
		}
		if got := listeningAt((&http.Request{}).WithContext(ctx)); got != c.want {
			t.Errorf("%v: %q", c.at, got)
		}
	}
}
