//go:build !linux

package browser

import "time"

// awaitExit does not wait: without a handle on a process that is no child there
// is nothing to wait for, and the caller takes another profile.
func awaitExit(int, time.Duration) bool { return false }
