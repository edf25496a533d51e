package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// step is a call of another server's tool, or a command, and what its answer has
// to hold. A {name} in it stands for what the pattern of that name found in an
// earlier answer.
type step struct {
	tool string
	with args
	want string
}

var playwrightSteps = []step{
	{"browser_tabs", args{"action": "new"}, "1: (current)"},
	{"browser_navigate", args{"url": "{site}"}, "Page Title: Clients"},
	{"browser_snapshot", nil, `button "Press me"`},
	{"browser_click", args{"target": "#button", "element": "button"}, "click"},
	{"browser_evaluate", args{"function": "() => document.querySelector('#said').textContent + document.visibilityState"}, "click true 1visible"},
	{"browser_type", args{"target": "#name", "element": "field", "text": "Ada"}, "fill"},
	{"browser_select_option", args{"target": "#colour", "element": "list", "values": []string{"blue"}}, "blue"},
	{"browser_take_screenshot", nil, "Screenshot"},
	{"browser_navigate_back", nil, "about:blank"},
	{"browser_tabs", args{"action": "close"}, "0: (current)"},
}

var devtoolsSteps = []step{
	{"new_page", args{"url": "{site}", "background": true}, "Clients"},
	{"take_snapshot", args{"pageId": "{page}"}, `button "Press me"`},
	{"click", args{"pageId": "{page}", "uid": "{button}"}, "clicked"},
	{"fill", args{"pageId": "{page}", "uid": "{field}", "value": "Ada"}, "filled"},
	{"evaluate_script", args{"pageId": "{page}", "function": "() => document.querySelector('#said').textContent + document.querySelector('#name').value"}, "click true 1Ada"},
	{"take_screenshot", args{"pageId": "{page}"}, "screenshot"},
	{"list_console_messages", args{"pageId": "{page}"}, "ready"},
	{"list_network_requests", args{"pageId": "{page}"}, "[200]"},
	{"navigate_page", args{"pageId": "{page}", "type": "reload"}, "reloaded"},
	{"close_page", args{"pageId": "{page}"}, "was closed"},
}

var browserSteps = []step{
	{"tab new", nil, "about:blank"},
	{"open {site}", nil, "Clients"},
	{"snapshot -i", nil, `button "Press me"`},
	{"click #button", nil, "Done"},
	{"get text #said", nil, "click true 1"},
	{"fill #name Ada", nil, "Done"},
	{"get value #name", nil, "Ada"},
	{"eval document.visibilityState", nil, "visible"},
	{"screenshot {folder}/seen.png", nil, "saved"},
	{"tab close", nil, "closed"},
}

var known = map[string]*regexp.Regexp{
	"page":   regexp.MustCompile(`(\d+): Clients .*\[selected\]`),
	"button": regexp.MustCompile(`uid=(\S+) button "Press me"`),
	"field":  regexp.MustCompile(`uid=(\S+) textbox "Name"`),
}

// Other servers for agents work through an address for CDP clients, unchanged, while
// an agent of ours clicks between their steps and notices none of them.
func TestB96OtherServers(t *testing.T) {
	t.Parallel()
	needClients(t)
	modules, err := filepath.Abs("clients/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	s, site := own(t), clientSite(t)
	socket := s.relay(t, "/cdp/")
	address := strings.Replace(socket, "ws://", "http://", 1)
	for _, server := range []struct {
		name  string
		steps []step
		call  func(t *testing.T, folder string) func(step) (string, error)
	}{
		{"Playwright MCP", playwrightSteps, func(t *testing.T, folder string) func(step) (string, error) {
			return another(t, folder, modules+"/@playwright/mcp/cli.js", "--cdp-endpoint", address, "--output-dir", folder)
		}},
		{"Chrome DevTools MCP", devtoolsSteps, func(t *testing.T, folder string) func(step) (string, error) {
			return another(t, folder, modules+"/chrome-devtools-mcp/build/src/bin/chrome-devtools-mcp.js",
				"--wsEndpoint", socket, "--no-usage-statistics", "--no-performance-crux")
		}},
		{"agent-browser", browserSteps, func(t *testing.T, folder string) func(step) (string, error) {
			return agentBrowser(t, folder, modules+"/agent-browser/bin/agent-browser.js", socket)
		}},
	} {
		t.Run(server.name, func(t *testing.T) {
			a, folder := s.agent(t), t.TempDir()
			a.ok("browser_navigate", args{"url": site})
			call, found := server.call(t, folder), map[string]string{"site": site, "folder": folder}
			for n, step := range server.steps {
				said, err := call(step.filled(found))
				if err != nil || !strings.Contains(said, step.want) {
					t.Fatalf("step %d, %s: %v in %.600s; want %q", n+1, step.tool, err, said, step.want)
				}
				for name, pattern := range known {
					if m := pattern.FindStringSubmatch(said); m != nil {
						found[name] = m[1]
					}
				}
				a.ok("browser_click", args{"selector": "#button"})
			}
			a.ok("browser_evaluate", args{"script": "document.querySelector('#name').value"}).lacks("Ada")
			a.ok("browser_disconnect", nil)
		})
	}
}

func (s step) filled(found map[string]string) step {
	fill := func(text string) string {
		for name, value := range found {
			text = strings.ReplaceAll(text, "{"+name+"}", value)
		}
		return text
	}
	filled := args{}
	for name, value := range s.with {
		filled[name] = value
		if text, is := value.(string); is {
			filled[name] = fill(text)
			if n, err := strconv.Atoi(fill(text)); err == nil {
				filled[name] = n
			}
		}
	}
	return step{fill(s.tool), filled, s.want}
}

// another starts another MCP server and returns what calls its tools.
func another(t *testing.T, folder, script string, args ...string) func(step) (string, error) {
	t.Helper()
	cmd := exec.Command("node", append([]string{script}, args...)...)
	cmd.Dir, cmd.Env = folder, append(os.Environ(), "HOME="+folder, "CI=1")
	ctx, cancel := context.WithTimeout(t.Context(), callLimit)
	defer cancel()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, nil).Connect(ctx, &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	other := &agent{t, session}
	return func(s step) (string, error) {
		an := other.call(s.tool, s.with)
		if an.failed {
			return an.text, errors.New("the tool failed")
		}
		return an.text, nil
	}
}

// agentBrowser connects a session of agent-browser and returns what runs its commands.
func agentBrowser(t *testing.T, folder, script, address string) func(step) (string, error) {
	t.Helper()
	run := func(args ...string) (string, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(t.Context()), callLimit)
		defer cancel()
		cmd := exec.CommandContext(ctx, "node", append([]string{script}, args...)...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), "HOME="+folder, "AGENT_BROWSER_SOCKET_DIR="+folder, "AGENT_BROWSER_SESSION=e2e")
		cmd.WaitDelay = time.Second // the program that node started may hold the output
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	t.Cleanup(func() { _, _ = run("close") }) // ends its daemon
	if out, err := run("connect", address); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return func(s step) (string, error) { return run(strings.SplitN(s.tool, " ", 3)...) }
}
