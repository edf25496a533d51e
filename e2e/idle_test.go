package e2e

import (
	"flag"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"
)

// idle makes TestIdleTabs measure.
var idle = flag.Bool("idle", false, "measure what held tabs cost that nobody works in")

// TestIdleTabs measures the processor time of a browser and its server while an
// agent holds 20 tabs, with a clock in each, and makes no call: 5 % of a core at
// the most. `make idle` runs it, alone: it sleeps, since what is measured is a span
// in which nothing is asked for, and any look at whether the tabs are at rest is work.
func TestIdleTabs(t *testing.T) {
	if !*idle || runtime.GOOS != "linux" {
		t.Skip("make idle measures it")
	}
	const tabs, pause, span = 20, 10 * time.Second, 20 * time.Second
	server := own(t)
	s := newSite(t, `<title>Idle</title><h1>Idle</h1><p id=now></p><button>Go</button><style>@keyframes turn { to { rotate: 1turn } } #turns { width: 20px; animation: turn 1s linear infinite }</style><div id=turns>x</div><script>setInterval(() => now.textContent = Date.now(), 1000)</script>`)
	measure := func() float64 {
		time.Sleep(pause) // tabs come to rest some seconds after the last call
		before, _ := cpuOf(server.cmd.Process.Pid)
		time.Sleep(span)
		after, processes := cpuOf(server.cmd.Process.Pid)
		if processes < 4 {
			t.Fatalf("the browser is not below the server: %d processes are", processes)
		}
		return 100 * (after - before).Seconds() / span.Seconds()
	}
	a := server.agent(t)
	a.open(s.URL)
	one := measure()
	for range tabs - 1 {
		ref := a.open(s.URL).ref("Go")
		a.ok("browser_click", args{"ref": ref})
	}
	all := measure()
	t.Logf("of a core: %.1f %% with one held tab, %.1f %% with %d", one, all, tabs)
	if all > 5 {
		t.Errorf("%d idle tabs cost %.1f %% of a core", tabs, all)
	}
}

// cpuOf is the processor time of a process and all below it, and how many they are.
func cpuOf(pid int) (spent time.Duration, processes int) {
	files, _ := filepath.Glob("/proc/[0-9]*/stat")
	parents, ticks := map[int]int{}, map[int]int{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		// After the name, which may hold anything: state, parent, and from the 12th on user and system time.
		fields := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:]))
		id, _ := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		parents[id], _ = strconv.Atoi(fields[1])
		user, _ := strconv.Atoi(fields[11])
		system, _ := strconv.Atoi(fields[12])
		ticks[id] = user + system
	}
	for id := range parents {
		for at := id; at > 1; at = parents[at] {
			if at == pid {
				spent += time.Duration(ticks[id]) * 10 * time.Millisecond
				processes++
				break
			}
		}
	}
	return spent, processes
}
