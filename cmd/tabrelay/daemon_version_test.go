package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
)

// buildRelease builds the program as a release.
func buildRelease(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tabrelay-"+version)
	build := exec.Command("go", "build", "-o", path, "-ldflags", "-X github.com/tabrelay/tabrelay/cmd/internal/release.version="+version, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build: %v\n%s", err, out)
	}
	return path
}

// A newer front takes the older daemon's place, and the agents of that go on.
func TestNewerFrontTakesOver(t *testing.T) {
	if testing.Short() {
		t.Skip("builds two programs")
	}
	d := newDesk(t)
	older, later := buildRelease(t, "v1.2.3"), buildRelease(t, "v1.3.0")
	d.binary = older
	one := d.front().begin("one")
	one.tool("browser_tab_list")
	first := d.contact()
	if first.Version != "v1.2.3" {
		t.Fatalf("the daemon is %s", first.Version)
	}
	d.binary = later
	two := d.front().begin("two")
	second := d.contact()
	if second.Version != "v1.3.0" || second.PID == first.PID {
		t.Fatalf("the daemon is %s (pid %d, before %d)", second.Version, second.PID, first.PID)
	}
	if line := one.tool("browser_tab_list"); !strings.Contains(line, "call browser_connect first") {
		t.Error(line)
	}
	two.tool("browser_tab_list")
	d.binary = older // it works with the newer daemon
	three := d.front().begin("three")
	three.tool("browser_tab_list")
	if now := d.contact(); now.PID != second.PID {
		t.Errorf("an older front put %s in the place of %s", now.Version, second.Version)
	}
	s := d.follow()(func(s daemon.Status) bool { return len(s.Agents) == 3 })
	if s.Version != "v1.3.0" {
		t.Errorf("status: %+v", s)
	}
}
