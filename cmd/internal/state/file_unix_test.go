//go:build !windows

package state

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// A pipe in the place of a file would be read for ever, also against a signal.
func TestPipesAndFoldersAreNoFiles(t *testing.T) {
	for name, put := range map[string]func(path string) error{
		"pipe":   func(path string) error { return syscall.Mkfifo(path, 0o600) },
		"folder": func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		for _, file := range []string{"relay.json", "relay.json.lock"} {
			dir := t.TempDir()
			if err := put(filepath.Join(dir, file)); err != nil {
				t.Fatal(err)
			}
			if _, err := Open(dir); err == nil {
				t.Errorf("a %s is taken for %s", name, file)
			}
			if _, err := ReadRegular(filepath.Join(dir, file), 10); err == nil {
				t.Errorf("a %s was read", name)
			}
		}
	}
}
