package relay

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// givesPrivate reports whether a command gives a page a file that a client may not
// give: one that is far gives none. It asks the file system, so that no mutex is held meanwhile.
func (h *hub) givesPrivate(method string, params []byte, far bool) bool {
	for path, name := range h.policy[method].Args {
		given := params
		for name := range strings.SplitSeq(path, ".") {
			given = member(given, name)
		}
		var files []string
		if name != "path" || json.Unmarshal(given, &files) != nil {
			continue // the extension says what is wrong with it
		}
		if far && len(files) > 0 || slices.ContainsFunc(files, func(file string) bool { return private(file, h.private) }) {
			return true
		}
	}
	return false
}

// private reports whether a file is in one of some folders, hidden, or in a hidden
// folder, links followed, or no file. One that is not there is nobody's.
func private(file string, folders []string) bool {
	path, err := filepath.EvalSymlinks(file)
	if err != nil {
		return !os.IsNotExist(err)
	}
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return true
	}
	if _, err := os.Stat(filepath.Join(filepath.Dir(path), "pairing.json")); err == nil {
		return true // of an extension's folder, wherever it was written
	}
	for part := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if strings.HasPrefix(part, ".") {
			return true
		}
	}
	return slices.ContainsFunc(append([]string{"/proc", "/sys", "/dev"}, folders...), func(folder string) bool { return isBelow(folder, path) })
}

// isBelow reports whether a path lies in a folder. It asks which folders these are,
// since many a file system takes a name in other letters, too.
func isBelow(folder, path string) bool {
	want, err := os.Stat(folder)
	if err != nil {
		return false
	}
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		if info, err := os.Stat(dir); err == nil && os.SameFile(info, want) {
			return true
		}
		if dir == filepath.Dir(dir) {
			return false
		}
	}
}
