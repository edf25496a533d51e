//go:build !windows

// Package process starts processes that outlive their parent, and knows whether
// a person sits at this one.
package process

import (
	"os/exec"
	"syscall"
)

// Detach gives a process a session of its own: no terminal and no end of this
// process's group reaches it.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
}
