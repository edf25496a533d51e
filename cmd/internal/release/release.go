// Package release says which release this program is, and which of two is newer.
package release

import "runtime/debug"

// version is set by the linker for a release.
var version = ""

// Text is the release, or what the build knows of where it came from.
func Text() string {
	if version != "" {
		return version
	}
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "dev"
	}
	return info.Main.Version
}
