package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// clientOf is an agent's client of tools, and what ends both.
func clientOf(t *testing.T, o tools.Options) (*mcp.ClientSession, func()) {
	t.Helper()
	server, session := tools.NewServer(o)
	here, there := mcp.NewInMemoryTransports()
	if _, err := server.Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	return client, func() {
		_ = client.Close()
		_ = session.Close()
	}
}

// instanceClient is an agent of the set of tools that launches instances.
func instanceClient(t *testing.T, s *seeker) func(name string, args map[string]any) map[string]any {
	t.Helper()
	client, end := clientOf(t, tools.Options{Connect: s.connect, Launch: s.launch, Settings: tools.Settings{Tools: "facade", Output: t.TempDir()}})
	t.Cleanup(end)
	return func(name string, args map[string]any) map[string]any {
		t.Helper()
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		begin := time.Now()
		r, err := client.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
		if err != nil {
			t.Fatal(err)
		}
		text := r.Content[0].(*mcp.TextContent).Text
		t.Logf("%s %v (%s)\n%s", name, args, time.Since(begin).Round(time.Millisecond), text)
		var v map[string]any
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		return v
	}
}

// Instances are browsers of their own: what one keeps the others do not see,
// and each ends when it is told to, or with the host.
func TestInstances(t *testing.T) {
	path := installed(t)
	t.Setenv("TABRELAY_STATE", t.TempDir())
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	closed := false
	defer func() {
		if !closed {
			h.close()
		}
	}()
	call := instanceClient(t, h.seeker(settings.Agent{Choice: settings.Choice{Browser: "chromium", BrowserPath: path.Path, NoSandbox: true}}))
	evaluate := func(code string) any {
		t.Helper()
		return call("browser_execute", map[string]any{"action": "evaluate", "code": code})["result"]
	}
	first := call("browser_session", map[string]any{"action": "launch", "use_pool": false})
	if first["success"] != true || first["instance_id"] == nil {
		t.Fatalf("launch: %v", first)
	}
	here := "http://" + h.address() + "/nothing"
	call("browser_navigate", map[string]any{"action": "goto", "url": here})
	evaluate("localStorage.who = 'first'")
	second := call("browser_session", map[string]any{"action": "launch", "anti_detect": true})
	call("browser_navigate", map[string]any{"action": "goto", "url": here})
	if who := evaluate("localStorage.who ?? 'nobody'"); who != "nobody" {
		t.Errorf("the second sees what the first keeps: %v", who)
	}
	// Without it, Chrome says true where a debugger has it.
	if evaluate("navigator.webdriver") != false {
		t.Error("it announces automation")
	}
	// It says what it would with a window, to the page and to the server.
	says := evaluate("(async () => navigator.userAgent + JSON.stringify(await navigator.userAgentData?.getHighEntropyValues(['fullVersionList'])))()")
	if ua, _ := says.(string); strings.Contains(ua, "Headless") || !strings.Contains(ua, " Chrome/") {
		t.Errorf("its user agent is %q", ua)
	}
	// Its cookies are the agent's own, those of other sites too.
	evaluate("document.cookie = 'here=1'")
	call("browser_navigate", map[string]any{"action": "goto", "url": strings.Replace(here, "127.0.0.1", "localhost", 1)})
	if list, _ := call("browser_extract", map[string]any{"action": "get_cookies"})["cookies"].([]any); len(list) != 1 {
		t.Errorf("its cookies are %v", list)
	}
	third := call("browser_session", map[string]any{"action": "launch", "anti_detect": true}) // the warm one
	for _, v := range []map[string]any{second, third} {
		if v := call("browser_session", map[string]any{"action": "terminate", "instance_id": v["instance_id"]}); v["success"] != true {
			t.Errorf("terminate: %v", v)
		}
	}
	if who := evaluate("localStorage.who"); who != "first" {
		t.Errorf("the first has %v", who)
	}
	list, _ := call("browser_session", map[string]any{"action": "list"})["data"].(map[string]any)
	if list["count"] != float64(1) {
		t.Errorf("list: %v", list)
	}
	h.mu.Lock()
	var left []*managedBrowser
	for _, b := range h.browsers {
		left = append(left, b)
	}
	h.mu.Unlock()
	if len(left) != 2 { // the first, and a warm one
		t.Errorf("%d browsers are left", len(left))
	}
	h.close()
	closed = true
	for _, b := range left {
		if b.alive() {
			t.Error("a browser outlives the host")
		}
	}
}
