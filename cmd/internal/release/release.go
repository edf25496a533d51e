// Package release says which release this program is, and which of two is newer.
package release

import (
	"os"
	"runtime/debug"
	"time"
)

// version is set by the linker for a release.
var version = ""

// Text is the release, or what the build knows of where it came from: the state of
// the repository, such as v1.2.4-0.20260102030405-abcdef012345+dirty, or dev.
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

// Build tells one program from another.
type Build struct {
	Version string
	Written time.Time // of its file; zero where that is not known
}

// This is the program that runs, by the file that lies at its place now.
func This() Build {
	b := Build{Version: Text()}
	if path, err := os.Executable(); err == nil {
		if info, err := os.Stat(path); err == nil {
			b.Written = info.ModTime()
		}
	}
	return b
}
