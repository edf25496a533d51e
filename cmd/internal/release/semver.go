package release

import (
	"strings"

	"golang.org/x/mod/semver"
)

// Newer reports whether program a is a later one than b. What has no version, or
// was built of files that nobody has committed, is compared by the time of its
// file, and only with its like: with anything else it is neither newer nor older.
func Newer(a, b Build) bool {
	if a.Version == b.Version && isLocal(a.Version) {
		return a.Written.After(b.Written)
	}
	x, y := canonical(a.Version), canonical(b.Version)
	return x != "" && y != "" && semver.Compare(x, y) > 0
}

// isLocal reports whether many programs may have a version.
func isLocal(version string) bool {
	return canonical(version) == "" || strings.HasSuffix(version, "+dirty")
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
