package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/tabrelay/tabrelay/tools"
)

func TestB91FoldersThatAreTooMuch(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("names of folders are another system's")
	}
	base := t.TempDir()
	home, own, project := filepath.Join(base, "home", "me"), filepath.Join(base, "home", "me", ".local", "tabrelay"), filepath.Join(base, "home", "me", "project")
	for _, dir := range []string{filepath.Join(own, "profiles"), project} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	link := filepath.Join(base, "link")
	if err := os.Symlink(home, link); err != nil {
		t.Fatal(err)
	}
	t.Setenv("HOME", home)
	t.Setenv("TABRELAY_STATE", own)
	for dir, want := range map[string]bool{
		"/": false, base: false, filepath.Dir(home): false, home: false, link: false, own: false, filepath.Dir(own): false,
		filepath.Join(own, "profiles"): false, filepath.Join(own, "output"): false, filepath.Join(base, "nowhere"): false,
		project: true, filepath.Join(link, "project"): true,
	} {
		if _, err := (Agent{Settings: tools.Settings{Root: []string{dir}}}).Resolved(); (err == nil) != want {
			t.Errorf("--root %s: %v", dir, err)
		}
	}
	for dir, want := range map[string]bool{
		"/": false, home: false, link: false, own: false, filepath.Join(own, "profiles"): false,
		"": true, project: true, filepath.Join(own, "output"): true, filepath.Join(base, "new", "folder"): true,
	} {
		if _, err := (Agent{Settings: tools.Settings{Output: dir}}).Resolved(); (err == nil) != want {
			t.Errorf("--output %s: %v", dir, err)
		}
	}
	t.Chdir(project)
	a, err := Agent{}.Resolved()
	if err != nil || len(a.Root) > 0 || a.Output != filepath.Join(own, "output") {
		t.Errorf("without flags: %q %q %v", a.Root, a.Output, err)
	}
}
