package state

import (
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/adrg/xdg"
	"github.com/google/uuid"
)

func mode(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode().Perm()
}

func TestStateIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "tabrelay")
	first, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if first.Port != 8765 || first.Dir != dir {
		t.Errorf("got port %d in %s", first.Port, first.Dir)
	}
	if len(first.Key()) != 32 {
		t.Errorf("the key is %d bytes", len(first.Key()))
	}
	secrets := map[string]bool{first.ExtensionID: true, first.ClientSecret: true, first.MCPToken: true}
	if len(secrets) != 3 {
		t.Error("secrets are not three different ones")
	}
	for secret := range secrets {
		if uuid.Validate(secret) != nil {
			t.Errorf("%q is not a uuid", secret)
		}
	}
	if err := first.UsePort(9000); err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if *again != *first || again.Port != 9000 {
		t.Errorf("got %+v, want %+v", again, first)
	}
}

func TestStateIsForItsOwnerAlone(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no mode bits")
	}
	dir := filepath.Join(t.TempDir(), "tabrelay")
	s, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		if got := mode(t, dir); got != 0o700 {
			t.Errorf("folder: %o", got)
		}
		if got := mode(t, s.File()); got != 0o600 {
			t.Errorf("relay.json: %o", got)
		}
	}
	check()
	for path, wide := range map[string]fs.FileMode{dir: 0o755, s.File(): 0o644} {
		if err := os.Chmod(path, wide); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := Open(dir); err != nil {
		t.Fatal(err)
	}
	check()
}

func TestStateThatIsBrokenStaysAndIsTold(t *testing.T) {
	id := uuid.NewString()
	whole := `"extensionId":"` + id + `","extensionKey":"` + NewKey() + `","clientSecret":"` + id + `","mcpToken":"` + id + `"`
	for name, content := range map[string]string{
		"empty":     "",
		"no JSON":   "port=8765",
		"cut off":   `{"port":8765,` + whole,
		"no port":   `{` + whole + `}`,
		"no secret": `{"port":8765}`,
		"weak":      `{"port":8765,"extensionId":"` + id + `","extensionKey":"` + NewKey() + `","clientSecret":"hunter2hunter2","mcpToken":"` + id + `"}`,
		"short key": `{"port":8765,"extensionId":"` + id + `","extensionKey":"hunter2hunter2","clientSecret":"` + id + `","mcpToken":"` + id + `"}`,
		"no key":    `{"port":8765,"extensionId":"` + id + `","clientSecret":"` + id + `","mcpToken":"` + id + `"}`,
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file := filepath.Join(dir, "relay.json")
			if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Open(dir)
			if err == nil || !strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "delete it") {
				t.Errorf("got %v", err)
			} else if strings.Contains(err.Error(), "hunter2") {
				t.Errorf("a secret is in the error: %v", err)
			}
			if left, err := os.ReadFile(file); err != nil || string(left) != content {
				t.Errorf("the file became %q, %v", left, err)
			}
		})
	}
}

// TestStateOfProtocolOne holds that an older relay.json gets a key, once, and that
// its secret is none from then on.
func TestStateOfProtocolOne(t *testing.T) {
	dir, id, secret := t.TempDir(), uuid.NewString(), uuid.NewString()
	old := `{"port":9000,"extensionSecret":"` + secret + `","clientSecret":"` + id + `","mcpToken":"` + id + `"}`
	if err := os.WriteFile(filepath.Join(dir, "relay.json"), []byte(old), 0o600); err != nil {
		t.Fatal(err)
	}
	first, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Open(dir)
	if err != nil || *again != *first || again.ExtensionID != secret || len(again.Key()) != 32 || again.Port != 9000 || again.OldSecret != "" {
		t.Errorf("got %+v, then %+v, %v", first, again, err)
	}
}

func TestStateOfTwoFirstProcessesIsOne(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "tabrelay")
	got := make([]*State, 16)
	var wg sync.WaitGroup
	for i := range got {
		wg.Go(func() {
			s, err := Open(dir)
			if err != nil {
				t.Error(err)
				return
			}
			got[i] = s
		})
	}
	wg.Wait()
	for _, s := range got {
		if s == nil || *s != *got[0] {
			t.Fatalf("got %+v and %+v", got[0], s)
		}
	}
}

func TestStateDir(t *testing.T) {
	t.Setenv("TABRELAY_STATE", "/some/where")
	if got := Folder(); got != "/some/where" {
		t.Errorf("got %s", got)
	}
	t.Setenv("TABRELAY_STATE", "")
	if runtime.GOOS == "linux" {
		t.Setenv("XDG_STATE_HOME", "/xdg/state")
		xdg.Reload()
		t.Cleanup(xdg.Reload)
		if got := Folder(); got != "/xdg/state/tabrelay" {
			t.Errorf("got %s", got)
		}
	}
}
