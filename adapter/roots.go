package adapter

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// given is a file that a page is to get.
type given struct {
	path string // with its links followed
	size int64
	dir  bool
}

// allowed returns the files behind names, each within the allowed folders with
// its links followed; relative names are in the first folder that has them.
func (b *Browser) allowed(names []string) ([]given, error) {
	list := make([]given, 0, len(names))
	for _, name := range names {
		g, err := b.allow(name)
		if err != nil {
			return nil, err
		}
		list = append(list, g)
	}
	return list, nil
}

func (b *Browser) allow(name string) (given, error) {
	roots := b.opts.Roots
	if len(roots) == 0 {
		return given{}, fail(ErrBlocked, "allow a folder with --root", "files are not allowed: %s", name)
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(roots[0], name)
		for _, root := range roots {
			if at := filepath.Join(root, name); within(roots, followed(at)) && exists(at) {
				full = at
				break
			}
		}
	}
	outside := fail(ErrBlocked, "allowed folders: "+strings.Join(roots, ", ")+" (--root adds one)", "%s is outside the allowed folders", name)
	end, err := filepath.EvalSymlinks(full)
	if err != nil {
		if !within(roots, filepath.Clean(full)) {
			return given{}, outside // whether it exists is nobody's affair
		}
		return given{}, fail(ErrInvalid, "give the path of a file that exists", "there is no file %s", name)
	}
	if !within(roots, end) {
		return given{}, outside
	}
	info, err := os.Stat(end)
	if err != nil {
		return given{}, fmt.Errorf("read %s: %w", name, err)
	}
	if !info.Mode().IsRegular() && !info.IsDir() {
		return given{}, fail(ErrInvalid, "give the path of a file", "%s is not a file", name)
	}
	return given{path: end, size: info.Size(), dir: info.IsDir()}, nil
}

// within reports whether a path is in one of some folders, whose links are
// followed.
func within(roots []string, path string) bool {
	for _, root := range roots {
		for _, at := range []string{root, followed(root)} {
			if rest, err := filepath.Rel(at, path); err == nil && filepath.IsLocal(rest) {
				return true
			}
		}
	}
	return false
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func followed(path string) string {
	if end, err := filepath.EvalSymlinks(path); err == nil {
		return end
	}
	return path
}
