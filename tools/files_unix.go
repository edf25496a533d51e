//go:build !windows

package tools

import (
	"io/fs"
	"os"
	"syscall"
)

// isOwn reports whether a file belongs to the user of this process.
func isOwn(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == os.Geteuid()
}

// othersWrite reports whether any user may write to a file.
func othersWrite(info fs.FileInfo) bool { return info.Mode().Perm()&0o002 != 0 }
