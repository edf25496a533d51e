package e2e

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"time"
)

// worker does tasks with one set of tools.
type worker struct {
	*agent
	set  set
	seen []string      // answers since the page was opened, the last one last
	peek func() string // the program's model, for a set that cannot read it
	list string        // of tools, where it changes
	score
}

// set is how a set of tools says what a step is.
type set interface {
	name() string
	// open goes to an address.
	open(url string) (tool string, with args)
	// call returns the call for a step; ref gives the ref of an element where the
	// set's answers show them. ok is false for what the set has no tool for.
	call(s taskStep, ref func(element) string) (tool string, with args, ok bool)
	// steps returns the steps of a task as the set takes them, one call each; nil for
	// what it has no tools for.
	steps(task) []taskStep
	// read returns a call that evaluates a script; "" where the set has none.
	read(script string) (tool string, with args)
	// look returns a call that shows the page.
	look() (tool string, with args)
}

// knows reports whether the set has a tool for each step.
func (w *worker) knows(one task) bool {
	steps := w.set.steps(one)
	for _, s := range steps {
		if _, _, ok := w.set.call(s, func(element) string { return "e0" }); !ok {
			return false
		}
	}
	return len(steps) > 0
}

// hedge matches an answer that does not claim that what was asked for was done.
var hedge = regexp.MustCompile(`, but |is unknown|no visible change|note: |"outcome"|success: false|ended up as`)

// do does a task in the program at an address.
func (w *worker) do(name, url string, one task) (result score) {
	w.t.Helper()
	w.seen, w.score = nil, score{set: w.set.name(), task: name, steps: 1}
	defer func() { result = w.score }()
	tool, with := w.set.open(url + "?set=" + w.set.name())
	if an := w.count(tool, with); an.failed {
		w.failed = an.text
		return
	}
	if tool, _ := w.set.read(""); tool == "" && w.peek == nil {
		c := shared(w.t).cdp(w.t)
		session := c.attach(url + "?set=" + w.set.name())
		w.peek = func() (now string) {
			var v struct{ Result struct{ Value string } }
			c.call(session, "Runtime.evaluate", args{"expression": "JSON.stringify(model())", "returnByValue": true}, &v)
			return v.Result.Value
		}
	}
	before := w.model(func(string) bool { return true })
	for _, s := range w.set.steps(one) {
		w.steps++
		an, ok := w.step(s)
		if !ok {
			return
		}
		if s.model != "" {
			after := w.model(func(now string) bool { return fits(now, s.model) })
			claimed := !an.failed && !hedge.MatchString(an.text)
			switch reached := fits(after, s.model); {
			case !reached && claimed:
				w.wrong = append(w.wrong, fmt.Sprintf("%s is said to be done, and the model is %s:\n%s", s.written, after, an.text))
			case reached && after != before && an.failed:
				w.wrong = append(w.wrong, fmt.Sprintf("%s was done, and the answer is:\n%s", s.written, an.text))
			}
			if !fits(after, s.model) {
				w.failed = fmt.Sprintf("%s: the model is %s:\n%s", s.written, after, an.text)
				return
			}
			before = after
		}
		for _, text := range s.says { // of the change, which the full set tells
			if w.set != (fullSet{}) {
				break
			}
			if !strings.Contains(an.text, text) {
				w.wrong = append(w.wrong, fmt.Sprintf("%s does not say %s:\n%s", s.written, text, an.text))
			}
		}
	}
	return
}

// step makes the call of a step, with another look at the page where no answer so
// far has shown the element.
func (w *worker) step(s taskStep) (answer, bool) {
	w.t.Helper()
	for look := range 2 {
		missing := ""
		tool, with, _ := w.set.call(s, func(e element) string {
			ref := w.ref(e)
			if ref == "" {
				missing = e.around + " > " + e.role + ` "` + e.name + `"`
			}
			return ref
		})
		if missing == "" {
			an := w.count(tool, with)
			if an.failed && strings.Contains(an.text, "no longer") && look == 0 {
				w.look()
				continue
			}
			return an, true
		}
		if look > 0 {
			w.failed = fmt.Sprintf("%s: no ref of %s in\n%s", s.written, missing, w.seen[len(w.seen)-1])
			return answer{}, false
		}
		w.look()
	}
	return answer{}, false
}

func (w *worker) look() {
	tool, with := w.set.look()
	w.count(tool, with)
}

// count makes a call that counts.
func (w *worker) count(tool string, with args) answer {
	w.t.Helper()
	an := w.agent.call(tool, with)
	w.calls++
	w.took += an.took
	w.worst = max(w.worst, an.took)
	w.bytes += len(an.text)
	if w.set.name() == "dynamic" { // its list is read again when it is another
		list, err := w.session.ListTools(w.t.Context(), nil)
		if err != nil {
			w.t.Fatal(err)
		}
		if text, _ := json.Marshal(list.Tools); string(text) != w.list {
			w.list = string(text)
			w.bytes += len(text)
		}
	}
	w.seen = append(w.seen, an.text)
	w.t.Logf("%s %v: %d ms\n%s", tool, with, an.took.Milliseconds(), an.text)
	return an
}

// ref returns the ref of an element in what was shown last of it; "" for none.
func (w *worker) ref(e element) string {
	around := e.around
	want := e.role
	switch {
	case e.role == "cell" && e.name != "": // its text says it
		want = e.name + " ["
	case e.name != "":
		want += ` "` + e.name + `"`
	}
	for i := len(w.seen) - 1; i >= 0; i-- {
		_, told, _ := strings.Cut(w.seen[i], "\n") // the first line says what was done
		for line := range strings.Lines(told) {
			if strings.HasPrefix(line, "-") && strings.Contains(told, "changes:\n") {
				continue // gone
			}
			cells := strings.Split(line, " | ")
			e.around = around
			if !slices.ContainsFunc(cells, func(cell string) bool { return strings.Contains(cell, e.around) && strings.Contains(cell, want) }) && strings.Contains(line, e.around) {
				e.around = "" // it is in another cell of the row
			}
			for _, cell := range cells {
				at := strings.Index(cell, want)
				if at < 0 || at > 0 && cell[at-1] != ' ' || !strings.Contains(cell, e.around) {
					continue
				}
				if m := refPattern.FindStringSubmatch(cell[at+len(want)-1:]); m != nil {
					return m[1]
				}
			}
		}
	}
	return ""
}

// modelLimit bounds how long a program's model may take to follow what was done.
const modelLimit = 5 * time.Second

// model returns the program's model as JSON, when it is as wanted, or at the end.
func (w *worker) model(wanted func(string) bool) string {
	w.t.Helper()
	for begin := time.Now(); ; {
		var now string
		var an answer
		if w.peek != nil {
			now = w.peek()
		} else {
			tool, with := w.set.read("JSON.stringify(model())")
			an = w.agent.call(tool, with)
		}
		if m := regexp.MustCompile(`"(?:[^"\\]|\\.)*\{(?:[^"\\]|\\.)*"`).FindString(an.text); m != "" {
			_ = json.Unmarshal([]byte(m), &now)
		}
		if now == "" {
			w.t.Fatalf("the program has no model: %s", an.text)
		}
		if wanted(now) || time.Since(begin) > modelLimit {
			return now
		}
	}
}

// fits reports whether a model has what is wanted of it: each key of want.
func fits(model, want string) bool {
	var a, b map[string]any
	if json.Unmarshal([]byte(model), &a) != nil || json.Unmarshal([]byte(want), &b) != nil {
		return false
	}
	for k, v := range b {
		if !reflect.DeepEqual(a[k], v) {
			return false
		}
	}
	return true
}
