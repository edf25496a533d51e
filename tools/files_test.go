package tools

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestB60Files(t *testing.T) {
	root, other, outside := t.TempDir(), t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(root, "file")); err != nil {
		t.Fatal(err)
	}
	s := newSession(Options{Settings: Settings{Root: []string{root, other}}})
	for name, want := range map[string]string{
		"a.png":                                filepath.Join(root, "a.png"),
		"sub/dir/a.png":                        filepath.Join(root, "sub/dir/a.png"),
		"sub/../b.png":                         filepath.Join(root, "b.png"),
		filepath.Join(other, "c.png"):          filepath.Join(other, "c.png"),
		"../a.png":                             "",
		filepath.Join(outside, "a.png"):        "",
		filepath.Join(root, "..", "a.png"):     "",
		"link/a.png":                           "",
		"file":                                 "",
		"/etc/passwd":                          "",
		".":                                    "",
		"a\x00b":                               "",
		filepath.Join(root+"x", "a.png"):       "",
		filepath.Join(root, "link", "..", "x"): filepath.Join(root, "x"),
	} {
		got, err := s.write(name, []byte("x"))
		if want == "" {
			if err == nil {
				t.Errorf("%q was written to %s", name, got)
			}
			continue
		}
		real, _ := filepath.EvalSymlinks(filepath.Dir(want))
		if err != nil || got != filepath.Join(real, filepath.Base(want)) {
			t.Errorf("%q: got %s, %v", name, got, err)
		}
	}
	if list, _ := os.ReadDir(outside); len(list) > 0 {
		t.Errorf("something was written outside: %v", list)
	}
	if _, err := newSession(Options{}).write("a", nil); !errors.Is(err, ErrFile) {
		t.Errorf("without any folder: %v", err)
	}
}
