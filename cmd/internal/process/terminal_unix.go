//go:build !windows

package process

import (
	"os"

	"golang.org/x/sys/unix"
)

// IsTerminal reports whether a person types into a stream, or reads it.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	raw, err := f.SyscallConn() // not Fd, which makes reading block
	if err != nil {
		return false
	}
	is := false
	err = raw.Control(func(fd uintptr) {
		_, err := unix.IoctlGetWinsize(int(fd), unix.TIOCGWINSZ)
		is = err == nil
	})
	return err == nil && is
}
