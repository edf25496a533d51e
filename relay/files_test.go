package relay

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

func TestB89FilesThatClientsMayGive(t *testing.T) {
	dir := t.TempDir()
	own := filepath.Join(dir, "state")
	for _, path := range []string{"report.txt", ".env", ".ssh/id", "state/relay.json", "a..b/x.txt", "extension/pairing.json", "extension/popup.js"} {
		path = filepath.Join(dir, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	links := map[string]string{"key.txt": filepath.Join(dir, ".ssh/id"), "all": own, "copy.txt": filepath.Join(dir, "report.txt"), "sys": "/proc/self"}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	for path, want := range map[string]bool{
		"report.txt": false, "copy.txt": false, "a..b/x.txt": false, "missing.txt": false,
		".env": true, ".ssh/id": true, "key.txt": true, "state/relay.json": true, "all/relay.json": true, "state": true, "extension/pairing.json": true, "extension/popup.js": true, ".ssh": true, "": true, "sys/environ": true,
	} {
		if runtime.GOOS == "windows" && filepath.IsLocal(path) && links[filepath.Dir(path)]+links[path] != "" {
			continue
		}
		if got := private(filepath.Join(dir, path), []string{own}); got != want {
			t.Errorf("%s: %v", path, got)
		}
	}
	// A file system may take a name in other letters, too; elsewhere there is no such file.
	upper := filepath.Join(dir, "STATE/relay.json")
	if _, err := os.Stat(upper); private(upper, []string{own}) != (err == nil) {
		t.Errorf("%s: %v", upper, err)
	}
}

// TestB101ClientsFarAwayGiveNoFiles holds that who is on another machine gives
// pages none of this one.
func TestB101ClientsFarAwayGiveNoFiles(t *testing.T) {
	file := filepath.Join(t.TempDir(), "report.txt")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	table, err := os.ReadFile("../extension/policy.json")
	if err != nil {
		t.Fatal(err)
	}
	h := &hub{policy: parsePolicy(table)}
	for _, far := range []bool{false, true} {
		params := object(map[string]any{"files": []string{file}})
		if got := h.givesPrivate("DOM.setFileInputFiles", params, far); got != far {
			t.Errorf("far %v: refused %v", far, got)
		}
	}
}
