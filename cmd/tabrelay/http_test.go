package main

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools"
)

const testToken = "a-token-for-tests"

// What the command line gives is the most that an agent can have.
func TestB90ToolsInTheAddress(t *testing.T) {
	f := newRouter(tools.Options{Settings: tools.Settings{Tools: "minimal"}})
	t.Cleanup(func() { f.close(0) })
	for set, want := range map[string]int{"full": http.StatusForbidden, "facade": http.StatusForbidden, "minimal": http.StatusOK, "": http.StatusOK} {
		r := httptest.NewRequest(http.MethodPost, "http://127.0.0.1/mcp?tools="+set, strings.NewReader(initialize))
		r.Header = http.Header{"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		w := httptest.NewRecorder()
		f.ServeHTTP(w, r)
		if w.Code != want || want != http.StatusOK && !strings.Contains(w.Body.String(), "--tools minimal") {
			t.Errorf("?tools=%s: %d %s", set, w.Code, w.Body)
		}
	}
}

func testFront(t *testing.T) (*httptest.Server, *router) {
	t.Helper()
	f := newRouter(tools.Options{
		Connect: func(context.Context, tools.Want) (tools.Endpoint, error) {
			return tools.Endpoint{}, &tools.Error{Kind: tools.ErrBrowserNotAvailable, Text: "no browser in this test"}
		},
		Claims: &tools.Claims{},
	})
	server := httptest.NewServer(guard(testToken, []string{"https://app.example"}, f))
	t.Cleanup(func() {
		server.Close()
		f.close(0)
	})
	return server, f
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

func TestB62Guard(t *testing.T) {
	server, _ := testFront(t)
	for _, c := range []struct {
		name   string
		change func(*http.Request)
		want   int
	}{
		{"as it should be", func(*http.Request) {}, http.StatusOK},
		{"by name", func(r *http.Request) { r.Host = "localhost:1" }, http.StatusOK},
		{"another host", func(r *http.Request) { r.Host = "evil.example" }, http.StatusForbidden},
		{"a host that looks alike", func(r *http.Request) { r.Host = "localhost.evil.example:80" }, http.StatusForbidden},
		{"an address that looks alike", func(r *http.Request) { r.Host = "127.0.0.1.evil.example" }, http.StatusForbidden},
		{"a web page", func(r *http.Request) { r.Header.Set("Origin", "https://evil.example") }, http.StatusForbidden},
		{"a web page from here", func(r *http.Request) { r.Header.Set("Origin", server.URL) }, http.StatusForbidden},
		{"an opaque origin", func(r *http.Request) { r.Header.Set("Origin", "null") }, http.StatusForbidden},
		{"a web page that is allowed", func(r *http.Request) { r.Header.Set("Origin", "https://app.example") }, http.StatusOK},
		{"one that looks alike", func(r *http.Request) { r.Header.Set("Origin", "https://app.example.evil.example") }, http.StatusForbidden},
		{"two origins", func(r *http.Request) { r.Header["Origin"] = []string{"https://app.example", "https://evil.example"} }, http.StatusForbidden},
		{"an allowed page without the token", func(r *http.Request) {
			r.Header.Set("Origin", "https://app.example")
			r.Header.Del("Authorization")
		}, http.StatusUnauthorized},
		{"an allowed page that asks first", func(r *http.Request) {
			r.Method = http.MethodOptions
			r.Header.Set("Origin", "https://app.example")
			r.Header.Del("Authorization")
		}, http.StatusNoContent},
		{"another page that asks first", func(r *http.Request) {
			r.Method = http.MethodOptions
			r.Header.Set("Origin", "https://evil.example")
		}, http.StatusForbidden},
		{"no token", func(r *http.Request) { r.Header.Del("Authorization") }, http.StatusUnauthorized},
		{"a wrong token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken+"x") }, http.StatusUnauthorized},
		{"half a token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer "+testToken[:len(testToken)/2]) }, http.StatusUnauthorized},
		{"an empty token", func(r *http.Request) { r.Header.Set("Authorization", "Bearer ") }, http.StatusUnauthorized},
		{"another scheme", func(r *http.Request) { r.Header.Set("Authorization", "Basic "+testToken) }, http.StatusUnauthorized},
		{"an unknown session", func(r *http.Request) { r.Header.Set(sessionField, "none") }, http.StatusNotFound},
		{"an unknown session, to close", func(r *http.Request) {
			r.Method = http.MethodDelete
			r.Header.Set(sessionField, "none")
		}, http.StatusNotFound},
		{"a web page without a token is not told of tokens", func(r *http.Request) {
			r.Header.Del("Authorization")
			r.Header.Set("Origin", "https://evil.example")
		}, http.StatusForbidden},
	} {
		r, err := http.NewRequest(http.MethodPost, server.URL, strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+testToken)
		c.change(r)
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(answer.Body)
		_ = answer.Body.Close()
		if answer.StatusCode != c.want {
			t.Errorf("%s: %s, want %d: %s", c.name, answer.Status, c.want, body)
		}
		if strings.Contains(string(body), testToken) {
			t.Errorf("%s: the answer holds the token", c.name)
		}
	}
}

type withToken struct{}

func (withToken) RoundTrip(r *http.Request) (*http.Response, error) {
	r = r.Clone(r.Context())
	r.Header.Set("Authorization", "Bearer "+testToken)
	return http.DefaultTransport.RoundTrip(r)
}

// TestAgents keeps agents apart in both eras of the protocol, and ends what an
// agent held when it goes.
func TestAgents(t *testing.T) {
	server, f := testFront(t)
	connect := func(query string) *mcp.ClientSession {
		t.Helper()
		c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil)
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: server.URL + query, HTTPClient: &http.Client{Transport: withToken{}}, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	for _, query := range []string{"?agent=a", "?agent=b", "?agent=a", ""} {
		s := connect(query)
		list, err := s.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) < 20 {
			t.Fatalf("%q: %d tools, %v", query, len(list.Tools), err)
		}
		r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_connect"})
		if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "no browser in this test") {
			t.Fatalf("%q: %v, %v", query, r, err)
		}
		t.Logf("%q speaks %s", query, s.InitializeResult().ProtocolVersion)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f.mu.Lock()
	agents, sessions := len(f.agents), len(f.sessions)
	f.mu.Unlock()
	t.Logf("%d agents without sessions, %d sessions", agents, sessions)
	if agents != 3 {
		t.Errorf("%d agents, want a, b and the nameless", agents)
	}
	if sessions != agents {
		t.Errorf("%d sessions are left", sessions)
	}
}

