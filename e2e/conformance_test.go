package e2e

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// fixtures are the complaints of the protocol's suite that a server lacks a tool, a
// prompt or the like which exists for the suite alone, or that time was up.
var fixtures = regexp.MustCompile(`unknown (tool|prompt) "|Tool 'json_schema|Resource not found|(?i:not testable)|Expected InputRequiredResult|Prerequisite failed` +
	`|method not found: "(completion/complete|resources/subscribe)"|did not complete within`)

// TestConformance has the protocol's own suite examine the server, for each version
// of the protocol; what needs no fixtures passes.
func TestConformance(t *testing.T) {
	t.Parallel()
	needClients(t)
	front := httptest.NewUnstartedServer(nil) // adds the token, which the suite has not
	address := "http://" + front.Listener.Addr().String()
	s := own(t, "--allow-origin", address)
	to, err := url.Parse(s.url)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{FlushInterval: -1, Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(&url.URL{Scheme: "http", Host: to.Host})
		r.Out.Host = r.In.Host
		r.Out.Header.Set("Authorization", "Bearer "+token)
	}}
	front.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// An answer that overtakes the end of its request's body ends the body's
		// reading, and then the proxy cuts off the answer.
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		proxy.ServeHTTP(w, r)
	})
	front.Start()
	t.Cleanup(front.Close)
	for version, most := range map[string]struct {
		flag   string
		passed []string // some of what has to
	}{
		"2025-06-18": {"--spec-version", []string{"server-initialize", "server-session-lifecycle", "logging-set-level", "ping", "tools-list", "resources-list", "prompts-list"}},
		"2025-11-25": {"--requirements", []string{"server-initialize", "server-session-lifecycle", "server-sse-multiple-streams", "tools-list", "dns-rebinding-protection"}},
		"2026-07-28": {"--requirements", []string{"server-stateless", "sep-2164-resource-not-found", "caching", "http-header-validation", "dns-rebinding-protection"}},
	} {
		t.Run(version, func(t *testing.T) {
			for attempt := 1; ; attempt++ { // the suite gives a scenario half a minute, which a busy machine may need
				dir := t.TempDir()
				cmd := exec.Command("node", "clients/conformance.mjs", "server", "--url", address+"/mcp", most.flag, version, "-o", dir)
				late := time.AfterFunc(4*time.Minute, func() { _ = cmd.Process.Kill() })
				said, err := cmd.CombinedOutput() // fails for the fixtures
				late.Stop()
				if _, failed := err.(*exec.ExitError); err != nil && !failed {
					t.Fatal(err)
				}
				passed := conforms(t, dir)
				i := slices.IndexFunc(most.passed, func(scenario string) bool { return passed[scenario] == 0 })
				if i < 0 {
					break
				}
				if attempt == 3 {
					t.Fatalf("%s was not passed:\n%s", most.passed[i], said)
				}
			}
		})
	}
}

// conforms returns how many checks of each scenario passed; those that fail are
// errors, unless they lack a fixture.
func conforms(t *testing.T, dir string) map[string]int {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*", "checks.json"))
	if err != nil {
		t.Fatal(err)
	}
	passed := map[string]int{}
	for _, file := range files {
		scenario := strings.TrimPrefix(filepath.Base(filepath.Dir(file)), "server-")
		scenario = scenario[:strings.LastIndex(scenario, "-20")]
		if strings.HasPrefix(scenario, "tasks-") { // an extension of the protocol
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var checks []struct{ ID, Status, ErrorMessage string }
		if err := json.Unmarshal(data, &checks); err != nil {
			t.Fatal(err)
		}
		for _, c := range checks {
			switch {
			case c.Status == "SUCCESS":
				passed[scenario]++
			case c.Status == "FAILURE" && !fixtures.MatchString(c.ErrorMessage):
				t.Errorf("%s, %s: %s", scenario, c.ID, c.ErrorMessage)
			}
		}
	}
	return passed
}
