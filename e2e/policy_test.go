package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestB90Policy: an agent under a policy file sees what it allows, in each set, and
// does nothing to a page.
func TestB90Policy(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	s := newSite(t, clicks)
	one, two, _ := s.threeHosts(t)
	file := filepath.Join(t.TempDir(), "policy.json")
	if err := os.WriteFile(file, []byte(`{"level": "see", "sites": {"allow": ["one.localhost"]}, "tools": {"deny": ["browser_find"]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	a, _ := d.front(d.managed("--policy", file)...)
	a.ok("browser_tab_open", args{"url": one})
	a.ok("browser_snapshot", nil).has("button")
	a.fails("browser_navigate", args{"url": two}).has("two.localhost", "--allow-sites")
	a.fails("browser_click", args{"selector": "button"}).has("the policy's level see excludes it")
	a.fails("browser_evaluate", args{"script": "1"}).has("the policy's level see excludes it")
	a.fails("browser_find", args{"text": "x"}).has("the policy's tools.deny excludes it")
	a.fails("browser_batch", args{"steps": []args{{"tool": "browser_click", "arguments": args{"selector": "button"}}}}).has("the policy's level see excludes it")
	for tool := range a.session.Tools(t.Context(), nil) {
		if strings.Contains("browser_click browser_type browser_evaluate browser_find browser_upload", tool.Name) {
			t.Errorf("%s is listed", tool.Name)
		}
	}
	b, _ := d.front(d.managed("--policy", file, "--tools", "dynamic")...)
	b.ok("connect_browser", nil)
	b.ok("open_tab", args{"url": one})
	list, err := b.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range list.Tools {
		names = append(names, tool.Name)
	}
	said := strings.Join(names, " ")
	if !strings.Contains(said, "read_page") || strings.Contains(said, "press_key") || strings.Contains(said, "click") {
		t.Errorf("the page has %s", said)
	}
	confirmsInItsProgram(t, d, one)
}
