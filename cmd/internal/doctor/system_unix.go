//go:build !windows

package doctor

import (
	"bufio"
	"context"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// free is the space on a folder's disk.
func free(dir string) (uint64, bool) {
	var s unix.Statfs_t
	if unix.Statfs(dir, &s) != nil {
		return 0, false
	}
	return s.Bavail * uint64(s.Bsize), true
}

// owner names the owner of a file.
func owner(info fs.FileInfo) string {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return "another user"
	}
	id := strconv.Itoa(int(s.Uid))
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}
	return "user " + id
}

// listenerLimit is how long it may take to find out who has a port.
const listenerLimit = 3 * time.Second

// listener names the program that listens on a port of this machine; empty where
// that cannot be told.
func listener(ctx context.Context, port int) string {
	if pid := listenerInProc(port); pid != "" {
		name, _ := os.ReadFile("/proc/" + pid + "/comm")
		return fmt.Sprintf("%s (pid %s)", strings.TrimSpace(string(name)), pid)
	}
	ctx, cancel := context.WithTimeout(ctx, listenerLimit) // a network's folder that is away holds lsof up
	defer cancel()
	out, err := exec.CommandContext(ctx, "lsof", "-nP", "-iTCP:"+strconv.Itoa(port), "-sTCP:LISTEN", "-Fpc").Output()
	if err != nil {
		return ""
	}
	var pid, name string
	for line := range strings.Lines(string(out)) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "p"):
			pid = line[1:]
		case strings.HasPrefix(line, "c"):
			name = line[1:]
		}
	}
	return fmt.Sprintf("%s (pid %s)", name, pid)
}

// listenerInProc finds the process by the socket that it holds.
func listenerInProc(port int) string {
	f, err := os.Open("/proc/net/tcp")
	if err != nil {
		return ""
	}
	defer f.Close()
	const listening, inodeField = "0A", 9
	inode := ""
	for s := bufio.NewScanner(f); s.Scan(); {
		fields := strings.Fields(s.Text())
		if len(fields) > inodeField && strings.HasSuffix(fields[1], fmt.Sprintf(":%04X", port)) && fields[3] == listening {
			inode = "socket:[" + fields[inodeField] + "]"
		}
	}
	if inode == "" {
		return ""
	}
	all, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	for _, fd := range all {
		if to, err := os.Readlink(fd); err == nil && to == inode {
			return strings.Split(fd, "/")[2]
		}
	}
	return ""
}
