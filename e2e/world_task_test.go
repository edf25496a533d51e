package e2e

import (
	"encoding/json"
	"os"
	"regexp"
	"strings"
	"testing"
)

// task is what is to be done in a program of e2e/world.
//
// A line of tasks.txt is a step, one call of a sensible agent each:
//
//	task chooses a country     begins a task
//	short                      it is one of those that go test does
//	full                       it is for the full set alone, such as where names are given twice
//	click ELEMENT              also: double, right, hover
//	type ELEMENT := TEXT       replaces what is there; submit: with Enter
//	select ELEMENT := A | B
//	fill ELEMENT := VALUE      lines that follow each other are one form, and one call
//	press KEYS [in ELEMENT]
//	drag ELEMENT -> ELEMENT
//	upload ELEMENT := FILE
//	scroll DIRECTION [in ELEMENT]      or to its top or bottom
//	model JSON                 what the program's model is then; null for what may be anything
//	says TEXT                  the answer to the step has it
//	page TOOL JSON             a call of a tool of the page, which does with others the
//	                           same as the steps; a model may follow here, too
//
// An element is a role and a name as a snapshot writes them, `button "Save"`, and
// before it, with >, other texts of its cell or line: `17 > button "Ship"`; for a
// cell of text that is its name.
type task struct {
	name  string
	short bool
	full  bool
	steps []taskStep
	pages []taskStep // as the page's own tools do it; nil where they cannot
}

type taskStep struct {
	verb    string
	fields  []field // one, but of a form
	to      element // of a drag
	keys    string
	model   string
	says    []string
	written string
	tool    string // of the page
	with    args
}

type field struct {
	element element
	value   string
}

type element struct{ around, role, name string }

var elementPattern = regexp.MustCompile(`^(?:(.+?) > )?([a-z]+)(?: "(.*)")?$`)

func readTasks(t *testing.T, file string) (list []task) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	at := ""
	of := func(s string) element {
		m := elementPattern.FindStringSubmatch(s)
		if m == nil {
			t.Fatalf("%s: %s: no element", file, at)
		}
		return element{m[1], m[2], m[3]}
	}
	for at = range strings.Lines(string(text)) {
		at = strings.TrimSpace(at)
		verb, rest, _ := strings.Cut(at, " ")
		if verb == "task" {
			list = append(list, task{name: rest})
			continue
		}
		if verb == "" || verb == "#" {
			continue
		}
		if len(list) == 0 {
			t.Fatalf("%s begins without a task", file)
		}
		one := &list[len(list)-1]
		s := taskStep{verb: verb, written: at}
		var last *taskStep
		if n := len(one.steps); n > 0 {
			last = &one.steps[n-1]
		}
		if n := len(one.pages); n > 0 {
			last = &one.pages[n-1]
		}
		switch verb {
		case "short":
			one.short = true
			continue
		case "full":
			one.full = true
			continue
		case "model":
			if !json.Valid([]byte(rest)) {
				t.Fatalf("%s: %s: no JSON", file, at)
			}
			last.model = rest
			continue
		case "says":
			last.says = append(last.says, rest)
			continue
		case "page":
			tool, with, _ := strings.Cut(rest, " ")
			if s.tool = tool; with != "" && json.Unmarshal([]byte(with), &s.with) != nil {
				t.Fatalf("%s: %s: no JSON", file, at)
			}
			one.pages = append(one.pages, s)
			continue
		case "press", "scroll":
			keys, in, found := strings.Cut(rest, " in ")
			if s.keys = keys; found {
				s.fields = []field{{element: of(in)}}
			}
		case "drag":
			from, to, _ := strings.Cut(rest, " -> ")
			s.fields, s.to = []field{{element: of(from)}}, of(to)
		default:
			name, value, _ := strings.Cut(rest, " := ")
			s.fields = []field{{of(name), value}}
			if verb == "fill" && last != nil && last.verb == "fill" && last.model == "" && last.says == nil {
				last.fields = append(last.fields, s.fields[0])
				last.written += "; " + at
				continue
			}
		}
		one.steps = append(one.steps, s)
	}
	for i := range list {
		if one := &list[i]; len(one.pages) > 0 && len(one.steps) > 0 {
			if last := &one.pages[len(one.pages)-1]; last.model == "" {
				last.model = one.steps[len(one.steps)-1].model
			}
		}
	}
	return list
}
