package main

import (
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// detach gives a process no console, so that none that closes ends it.
func detach(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{
		CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP, HideWindow: true,
	}
}
