package relay

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// bridge is an extension that was written from the table of commands and events
// alone: it says no hello, and does not answer what is not in the table.
type bridge struct {
	t     *testing.T
	conn  *websocket.Conn
	asked chan string
	mu    sync.Mutex // held to write
}

func (b *bridge) say(frame any) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.conn.WriteJSON(frame)
}

func (b *bridge) serve() {
	type tab struct {
		ID    string `json:"id"`
		Title string `json:"title"`
		URL   string `json:"url"`
	}
	tabs := []tab{{"B4FE7A8D1C3E", "Example", "https://example.com/"}}
	for {
		var request struct {
			ID     int    `json:"id"`
			Method string `json:"method"`
			Params struct {
				ID, Method, URL string
				Params          struct{ Expression string }
			} `json:"params"`
		}
		if b.conn.ReadJSON(&request) != nil {
			return
		}
		var result any = struct{}{}
		switch request.Method {
		case "listRegisteredTabs":
			result = map[string]any{"tabs": tabs}
		case "listTabs":
			result = map[string]any{"tabs": []tab{}}
		case "attachTab", "closeTab":
		case "createTab":
			result = tab{"A1B2C3D4E5F6", "New Tab", request.Params.URL}
		case "forwardCDPCommand":
			if request.Params.Method == "Runtime.evaluate" {
				result = map[string]any{"result": map[string]any{"type": "number", "value": 2}}
			}
		default:
			b.asked <- "not in the table: " + request.Method
			continue
		}
		b.asked <- request.Method
		if b.say(map[string]any{"id": request.ID, "result": result}) != nil {
			return
		}
	}
}

func (b *bridge) hears(want string) {
	b.t.Helper()
	select {
	case got := <-b.asked:
		if got != want {
			b.t.Fatalf("it is asked %s, want %s", got, want)
		}
	case <-time.After(30 * time.Second):
		b.t.Fatalf("it is not asked %s", want)
	}
}

// TestExtensionWithoutAHello holds that an extension which knows the table of
// commands and nothing else is served, once it holds the key; and that it is told
// nothing without.
func TestExtensionWithoutAHello(t *testing.T) {
	d := newDesk(t, Options{})
	d.server.silence = time.Nanosecond // it sends no keepalive, and may be silent
	for _, origin := range []string{"chrome-extension://ponmlkjihgfedcbaponmlkjihgfedcba", ""} {
		if _, resp, err := d.dial("/extension/ext-id", http.Header{"Origin": {origin}}); err == nil || resp.StatusCode != http.StatusForbidden {
			t.Errorf("Origin %q: %v", origin, err)
		}
	}
	b := &bridge{t: t, conn: d.proven(), asked: make(chan string, 100)}
	_ = b.conn.SetReadDeadline(time.Time{})
	ended := make(chan struct{})
	go func() { // ends with the socket
		defer close(ended)
		b.serve()
	}()
	defer func() {
		b.conn.Close()
		<-ended
	}()
	b.hears("listRegisteredTabs")
	b.hears("listTabs")
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	if _, err := d.server.Wait(ctx, func(Browser) bool { return true }); err != nil {
		t.Fatal(err)
	}
	c := d.client()
	call := func(id, message string) string {
		t.Helper()
		if err := c.WriteMessage(websocket.TextMessage, []byte(`{"id":`+id+`,`+message+`}`)); err != nil {
			t.Fatal(err)
		}
		for {
			_, data, err := c.ReadMessage()
			if err != nil {
				t.Fatal(err)
			}
			if strings.HasPrefix(string(data), `{"id":`+id+`,`) {
				return string(data)
			}
		}
	}
	if got := call("1", `"method":"Target.getTargets"`); !strings.Contains(got, `"title":"Example","url":"https://example.com/"`) {
		t.Errorf("its tabs: %s", got)
	}
	var at struct{ Result struct{ SessionID string } }
	if err := json.Unmarshal([]byte(call("2", `"method":"Target.attachToTarget","params":{"targetId":"B4FE7A8D1C3E","flatten":true}`)), &at); err != nil {
		t.Fatal(err)
	}
	b.hears("attachTab")
	if got := call("3", `"method":"Runtime.evaluate","params":{"expression":"1+1"},"sessionId":"`+at.Result.SessionID+`"`); !strings.Contains(got, `"value":2`) {
		t.Errorf("evaluate: %s", got)
	}
	// What it does not know it is not asked, and nobody waits for it.
	if got := call("4", `"method":"Target.activateTarget","params":{"targetId":"B4FE7A8D1C3E"}`); !strings.Contains(got, "cannot do that") {
		t.Errorf("activate: %s", got)
	}
	call("5", `"method":"Target.detachFromTarget","params":{"sessionId":"`+at.Result.SessionID+`"}`)
	call("9", `"method":"Target.attachToTarget","params":{"targetId":"B4FE7A8D1C3E","flatten":true}`) // it is still attached
	if got := call("6", `"method":"Target.createTarget","params":{"url":"https://example.com/new"}`); !strings.Contains(got, `"targetId":"A1B2C3D4E5F6"`) {
		t.Errorf("a new tab: %s", got)
	}
	if got := call("7", `"method":"Target.closeTarget","params":{"targetId":"B4FE7A8D1C3E"}`); !strings.Contains(got, `"success":true`) {
		t.Errorf("close: %s", got)
	}
	for _, event := range []string{ // a tab that came, and one that goes
		`{"method":"tabOpened","params":{"id":"A1B2C3D4E5F7","title":"Other","url":"https://example.com/other"}}`,
		`{"method":"tabClosed","params":{"id":"B4FE7A8D1C3E"}}`,
	} {
		if err := b.say(json.RawMessage(event)); err != nil {
			t.Fatal(err)
		}
	}
	for got := ""; !strings.Contains(got, "Other") || strings.Contains(got, "B4FE7A8D1C3E"); { // each asks once more
		got = call("8", `"method":"Target.getTargets"`)
	}
	for len(b.asked) > 0 {
		if asked := <-b.asked; strings.HasPrefix(asked, "not in") || asked == "attachTab" {
			t.Error(asked)
		}
	}
}
