package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
)

func TestLinesOfAnyLength(t *testing.T) {
	d := newDesk(t)
	p := d.front().begin("one")
	long := strings.Repeat("long ", 1<<20)
	line := p.ask("tools/call", fmt.Sprintf(`{"name":"browser_tab_list","arguments":{"nonsense":%q}}`, long))
	if !strings.Contains(line, "nonsense") {
		t.Errorf("%.200s", line)
	}
	p.tool("browser_tab_list")
}

// rssOf is what a process holds, in MB.
func rssOf(b *testing.B, pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	_, after, ok := bytes.Cut(data, []byte("VmRSS:"))
	if err != nil || !ok {
		return 0
	}
	var kb float64
	_, _ = fmt.Sscan(string(after), &kb)
	return kb / 1024
}

// BenchmarkInitialize measures from the start of the program, as it is released,
// to its answer to initialize.
func BenchmarkInitialize(b *testing.B) {
	dir := b.TempDir()
	binary := dir + "/tabrelay"
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", binary, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	measure := func(b *testing.B, d *desk, before func()) {
		var times []time.Duration
		for b.Loop() {
			before()
			begin := time.Now()
			p := d.front().begin("one")
			times = append(times, time.Since(begin))
			p.kill()
		}
		slices.Sort(times)
		b.ReportMetric(float64(times[len(times)/2].Microseconds())/1000, "median-ms")
		b.ReportMetric(float64(times[0].Microseconds())/1000, "min-ms")
	}
	b.Run("daemon up", func(b *testing.B) {
		d := newDesk(b)
		d.binary = binary
		p := d.front().begin("holds")
		measure(b, d, func() {})
		if runtime.GOOS == "linux" {
			p.tool("browser_tab_list")
			b.ReportMetric(rssOf(b, p.cmd.Process.Pid), "front-MB")
			b.ReportMetric(rssOf(b, d.contact().PID), "daemon-MB")
		}
	})
	b.Run("no daemon", func(b *testing.B) {
		d := newDesk(b)
		d.binary = binary
		measure(b, d, func() { _, _ = daemon.Stop(b.Context(), d.dir) })
	})
}
