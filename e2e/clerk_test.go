package e2e

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// clerk is an agent that keeps books: each of its tabs has a name of its own,
// and it knows how often it clicked there. So it sees when an answer is another
// agent's, when a click was lost, and when one was made twice.
type clerk struct {
	// Static after construction.
	office *office
	number int
	tabs   int // that it keeps open
	flags  []string
	random *rand.Rand

	a         *agent // nil while it has no front
	connected bool
	sheets    []*sheet
	last      int // of its sheets

	// mu guards the following.
	mu     sync.Mutex
	front  *exec.Cmd
	killed bool // the front was, on purpose
}

// sheet is a tab in a clerk's books.
type sheet struct {
	name, page string
	low, high  int // clicks that it must have had, and those that it may have had
	epoch      int64
	leaving    bool // it was to be closed, and is or not
}

// paper serves the sheets: a page that says its name in all it shows.
func paper(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprintf(w, `<title>%[1]s</title><h1>%[1]s</h1><button onclick="this.textContent='%[1]s clicked '+(this.n=(this.n||0)+1)">%[1]s clicked 0</button>`, name)
}

// patience is longer than anything that a call may have to wait for, in ms.
const patience = 30000

var (
	namePattern   = regexp.MustCompile(`\bclerk(\d+)-\d+\b`)
	openedPattern = regexp.MustCompile(`^opened (t\d+) `)
	countPattern  = regexp.MustCompile(`(clerk\d+-\d+) clicked (\d+)`)
)

// Reasons that an agent may be given for a call that failed, and what they mean
// for a click.
var reasons = []struct {
	text string
	ran  bool // it may have been done
}{
	{"the connection to the browser was lost while the call ran", true},
	{"the daemon stopped while this call ran", true},
	{"the browser does not answer", false},
	{"the connection to the browser is lost", false},
	{"the browser ended", true},
	{"your own browser did not come back", false},
	{"your own browser is set up for Tabrelay, but not connected", false},
	{"ended while starting", false}, // it was killed so early
	{"ended while it was starting", false},
	{"browser executable not found: /nowhere", false}, // it is not to have another one
	{"the page does not answer", true},                // the machine is busy
	{"was closed", true},
}

// work calls one tool after the other until the context ends. An agent thinks
// between its calls.
func (c *clerk) work(ctx context.Context, pause time.Duration) {
	for ctx.Err() == nil {
		c.step()
		select {
		case <-ctx.Done():
		case <-time.After(time.Duration(c.random.Int64N(int64(pause) + 1))):
		}
	}
}

// step makes a call, by chance.
func (c *clerk) step() {
	if !c.begun() {
		return
	}
	if len(c.sheets) == 0 {
		c.open()
		return
	}
	s := c.sheets[c.random.IntN(len(c.sheets))]
	switch dice := c.random.IntN(20); {
	case dice == 0 && len(c.sheets) == c.tabs:
		c.close(s)
	case dice == 1:
		c.call("browser_tab_list", nil, nil)
	case len(c.sheets) < c.tabs:
		c.open()
	case dice < 12:
		c.click(s)
	case dice < 16:
		c.read(s, "browser_snapshot", args{"pageId": s.page, "diff": false, "timeoutMs": patience})
	default:
		c.read(s, "browser_evaluate", args{"pageId": s.page, "script": "document.querySelector('button').textContent", "timeoutMs": patience})
	}
}

// begun reports whether there is a front that is connected; it starts one.
func (c *clerk) begun() bool {
	if c.a == nil && !c.begin() {
		return false
	}
	if !c.connected {
		_, c.connected = c.call("browser_connect", nil, nil)
	}
	return c.connected && c.a != nil
}

// begin starts a front.
func (c *clerk) begin() bool {
	a, cmd, err := c.office.begin(nil, c.flags...)
	if err != nil {
		c.office.note("no front: " + strings.TrimSpace(err.Error()))
		return false
	}
	c.mu.Lock()
	c.front, c.killed = cmd, false
	c.mu.Unlock()
	c.a, c.connected = a, false
	return true
}

// end ends the front as a client does.
func (c *clerk) end() {
	if c.a != nil {
		_ = c.a.session.Close()
		c.leave()
	}
}

// leave forgets a front that is gone, and its tabs with it.
func (c *clerk) leave() {
	c.office.retire(c.number, c.last)
	c.a, c.sheets = nil, nil
}

// kill ends the front without a word.
func (c *clerk) kill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.front != nil && c.front.Process != nil {
		c.killed = true
		_ = c.front.Process.Kill()
	}
}

