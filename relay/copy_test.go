package relay

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// A copy lies among temporary files unless its client may say where, and replaces
// nothing.
func TestCopyInto(t *testing.T) {
	from := filepath.Join(t.TempDir(), "from.txt")
	if err := os.WriteFile(from, []byte("words"), 0o600); err != nil {
		t.Fatal(err)
	}
	temporary, outside := t.TempDir(), t.TempDir()
	t.Setenv("TMPDIR", temporary)
	t.Setenv("TMP", temporary)
	links := map[string]string{"out": outside, "in": filepath.Join(temporary, "there")}
	for name, to := range links {
		if err := os.Symlink(to, filepath.Join(temporary, name)); err != nil && runtime.GOOS != "windows" {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		folder, name string
		anywhere     bool
		want         string // below both, empty where it is refused
	}{
		{filepath.Join(temporary, "there"), "a.txt", false, "there/a.txt"},
		{filepath.Join(temporary, "there"), "a.txt", false, "there/a (1).txt"},
		{filepath.Join(temporary, "there"), "plain", true, "there/plain"},
		{filepath.Join(temporary, "new", "below"), "a.txt", false, "new/below/a.txt"},
		{temporary, "a.txt", false, "a.txt"},
		{outside, "a.txt", false, ""},
		{outside, "a.txt", true, "a.txt"},
		{filepath.Join(temporary, "out"), "b.txt", false, ""},
		{filepath.Join(temporary, "..", filepath.Base(outside)), "b.txt", false, ""},
		{filepath.Join(temporary, "there"), "..", false, ""},
		{filepath.Join(temporary, "there"), "../up.txt", false, ""},
		{filepath.Join(temporary, "there"), "", false, ""},
		{filepath.Join(temporary, "in"), "c.txt", false, "there/c.txt"},
	} {
		if runtime.GOOS == "windows" && links[filepath.Base(c.folder)] != "" {
			continue
		}
		got, err := copyInto(c.folder, c.name, from, c.anywhere)
		if c.want == "" {
			if err == nil {
				t.Errorf("%s in %s is copied to %s", c.name, c.folder, got)
			}
			continue
		}
		text, _ := os.ReadFile(got)
		base, _ := filepath.EvalSymlinks(temporary)
		if c.anywhere && c.folder == outside {
			base, _ = filepath.EvalSymlinks(outside)
		}
		if err != nil || got != filepath.Join(base, filepath.FromSlash(c.want)) || string(text) != "words" {
			t.Errorf("%s in %s is %q in %q: %v", c.name, c.folder, text, got, err)
		}
	}
	if list, _ := os.ReadDir(outside); len(list) != 1 {
		t.Errorf("outside are %v", list)
	}
	if _, err := copyInto(temporary, "gone.txt", filepath.Join(outside, "gone.txt"), false); err == nil {
		t.Error("what is not there is copied")
	}
	if _, err := os.Stat(filepath.Join(temporary, "gone.txt")); err == nil {
		t.Error("what could not be copied left a file")
	}
}
