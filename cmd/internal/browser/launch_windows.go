package browser

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// handPipe gives cmd the ends that the browser reads and writes by handle, as
// Windows has no numbered descriptors.
func handPipe(cmd *exec.Cmd, read, write *os.File) error {
	attr := &syscall.SysProcAttr{}
	for _, f := range []*os.File{read, write} {
		h := windows.Handle(f.Fd())
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return err
		}
		attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, syscall.Handle(h))
	}
	cmd.SysProcAttr = attr
	flag := fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", read.Fd(), write.Fd())
	cmd.Args = append([]string{cmd.Args[0], flag}, cmd.Args[1:]...)
	return nil
}

func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr.CreationFlags |= syscall.CREATE_NEW_PROCESS_GROUP
}

// killGroup ends the browser; its children leave when they lose it.
func killGroup(cmd *exec.Cmd) {
	if cmd.Process != nil {
		_ = cmd.Process.Kill()
	}
}

// owner is always 0: on Windows the mark is an open file that goes with its
// process.
func owner(string) int { return 0 }
