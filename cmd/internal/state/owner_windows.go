package state

import "io/fs"

// ownAlone finds nothing wrong: Windows keeps owners in lists, and those of a user's
// folders keep others out.
func ownAlone(string, fs.FileInfo) error { return nil }

// IsOwn finds nothing wrong, too.
func IsOwn(fs.FileInfo) bool { return true }
