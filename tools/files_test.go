package tools

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestB60Files(t *testing.T) {
	out, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(out, "link")); err != nil {
		t.Skip(err)
	}
	if err := os.Symlink(filepath.Join(outside, "secret"), filepath.Join(out, "file")); err != nil {
		t.Fatal(err)
	}
	s := newSession(Options{Settings: Settings{Output: out}})
	for name, want := range map[string]string{
		"a.png":                               "a.png",
		"sub/dir/a.png":                       "sub/dir/a.png",
		"sub/../b.png":                        "b.png",
		filepath.Join(out, "c.png"):           "c.png",
		filepath.Join(out, "link", "..", "x"): "x",
		"file":                                "file-2", // the link is there, and stays
		"../a.png":                            "",
		filepath.Join(outside, "a.png"):       "",
		filepath.Join(out, "..", "a.png"):     "",
		"link/a.png":                          "",
		"/etc/passwd":                         "",
		".":                                   "",
		"":                                    "",
		"a\x00b":                              "",
		filepath.Join(out+"x", "a.png"):       "",
	} {
		got, err := s.write(name, []byte("x"))
		if want == "" {
			if err == nil {
				t.Errorf("%q was written to %s", name, got)
			}
			continue
		}
		if err != nil || got != filepath.Join(resolved(out), want) {
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

// What is there is never written over, and nobody else reads what is written.
func TestB91WritesBesideWhatIsThere(t *testing.T) {
	out := filepath.Join(t.TempDir(), "made", "output")
	s := newSession(Options{Settings: Settings{Output: out}})
	for i, want := range []string{"a.har", "a-2.har", "a-3.har"} {
		got, err := s.write("a.har", []byte{byte('0' + i)})
		if err != nil || filepath.Base(got) != want {
			t.Fatalf("got %s, %v", got, err)
		}
		if text, _ := os.ReadFile(filepath.Join(out, "a.har")); string(text) != "0" {
			t.Fatalf("the first is now %q", text)
		}
	}
	for _, name := range []string{".git/hooks/pre-commit", ".mcp.json", "sub/.env", "./.bashrc", "a/../.x", filepath.Join(out, ".x")} {
		if got, err := s.write(name, nil); !errors.Is(err, ErrFile) || !strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	if _, err := s.write("sub/dir/b", nil); err != nil {
		t.Fatal(err)
	}
	if runtime.GOOS == "windows" {
		return
	}
	for name, want := range map[string]fs.FileMode{".": 0o700, "sub": 0o700, "sub/dir": 0o700, "sub/dir/b": 0o600, "a.har": 0o600, "a-3.har": 0o600} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info.Mode(), err)
		}
	}
}

func TestB91FolderOfOthers(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("rights are another system's")
	}
	mine := t.TempDir()
	for name, put := range map[string]func(dir string) error{
		"open to all": func(dir string) error { return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(dir, 0o777)) },
		"in a folder that is open to all": func(dir string) error {
			above := filepath.Dir(dir)
			return errors.Join(os.Mkdir(dir, 0o700), os.Chmod(above, 0o777))
		},
		"a link": func(dir string) error { return os.Symlink(mine, dir) },
		"a file": func(dir string) error { return os.WriteFile(dir, nil, 0o600) },
		"another user's": func(dir string) error {
			if os.Geteuid() != 0 {
				return os.WriteFile(dir, nil, 0o600) // only root gives folders away
			}
			return errors.Join(os.Mkdir(dir, 0o700), os.Chown(dir, 12345, 12345))
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "tabrelay-1000")
			if err := put(dir); err != nil {
				t.Fatal(err)
			}
			s := newSession(Options{Settings: Settings{Output: dir}})
			if got, err := s.write("a", nil); err == nil || !strings.Contains(err.Error(), "cannot be trusted") {
				t.Errorf("written to %s, %v", got, err)
			}
		})
	}
	if list, _ := os.ReadDir(mine); len(list) > 0 {
		t.Error("written through a link")
	}
}
