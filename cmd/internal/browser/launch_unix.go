//go:build !windows

package browser

import (
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// handPipe gives cmd the ends that --remote-debugging-pipe reads and writes, as
// descriptors 3 and 4.
func handPipe(cmd *exec.Cmd, read, write *os.File) error {
	cmd.ExtraFiles = []*os.File{read, write}
	return nil
}

// ownGroup keeps a terminal's Ctrl-C from the browser, which is ended in order,
// and lets its children be killed with it.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	}
}

// owner is the process that marked the profile as its own and still runs on this
// machine, or 0. The mark is a link to "host-pid".
func owner(dir string) int {
	link, err := os.Readlink(filepath.Join(dir, "SingletonLock"))
	if err != nil {
		return 0
	}
	cut := strings.LastIndexByte(link, '-')
	host, err := os.Hostname()
	if cut < 0 || err != nil || link[:cut] != host {
		return 0
	}
	pid, err := strconv.Atoi(link[cut+1:])
	if err != nil || pid <= 0 || syscall.Kill(pid, 0) != nil || isZombie(pid) {
		return 0
	}
	return pid
}

// isZombie reports whether a process has ended and only waits to be reaped, as it
// does for long in a container without an init. Only Linux tells without effort.
func isZombie(pid int) bool {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return false
	}
	_, after, _ := strings.Cut(string(stat), ") ")
	return strings.HasPrefix(after, "Z")
}
