package settings

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/tools"
)

func TestB94FileOfSecretsIsItsOwnersAlone(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "secrets.env")
	read := func(text string, mode os.FileMode) error {
		t.Helper()
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(file, mode); err != nil {
			t.Fatal(err)
		}
		a, err := Agent{Settings: tools.Settings{Secrets: file}}.Resolved()
		if err == nil && a.Vault["BANK"].Value != "hunter2" {
			t.Errorf("%+v", a.Vault)
		}
		if err != nil && strings.Contains(err.Error(), "hunter") {
			t.Errorf("an error holds a value: %v", err)
		}
		return err
	}
	if err := read("BANK=hunter2 # bank.example", 0o600); err != nil {
		t.Error(err)
	}
	for text, says := range map[string]string{
		"BANK=hunter2": "names no site", "BANK=hunter2 # co.uk": "anyone can have a site", "BANK=hunter2 # https://bank.example": "site 1 is not a host", "": "no secrets",
		"BANK=my hunter #hunter!2 # bank.example": "a value with a # in it stands in quotes", "BANK='    ' # bank.example": "has 0 characters",
		"BANK=h # bank.example": "the least is 4", "BANK=\"hunter2 # bank.example": "line 1: BANK",
	} {
		if err := read(text, 0o600); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v; want %s", text, err, says)
		}
	}
	if runtime.GOOS != "windows" {
		for _, mode := range []os.FileMode{0o640, 0o604, 0o620} {
			if err := read("BANK=hunter2 # bank.example", mode); err == nil || !strings.Contains(err.Error(), "chmod 600 "+file) {
				t.Errorf("%o: %v", mode, err)
			}
		}
	}
	for _, a := range []tools.Settings{{Root: []string{dir}}, {Root: []string{filepath.Dir(dir)}}, {Output: dir}} {
		a.Secrets = file
		if err := os.Chmod(file, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := (Agent{Settings: a}).Resolved(); err == nil || !strings.Contains(err.Error(), "keep it elsewhere") {
			t.Errorf("a page can be given the file: %v", err)
		}
	}
	for _, path := range []string{dir, filepath.Join(dir, "none")} {
		if _, err := (Agent{Settings: tools.Settings{Secrets: path}}).Resolved(); err == nil {
			t.Errorf("%s is read", path)
		}
	}
}
