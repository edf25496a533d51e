package e2e

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// whole makes TestWorld do all tasks, and more of them with other sets of tools.
var whole = flag.Bool("world", false, "do all tasks of e2e/world")

// only picks tasks of e2e/world by their names.
var only = flag.String("tasks", "", "with -world, a pattern for the names of tasks")

var setNames = []string{"full", "facade", "minimal", "dynamic"}

// TestWorld does tasks in programs made of libraries as the registry has them, as a
// sensible agent would: with what the answers have shown so far. What came of each
// step is read from the program's own model. `make world` does all and prints a
// table; else the tasks marked short are done.
func TestWorld(t *testing.T) {
	if _, err := os.Stat("world/node_modules"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("the libraries are not installed: run make libraries")
		}
		t.Skip("the libraries are not installed: run make libraries")
	}
	programs, err := filepath.Glob("world/*/tasks.txt")
	if err != nil || len(programs) == 0 {
		t.Fatal("no tasks: ", err)
	}
	t.Parallel()
	w := newWorld(t)
	sets := map[string]*worker{"full": {agent: newAgent(t), set: fullSet{}}}
	if *whole {
		for _, set := range []set{facadeSet{}, minimalSet{}, &dynamicSet{}} {
			sets[set.name()] = &worker{agent: &agent{t, shared(t).connectTools(t, set.name())}, set: set}
		}
		sets["dynamic"].agent.ok("connect_browser", args{"launch": true})
	}
	pick := regexp.MustCompile(*only)
	var scores []score
	for _, file := range programs {
		program := filepath.Base(filepath.Dir(file))
		for _, task := range readTasks(t, file) {
			if name := program + ": " + task.name; (task.short || *whole) && pick.MatchString(name) {
				for _, set := range setNames {
					if worker := sets[set]; worker != nil && worker.knows(task) {
						scores = append(scores, worker.do(name, w.address(t, program), task))
					}
				}
			}
		}
	}
	tell(t, scores)
}

// score is how a task went with a set of tools.
type score struct {
	set, task    string
	steps, calls int
	took, worst  time.Duration
	bytes        int
	failed       string // why it was not done
	wrong        []string
}

// tell logs a table, and fails for what was not as it should be.
func tell(t *testing.T, scores []score) {
	t.Helper()
	type sum struct {
		tasks, done, steps, calls, bytes, wrong int
		took                                    time.Duration
	}
	sums := map[string]*sum{}
	var table strings.Builder
	fmt.Fprintf(&table, "%-8s %-60s %5s %5s %6s %6s %6s\n", "set", "task", "steps", "calls", "ms", "worst", "tokens")
	for _, s := range scores {
		all := sums[s.set]
		if all == nil {
			all = &sum{}
			sums[s.set] = all
		}
		all.tasks++
		all.steps += s.steps
		all.calls += s.calls
		all.bytes += s.bytes
		all.took += s.took
		all.wrong += len(s.wrong)
		fmt.Fprintf(&table, "%-8s %-60s %5d %5d %6d %6d %6d", s.set, s.task, s.steps, s.calls, s.took.Milliseconds(), s.worst.Milliseconds(), s.bytes/4)
		if s.failed == "" {
			all.done++
		} else {
			reason, _, _ := strings.Cut(s.failed, "\n")
			fmt.Fprintf(&table, "  NOT DONE: %s", reason)
			t.Errorf("%s, %s: not done: %s", s.set, s.task, s.failed)
		}
		for _, wrong := range s.wrong {
			reason, _, _ := strings.Cut(wrong, "\n")
			fmt.Fprintf(&table, "  WRONG: %s", reason)
			t.Errorf("%s, %s: a wrong outcome: %s", s.set, s.task, wrong)
		}
		if s.calls > s.steps {
			t.Errorf("%s, %s: %d calls for %d steps", s.set, s.task, s.calls, s.steps)
		}
		table.WriteByte('\n')
	}
	for _, set := range setNames {
		if s := sums[set]; s != nil {
			fmt.Fprintf(&table, "%s: %d of %d tasks done, %d calls for %d steps, %d wrong outcomes, %.1f s, about %d tokens\n",
				set, s.done, s.tasks, s.calls, s.steps, s.wrong, s.took.Seconds(), s.bytes/4)
		}
	}
	t.Log("\n" + table.String())
}
