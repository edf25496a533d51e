package e2e

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// usage is what a process holds over time.
type usage struct {
	stopped chan struct{}
	ended   chan struct{}

	// Written before ended is closed.
	memory, threads, files []float64
}

// watchUsage looks at a process every five seconds.
func watchUsage(pid int) *usage {
	u := &usage{stopped: make(chan struct{}), ended: make(chan struct{})}
	go func() { // ends with stop
		defer close(u.ended)
		tick := time.NewTicker(5 * time.Second)
		defer tick.Stop()
		for {
			if m := status(pid, "VmRSS"); m > 0 {
				u.memory = append(u.memory, m/1000)
				u.threads = append(u.threads, status(pid, "Threads"))
				files, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", pid))
				u.files = append(u.files, float64(len(files)))
			}
			select {
			case <-u.stopped:
				return
			case <-tick.C:
			}
		}
	}()
	return u
}

// stop ends the watch and says what was seen.
func (u *usage) stop() string {
	close(u.stopped)
	<-u.ended
	out := ""
	for _, row := range []struct {
		what string
		list []float64
	}{{"memory in MB", u.memory}, {"threads", u.threads}, {"open files", u.files}} {
		early, late := u.trend(row.list)
		out += fmt.Sprintf("%s: %.1f early, %.1f late; ", row.what, early, late)
	}
	return out
}

// trend compares the second tenth of a list, when all is warm, with the last one.
func (u *usage) trend(list []float64) (early, late float64) {
	n := len(list)
	if n < 20 {
		return middle(list), middle(list)
	}
	return middle(list[n/10 : n/5+n/10]), middle(list[n-n/5:])
}

func middle(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	list = slices.Sorted(slices.Values(list))
	return list[len(list)/2]
}

// isFlat fails the test where a process holds more and more.
func (u *usage) isFlat(t testing.TB) {
	t.Helper()
	for what, list := range map[string][]float64{"memory": u.memory, "open files": u.files} {
		if early, late := u.trend(list); late > early*1.1+2 {
			t.Errorf("%s grew from %.1f to %.1f: %.1f", what, early, late, list)
		}
	}
}

// status is a number of /proc/PID/status; 0 where the system does not tell.
func status(pid int, key string) (value float64) {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if _, err := fmt.Sscanf(line, key+": %f", &value); err == nil {
			return value
		}
	}
	return 0
}
