//go:build !windows

package e2e

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// stop stops a process, as a machine that falls asleep does.
func stop(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = syscall.Kill(pid, syscall.SIGCONT) })
}

func wake(t *testing.T, pid int) {
	t.Helper()
	if err := syscall.Kill(pid, syscall.SIGCONT); err != nil {
		t.Fatal(err)
	}
}

func TestTheServerSleeps(t *testing.T) {
	p, a, _, an := atWork(t, counter)
	ref := an.ref("button", "Click")
	a.ok("browser_click", args{"ref": ref}).has("Clicked 1")
	stop(t, p.cmd.Process.Pid)
	time.Sleep(17 * time.Second) // longer than the extension is ever silent
	wake(t, p.cmd.Process.Pid)
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
}

func TestTheBrowserSleeps(t *testing.T) {
	p, a, _, an := atWork(t, counter)
	stop(t, p.chrome.Process.Pid)
	click := a.later("browser_click", args{"ref": an.ref("button", "Click"), "timeoutMs": 30000})
	time.Sleep(4 * time.Second) // what it lasts is what is tested
	wake(t, p.chrome.Process.Pid)
	if an := <-click; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"selector": "button"}).has("Clicked 2")
}

// TestTheClockJumps is what a worker sees when the machine has slept for an hour
// and the daemon was started anew meanwhile.
func TestTheClockJumps(t *testing.T) {
	port := freePort(t)
	t.Parallel()
	p := newPersonAt(t, port)
	p.hand().chrome(`const now = Date.now; Date.now = () => now() + 3600_000`)
	p.stop()
	p.serve(port)
	begin := time.Now()
	p.comes()
	if took := time.Since(begin); took > 12*time.Second { // the alarm would ring within 30 s
		t.Errorf("the extension came back after %s", took)
	}
	p.agent(t).ok("browser_tab_list", nil)
}

// network is the process in which the person's browser keeps its connections.
func (p *person) network() int {
	p.t.Helper()
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		data, _ := os.ReadFile(line) // it may have gone meanwhile
		if !bytes.Contains(data, []byte("network.mojom.NetworkService")) {
			continue
		}
		pid, _ := strconv.Atoi(filepath.Base(filepath.Dir(line)))
		for above := pid; above > 1; above = parent(above) {
			if above == p.chrome.Process.Pid {
				return pid
			}
		}
	}
	p.t.Fatal("no process for the network")
	return 0
}

// parent returns the pid of a process's parent, 0 where it has none.
func parent(pid int) int {
	data, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	_, after, _ := strings.Cut(string(data), ") ")
	if f := strings.Fields(after); len(f) > 1 {
		up, _ := strconv.Atoi(f[1])
		return up
	}
	return 0
}

func TestTheNetworkStalls(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	p := newPerson(t, longGrace)
	a := p.agent(t)
	ref := a.open(newSite(t, counter).URL).ref("button", "Click")
	way := p.network()
	stop(t, way)
	click := a.later("browser_click", args{"ref": ref, "timeoutMs": 30000})
	time.Sleep(5 * time.Second) // what it lasts is what is tested
	wake(t, way)
	if an := <-click; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"ref": ref}).has("Clicked 2")
	// The connection breaks: the extension makes another one.
	wait := a.later("browser_wait", args{"text": "Clicked 2", "timeoutMs": 60000})
	if err := syscall.Kill(way, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	if an := <-wait; an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_click", args{"ref": ref}).has("Clicked 3")
}
