package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"slices"
	"sync"
	"testing"
	"time"
)

var loadFull = flag.Bool("load", false, "TestLoad with 20 agents of 5 tabs each, and with 200 tabs")

// TestLoadManyAgents lets many agents work at once in one browser: every answer
// is its agent's own, and no click is lost.
func TestLoadManyAgents(t *testing.T) {
	t.Parallel()
	agents, tabs, steps := 6, 3, 25
	if *loadFull {
		agents, tabs, steps = 20, 5, 60
	}
	loadAgents(t, agents, tabs, steps)
}

// loaded is what agents that worked at once have seen.
type loaded struct {
	calls  int
	failed int
	took   time.Duration
	clicks []time.Duration // sorted
	daemon float64         // MB
	fronts float64         // MB, the largest
}

func loadAgents(t testing.TB, agents, tabs, steps int) loaded {
	o := newOffice(t)
	seed := chosenSeed()
	t.Logf("seed %d", seed)
	o.hire(agents, tabs, false, seed)
	daemon, _ := o.serve()
	defer func() { _ = daemon.Wait() }() // ends with tabrelay stop
	defer func() { _ = o.command("stop").Run() }()
	o.awaitBrowser()
	var l loaded
	all := func(do func(*clerk)) {
		var working sync.WaitGroup
		for _, c := range o.clerks {
			working.Go(func() { do(c) })
		}
		working.Wait()
	}
	all(func(c *clerk) {
		for len(c.sheets) < tabs && c.begun() {
			c.open()
		}
	})
	begin := time.Now()
	all(func(c *clerk) {
		for range steps {
			c.step()
		}
	})
	l.took = time.Since(begin)
	o.mu.Lock()
	l.calls, l.clicks = o.calls, slices.Sorted(slices.Values(o.clicks))
	failed := o.failed
	o.mu.Unlock()
	l.failed = failed
	if failed*20 > l.calls { // a machine with too much to do is told of, too
		t.Errorf("%d calls failed, though nothing went wrong: %s", failed, o.account())
	}
	l.daemon = status(daemon.Process.Pid, "VmRSS") / 1000
	for _, c := range o.clerks {
		if c.front != nil {
			l.fronts = max(l.fronts, status(c.front.Process.Pid, "VmRSS")/1000)
		}
	}
	// What each tab has counted is what was clicked.
	all(func(c *clerk) {
		for _, s := range c.sheets {
			c.read(s, "browser_evaluate", args{"pageId": s.page, "script": "document.querySelector('button').textContent"})
		}
		c.end()
	})
	t.Logf("%d agents with %d tabs each: %s\n%s", agents, tabs, l, o.account())
	return l
}

func (l loaded) String() string {
	return fmt.Sprintf("%d calls, %d failed, %.0f a second; click %s, the slowest twentieth %s; daemon %.0f MB, front %.0f MB at most", l.calls, l.failed,
		float64(l.calls)/l.took.Seconds(), ms(l.clicks[len(l.clicks)/2]), ms(l.clicks[len(l.clicks)*19/20]), l.daemon, l.fronts)
}

// freeze freezes tabs whose address begins with url, as Chrome does with those in
// the background, and returns how many.
func (h *hand) freeze(url string, most int) (frozen int) {
	h.t.Helper()
	var awake []string
	list := h.chrome(fmt.Sprintf(`return (await chrome.tabs.query({discarded: false})).map((t) => t.url).filter((u) => u.startsWith(%q))`, url))
	if err := json.Unmarshal([]byte(list), &awake); err != nil {
		h.t.Fatal(err)
	}
	for _, url := range awake[:min(most, len(awake))] {
		h.call(h.attach(url), "Page.setWebLifecycleState", map[string]any{"state": "frozen"}, nil)
		frozen++
	}
	return frozen
}

// TestLoadManyTabs opens many tabs, of which most are discarded, and connects.
func TestLoadManyTabs(t *testing.T) {
	t.Parallel()
	n := 16
	if *loadFull {
		n = 200
	}
	loadTabs(t, n)
}

// loadTabs returns how long it takes to connect with one tab, and with n.
func loadTabs(t testing.TB, n int) (one, many time.Duration, memory float64) {
	p := newPerson(t)
	s := newSite(t, counter).handle("/sheet", paper)
	p.agent(t).open(s.URL)
	connect := func() {
		a := &agent{t, p.connect(t)}
		a.ok("browser_connect", nil)
		_ = a.session.Close()
	}
	one = median(connect)
	c := p.cdp(t)
	h := p.hand()
	discarded := 0
	for i := range n - 1 {
		c.call("", "Target.createTarget", map[string]any{"url": fmt.Sprintf("%s/sheet?name=clerk1-%d&", s.URL, i)}, nil)
		if i%8 == 7 { // six of eight
			h.shown(s.URL+"/sheet", "clerk1-", i+1)
			h.chrome(`for (const t of (await chrome.tabs.query({discarded: false})).filter((t) => t.url.includes("/sheet")).slice(0, 6))
				await chrome.tabs.discard(t.id)`)
			discarded += 6
		}
	}
	h.shown(s.URL+"/sheet", "clerk1-", n-1)
	frozen := h.freeze(s.URL+"/sheet", (n-discarded)/4)
	many = median(connect)
	t.Logf("connecting takes %s with one tab, %s with %d of which %d are discarded and %d frozen", ms(one), ms(many), n, discarded, frozen)
	if many > one+time.Second { // the budget is 50 ms, on a machine that has nothing else to do
		t.Error("connecting waits for what does not answer")
	}
	memory = status(p.cmd.Process.Pid, "VmRSS") / 1000
	a := &agent{t, p.connect(t)}
	list := a.ok("browser_connect", nil)
	told := min(n-1, 99) // a list has a hundred at most
	for i := range told {
		list.line(fmt.Sprintf(`"clerk1-%d" http`, i))
	}
	// The first of them is discarded, the last is not: both can be used.
	for _, i := range []int{0, told - 1} {
		page := list.page(fmt.Sprintf(`"clerk1-%d" http`, i))
		a.ok("browser_click", args{"pageId": page, "selector": "button", "timeoutMs": patience}).has(fmt.Sprintf("clerk1-%d clicked 1", i))
	}
	return one, many, memory
}
