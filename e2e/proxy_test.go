package e2e

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// proxied is a client of the relay's proxy, or an extension that is not ours.
type proxied struct {
	t      *testing.T
	socket *websocket.Conn
	next   int
}

// proxyFrame is a frame of the proxy's protocol, from either side.
type proxyFrame struct {
	ID           int             `json:"id"`
	Method       string          `json:"method"`
	ConnectionID string          `json:"connectionId"`
	Success      *bool           `json:"success"`
	Error        json.RawMessage `json:"error"`
	Result       json.RawMessage `json:"result"`
	Extensions   []struct {
		ID, Name  string
		Connected bool
		Tabs      []struct {
			TabID                int
			TargetID, Title, URL string
		}
	} `json:"extensions"`
	Params struct {
		TabID  int             `json:"tabId"`
		Method string          `json:"method"`
		Params json.RawMessage `json:"params"`
	} `json:"params"`
}

func (s *server) proxy(t *testing.T, origin string) *proxied {
	t.Helper()
	h := http.Header{}
	if origin != "" {
		h.Set("Origin", origin)
	}
	socket, _, err := websocket.DefaultDialer.Dial(s.relay(t, "/proxy/"), h)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return &proxied{t: t, socket: socket}
}

func (p *proxied) say(frame any) {
	p.t.Helper()
	if err := p.socket.WriteJSON(frame); err != nil {
		p.t.Fatal(err)
	}
}

func (p *proxied) until(fits func(proxyFrame) bool) proxyFrame {
	p.t.Helper()
	_ = p.socket.SetReadDeadline(time.Now().Add(25 * time.Second))
	for {
		var f proxyFrame
		if err := p.socket.ReadJSON(&f); err != nil {
			p.t.Fatalf("proxy: %v", err)
		}
		if fits(f) {
			return f
		}
	}
}

// connect connects to a tab, or to a new one where tab is nil.
func (p *proxied) connect(extension string, tab any) string {
	p.t.Helper()
	params := args{"extensionId": extension}
	if tab != nil {
		params["tabId"] = tab
	}
	p.say(args{"method": "connect", "params": params})
	f := p.until(func(f proxyFrame) bool { return f.Success != nil })
	if !*f.Success {
		p.t.Fatalf("connect %v: %s", params, f.Error)
	}
	return f.ConnectionID
}

// cdp sends a CDP command and decodes its result. One that was on its way when the
// worker went is lost with a word, and so is one that a busy machine's new worker came
// too late for; both are sent again.
func (p *proxied) cdp(connection, method string, params args, result any) {
	p.t.Helper()
	var f proxyFrame
	for limit := time.Now().Add(45 * time.Second); ; {
		p.next++
		id := p.next
		p.say(args{"id": id, "method": "forwardCDPCommand", "connectionId": connection, "params": args{"method": method, "params": params}})
		f = p.until(func(f proxyFrame) bool { return f.ID == id })
		lost := bytes.Contains(f.Error, []byte("was lost while the command ran")) || bytes.Contains(f.Error, []byte("-32056"))
		if !lost || time.Now().After(limit) {
			break
		}
	}
	if f.Error != nil || f.ConnectionID != connection {
		p.t.Fatalf("%s: %s", method, f.Error)
	}
	if result != nil {
		if err := json.Unmarshal(f.Result, result); err != nil {
			p.t.Fatal(err)
		}
	}
}

func (p *proxied) value(connection, expression string) string {
	p.t.Helper()
	var r struct {
		Result struct{ Value json.RawMessage }
	}
	p.cdp(connection, "Runtime.evaluate", args{"expression": expression, "returnByValue": true}, &r)
	return string(r.Result.Value)
}

// event waits for a CDP event of a connection.
func (p *proxied) event(connection, method string) proxyFrame {
	p.t.Helper()
	return p.until(func(f proxyFrame) bool {
		return f.Method == "forwardCDPEvent" && f.ConnectionID == connection && f.Params.Method == method
	})
}

