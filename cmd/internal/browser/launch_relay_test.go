package browser

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/extension"
)

// greeting is what a fake relay keeps of an extension's hello.
type greeting struct {
	Launch string
	Origin string
	At     time.Time
}

// fakeRelay listens as a relay does and tells of each extension that says hello.
func fakeRelay(t *testing.T, s *state.State) <-chan greeting {
	t.Helper()
	hellos := make(chan greeting, 16)
	upgrader := websocket.Upgrader{CheckOrigin: func(*http.Request) bool { return true }}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/extension/"+s.ExtensionID {
			http.NotFound(w, r)
			return
		}
		conn, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer conn.Close()
		nonce := state.NewKey()
		_ = conn.WriteJSON(map[string]any{"method": "prove", "params": map[string]any{"nonce": nonce, "protocol": []int{2, 2}}})
		for {
			_, frame, err := conn.ReadMessage()
			if err != nil {
				return
			}
			var m struct {
				Method string
				Params struct{ Launch, Nonce string }
			}
			if json.Unmarshal(frame, &m) == nil && m.Method == "prove" {
				mac := hmac.New(sha256.New, s.Key())
				fmt.Fprintf(mac, "tabrelay\nrelay\n%s\n%s\n%s", r.Host, nonce, m.Params.Nonce)
				_ = conn.WriteJSON(map[string]any{"method": "proof", "params": map[string]any{"mac": base64.RawURLEncoding.EncodeToString(mac.Sum(nil))}})
			}
			if json.Unmarshal(frame, &m) == nil && m.Method == "hello" {
				select {
				case hellos <- greeting{Launch: m.Params.Launch, Origin: r.Header.Get("Origin"), At: time.Now()}:
				default:
				}
			}
		}
	}))
	t.Cleanup(server.Close)
	at, err := url.Parse(server.URL)
	if err != nil {
		t.Fatal(err)
	}
	port, err := strconv.Atoi(at.Port())
	if err == nil {
		err = s.UsePort(port)
	}
	if err != nil {
		t.Fatal(err)
	}
	return hellos
}

func waitHello(t *testing.T, hellos <-chan greeting) greeting {
	t.Helper()
	select {
	case g := <-hellos:
		return g
	case <-time.After(30 * time.Second):
		t.Fatal("no hello within 30 s")
		return greeting{}
	}
}

// chromium is the browser to test with.
func chromium(t *testing.T) Installed {
	t.Helper()
	b, err := Find("chromium", os.Getenv("TABRELAY_BROWSER_PATH"))
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	return b
}

// smallExtension is as little of an extension as launching is about: with the
// pinned id it says hello to the relay that its pairing names.
func smallExtension(t *testing.T, p pairing) string {
	t.Helper()
	given, err := extension.Files.ReadFile("manifest.json")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	manifest := fmt.Sprintf(`{"manifest_version":3,"name":"small","version":"1","key":%q,
		"background":{"service_worker":"w.js"}}`, manifestKey(given))
	data, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		"manifest.json": manifest,
		"pairing.json":  string(data),
		"w.js": `fetch(chrome.runtime.getURL("pairing.json")).then(r => r.json()).then(p => {
			const s = new WebSocket("ws://127.0.0.1:" + p.port + "/extension/" + p.id);
			s.onopen = () => s.send(JSON.stringify({method: "hello", params: {launch: p.launch}}));
		});`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func testState(t *testing.T) *state.State {
	t.Helper()
	s, err := state.Open(filepath.Join(t.TempDir(), "state"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}
