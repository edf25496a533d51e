package tools

import "io/fs"

// isOwn is always true: Windows keeps owners in lists, and those of a user's
// folders keep others out.
func isOwn(fs.FileInfo) bool { return true }

// othersWrite is always false, for the same reason.
func othersWrite(fs.FileInfo) bool { return false }
