package relay

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// proxyTalk plays a conversation in which the clients and the foreign
// extensions speak the proxy's protocol: mcp1, mcp2, far1 and so on.
type proxyTalk struct {
	*talk
	proxy   *proxy
	parties map[string]*party
	timers  []*proxyTimer
	made    int // ids
}

type proxyTimer struct {
	at time.Time
	f  func()
}

func TestProxyConversations(t *testing.T) {
	converse(t, "testdata/proxy/*.txt", newProxyTalk)
}

func newProxyTalk() *talk {
	pt := &proxyTalk{talk: newTalk(), parties: map[string]*party{}}
	pt.proxy = newProxy(time.Minute, func() []*hub { return []*hub{pt.hub} },
		func() string { pt.made++; return fmt.Sprintf("P%d", pt.made) },
		func(d time.Duration, f func()) func() bool {
			timer := &proxyTimer{pt.now.Add(d), f}
			pt.timers = append(pt.timers, timer)
			return func() bool { timer.f = func() {}; return true }
		})
	pt.talk.strangers, pt.proxy.plain = pt, true
	return pt.talk
}

func (pt *proxyTalk) play(name, rest string) (mine bool, err error) {
	who := strings.TrimSuffix(name, ">")
	switch {
	case name == "advance":
		d, err := time.ParseDuration(rest)
		for _, timer := range pt.timers {
			if !timer.at.After(pt.now.Add(d)) {
				timer.f()
			}
		}
		return false, err
	case !strings.HasPrefix(who, "mcp") && !strings.HasPrefix(who, "far"):
		return false, nil
	case rest == "connects":
		pt.parties[who] = &party{peer: &mute{name: who, talk: pt.talk}, outside: who == "far9"}
	case rest == "closes":
		pt.proxy.leave(pt.parties[who])
	case pt.parties[who] == nil:
		return true, fmt.Errorf("%s is not connected", who)
	default:
		data := scratch(rest)
		pt.proxy.hear(pt.parties[who], data)
		for i := range data {
			data[i] = '!' // the proxy must not have kept it
		}
	}
	return true, nil
}

func (d *desk) proxy(header http.Header) *websocket.Conn {
	d.t.Helper()
	c, _, err := d.dial("/proxy/cdp-secret", header)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// next reads one frame.
func next(t *testing.T, c *websocket.Conn) string {
	t.Helper()
	_, data, err := c.ReadMessage()
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func connectionOf(t *testing.T, frame string) string {
	t.Helper()
	id := string(text(member([]byte(frame), "connectionId")))
	if !strings.HasPrefix(id, "conn-") || string(member([]byte(frame), "success")) != "true" {
		t.Fatal(frame)
	}
	return id
}

func TestProxyOverSockets(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	far := d.proxy(http.Header{"Origin": {"chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba"}})
	say(t, far, `{"method":"mcp_handshake","params":{}}`)
	if got := next(t, far); !strings.Contains(got, "cannot be a client") {
		t.Fatal(got)
	}
	say(t, far, `{"method":"extension_handshake","params":{"name":"Chrome 141"}}`)
	say(t, far, `not JSON`)
	if got := next(t, far); !strings.Contains(got, `"error":"the frame cannot be read`) {
		t.Fatal(got) // it is registered now
	}

	client, other := d.proxy(nil), d.proxy(nil)
	for _, c := range []*websocket.Conn{client, other} {
		say(t, c, `{"method":"mcp_handshake","params":{"projectName":"my-project"}}`)
	}
	say(t, client, `{"method":"list_extensions","params":{}}`)
	list := next(t, client)
	if !strings.HasPrefix(list, `{"extensions":[{"id":"i","name":"Chromium 156","connected":true},{"id":"ext-`) {
		t.Fatal(list)
	}
	id := list[strings.Index(list, "ext-"):]
	id = id[:strings.Index(id, `"`)]

	say(t, client, `{"method":"connect","params":{"extensionId":"i","tabId":"TAB1"}}`)
	ours := connectionOf(t, next(t, client))
	say(t, other, `{"method":"connect","params":{"extensionId":"`+id+`","tabId":123}}`)
	theirs := connectionOf(t, next(t, other))

	say(t, client, `{"id":9,"method":"forwardCDPCommand","connectionId":"`+ours+`","params":{"method":"Runtime.evaluate","params":{"expression":"3"}}}`)
	if got := next(t, client); got != `{"id":9,"connectionId":"`+ours+`","result":{"value":"xxx"}}` {
		t.Fatal(got)
	}
	say(t, other, `{"id":"x","method":"forwardCDPCommand","connectionId":"`+theirs+`","params":{"method":"Page.navigate","params":{"url":"https://example.com"}}}`)
	if got := next(t, far); got != `{"id":1,"method":"forwardCDPCommand","connectionId":"`+theirs+`","params":{"tabId":123,"method":"Page.navigate","params":{"url":"https://example.com"}}}` {
		t.Fatal(got)
	}
	say(t, far, `{"id":1,"result":{"frameId":"F"}}`)
	if got := next(t, other); got != `{"id":"x","connectionId":"`+theirs+`","result":{"frameId":"F"}}` {
		t.Fatal(got)
	}

	// What a client has on its way counts for its socket, whichever tab it is for.
	d.server.proxy.mu.Lock()
	c := d.server.proxy.connections[ours]
	if c.ours.flow != &c.client.flow {
		t.Error("its commands count for nobody who is slowed")
	}
	d.server.proxy.mu.Unlock()

	// A client goes; the other does not notice. Then the extension goes.
	client.Close()
	far.Close()
	if got := next(t, other); got != `{"connectionId":"`+theirs+`","error":"Extension disconnected"}` {
		t.Fatal(got)
	}
	say(t, other, `{"method":"connect","params":{"extensionId":"`+id+`"}}`)
	if got := next(t, other); got != `{"success":false,"error":"Extension disconnected"}` {
		t.Fatal(got)
	}
}

func TestProxyDoors(t *testing.T) {
	d := newDesk(t, Options{})
	for name, c := range map[string]struct {
		path, host, origin string
		status             int
	}{
		"wrong secret":       {"/proxy/nope", "", "", 404},
		"half a secret":      {"/proxy/cdp-sec", "", "", 404},
		"no secret":          {"/proxy/", "", "", 404},
		"extension's secret": {"/proxy/ext-secret", "", "", 404},
		"more of a path":     {"/proxy/cdp-secret/x", "", "", 404},
		"other host":         {"/proxy/cdp-secret", "evil.test", "", 403},
		"web origin":         {"/proxy/cdp-secret", "", "https://evil.test", 403},
		"local web origin":   {"/proxy/cdp-secret", "", "http://127.0.0.1:8765", 403},
		"null origin":        {"/proxy/cdp-secret", "", "null", 403},
	} {
		h := http.Header{}
		if c.host != "" {
			h.Set("Host", c.host)
		}
		if c.origin != "" {
			h.Set("Origin", c.origin)
		}
		if _, resp, err := d.dial(c.path, h); err == nil || resp == nil || resp.StatusCode != c.status {
			t.Errorf("%s: %v %v", name, resp, err)
		}
	}
	huge := d.proxy(nil)
	_ = huge.WriteMessage(websocket.TextMessage, []byte(`{"method":"`+strings.Repeat("x", 65<<20)+`"}`))
	if code, why := closeCode(huge); code != websocket.CloseMessageTooBig && !strings.Contains(why, "reset") && !strings.Contains(why, "broken pipe") && !strings.Contains(why, "EOF") {
		t.Error(code, why)
	}
}
