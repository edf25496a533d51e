//go:build !windows

package main

import (
	"os/exec"
	"syscall"
)

// detach gives a process a session of its own: no terminal and no end of this
// process's group reaches it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
