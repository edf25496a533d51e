package e2e

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// specPeer is a client or an extension that knows the proxy's protocol from its
// specification alone: no frame that it sends has an id.
type specPeer struct {
	t      *testing.T
	socket *websocket.Conn
}

func (p specPeer) say(frame args) {
	p.t.Helper()
	if err := p.socket.WriteJSON(frame); err != nil {
		p.t.Fatal(err)
	}
}

// hear returns the next frame.
func (p specPeer) hear() (frame args) {
	p.t.Helper()
	_ = p.socket.SetReadDeadline(time.Now().Add(40 * time.Second))
	if err := p.socket.ReadJSON(&frame); err != nil {
		p.t.Fatal(err)
	}
	return frame
}

// hears holds what the next frame is.
func (p specPeer) hears(want args) {
	p.t.Helper()
	if got := p.hear(); !reflect.DeepEqual(got, want) {
		p.t.Fatalf("it hears %v, want %v", got, want)
	}
}

// connect connects to a tab of an extension, or to one that it makes where tab is nil.
func (p specPeer) connect(extension string, tab any) string {
	p.t.Helper()
	params := args{"extensionId": extension}
	if tab != nil {
		params["tabId"] = tab
	}
	p.say(args{"method": "connect", "params": params})
	f := p.hear()
	id, _ := f["connectionId"].(string)
	if f["success"] != true || id == "" || len(f) != 2 {
		p.t.Fatalf("connect %v: %v", params, f)
	}
	return id
}

// extensions lists them, by their names.
func (p specPeer) extensions() map[string]string {
	p.t.Helper()
	p.say(args{"method": "list_extensions", "params": args{}})
	ids := map[string]string{}
	f := p.hear()
	list, ok := f["extensions"].([]any)
	if !ok {
		p.t.Fatalf("the extensions are %v", f)
	}
	for _, e := range list {
		if e := e.(map[string]any); e["connected"] == true && len(e) == 3 {
			ids[e["name"].(string)] = e["id"].(string)
		}
	}
	return ids
}

// TestProxyAsSpecified is an extension and two clients that know the proxy's protocol
// from its specification alone, and a client of a browser with the extension of ours.
func TestProxyAsSpecified(t *testing.T) {
	server := shared(t)
	peer := func(origin, handshake string, params args) specPeer {
		p := specPeer{t, server.proxy(t, origin).socket}
		p.say(args{"method": handshake, "params": params})
		return p
	}
	far := peer("chrome-extension://"+strings.Repeat("a", 32), "extension_handshake", args{"name": "Chrome 141"})
	a := peer("", "mcp_handshake", args{"projectName": "my-project"})
	b := peer("", "mcp_handshake", args{"projectName": "other"})
	id := ""
	for limit := time.Now().Add(40 * time.Second); id == ""; { // nobody is told when an extension comes
		if id = a.extensions()["Chrome 141"]; id == "" && time.Now().After(limit) {
			t.Fatal("it is not listed")
		}
	}

	// Three connections of two clients.
	one, two, made := a.connect(id, 1), b.connect(id, 2), b.connect(id, nil)
	navigate := args{"method": "Page.navigate", "params": map[string]any{"url": "https://example.com"}, "timeout": 5.0}
	asks := func(p specPeer, connection, method string, params args, tab any) {
		t.Helper()
		p.say(args{"method": method, "connectionId": connection, "params": params})
		want := map[string]any{}
		for name, value := range params {
			want[name] = value
		}
		if tab != nil {
			want["tabId"] = tab
		}
		f := far.hear()
		if delete(f, "id"); !reflect.DeepEqual(f, args{"method": method, "connectionId": connection, "params": want}) {
			t.Fatalf("the extension hears %v", f)
		}
	}
	tells := func(p specPeer, connection, method string, params args) {
		t.Helper()
		far.say(args{"method": method, "params": params})
		p.hears(args{"method": method, "connectionId": connection, "params": map[string]any(params)})
	}
	asks(a, one, "forwardCDPCommand", navigate, 1.0)
	asks(b, two, "forwardCDPCommand", navigate, 2.0)
	asks(b, made, "forwardCDPCommand", navigate, nil) // which tab that is, the extension says first
	event := func(tab float64) args {
		return args{"tabId": tab, "method": "Page.loadEventFired", "params": map[string]any{"timestamp": 1.5}, "frame": "F"}
	}
	tells(b, made, "forwardCDPEvent", event(3))
	tells(b, two, "forwardCDPEvent", event(2))
	tells(a, one, "forwardCDPEvent", event(1))
	asks(b, made, "forwardCDPCommand", navigate, 3.0)
	asks(a, one, "getPageState", args{"depth": 1.0}, 1.0) // what is no CDP goes the same ways
	tells(a, one, "pageState", args{"tabId": 1.0, "title": "T"})

	// A client goes: its tab can be had again, and the others do not notice.
	a.socket.Close()
	again := args{}
	for limit := time.Now().Add(40 * time.Second); again["success"] != true; { // nobody is told when a tab is free
		if time.Now().After(limit) {
			t.Fatal(again)
		}
		b.say(args{"method": "connect", "params": args{"extensionId": id, "tabId": 1}})
		again = b.hear()
	}
	tells(b, again["connectionId"].(string), "forwardCDPEvent", event(1))
	tells(b, two, "forwardCDPEvent", event(2))

	// The extension goes: each connection is told, and so is who connects then.
	far.socket.Close()
	left := map[any]bool{two: true, made: true, again["connectionId"]: true}
	for range 3 {
		f := b.hear()
		if !left[f["connectionId"]] || f["error"] != "Extension disconnected" || len(f) != 2 {
			t.Fatalf("it hears %v", f)
		}
		delete(left, f["connectionId"])
	}
	b.say(args{"method": "connect", "params": args{"extensionId": id}})
	b.hears(args{"success": false, "error": "Extension disconnected"})

	// The same client in a real browser.
	newAgent(t).ok("browser_tab_list", nil) // it is started
	for name, id := range b.extensions() {
		if !strings.HasPrefix(name, "Chromium ") {
			continue
		}
		tab := b.connect(id, nil)
		do := func(method string, params args) {
			b.say(args{"method": "forwardCDPCommand", "connectionId": tab, "params": args{"method": method, "params": params}})
		}
		do("Page.enable", args{})
		do("Page.navigate", args{"url": newSite(t, `<title>Hello</title>`).URL})
		for {
			f := b.hear()
			if params, _ := f["params"].(map[string]any); f["method"] != "forwardCDPEvent" || f["connectionId"] != tab || params["tabId"] == nil {
				t.Fatalf("it hears %v", f)
			} else if params["method"] == "Page.loadEventFired" {
				break
			}
		}
		do("Page.close", args{})
		for f := (args{}); f["error"] == nil; f = b.hear() {
			if f["connectionId"] != nil && f["connectionId"] != tab {
				t.Fatalf("it hears %v", f)
			}
		}
		return
	}
	t.Fatal("no browser is listed")
}
