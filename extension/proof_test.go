package extension_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// stranger listens in the relay's place and has whatever key play has.
func stranger(t *testing.T, play func(ws *websocket.Conn)) (address string, heard chan string) {
	t.Helper()
	heard = make(chan string, 100)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		ws, err := (&websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}).Upgrade(w, req, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		play(ws)
		for {
			_, text, err := ws.ReadMessage()
			if err != nil {
				heard <- "end: " + err.Error()
				return
			}
			heard <- string(text)
		}
	}))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://"), heard
}

// TestB88TheExtensionWantsAProof holds that who listens on the extension's port
// without the key is told nothing and obeyed in nothing.
func TestB88TheExtensionWantsAProof(t *testing.T) {
	r := newFakeRelay(t)
	c := launch(t, r, "all")
	r.await(0, "hello", nil)
	options := c.page(base + "options.html")
	popup := c.popup(options)
	c.until(popup, `state.textContent === "Connected"`)
	send := func(ws *websocket.Conn, frames ...string) {
		for _, f := range frames {
			_ = ws.WriteMessage(websocket.TextMessage, []byte(f))
		}
	}
	prove := `{"method":"prove","params":{"nonce":"` + strings.Repeat("A", 43) + `","protocol":[2,2]}}`
	const command = `{"id":1,"method":"createTab","params":{"url":"http://stranger.test/"}}`
	for name, play := range map[string]func(ws *websocket.Conn){
		"commands at once":    func(ws *websocket.Conn) { send(ws, command, command) },
		"commands for proofs": func(ws *websocket.Conn) { send(ws, prove, command) },
		"a made-up proof": func(ws *websocket.Conn) {
			send(ws, prove, `{"method":"proof","params":{"mac":"`+strings.Repeat("A", 43)+`"}}`, command)
		},
		"the proof without a nonce": func(ws *websocket.Conn) {
			send(ws, `{"method":"proof","params":{"mac":"`+strings.Repeat("A", 43)+`"}}`, command)
		},
		"another key": func(ws *websocket.Conn) {
			_ = (&fakeRelay{t: t}).prove(ws, []byte("x"), ws.LocalAddr().String())
			send(ws, command)
		},
		"another address": func(ws *websocket.Conn) { _ = (&fakeRelay{t: t}).prove(ws, r.key, r.address()); send(ws, command) },
		"garbage":         func(ws *websocket.Conn) { send(ws, "\x00", "{", `[]`, `null`, strings.Repeat("x", 1<<20)) },
	} {
		t.Run(name, func(t *testing.T) {
			address, heard := stranger(t, play)
			c.eval(options, `(relay.value = "`+address+`", form.requestSubmit(), 1)`, nil)
			c.until(popup, `state.textContent === "Not your tabrelay" && !reason.hidden && reason.textContent.includes("`+address+`")`)
			for text := range heard {
				if strings.HasPrefix(text, "end: ") {
					break
				}
				if !strings.HasPrefix(text, `{"method":"prove","params":{"protocol":2,"nonce":"`) {
					t.Errorf("it was told %s", text)
				}
			}
			if opened := c.targets(func(t target) bool { return strings.Contains(t.URL, "stranger.test") }); len(opened) > 0 {
				t.Error("a command was obeyed")
			}
		})
	}

	t.Run("another protocol", func(t *testing.T) {
		address, _ := stranger(t, func(ws *websocket.Conn) {
			send(ws, strings.Replace(prove, "[2,2]", "[3,4]", 1))
		})
		c.eval(options, `(relay.value = "`+address+`", form.requestSubmit(), 1)`, nil)
		c.until(popup, `state.textContent === "Update needed" && reason.textContent.includes("tabrelay extension")`)
	})

	t.Run("a server elsewhere", func(t *testing.T) {
		for _, address := range []string{"evil.example:8765", "192.168.0.1:8765", "127.0.0.1.evil.example:1", "127.0.0.2:8765", "localhost:99999", "localhost"} {
			c.eval(options, `(saved.textContent = "", relay.value = "`+address+`", form.requestSubmit(), 1)`, nil)
			c.until(options, `relay.getAttribute("aria-invalid") === "true" && saved.textContent.includes("on this computer")`)
		}
		// One that was kept by an earlier version does not count.
		mark := r.mark()
		c.eval(options, `chrome.storage.local.set({ relay: "evil.example:8765" }).then(() => 1)`, nil)
		r.await(mark, "hello", nil)
	})

	t.Run("localhost is one address", func(t *testing.T) {
		mark := r.mark()
		c.eval(options, `(relay.value = "`+strings.Replace(r.address(), "127.0.0.1", "localhost", 1)+`", form.requestSubmit(), 1)`, nil)
		c.until(options, `relay.value === "`+r.address()+`"`)
		r.await(mark, "hello", nil)
	})
}
