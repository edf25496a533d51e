package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// httpDesk is a desk whose usual port is a free one.
func httpDesk(t *testing.T) *desk {
	t.Helper()
	d := newDesk(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	port := l.Addr().(*net.TCPAddr).Port
	_ = l.Close()
	s, err := state.Open(d.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UsePort(port); err != nil {
		t.Fatal(err)
	}
	return d
}

// http starts a process that has agents served over HTTP, and returns the
// address that it says.
func (d *desk) http(args ...string) (address string, cmd *exec.Cmd) {
	d.t.Helper()
	cmd = d.command(append([]string{"--transport", "http"}, args...)...)
	cmd.Env = append(cmd.Env, "TABRELAY_TOKEN="+testToken)
	out, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	line, err := bufio.NewReader(out).ReadString('\n')
	address = regexp.MustCompile(`http://\S+/mcp`).FindString(line)
	if address == "" {
		d.t.Fatalf("it says %q, %v", line, err)
	}
	return address, cmd
}

// agent connects an agent over HTTP; with a name it speaks the protocol without
// sessions.
func (d *desk) agent(address, query string) *mcp.ClientSession {
	d.t.Helper()
	c := mcp.NewClient(&mcp.Implementation{Name: "over-http", Version: "1"}, nil)
	s, err := c.Connect(d.t.Context(), &mcp.StreamableClientTransport{
		Endpoint: address + query, HTTPClient: &http.Client{Transport: withToken{}}, DisableStandaloneSSE: true}, nil)
	if err != nil {
		d.t.Fatal(err)
	}
	return s
}

func listTabs(t *testing.T, s *mcp.ClientSession) string {
	t.Helper()
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_tab_list"})
	if err != nil {
		t.Fatal(err)
	}
	return r.Content[0].(*mcp.TextContent).Text
}

// Agents over HTTP live in the daemon beside those over stdio, each with the
// settings of its own process.
func TestAgentsOverHTTPLiveInTheDaemon(t *testing.T) {
	d := httpDesk(t)
	one := d.front().begin("one")
	address, cmd := d.http()
	if want := fmt.Sprintf("http://127.0.0.1:%d/mcp", d.contact().Port); address != want {
		t.Fatalf("served at %q, want %s", address, want)
	}
	two, three := d.agent(address, "?agent=a&tools=minimal"), d.agent(address, "?agent=b")
	until := d.follow()
	if list, err := two.ListTools(t.Context(), nil); err != nil || len(list.Tools) != 4 {
		t.Errorf("%v, %v", list, err)
	}
	if text := listTabs(t, three); !strings.Contains(text, "call browser_connect first") {
		t.Error(text)
	}
	s := until(func(s daemon.Status) bool {
		return len(s.Agents) == 3 && s.Agents[1].Name != "" && s.Agents[2].Name != ""
	})
	for i, want := range []string{"one", "over-http", "over-http 2"} {
		if a := s.Agents[i]; a.Name != want || a.HTTP != (i > 0) {
			t.Errorf("agent %d is %+v, want %s", i, a, want)
		}
	}
	for token, want := range map[string]int{"": http.StatusUnauthorized, "Bearer wrong": http.StatusUnauthorized, "Bearer " + testToken: http.StatusOK} {
		r, err := http.NewRequest(http.MethodPost, address, strings.NewReader(initialize))
		if err != nil {
			t.Fatal(err)
		}
		r.Header = http.Header{"Authorization": {token}, "Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"}}
		answer, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		_ = answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("with token %q: %s", token, answer.Status)
		}
	}
	// A second process is told where the first one serves.
	said, err := d.command("--transport", "http").CombinedOutput()
	if err == nil || !strings.Contains(string(said), address) || !strings.Contains(string(said), strconv.Itoa(cmd.Process.Pid)) {
		t.Errorf("the second said %s", said)
	}
	// They end with their process, without a word; the others stay.
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	until(func(s daemon.Status) bool { return len(s.Agents) == 1 })
	answer, err := http.Post(address, "application/json", strings.NewReader(initialize))
	if err != nil {
		t.Fatal(err)
	}
	text, _ := io.ReadAll(answer.Body)
	_ = answer.Body.Close()
	if answer.StatusCode != http.StatusServiceUnavailable || !strings.Contains(string(text), "--transport http") {
		t.Errorf("%s: %s", answer.Status, text)
	}
	one.tool("browser_tab_list")
	if again, _ := d.http(); again != address {
		t.Errorf("another process serves at %q", again)
	}
}

// The process finds or starts another daemon; a person who stops the daemon ends
// it, too.
func TestAgentsOverHTTPOutliveTheirDaemon(t *testing.T) {
	d := httpDesk(t)
	address, cmd := d.http()
	a := d.agent(address, "?agent=a")
	listTabs(t, a)
	old := d.contact()
	killProcess(t, old.PID)
	d.left()
	// The event is the daemon's: whoever asks for one takes the same lock.
	d.front().begin("one")
	until := d.follow()
	until(func(s daemon.Status) bool { return s.PID != old.PID && s.HTTP })
	if text := listTabs(t, a); !strings.Contains(text, "call browser_connect first") {
		t.Error(text)
	}
	until(func(s daemon.Status) bool { return len(s.Agents) == 2 && s.Agents[1].Name == "over-http" })
	if _, err := daemon.Stop(t.Context(), d.dir); err != nil {
		t.Fatal(err)
	}
	ended, err := cmd.Process.Wait()
	if err != nil || ended.ExitCode() != 0 {
		t.Errorf("%v, %v", ended, err)
	}
}
