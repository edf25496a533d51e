package e2e

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// office is one daemon, the person's browser that is paired with it, and the
// clerks that work there.
type office struct {
	*desk
	site   *site
	person *person
	clerks []*clerk

	// ends and managedEnds count the ends of the person's browser and of the
	// managed one, before and after each.
	ends, managedEnds atomic.Int64

	// mu guards the following.
	mu      sync.Mutex
	doubts  []string    // sheets that were perhaps opened; they are nobody's, and anybody may be told
	gone    map[int]int // clerks to the last of their sheets that is nobody's any more
	calls   int
	failed  int
	tally   map[string]int // why calls failed
	slow    map[string]time.Duration
	clicks  []time.Duration
	wrongs  int
	history []string
}

// newOffice starts the browser; there is no daemon yet.
func newOffice(t testing.TB) *office {
	t.Helper()
	d := newDesk(t)
	if out, err := d.command("extension", "--all-sites", "--port", freePort(t)).CombinedOutput(); err != nil {
		t.Fatalf("tabrelay extension: %v\n%s", err, out)
	}
	o := &office{desk: d, site: newSite(t, "").handle("/sheet", paper), gone: map[int]int{}, tally: map[string]int{}, slow: map[string]time.Duration{}}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("what happened:\n%s\n%s", strings.Join(o.history, "\n"), o.daemonLog())
		}
	})
	o.person = &person{t: t, dir: filepath.Join(d.dir, "extension")}
	o.person.launch(d.path, t.TempDir())
	return o
}

// hire gives the office its clerks, the last of them with a managed browser.
func (o *office) hire(n, tabs int, managed bool, seed uint64) {
	for i := range n {
		c := &clerk{office: o, number: i + 1, tabs: tabs, random: rand.New(rand.NewPCG(seed, uint64(i)))}
		// Who has no path to a browser waits for the person's.
		c.flags = []string{"--on-exit", "close", "--browser-path", "/nowhere/chromium"}
		if managed && i == n-1 {
			c.flags = o.managed("--on-exit", "close")
		}
		o.clerks = append(o.clerks, c)
	}
}

// work makes all clerks work while do runs; then they go home.
func (o *office) work(pause time.Duration, do func()) {
	ctx, cancel := context.WithCancel(o.t.Context())
	var working sync.WaitGroup
	for _, c := range o.clerks {
		working.Go(func() { c.work(ctx, pause); c.end() })
	}
	do()
	cancel()
	working.Wait()
}

// serve starts a daemon that stays, and returns its standard error.
func (o *office) serve() (*exec.Cmd, *tail) {
	o.t.Helper()
	cmd, log := o.command("daemon", "--idle", "0", "--log-level", "info"), &tail{}
	cmd.Stderr = log
	if err := cmd.Start(); err != nil {
		o.t.Fatal(err)
	}
	if !log.await("The tabrelay daemon runs", 20*time.Second) {
		o.t.Fatalf("the daemon did not start:\n%s", log)
	}
	return cmd, log
}

// awaitBrowser waits for the person's browser.
func (o *office) awaitBrowser() {
	o.t.Helper()
	if _, ok := o.follow()(func(s deskStatus) bool { return len(s.Browsers) > 0 && s.Browsers[0].Connected }); !ok {
		o.t.Fatal("the person's browser did not connect")
	}
}

// wrong reports what may never happen.
func (o *office) wrong(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.wrongs++; o.wrongs <= 20 {
		o.t.Errorf("%s "+format+"\nafter %s", append(append([]any{time.Now().UTC().Format("15:04:05.000")}, args...),
			strings.Join(o.history[max(0, len(o.history)-6):], ", "))...)
	}
}

// happens notes trouble, for who has to find out what it did.
func (o *office) happens(what string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.history = append(o.history, time.Now().UTC().Format("15:04:05.000 ")+what)
	o.history = o.history[max(0, len(o.history)-100):]
}

// note counts why a call failed.
func (o *office) note(reason string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.tally[reason]++
}

// tell takes note of a call.
func (o *office) tell(an answer) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.calls++
	if an.failed {
		o.failed++
	}
	o.slow[an.call] = max(o.slow[an.call], an.took)
	if an.call == "browser_click" && !an.failed {
		o.clicks = append(o.clicks, an.took)
	}
}

// retire makes a clerk's tabs up to now nobody's.
func (o *office) retire(clerk, last int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.gone[clerk] = last
}

func (o *office) retired(name string) bool {
	var clerk, sheet int
	_, _ = fmt.Sscanf(name, "clerk%d-%d", &clerk, &sheet)
	o.mu.Lock()
	defer o.mu.Unlock()
	return sheet <= o.gone[clerk] || slices.Contains(o.doubts, name)
}

// doubt notes that a sheet was perhaps opened.
func (o *office) doubt(name string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.doubts = append(o.doubts, name)
}

func (o *office) doubtful() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	return len(o.doubts) > 0
}

// account says how the calls went.
func (o *office) account() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%d calls, %d failed with a reason:", o.calls, o.failed)
	for _, reason := range slices.Sorted(maps.Keys(o.tally)) {
		fmt.Fprintf(&b, "\n  %5d %s", o.tally[reason], reason)
	}
	b.WriteString("\nslowest:")
	for _, tool := range slices.Sorted(maps.Keys(o.slow)) {
		fmt.Fprintf(&b, " %s %s;", tool, o.slow[tool].Round(time.Millisecond))
	}
	return b.String()
}

// pages lists the addresses of the tabs that the person's browser has.
func (o *office) pages() (urls []string) {
	c := o.person.chromium()
	defer c.socket.Close()
	var targets struct {
		TargetInfos []struct{ Type, URL string }
	}
	c.call("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type == "page" || target.Type == "service_worker" {
			urls = append(urls, target.URL)
		}
	}
	return urls
}

// daemonLog is the last of what the daemons logged.
func (o *office) daemonLog() string {
	data, _ := os.ReadFile(filepath.Join(o.dir, "daemon.log"))
	return string(data[max(0, len(data)-8<<10):])
}
