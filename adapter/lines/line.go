package lines

import (
	"slices"
	"strings"
)

// Line is an element or a text of a page, with what is written beside it. A line
// holds other elements only as far as they stand in the line itself; those below
// it are lines of their own, with a greater depth.
type Line struct {
	Depth  int
	Role   string   // of ARIA or one of ours, such as clickable; "text" or "" is no element
	Name   string   // "" also where the content says it
	States []string // such as checked, level=2 or placeholder=Search here
	Ref    string   // e12 or f2e5; "" where it has none
	Box    string   // x,y,width,height in CSS pixels; "" unless asked for
	Text   string   // the value, or the only text in it
	Cells  [][]Line // what else stands in the line, a text being a Line without a role
	Cut    int      // characters of Text that are left out
	Inside int      // lines below that are left out
	Note   string   // a word of ours; there is nothing else then
}

// Focused is the state of the element that has the focus.
const Focused = "focused"

// Note returns a line that says something of ours at a depth.
func Note(depth int, text string) Line { return Line{Depth: depth, Note: text} }

// Each calls visit with the line and each element in it, until that returns false.
func (l *Line) Each(visit func(*Line) bool) bool {
	if !visit(l) {
		return false
	}
	for _, cell := range l.Cells {
		for i := range cell {
			if !cell[i].Each(visit) {
				return false
			}
		}
	}
	return true
}

// State returns the value of a state, and whether the line has it: "" for
// checked, "2" for level=2.
func (l *Line) State(name string) (value string, ok bool) {
	for _, s := range l.States {
		if key, value, _ := strings.Cut(s, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// Without returns the line without a state, also in what stands in it.
func (l Line) Without(state string) Line {
	if slices.Contains(l.States, state) {
		l.States = slices.DeleteFunc(slices.Clone(l.States), func(s string) bool { return s == state })
	}
	for i, cell := range l.Cells {
		for k := range cell {
			if got := cell[k].Without(state); len(got.States) != len(cell[k].States) {
				l.Cells = slices.Clone(l.Cells)
				l.Cells[i] = slices.Clone(l.Cells[i])
				l.Cells[i][k] = got
			}
		}
	}
	return l
}

// Parent returns the index of the line that a line is in, or -1.
func Parent(list []Line, i int) int {
	for j := i - 1; j >= 0; j-- {
		if list[j].Depth < list[i].Depth {
			return j
		}
	}
	return -1
}

// End returns the index behind the last line that is in a line.
func End(list []Line, i int) int {
	end := i + 1
	for end < len(list) && list[end].Depth > list[i].Depth {
		end++
	}
	return end
}
