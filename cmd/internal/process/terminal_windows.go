package process

import (
	"os"

	"golang.org/x/sys/windows"
)

// IsTerminal reports whether a person types into a stream, or reads it.
func IsTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	if !ok {
		return false
	}
	var mode uint32
	return windows.GetConsoleMode(windows.Handle(f.Fd()), &mode) == nil
}
