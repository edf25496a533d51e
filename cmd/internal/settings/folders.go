package settings

import (
	"cmp"
	"errors"
	"os"
	"path/filepath"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// readFolder checks a folder that files may be read from, and returns its path.
// One that holds all of a person's files, or tabrelay's own, is refused.
func readFolder(dir string) (string, error) {
	path, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	if info, err := os.Stat(path); err != nil || !info.IsDir() {
		return "", errors.New("there is no such folder")
	}
	if home, err := os.UserHomeDir(); err == nil && holds(path, home) {
		return "", errors.New("it contains your home folder; choose a folder inside it")
	}
	if own := state.Folder(); holds(path, own) || holds(own, path) {
		return "", errors.New("tabrelay keeps its secrets there; choose another folder")
	}
	if path == filepath.Dir(path) {
		return "", errors.New("it contains everything; choose a folder inside it")
	}
	return path, nil
}

// outputFolder returns the path of the folder that files are written to; it need
// not be there yet.
func outputFolder(dir string) (string, error) {
	own := filepath.Join(state.Folder(), "output")
	path, err := filepath.Abs(cmp.Or(dir, own))
	if err != nil {
		return dir, err
	}
	home, _ := os.UserHomeDir()
	switch {
	case path == filepath.Dir(path), same(path, home):
		return dir, errors.New("choose a folder inside it")
	case same(path, own):
	case holds(state.Folder(), path):
		return dir, errors.New("tabrelay keeps its secrets there; choose another folder")
	}
	return path, nil
}

// holds reports whether a path is a folder or lies in it, links followed.
func holds(folder, path string) bool {
	rest, err := filepath.Rel(followed(folder), followed(path))
	return err == nil && filepath.IsLocal(rest)
}

func same(a, b string) bool { return b != "" && followed(a) == followed(b) }

// followed follows the links in the part of a path that exists.
func followed(path string) string {
	path, _ = filepath.Abs(path)
	if end, err := filepath.EvalSymlinks(path); err == nil {
		return end
	}
	if dir := filepath.Dir(path); dir != path {
		return filepath.Join(followed(dir), filepath.Base(path))
	}
	return path
}
