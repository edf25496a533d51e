package relay

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var testKey = []byte("a key of the tests that has 32 B")

const origin = "chrome-extension://abcdefghijklmnopabcdefghijklmnop"

// desk is a server with an extension that answers what it is asked.
type desk struct {
	t      *testing.T
	server *Server
	http   *httptest.Server
}

func newDesk(t *testing.T, o Options) *desk {
	o.ExtensionOrigin, o.ExtensionID, o.ExtensionKey, o.ClientSecret = origin, "ext-id", testKey, "cdp-secret"
	d := &desk{t: t, server: NewServer(o)}
	d.http = httptest.NewServer(d.server)
	t.Cleanup(func() {
		if err := d.server.Close(); err != nil {
			t.Error(err)
		}
		d.http.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	return d
}

func (d *desk) url(path string) string { return "ws" + strings.TrimPrefix(d.http.URL, "http") + path }

func (d *desk) dial(path string, header http.Header) (*websocket.Conn, *http.Response, error) {
	c, resp, err := websocket.DefaultDialer.Dial(d.url(path), header)
	if err == nil {
		d.t.Cleanup(func() { c.Close() })
		_ = c.SetReadDeadline(time.Now().Add(90 * time.Second))
	}
	return c, resp, err
}

func (d *desk) client() *websocket.Conn {
	d.t.Helper()
	c, _, err := d.dial("/cdp/cdp-secret", nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return c
}

// greeting is a hello of one tab.
func greeting(install string) string {
	return `{"method":"hello","params":{"extensionVersion":"1","installId":"` + install +
		`","launch":"L","browser":{"name":"Chromium","version":"156.0","userAgent":"UA"},"tabs":[{"id":"TAB1","title":"One","url":"http://one.test/"}]}}`
}

// extension connects an extension. It answers what it is asked with {},
// but evaluate with a payload as long as the expression says.
func (d *desk) extension(install string) *websocket.Conn {
	d.t.Helper()
	c := d.introduced(install)
	ended := make(chan struct{})
	go func() { // ends with the socket
		defer close(ended)
		answerAll(c)
	}()
	d.t.Cleanup(func() {
		c.Close()
		<-ended
	})
	return c
}

// introduced connects an extension that has said hello, and that nobody reads.
func (d *desk) introduced(install string) *websocket.Conn {
	d.t.Helper()
	c := d.proven()
	d.t.Cleanup(func() { c.Close() })
	_ = c.SetReadDeadline(time.Time{})
	if err := c.WriteMessage(websocket.TextMessage, []byte(greeting(install))); err != nil {
		d.t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := d.server.Wait(ctx, func(b Browser) bool { return b.InstallID == install }); err != nil {
		d.t.Fatal(err)
	}
	return c
}

func answerAll(c *websocket.Conn) {
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			return
		}
		f, err := scanMessage(data)
		if err != nil {
			return
		}
		result := []byte("{}")
		if n := text(member(member(f.params, "params"), "expression")); n != nil {
			var size int
			_, _ = fmt.Sscan(string(n), &size)
			result = append(append([]byte(`{"value":"`), bytes.Repeat([]byte("x"), size)...), `"}`...)
		}
		out := append(append([]byte(`{"id":`), f.id...), `,"result":`...)
		if c.WriteMessage(websocket.TextMessage, append(append(out, result...), '}')) != nil {
			return
		}
	}
}

func say(t *testing.T, c *websocket.Conn, message string) {
	t.Helper()
	if err := c.WriteMessage(websocket.TextMessage, []byte(message)); err != nil {
		t.Fatal(err)
	}
}

// hear reads until the answer with an id.
func hear(t *testing.T, c *websocket.Conn, id string) frame {
	t.Helper()
	for {
		_, data, err := c.ReadMessage()
		if err != nil {
			t.Fatal(err)
		}
		f, err := scanMessage(data)
		if err != nil {
			t.Fatal(err)
		}
		if string(f.id) == id {
			return f
		}
	}
}

func attachTab1(t *testing.T, c *websocket.Conn) string {
	t.Helper()
	say(t, c, `{"id":1,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`)
	return string(text(member(hear(t, c, "1").result, "sessionId")))
}

// fine makes sure that a client still gets through to the browser.
func fine(t *testing.T, c *websocket.Conn, session string) {
	t.Helper()
	say(t, c, `{"id":77,"method":"Runtime.evaluate","params":{"expression":"3"},"sessionId":"`+session+`"}`)
	if got := string(hear(t, c, "77").result); got != `{"value":"xxx"}` {
		t.Fatal(got)
	}
}

func closeCode(c *websocket.Conn) (int, string) {
	for {
		if _, _, err := c.ReadMessage(); err != nil {
			if e, ok := err.(*websocket.CloseError); ok {
				return e.Code, e.Text
			}
			return 0, err.Error()
		}
	}
}

func TestExtensionIsReplaced(t *testing.T) {
	d := newDesk(t, Options{})
	first := d.proven()
	say(t, first, greeting("i"))
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := d.server.Wait(ctx, func(Browser) bool { return true }); err != nil {
		t.Fatal(err)
	}
	client := d.client()
	d.extension("i")
	if code, why := closeCode(first); code != 4002 {
		t.Fatal(code, why)
	}
	fine(t, client, attachTab1(t, client))
	if list := d.server.Browsers(); len(list) != 1 || !list[0].Connected || list[0].Launch != "L" {
		t.Fatal(list)
	}
}

func TestClientOutlivesTheExtension(t *testing.T) {
	d := newDesk(t, Options{})
	ext := d.extension("i")
	client := d.client()
	session := attachTab1(t, client)
	ext.Close()
	waitGone(t, d.server, "i")
	say(t, client, `{"id":5,"method":"Runtime.evaluate","params":{"expression":"2"},"sessionId":"`+session+`"}`)
	late := d.client() // within the grace time clients are let in
	d.extension("i")
	if got := string(hear(t, client, "5").result); got != `{"value":"xx"}` {
		t.Fatal(got)
	}
	fine(t, late, attachTab1(t, late))
}

func TestGraceEnds(t *testing.T) {
	d := newDesk(t, Options{Grace: 50 * time.Millisecond})
	ext := d.extension("i")
	client := d.client()
	attachTab1(t, client)
	ext.Close()
	waitGone(t, d.server, "i")
	if code, why := closeCode(client); code != 4003 {
		t.Fatal(code, why)
	}
	_, resp, err := d.dial("/cdp/cdp-secret", nil)
	if err == nil || resp == nil || resp.StatusCode != 503 {
		t.Fatal(resp, err)
	}
	// The browser may still come back; its clients connect anew.
	d.extension("i")
	client = d.client()
	fine(t, client, attachTab1(t, client))
}

func TestCommandDeadline(t *testing.T) {
	d := newDesk(t, Options{CommandTimeout: 50 * time.Millisecond})
	c := d.proven()
	say(t, c, greeting("i")) // and is silent from then on
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	if _, err := d.server.Wait(ctx, func(Browser) bool { return true }); err != nil {
		t.Fatal(err)
	}
	client := d.client()
	say(t, client, `{"id":1,"method":"Target.createTarget","params":{"url":"about:blank"}}`)
	if f := hear(t, client, "1"); !strings.Contains(string(f.err), "timed out after 50ms") {
		t.Fatal(string(f.err))
	}
}

func TestNoBrowser(t *testing.T) {
	d := newDesk(t, Options{})
	for _, path := range []string{"/cdp/cdp-secret/json/version", "/cdp/cdp-secret/json/list"} {
		resp, err := http.Get(d.http.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(resp.Body)
		resp.Body.Close()
		if resp.StatusCode != 503 || !strings.Contains(string(body), "start one") {
			t.Fatal(resp.Status, string(body))
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := d.server.Wait(ctx, func(Browser) bool { return true }); err != context.Canceled {
		t.Fatal(err)
	}
}

func TestAddresses(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	get := func(path string, into any) {
		t.Helper()
		resp, err := http.Get(d.http.URL + "/cdp/cdp-secret" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		if err := json.NewDecoder(resp.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var v, again map[string]string
	get("/json/version?browser=i", &v)
	get("/json/version", &again)
	if v["Browser"] != "Chrome/156.0" || v["webSocketDebuggerUrl"] == again["webSocketDebuggerUrl"] {
		t.Fatal(v, again)
	}
	c, _, err := websocket.DefaultDialer.Dial(v["webSocketDebuggerUrl"], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	fine(t, c, attachTab1(t, c))
	var list []map[string]string
	get("/json/list", &list)
	if len(list) != 1 || list[0]["id"] != "TAB1" {
		t.Fatal(list)
	}
	page, _, err := websocket.DefaultDialer.Dial(list[0]["webSocketDebuggerUrl"], nil)
	if err != nil {
		t.Fatal(err)
	}
	defer page.Close()
	say(t, page, `{"id":5,"method":"Runtime.evaluate","params":{"expression":"2"}}`)
	if got := string(hear(t, page, "5").result); got != `{"value":"xx"}` {
		t.Fatal(got)
	}
	var p map[string]any
	get("/json/protocol", &p)
	if p["domains"] == nil {
		t.Fatal(p)
	}
}

// TestSilentExtension takes a socket that nobody holds any more for what it is.
func TestSilentExtension(t *testing.T) {
	d := newDesk(t, Options{})
	d.server.silence = 200 * time.Millisecond
	d.extension("quiet") // unlike a real one, it says nothing by itself
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	for d.server.Browsers()[0].Connected {
		d.server.mu.Lock()
		changed := d.server.changed
		d.server.mu.Unlock()
		if !d.server.Browsers()[0].Connected {
			break
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatal("it counts as connected")
		}
	}
}

func TestClientWithAnOddKey(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	conn, err := net.Dial("tcp", strings.TrimPrefix(d.http.URL, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprint(conn, "GET /cdp/cdp-secret HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"+
		"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: nil\r\n\r\n")
	r := bufio.NewReader(conn)
	resp, err := http.ReadResponse(r, nil)
	if err != nil || resp.StatusCode != 101 || resp.Header.Get("Sec-WebSocket-Accept") != string(acceptOf("nil")) {
		t.Fatal(resp, err)
	}
	// Browser.close, masked with zeros: it is answered, and no close frame follows.
	message := `{"id":1,"method":"Browser.close"}`
	_, _ = conn.Write(append([]byte{0x81, byte(0x80 | len(message)), 0, 0, 0, 0}, message...))
	_ = conn.SetReadDeadline(time.Now().Add(30 * time.Second))
	answer := "\x81\x14" + `{"id":1,"result":{}}`
	if all, err := io.ReadAll(r); err != nil || string(all) != answer {
		t.Fatalf("%q %v", all, err)
	}
}
