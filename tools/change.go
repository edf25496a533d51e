package tools

import (
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// changeShare is how much of a snapshot a change may be, in percent, before the
// snapshot itself is the shorter thing to read.
const changeShare = 60

// Marks of the lines of a change.
const (
	isNew    = '+'
	isOther  = '~' // in itself
	isGone   = '-' // with all that was in it
	isMoved  = '>' // written as ~ moved …
	isWhole  = '=' // all of it is told, as it is now
	isAround = ' ' // where the following is
)

// deed is what the agent did, which the answer tells already.
type deed struct {
	ref   string // of the element that was acted on
	value string // that it has now
	typed bool   // the value is told
}

// changeBetween tells what differs between two snapshots of a page, a line for
// each difference. What is new stands below the element that holds it. That the
// focus moved is told only of the element that has it now, and not when that is
// acted on. It is empty when nothing differs.
func changeBetween(w lines.Writer, before, after []lines.Line, did deed) string {
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

// pair says that a new line is what an old one was.
func (c *change) pair(i, j int) {
	c.from[i], c.kept[j] = j, true
	if c.marks[i] = isOther; c.newText[i] == c.oldText[j] {
		c.marks[i] = isMoved
	}
}

// pairByRef finds what has the same element, itself or in it.
func (c *change) pairByRef(list []hunk) {
	was := map[string]int{}
	for _, h := range list {
		for j := h.oldFrom; j < h.oldTo; j++ {
			if ref := identity(&c.old[j]); ref != "" {
				was[ref] = j
			}
		}
	}
	for _, h := range list {
		for i := h.newFrom; i < h.newTo; i++ {
			if j, ok := was[identity(&c.new[i])]; ok && !c.kept[j] && (c.old[j].Ref != "" || c.old[j].Role == c.new[i].Role) {
				c.pair(i, j)
			}
		}
	}
}

// identity is a line's ref, or that of the first element in it.
func identity(l *lines.Line) (ref string) {
	l.Each(func(e *lines.Line) bool {
		ref = e.Ref
		return ref == ""
	})
	return ref
}

// pairByText finds what says the same elsewhere in the same element.
func (c *change) pairByText(list []hunk) {
	type place struct{ text, in string }
	was := map[place][]int{}
	for _, h := range list {
		for j := h.oldFrom; j < h.oldTo; j++ {
			if !c.kept[j] && identity(&c.old[j]) == "" {
				p := place{c.oldText[j], c.above(c.old, j)}
				was[p] = append(was[p], j)
			}
		}
	}
	for _, h := range list {
		for i := h.newFrom; i < h.newTo; i++ {
			if c.from[i] >= 0 {
				continue
			}
			p := place{c.newText[i], c.above(c.new, i)}
			if same := was[p]; len(same) > 0 {
				was[p] = same[1:]
				c.pair(i, same[0])
			}
		}
	}
}

// above says in what a line is.
func (c *change) above(list []lines.Line, i int) string {
	p := lines.Parent(list, i)
	switch {
	case p < 0:
		return ""
	case list[p].Ref != "":
		return list[p].Ref
	}
	return c.w.Head(list[p])
}

// pairInPlace finds what stands where something like it stood.
func (c *change) pairInPlace(h hunk) {
	for _, like := range []func(was, is *lines.Line) bool{sameFirst, sameKind} {
		j := h.oldFrom
		for i := h.newFrom; i < h.newTo; i++ {
			if c.from[i] >= 0 || c.new[i].Ref != "" {
				continue
			}
			for k := j; k < h.oldTo; k++ {
				if !c.kept[k] && like(&c.old[k], &c.new[i]) {
					c.pair(i, k)
					j = k + 1
					break
				}
			}
		}
	}
}

// sameFirst reports whether two lines with several things in them begin with the
// same, such as rows about the same person.
func sameFirst(was, is *lines.Line) bool {
	if was.Role != is.Role || was.Ref != "" || len(was.Cells) < 2 || len(is.Cells) < 2 {
		return false
	}
	var w lines.Writer
	first := w.Cell(was.Cells[0])
	return first != "" && first == w.Cell(is.Cells[0])
}

// sameKind reports whether one line may be what became of another: of the same
// role, without refs, and where there is much in them, with something in common.
func sameKind(was, is *lines.Line) bool {
	if was.Role != is.Role || was.Note != is.Note || identity(was) != "" || identity(is) != "" {
		return false
	}
	if len(was.Cells) < 2 && len(is.Cells) < 2 {
		return true
	}
	var w lines.Writer
	return len(was.Cells) == len(is.Cells) && slices.ContainsFunc(was.Cells, func(a []lines.Line) bool {
		return slices.ContainsFunc(is.Cells, func(b []lines.Line) bool { return w.Cell(a) == w.Cell(b) })
	})
}

// focus marks the element that has the focus now, if it did not have it before.
func (c *change) focus(did deed) {
	had, _ := focusOf(c.old)
	has, at := focusOf(c.new)
	if has != "" && has != had && has != did.ref && c.marks[at] == 0 {
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
func (c *change) leaveOut(did deed) {
	if !did.typed {
		return
	}
	for i, m := range c.marks {
		l := c.new[i]
		if m != isOther || l.Ref == "" || l.Ref != did.ref || c.from[i] < 0 || l.Text != lines.Clean(did.value) {
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

// hunk is a stretch of lines that differs.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

// hunks finds the stretches, whatever the indentation: an element that is
// wrapped in another is still the same.
func hunks(before, after []string) []hunk {
	// Most of a page stays: only what lies between the first and the last
	// difference is worth comparing.
	head := 0
	for head < len(before) && head < len(after) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	before, after = before[head:len(before)-tail], after[head:len(after)-tail]
	text := func(list []string) (string, map[int]int) {
		var b strings.Builder
		at := map[int]int{} // the line that begins at an offset
		for i, s := range list {
			at[b.Len()] = i
			b.WriteString(s)
			b.WriteByte('\n')
		}
		at[b.Len()] = len(list)
		return b.String(), at
	}
	old, at := text(before)
	now, _ := text(after)
	var list []hunk
	shift := 0 // of the new lines against the old ones
	for _, e := range udiff.Lines(old, now) {
		h := hunk{oldFrom: head + at[e.Start], oldTo: head + at[e.End]}
		h.newFrom = h.oldFrom + shift
		h.newTo = h.newFrom + strings.Count(e.New, "\n")
		shift = h.newTo - h.oldTo
		list = append(list, h)
	}
	return list
}
