package release

import (
	"strings"

	"golang.org/x/mod/semver"
)

// Newer reports whether version a is a later release than b. What is no release,
// such as a local build, is neither newer nor older than anything.
func Newer(a, b string) bool {
	x, y := canonical(a), canonical(b)
	return x != "" && y != "" && semver.Compare(x, y) > 0
}

// canonical returns a version with its leading v, or "" for what is no release;
// semver takes v1 for v1.0.0, which no release of ours is called.
func canonical(version string) string {
	version = "v" + strings.TrimPrefix(version, "v")
	if full := semver.Canonical(version); full == strings.TrimSuffix(version, semver.Build(version)) {
		return full
	}
	return ""
}
