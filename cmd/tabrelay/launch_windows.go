package main

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"

	"golang.org/x/sys/windows"
)

// openPipe hands the browser its two ends of the debugging pipe by handle, as
// Windows has no numbered descriptors. theirs are to be closed here once the
// process runs.
func openPipe(cmd *exec.Cmd) (in, out *os.File, theirs []*os.File, err error) {
	theirIn, in, err := os.Pipe()
	if err != nil {
		return nil, nil, nil, err
	}
	out, theirOut, err := os.Pipe()
	if err != nil {
		_, _ = theirIn.Close(), in.Close()
		return nil, nil, nil, err
	}
	theirs = []*os.File{theirIn, theirOut}
	attr := &syscall.SysProcAttr{}
	for _, f := range theirs {
		h := windows.Handle(f.Fd())
		if err := windows.SetHandleInformation(h, windows.HANDLE_FLAG_INHERIT, windows.HANDLE_FLAG_INHERIT); err != nil {
			return nil, nil, nil, err
		}
		attr.AdditionalInheritedHandles = append(attr.AdditionalInheritedHandles, syscall.Handle(h))
	}
	cmd.SysProcAttr = attr
	flag := fmt.Sprintf("--remote-debugging-io-pipes=%d,%d", theirIn.Fd(), theirOut.Fd())
	cmd.Args = append([]string{cmd.Args[0], flag}, cmd.Args[1:]...)
	return in, out, theirs, nil
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
