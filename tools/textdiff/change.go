package textdiff

import (
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Marks of the lines of a change.
const (
	isNew    = '+'
	isOther  = '~' // in itself
	isGone   = '-' // with all that was in it
	isMoved  = '>' // written as ~ moved …
	isWhole  = '=' // all of it is told, as it is now
	isAround = ' ' // where the following is
)

// Deed is what the agent did, as far as its answer says so beside the difference.
type Deed struct {
	Ref   string // of the element that was acted on
	Value string // that it has now
	Typed bool   // the answer gives the value
}

// Between returns what differs between two snapshots of a page, a line for each
// difference; "" when nothing does. What is new stands below the element that holds
// it. A move of the focus is a difference only of the element that has it now, and
// none where that is the one acted on.
func Between(w lines.Writer, before, after []lines.Line, did Deed) string {
	c := change{w: w, old: before, new: after}
	c.oldText, c.newText = bare(before), bare(after)
	c.compare()
	c.focus(did)
	c.leaveOut(did)
	return c.write()
}

// bare returns lines as they are compared: without their depth and without the
// mark of the focus.
func bare(list []lines.Line) []string {
	text := make([]string, len(list))
	for i, l := range list {
		text[i] = lines.Writer{}.Line(l.Without(lines.Focused))
	}
	return text
}

// change is a comparison under way.
type change struct {
	w                lines.Writer
	old, new         []lines.Line
	oldText, newText []string
	marks            []byte        // of the new lines
	from             []int         // what they were, -1 for nothing
	kept             []bool        // of the old lines: they are still there
	gone             map[int][]int // old lines that are gone, by the new line they stood before
}

func (c *change) compare() {
	c.marks, c.from, c.kept, c.gone = make([]byte, len(c.new)), make([]int, len(c.new)), make([]bool, len(c.old)), map[int][]int{}
	list := hunks(c.oldText, c.newText)
	for i := range c.kept {
		c.kept[i] = true
	}
	for i := range c.from {
		c.from[i] = -1
	}
	for _, h := range list {
		for i := h.oldFrom; i < h.oldTo; i++ {
			c.kept[i] = false
		}
		for i := h.newFrom; i < h.newTo; i++ {
			c.marks[i] = isNew
		}
	}
	c.pairByRef(list)
	c.pairByText(list)
	for _, h := range list {
		c.pairInPlace(h)
	}
	for _, h := range list {
		for i := h.oldFrom; i < h.oldTo; i++ {
			if c.kept[i] {
				continue
			}
			if p := lines.Parent(c.old, i); p < 0 || c.kept[p] {
				c.gone[h.newFrom] = append(c.gone[h.newFrom], i)
			}
		}
	}
	for i, m := range slices.Backward(c.marks) { // what moved with what holds it needs no word
		if p := lines.Parent(c.new, i); m == isMoved && p >= 0 && c.marks[p] == isMoved {
			c.marks[i] = 0
		}
	}
}

// focus marks the element that has the focus now, if it did not have it before.
func (c *change) focus(did Deed) {
	had, _ := focusOf(c.old)
	has, at := focusOf(c.new)
	if has != "" && has != had && has != did.Ref && c.marks[at] == 0 {
		c.marks[at] = isOther
	}
}

// focusOf returns the ref of the element that has the focus, and the line that it
// is in.
func focusOf(list []lines.Line) (ref string, at int) {
	for i := range list {
		list[i].Each(func(e *lines.Line) bool {
			if slices.Contains(e.States, lines.Focused) {
				ref, at = e.Ref, i
			}
			return ref == ""
		})
		if ref != "" {
			break
		}
	}
	return ref, at
}

// leaveOut drops what the answer tells already: the value that a field has now.
func (c *change) leaveOut(did Deed) {
	if !did.Typed {
		return
	}
	for i, m := range c.marks {
		l := c.new[i]
		if m != isOther || l.Ref == "" || l.Ref != did.Ref || c.from[i] < 0 || l.Text != lines.Clean(did.Value) {
			continue
		}
		was := c.old[c.from[i]]
		was.Text, was.Depth = l.Text, l.Depth
		if c.w.Line(withoutHint(was.Without(lines.Focused))) == c.w.Line(withoutHint(l.Without(lines.Focused))) {
			c.marks[i] = 0
		}
	}
}

// withoutHint is a field without what stands in it while it is empty.
func withoutHint(l lines.Line) lines.Line {
	l.States = slices.DeleteFunc(slices.Clone(l.States), func(s string) bool { return strings.HasPrefix(s, "placeholder=") })
	return l
}
