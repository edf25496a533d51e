package main

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// Clients are given the path that stays when the program is updated.
func TestSetupNamesTheProgramAsAShellFindsIt(t *testing.T) {
	this, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir)
	if path, err := program(); err != nil || path != this {
		t.Errorf("without one in PATH: %s, %v", path, err)
	}
	link := filepath.Join(dir, "tabrelay")
	if err := os.Symlink(this, link); err != nil {
		if runtime.GOOS == "windows" { // which lets not everyone make links
			t.Skip(err)
		}
		t.Fatal(err)
	}
	if path, err := program(); err != nil || path != link {
		t.Errorf("%s, %v; want %s", path, err, link)
	}
	_ = os.Remove(link)
	if err := os.WriteFile(link, nil, 0o700); err != nil {
		t.Fatal(err)
	}
	if path, err := program(); err != nil || path != this {
		t.Errorf("with another in PATH: %s, %v", path, err)
	}
}
