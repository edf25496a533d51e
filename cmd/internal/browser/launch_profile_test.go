package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestProfilesAreNotShared(t *testing.T) {
	root := t.TempDir()
	var taken []*profile
	for i := range maxProfiles {
		p, err := takeProfile(root, "brave", true, "")
		if err != nil {
			t.Fatal(err)
		}
		want := filepath.Join(root, "profiles", "brave-headless")
		if i > 0 {
			want += fmt.Sprintf("-%d", i+1)
		}
		if p.Dir != want {
			t.Errorf("got %s, want %s", p.Dir, want)
		}
		taken = append(taken, p)
	}
	if _, err := takeProfile(root, "brave", true, ""); err == nil || !strings.Contains(err.Error(), "in use") {
		t.Errorf("one too many: %v", err)
	}
	if p, err := takeProfile(root, "brave", false, ""); err != nil {
		t.Errorf("with a window: %v", err)
	} else {
		p.release()
	}
	keep := filepath.Join(taken[4].Dir, "Cookies")
	if err := os.WriteFile(keep, []byte("login"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken[4].release()
	if p, err := takeProfile(root, "brave", true, ""); err != nil || p.Dir != taken[4].Dir {
		t.Errorf("after a release: %+v, %v", p, err)
	} else {
		taken[4] = p
	}
	if data, _ := os.ReadFile(keep); string(data) != "login" {
		t.Error("the profile was wiped")
	}
	for _, p := range taken {
		p.release()
	}
}

func TestProfileNames(t *testing.T) {
	root := t.TempDir()
	for _, name := range []string{"..", ".", "a/b", `a\b`, "-x", "a.lock", "a b", "é", strings.Repeat("a", 65), "../../etc"} {
		if p, err := takeProfile(root, "chrome", false, name); err == nil {
			t.Errorf("%q was taken as %s", name, p.Dir)
			p.release()
		}
	}
	p, err := takeProfile(root, "chrome", true, "work_2")
	if err != nil {
		t.Fatal(err)
	}
	defer p.release()
	if want := filepath.Join(root, "profiles", "named", "work_2"); p.Dir != want {
		t.Errorf("got %s, want %s", p.Dir, want)
	}
	if _, err := takeProfile(root, "chrome", false, "work_2"); !errors.Is(err, ErrProfileInUse) ||
		!strings.Contains(err.Error(), "another agent or instance") || strings.Contains(err.Error(), "tabrelay") || !strings.Contains(err.Error(), "another profile") {
		t.Errorf("taken twice: %v", err)
	}
}

// Marks of a browser that is gone would stop the next one.
func TestStaleMarksGo(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("marks are links elsewhere")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for name, test := range map[string]struct {
		mark  string
		taken bool
	}{
		"another host": {"some-container-1", true},
		"dead":         {fmt.Sprintf("%s-%d", host, 1<<30), true},
		"nonsense":     {"x", true},
		"alive":        {fmt.Sprintf("%s-%d", host, os.Getpid()), false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			dir := filepath.Join(root, "profiles", "named", "p")
			if err := os.MkdirAll(dir, 0o700); err != nil {
				t.Fatal(err)
			}
			mark := filepath.Join(dir, "SingletonLock")
			if err := os.Symlink(test.mark, mark); err != nil {
				t.Fatal(err)
			}
			p, err := takeProfile(root, "chrome", false, "p")
			if test.taken != (err == nil) {
				t.Fatalf("got %+v, %v", p, err)
			}
			_, err = os.Lstat(mark)
			if test.taken != errors.Is(err, os.ErrNotExist) {
				t.Errorf("the mark: %v", err)
			}
			if p != nil {
				p.release()
			}
		})
	}
}
