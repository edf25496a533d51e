package process

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// Detach gives a process no console, so that none that closes ends it.
func Detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true,
	}
}