func (c *clerk) open() {
	c.last++
	s := &sheet{name: fmt.Sprintf("clerk%d-%d", c.number, c.last), epoch: c.epoch()}
	an, ok := c.call("browser_tab_open", args{"url": c.office.site.URL + "/sheet?name=" + s.name}, nil)
	m := openedPattern.FindStringSubmatch(an.text)
	if !ok || m == nil { // it is there or not, and nobody's
		c.office.doubt(s.name)
		return
	}
	if !strings.Contains(an.text, s.name+" clicked 0") && !strings.Contains(an.text, "could not be taken") && s.epoch == c.epoch() {
		c.office.wrong("%s was opened, but the answer is\n%s", s.name, an.text)
	}
	s.page = m[1]
	c.sheets = append(c.sheets, s)
}

func (c *clerk) close(s *sheet) {
	if _, ok := c.call("browser_tab_close", args{"pageId": s.page}, s); ok {
		c.drop(s)
	}
}

func (c *clerk) drop(s *sheet) {
	c.sheets = slices.DeleteFunc(c.sheets, func(o *sheet) bool { return o == s })
}

func (c *clerk) click(s *sheet) {
	s.high++
	if an, ok := c.call("browser_click", args{"pageId": s.page, "selector": "button", "timeoutMs": patience}, s); ok {
		s.low++
		c.count(s, an)
	}
}

func (c *clerk) read(s *sheet, tool string, with args) {
	if an, ok := c.call(tool, with, s); ok && !c.count(s, an) {
		c.office.wrong("%s of %s does not tell its count:\n%s", tool, s.name, an.text)
	}
}

// count compares an answer with the books; the last word counts.
func (c *clerk) count(s *sheet, an answer) bool {
	text := an.text
	if an.call == "browser_click" {
		_, text, _ = strings.Cut(text, "\n") // before that is what it clicked
	}
	all := countPattern.FindAllStringSubmatch(text, -1)
	if len(all) == 0 {
		return false
	}
	last := all[len(all)-1]
	n, _ := strconv.Atoi(last[2])
	if last[1] != s.name {
		c.office.wrong("%s was asked for %s and told of\n%s", an.call, s.name, an.text)
	} else if n < s.low || n > s.high {
		c.office.wrong("%s was clicked %d to %d times, but %s says %d:\n%s", s.name, s.low, s.high, an.call, n, an.text)
	}
	s.low, s.high = n, n
	return true
}

// epoch changes when tabs may be gone without anybody's fault.
func (c *clerk) epoch() int64 {
	if slices.Contains(c.flags, "--headless") {
		return c.office.managedEnds.Load()
	}
	return c.office.ends.Load()
}

// call calls a tool and checks that the answer is this clerk's and that a failure
// has a reason. s is the sheet that it is about.
func (c *clerk) call(tool string, with args, s *sheet) (answer, bool) {
	an := c.a.call(tool, with)
	c.office.tell(an)
	for _, m := range namePattern.FindAllStringSubmatch(an.text, -1) {
		if m[1] != strconv.Itoa(c.number) && !c.office.retired(m[0]) {
			c.office.wrong("clerk %d called %s and was told of %s:\n%s", c.number, tool, m[0], an.text)
		}
	}
	if tool != "browser_tab_open" && strings.Contains(an.text, "tab opened:") && !c.office.doubtful() {
		c.office.wrong("clerk %d called %s and was told of a tab that is not its:\n%s", c.number, tool, an.text)
	}
	if !an.failed {
		return an, true
	}
	if strings.HasPrefix(an.text, "protocol:") {
		c.mu.Lock()
		killed := c.killed
		c.mu.Unlock()
		if !killed {
			c.office.wrong("%s of clerk %d after %s: %s", tool, c.number, an.took, an.text)
		} else {
			c.office.note("its front was killed")
		}
		_ = c.a.session.Close()
		c.leave()
		return an, false
	}
	for _, r := range reasons {
		if !strings.Contains(an.text, r.text) {
			continue
		}
		c.office.note(r.text)
		if s != nil && !r.ran && tool == "browser_click" {
			s.high--
		}
		if s != nil && r.ran && tool == "browser_tab_close" {
			s.leaving = true
		}
		if s != nil && r.text == "was closed" {
			if s.epoch == c.epoch() && !s.leaving {
				c.office.wrong("%s of %s: it went by itself:\n%s", tool, s.name, an.text)
			}
			c.drop(s)
		}
		return an, false
	}
	c.office.wrong("%s of clerk %d after %s, %v: no reason that is known:\n%s", tool, c.number, an.took, with, an.text)
	return an, false
}
