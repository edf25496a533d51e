//go:build !windows

package daemon

import (
	"path/filepath"
	"syscall"
	"testing"
)

func TestPipesAreNoFilesOfADaemon(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{ContactFile, LifeLock, StartLock, LogName} {
		if err := syscall.Mkfifo(filepath.Join(dir, name), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ReadContact(dir); err == nil {
		t.Error("the contact was read")
	}
	if _, err := TakeLife(t.Context(), dir); err == nil {
		t.Error("the daemon's lock was taken")
	}
	if _, err := TakeLock(t.Context(), dir, StartLock); err == nil {
		t.Error("the start's lock was taken")
	}
	if _, err := OpenLog(dir); err == nil {
		t.Error("the log was opened")
	}
}