// TestToolsByQuery holds that an agent may narrow what it is offered, in both
// eras, and is told of a pattern that matches nothing.
func TestToolsByQuery(t *testing.T) {
	server, _ := testFront(t)
	send := func(query, version, body string) (int, string) {
		t.Helper()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, server.URL+query, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer "+testToken)
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		if version != "" {
			r.Header.Set(versionField, version)
		}
		res, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		text, _ := io.ReadAll(res.Body)
		return res.StatusCode, string(text)
	}
	for query, want := range map[string]string{
		"?tools=minimal&deny-tools=inter*,browser_*": `?deny-tools=: no tool is called "browser_*"`,
		"?allow-tools=browser_[":                     `?allow-tools=: "browser_[" is not a valid pattern`,
		"?tools=minimal&deny-tools=*":                "leave no tool",
	} {
		if code, text := send(query, "", initialize); code != http.StatusBadRequest || !strings.Contains(text, want) {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
	c := mcp.NewClient(&mcp.Implementation{Name: "t", Version: "1"}, nil)
	for query, want := range map[string]int{"?agent=a&allow-tools=browser_tab_*": 4, "?agent=a": 44, "?agent=a&tools=minimal&deny-tools=console,snapshot": 2} {
		s, err := c.Connect(t.Context(), &mcp.StreamableClientTransport{
			Endpoint: server.URL + query, HTTPClient: &http.Client{Transport: withToken{}}, DisableStandaloneSSE: true}, nil)
		if err != nil {
			t.Fatal(err)
		}
		list, err := s.ListTools(t.Context(), nil)
		if err != nil || len(list.Tools) != want {
			t.Errorf("%s: %d tools, %v", query, len(list.Tools), err)
		}
		if strings.Contains(query, "minimal") {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "console"})
			if err != nil || !r.IsError || !strings.Contains(r.Content[0].(*mcp.TextContent).Text, "console is not available here") {
				t.Errorf("console: %v %v", r, err)
			}
		}
		_ = s.Close()
	}
}

// TestOldEra speaks the protocol with sessions by hand.
func TestOldEra(t *testing.T) {
	server, f := testFront(t)
	send := func(method, session, body string) *http.Response {
		t.Helper()
		r, err := http.NewRequest(method, server.URL, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		r.Header.Set("Authorization", "Bearer "+testToken)
		if session != "" {
			r.Header.Set(sessionField, session)
			r.Header.Set(versionField, "2025-11-25")
		}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = answer.Body.Close() })
		return answer
	}
	answer := send(http.MethodPost, "", initialize)
	id := answer.Header.Get(sessionField)
	if answer.StatusCode != http.StatusOK || id == "" {
		t.Fatalf("%s, session %q", answer.Status, id)
	}
	_, _ = io.ReadAll(answer.Body)
	if n := len(f.sessions); n != 1 {
		t.Errorf("%d sessions after one began", n)
	}
	answer = send(http.MethodPost, id, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	if answer.StatusCode != http.StatusAccepted {
		t.Errorf("initialized: %s", answer.Status)
	}
	answer = send(http.MethodPost, id, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"browser_tab_list"}}`)
	body, _ := io.ReadAll(answer.Body)
	if !strings.Contains(string(body), "no browser is connected") {
		t.Errorf("%s: %s", answer.Status, body)
	}
	if answer = send(http.MethodDelete, id, ""); answer.StatusCode != http.StatusNoContent {
		t.Errorf("delete: %s", answer.Status)
	}
	if answer = send(http.MethodPost, id, `{"jsonrpc":"2.0","id":3,"method":"tools/list"}`); answer.StatusCode != http.StatusNotFound {
		t.Errorf("after its end: %s", answer.Status)
	}
}
