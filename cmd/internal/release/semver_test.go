package release

import (
	"testing"
	"time"
)

func TestNewer(t *testing.T) {
	order := []string{"v0.9.9", "v1.0.0-0.20260101000000-abcdef", "v1.0.0-2", "v1.0.0-rc", "v1.0.0-rc.1", "v1.0.0-rc.2", "v1.0.0-rc.10", "v1.0.0-rc.10.x", "1.0.0", "v1.0.1", "v1.10.0", "v2.0.0"}
	for i, a := range order {
		for j, b := range order {
			if got := Newer(Build{Version: a}, Build{Version: b}); got != (i > j) {
				t.Errorf("%s is newer than %s: %v", a, b, got)
			}
		}
	}
	for _, other := range []string{"dev", "", "v1", "v1.2.x", "(devel)"} {
		if Newer(Build{Version: other}, Build{Version: "v1.0.0"}) || Newer(Build{Version: "v1.0.0"}, Build{Version: other}) {
			t.Errorf("%q has an order", other)
		}
	}
	if Newer(Build{Version: "v1.0.0+dirty"}, Build{Version: "v1.0.0"}) {
		t.Error("a build's mark makes it newer")
	}
}

// Who builds again takes the place of what was built before, also where neither
// has a version.
func TestNewerBuild(t *testing.T) {
	first := time.Now()
	for version, want := range map[string]bool{"dev": true, "v1.0.1-0.20260101000000-abcdefabcdef+dirty": true, "v1.0.0": false} {
		before, after := Build{version, first}, Build{version, first.Add(time.Second)}
		if Newer(after, before) != want || Newer(before, after) || Newer(before, before) {
			t.Errorf("two builds of %s: %v, %v, %v", version, Newer(after, before), Newer(before, after), Newer(before, before))
		}
	}
	if Newer(Build{"dev", first.Add(time.Second)}, Build{"v1.0.0", first}) {
		t.Error("a build without a version is newer than a release")
	}
}
