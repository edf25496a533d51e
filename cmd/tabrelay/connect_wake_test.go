//go:build !windows

package main

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/gorilla/websocket"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/extension"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// A person's browser that was connected some time is woken through a page of the
// extension when an agent connects.
func TestOwnBrowserIsWoken(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TABRELAY_STATE", dir)
	t.Setenv("DISPLAY", ":99")
	browser, asked := filepath.Join(dir, "chromium"), filepath.Join(dir, "asked")
	// Opening a fifo for writing waits for who reads it: that is the event.
	if err := os.WriteFile(browser, []byte("#!/bin/sh\necho \"$@\" > "+asked+"\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	mkfifo(t, asked)
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	h.remember(relay.Browser{InstallID: "another", Name: "Google Chrome"}, false)
	h.remember(relay.Browser{InstallID: "mine", Name: "Chromium"}, false)
	h.remember(relay.Browser{InstallID: "mine", Name: "Chromium"}, false)
	if list := h.remembered(); len(list) != 2 || list[0].Install != "mine" {
		t.Fatalf("remembered is %v", list)
	}
	go func() { // ends when the browser was asked
		line, err := os.ReadFile(asked)
		if want := "chrome-extension://" + extension.ID + "/wake.html"; err != nil || strings.TrimSpace(string(line)) != want {
			t.Errorf("the browser was asked %q, %v", line, err)
		}
		socket, _, err := websocket.DefaultDialer.Dial("ws://"+h.address()+"/extension/"+h.state.ExtensionID,
			http.Header{"Origin": {"chrome-extension://" + extension.ID}})
		if err != nil {
			t.Error(err)
			return
		}
		defer socket.Close()
		if err := prove(socket, h.state, h.address()); err != nil {
			t.Error(err)
			return
		}
		_ = socket.WriteMessage(websocket.TextMessage, []byte(`{"method":"hello","params":{"extensionVersion":"1","installId":"mine","launch":"",`+
			`"browser":{"name":"Chromium","version":"156.0","userAgent":"x"},"tabs":[]}}`))
		_, _, _ = socket.ReadMessage() // until the host ends
	}()
	end, err := h.seeker(settings.Agent{Choice: settings.Choice{BrowserPath: browser}}).connect(t.Context(), tools.Want{Browser: "chromium"})
	if err != nil || end.Name != "Chromium 156" || !strings.Contains(end.How, "your own") {
		t.Errorf("got %+v, %v", end, err)
	}
}

// TestPhaseIsUnknown is an agent whose person's browser does not come, asked for or
// not: nobody can tell whether it runs. The set whose tools follow the state says so
// as its specification has it.
func TestPhaseIsUnknown(t *testing.T) {
	t.Setenv("TABRELAY_STATE", t.TempDir())
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	h.missed.Store(true) // it was waited for once in vain
	h.remember(relay.Browser{InstallID: "mine", Name: "Chromium"}, false)
	var all sync.WaitGroup
	for _, c := range []struct {
		set, tool string
		with      map[string]any
		failed    bool
		says      []string
	}{
		{"full", "browser_connect", map[string]any{"browser": "chromium-1"}, true, []string{"phase: unknown", "chromium-1 is not connected and did not wake"}},
		{"minimal", "snapshot", nil, true, []string{"code: NO_TAB", "set up for Tabrelay, but not connected"}},
		{"facade", "browser_navigate", map[string]any{"action": "get_url"}, true, []string{`"kind":"ExtensionNotConnected"`, "set up for Tabrelay, but not connected"}},
		{"dynamic", "connect_browser", nil, false, []string{`"connected":false,"error":"No browser found: your own is set up, but its extension is not connected","instructions":"Please open Chrome`}},
	} {
		s := h.seeker(settings.Agent{Display: []string{}}) // where none can be woken
		client, end := clientOf(t, tools.Options{Settings: tools.Settings{Tools: c.set}, Connect: s.connect})
		defer end()
		all.Go(func() {
			r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.with})
			if err != nil {
				t.Errorf("%s %s: %v", c.set, c.tool, err)
				return
			}
			text := r.Content[0].(*mcp.TextContent).Text
			for _, says := range c.says {
				if !strings.Contains(text, says) {
					t.Errorf("%s %s: no %q in %s", c.set, c.tool, says, text)
				}
			}
			if r.IsError != c.failed {
				t.Errorf("%s %s: isError is %v: %s", c.set, c.tool, r.IsError, text)
			}
		})
	}
	all.Wait() // before the clients end
}

func mkfifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}

// prove does what an extension does before it says hello.
func prove(socket *websocket.Conn, s *state.State, address string) error {
	type frame struct {
		Method string         `json:"method"`
		Params map[string]any `json:"params"`
	}
	var asked frame
	if err := socket.ReadJSON(&asked); err != nil {
		return err
	}
	nonce := state.NewKey()
	if err := socket.WriteJSON(frame{"prove", map[string]any{"protocol": 2, "nonce": nonce}}); err != nil {
		return err
	}
	if err := socket.ReadJSON(new(frame)); err != nil {
		return err
	}
	m := hmac.New(sha256.New, s.Key())
	fmt.Fprintf(m, "tabrelay\nextension\n%s\n%s\n%s", address, asked.Params["nonce"], nonce)
	return socket.WriteJSON(frame{"proof", map[string]any{"mac": base64.RawURLEncoding.EncodeToString(m.Sum(nil))}})
}
