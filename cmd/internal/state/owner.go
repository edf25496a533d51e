//go:build !windows

package state

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// ownAlone is the error of a file that is another user's, or that others may read
// or write.
func ownAlone(path string, info fs.FileInfo) error {
	if !IsOwn(info) {
		return fmt.Errorf("%s belongs to another user", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others can read %s: run chmod 600 %s", path, path)
	}
	return nil
}

// IsOwn reports whether a file is this user's.
func IsOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}
