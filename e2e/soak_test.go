//go:build !windows

package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

var soakTime = flag.Duration("soak", 36*time.Second, "how long TestSoak lasts; from 5m on it compares memory, too")

// TestSoak kills whatever may die, by chance, while agents work: for a third of
// the time the daemon as well, then all but it, to see what is left in it.
func TestSoak(t *testing.T) {
	t.Parallel()
	seed := chosenSeed()
	t.Logf("seed %d: repeat with `make soak SEED=%[1]d`", seed)
	long := *soakTime >= 5*time.Minute
	o := newOffice(t)
	trouble := &trouble{office: o, random: rand.New(rand.NewPCG(seed, 1000)), pause: 2 * time.Second}
	o.hire(3, 2, true, seed)
	pause := 300 * time.Millisecond
	if long {
		o.clerks = nil
		o.hire(5, 3, true, seed)
		trouble.pause, pause = 8*time.Second, 200*time.Millisecond
	}
	o.work(pause, func() { trouble.make(*soakTime/3, true) })
	t.Logf("with the daemon killed as well: %s\n%s", trouble.account(), o.account())

	// An agent that goes while there is no daemon leaves its tabs to the person.
	_ = o.command("stop").Run()
	o.person.again()
	daemon, log := o.serve()
	defer func() { // also where tabs are left, which ends the test
		if t.Failed() {
			t.Log(log)
		}
	}()
	held := watchUsage(daemon.Process.Pid)
	o.work(pause, func() { trouble.make(*soakTime*2/3, false) })
	t.Logf("all but the daemon: %s\n%s\n%s", trouble.account(), o.account(), held.stop())
	if long {
		held.isFlat(t)
	}
	until := o.follow()
	if s, ok := until(func(s deskStatus) bool { return len(s.Agents) == 0 }); !ok || len(s.Browsers) == 0 {
		t.Errorf("the daemon is without agents, but %+v", s)
	}
	o.tidy()
	// Go tells its goroutines when it is asked to quit.
	_ = daemon.Process.Signal(syscall.SIGQUIT)
	_ = daemon.Wait()
	checkGoroutines(t, log.String())
}

// tidy waits until no tab of the clerks is left.
func (o *office) tidy() {
	o.t.Helper()
	o.person.chromium().without("/sheet?")
}

var created = regexp.MustCompile(`(?m)^created by (\S+)`)

// idleGoroutines is what a daemon has without agents, with two browsers at most.
const idleGoroutines = 40

func checkGoroutines(t *testing.T, dump string) {
	t.Helper()
	count := strings.Count(dump, "\ngoroutine ")
	by := map[string]int{}
	for _, m := range created.FindAllStringSubmatch(dump, -1) {
		by[m[1]]++
	}
	t.Logf("%d goroutines are left: %v", count, by)
	if count == 0 || count > idleGoroutines {
		t.Errorf("%d goroutines in\n%s", count, dump)
	}
}

// trouble is what goes wrong in an office.
type trouble struct {
	office *office
	random *rand.Rand
	pause  time.Duration // at most, between two
	done   map[string]int
	deck   []string // what is still to come
}

var troubles = map[string]func(*trouble){
	"worker killed": (*trouble).worker, "browser killed": (*trouble).browser, "front killed": (*trouble).front,
	"managed browser killed": (*trouble).managed, "daemon killed": (*trouble).daemon,
	"browser stopped for a while": (*trouble).browserStalls, "daemon stopped for a while": (*trouble).daemonStalls,
}

// shuffled is each trouble in an order of chance, the worker's death more often.
func (m *trouble) shuffled(daemon bool) []string {
	deck := []string{"worker killed", "worker killed"}
	for what := range maps.Keys(troubles) {
		if daemon || what != "daemon killed" {
			deck = append(deck, what)
		}
	}
	slices.Sort(deck)
	m.random.Shuffle(len(deck), func(i, j int) { deck[i], deck[j] = deck[j], deck[i] })
	return deck
}

// make makes trouble until the time is over.
func (m *trouble) make(lasts time.Duration, daemon bool) {
	m.done, m.deck = map[string]int{}, nil
	for end := time.Now().Add(lasts); time.Now().Before(end); {
		time.Sleep(m.pause/4 + time.Duration(m.random.Int64N(int64(m.pause))))
		if len(m.deck) == 0 {
			m.deck = m.shuffled(daemon)
		}
		what := m.deck[0]
		m.deck = m.deck[1:]
		m.office.happens(what)
		troubles[what](m)
		m.done[what]++
	}
}

func (m *trouble) account() string { return fmt.Sprint(m.done) }

// worker ends the extension's worker, if it runs.
func (m *trouble) worker() {
	c := m.office.person.chromium()
	defer c.socket.Close()
	var targets struct {
		TargetInfos []struct{ TargetID, Type, URL string }
	}
	c.call("", "Target.getTargets", map[string]any{"filter": []any{map[string]any{}}}, &targets)
	for _, target := range targets.TargetInfos {
		if target.Type == "service_worker" && strings.Contains(target.URL, extension.ID) {
			c.send("", "Target.closeTarget", map[string]any{"targetId": target.TargetID})
			c.until(func(m message) bool { return m.ID == c.next })
		}
	}
}

func (m *trouble) browser() {
	o := m.office
	o.ends.Add(1)
	o.person.again()
	o.ends.Add(1)
	for deadline := time.Now().Add(15 * time.Second); !o.connected(); {
		if time.Now().After(deadline) {
			o.wrong("the browser was started again, but its extension does not come: %v", o.pages())
			return
		}
	}
}

// connected reports whether the person's browser is there; true without a daemon.
func (o *office) connected() bool {
	out, err := o.command("status", "--json").Output()
	var s deskStatus
	if err != nil || json.Unmarshal(out, &s) != nil {
		return true
	}
	return slices.ContainsFunc(s.Browsers, func(b deskBrowser) bool { return !b.Managed && b.Connected })
}

func (m *trouble) front() {
	clerks := m.office.clerks
	clerks[m.random.IntN(len(clerks))].kill()
}

// managed ends the browser that the daemon has started.
func (m *trouble) managed() {
	m.office.managedEnds.Add(1)
	defer m.office.managedEnds.Add(1)
	for _, pid := range m.office.family() {
		line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
		text := string(line)
		if strings.Contains(text, "--user-data-dir="+m.office.dir) && !strings.Contains(text, "--type=") && !strings.Contains(text, "crashpad") {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func (m *trouble) daemon() {
	m.office.managedEnds.Add(1) // its browser ends with it
	defer m.office.managedEnds.Add(1)
	if pid, err := m.office.contact(); err == nil {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}

func (m *trouble) browserStalls() { m.stall(m.office.person.chrome.Process.Pid) }

func (m *trouble) daemonStalls() {
	if pid, err := m.office.contact(); err == nil {
		m.stall(pid)
	}
}

// stall stops a process as a laptop that sleeps does.
func (m *trouble) stall(pid int) {
	_ = syscall.Kill(pid, syscall.SIGSTOP)
	time.Sleep(time.Second + time.Duration(m.random.Int64N(int64(2*time.Second))))
	_ = syscall.Kill(pid, syscall.SIGCONT)
}
