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
	if stat, ok := info.Sys().(*syscall.Stat_t); !ok || int(stat.Uid) != os.Geteuid() {
		return fmt.Errorf("%s belongs to another user", path)
	}
	if info.Mode().Perm()&0o077 != 0 {
		return fmt.Errorf("others can read %s: run chmod 600 %s", path, path)
	}
	return nil
}
