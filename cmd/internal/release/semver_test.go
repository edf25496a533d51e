package release

import "testing"

func TestNewer(t *testing.T) {
	order := []string{"v0.9.9", "v1.0.0-0.20260101000000-abcdef", "v1.0.0-2", "v1.0.0-rc", "v1.0.0-rc.1", "v1.0.0-rc.2", "v1.0.0-rc.10", "v1.0.0-rc.10.x", "1.0.0", "v1.0.1", "v1.10.0", "v2.0.0"}
	for i, a := range order {
		for j, b := range order {
			if got := Newer(a, b); got != (i > j) {
				t.Errorf("%s is newer than %s: %v", a, b, got)
			}
		}
	}
	for _, other := range []string{"dev", "", "v1", "v1.2.x", "(devel)"} {
		if Newer(other, "v1.0.0") || Newer("v1.0.0", other) {
			t.Errorf("%q has an order", other)
		}
	}
	if Newer("v1.0.0+dirty", "v1.0.0") {
		t.Error("a build's mark makes it newer")
	}
}
