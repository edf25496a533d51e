package main

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestNewer(t *testing.T) {
	order := []string{"v0.9.9", "v1.0.0-0.20260101000000-abcdef", "v1.0.0-2", "v1.0.0-rc", "v1.0.0-rc.1", "v1.0.0-rc.2", "v1.0.0-rc.10", "v1.0.0-rc.10.x", "1.0.0", "v1.0.1", "v1.10.0", "v2.0.0"}
	for i, a := range order {
		for j, b := range order {
			if got := newer(a, b); got != (i > j) {
				t.Errorf("%s is newer than %s: %v", a, b, got)
			}
		}
	}
	for _, other := range []string{"dev", "", "v1", "v1.2.x", "(devel)"} {
		if newer(other, "v1.0.0") || newer("v1.0.0", other) {
			t.Errorf("%q has an order", other)
		}
	}
	if newer("v1.0.0+dirty", "v1.0.0") {
		t.Error("a build's mark makes it newer")
	}
}

// buildRelease builds the program as a release.
func buildRelease(t *testing.T, version string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tabrelay-"+version)
	if out, err := exec.Command("go", "build", "-o", path, "-ldflags", "-X main.version="+version, ".").CombinedOutput(); err != nil {
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
	s := d.follow()(func(s status) bool { return len(s.Agents) == 3 })
	if s.Version != "v1.3.0" {
		t.Errorf("status: %+v", s)
	}
}

func TestDaemonOfAnotherProtocol(t *testing.T) {
	if err := (contact{Protocol: wireProtocol, Version: "v9.9.9"}).fits(); err != nil {
		t.Errorf("a newer one of the same protocol: %v", err)
	}
	if err := (contact{Protocol: wireProtocol - 1}).fits(); err != errOlder {
		t.Errorf("an older one: %v", err)
	}
	err := (contact{Protocol: wireProtocol + 1, Version: "v9.9.9"}).fits()
	if err == nil || !strings.Contains(err.Error(), "v9.9.9") || !strings.Contains(err.Error(), "tabrelay stop") {
		t.Errorf("a newer protocol: %v", err)
	}
}
