package front

import (
	"bufio"
	"fmt"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// trim gives the pages of the program's own file back that only its start
// needed. What is needed again is mapped again, from the cache of files: so only
// pages that nobody has written may go.
func trim() {
	exe, err := os.Executable()
	if err != nil {
		return
	}
	maps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer maps.Close()
	var from, to uintptr // of a mapping of code or constants; 0 for any other
	for lines := bufio.NewScanner(maps); lines.Scan(); {
		line := lines.Text()
		var dirty int
		switch {
		case strings.HasSuffix(line, exe):
			var rights string
			if _, err := fmt.Sscanf(line, "%x-%x %s", &from, &to, &rights); err != nil || rights[1] == 'w' {
				from, to = 0, 0
			}
		case from != 0 && strings.HasPrefix(line, "Anonymous:"):
			if _, err := fmt.Sscanf(line, "Anonymous: %d kB", &dirty); err == nil && dirty == 0 {
				discard(from, to)
			}
			from, to = 0, 0
		}
	}
}

func discard(from, to uintptr) {
	_, _, _ = unix.Syscall(unix.SYS_MADVISE, from, to-from, unix.MADV_DONTNEED)
}
