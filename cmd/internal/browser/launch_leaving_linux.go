package browser

import (
	"errors"
	"time"

	"golang.org/x/sys/unix"
)

// awaitExit waits for a process that is no child of ours, and reports whether it
// is gone.
func awaitExit(pid int, limit time.Duration) bool {
	fd, err := unix.PidfdOpen(pid, 0)
	if err != nil {
		return errors.Is(err, unix.ESRCH)
	}
	defer unix.Close(fd)
	deadline := time.Now().Add(limit)
	for {
		// A pidfd becomes readable when its process ends.
		left := max(time.Until(deadline).Milliseconds(), 0)
		n, err := unix.Poll([]unix.PollFd{{Fd: int32(fd), Events: unix.POLLIN}}, int(left))
		if !errors.Is(err, unix.EINTR) {
			return err == nil && n > 0
		}
	}
}