// visit navigates and clicks a button, as a client of the proxy would.
func (p *proxied) visit(connection, url string) {
	p.t.Helper()
	p.cdp(connection, "Page.enable", nil, nil)
	p.cdp(connection, "Page.navigate", args{"url": url}, nil)
	p.event(connection, "Page.loadEventFired")
	var at struct{ X, Y float64 }
	if err := json.Unmarshal([]byte(p.value(connection, `(() => { const r = document.querySelector("button").getBoundingClientRect(); return {x: r.x + 5, y: r.y + 5} })()`)), &at); err != nil {
		p.t.Fatal(err)
	}
	for _, kind := range []string{"mousePressed", "mouseReleased"} {
		p.cdp(connection, "Input.dispatchMouseEvent", args{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1}, nil)
	}
	if v := p.value(connection, `document.querySelector("button").textContent`); v != `"clicked"` {
		p.t.Fatalf("the button says %s", v)
	}
}

func TestProxyDrivesPages(t *testing.T) {
	t.Parallel()
	person := newPerson(t)
	s := newSite(t, `<title>One</title><button onclick="this.textContent='clicked'">Go</button>`)
	a, b := person.proxy(t, ""), person.proxy(t, "")
	for _, p := range []*proxied{a, b} {
		p.say(args{"method": "mcp_handshake", "params": args{"projectName": "e2e"}})
	}
	list := func() proxyFrame {
		t.Helper()
		a.say(args{"method": "list_extensions", "params": args{"tabs": true}})
		return a.until(func(f proxyFrame) bool { return f.Extensions != nil })
	}
	e := list().Extensions
	if len(e) != 1 || !e[0].Connected || !strings.HasPrefix(e[0].Name, "Chromium ") {
		t.Fatalf("%+v", e)
	}
	ext := e[0].ID

	// Two clients on two tabs.
	one, two := a.connect(ext, nil), b.connect(ext, nil)
	a.visit(one, s.URL)
	b.visit(two, s.other())

	// A tab that is held is held, by its number and its id.
	for _, tab := range list().Extensions[0].Tabs {
		for _, id := range []any{tab.TabID, tab.TargetID} {
			b.say(args{"method": "connect", "params": args{"extensionId": ext, "tabId": id}})
			if f := b.until(func(f proxyFrame) bool { return f.Success != nil }); *f.Success {
				t.Fatalf("tab %v was had twice", id)
			}
		}
	}

	// The worker dies and comes back; a connection does not notice.
	person.killWorker()
	if v := b.value(two, "document.title"); v != `"One"` {
		t.Fatal(v)
	}

	// One client goes; the other does not notice, and can have the tab.
	var left any
	for _, tab := range list().Extensions[0].Tabs {
		if strings.HasPrefix(tab.URL, s.URL) {
			left = tab.TabID
		}
	}
	a.socket.Close()
	if v := b.value(two, "document.title"); v != `"One"` {
		t.Fatal(v)
	}
	free := ""
	for deadline := time.Now().Add(10 * time.Second); free == ""; { // nobody is told when a tab is free again
		b.say(args{"method": "connect", "params": args{"extensionId": ext, "tabId": left}})
		f := b.until(func(f proxyFrame) bool { return f.Success != nil })
		if !*f.Success && time.Now().After(deadline) {
			t.Fatal(string(f.Error))
		}
		free = f.ConnectionID
	}
	if v := b.value(free, "document.querySelector('button').textContent"); v != `"clicked"` {
		t.Fatal(v)
	}

	// The browser is killed: the connections end, after the time in which it could come back.
	_ = person.chrome.Process.Kill()
	f := b.until(func(f proxyFrame) bool { return f.ConnectionID == two && f.Error != nil })
	if string(f.Error) != `"Extension disconnected"` {
		t.Fatal(string(f.Error))
	}
}
