package tools

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

// changeShare is how much of a snapshot a change may be, in percent, before the
// snapshot itself is the shorter thing to read.
const changeShare = 60

// focusMark marks the element that has the focus.
const focusMark = " [focused]"

// line is a line of a snapshot.
type line struct {
	depth int
	text  string // without indentation and dash
	bare  string // the same without the mark of the focus
	focus string // the ref of the element that has it, in or at this line
	ref   string
	head  string // the text up to the ref, or up to its colon
}

// linesOf splits a snapshot. Other lines than elements are taken as they are.
func linesOf(snapshot string) []line {
	if snapshot == "" {
		return nil
	}
	var lines []line
	for s := range strings.SplitSeq(snapshot, "\n") {
		text := strings.TrimLeft(s, " ")
		l := line{depth: (len(s) - len(text)) / 2, text: strings.TrimPrefix(text, "- ")}
		l.ref, l.head = refIn(l.text)
		l.bare = l.text
		if at := outside(l.text, focusMark); at >= 0 {
			l.focus, _ = refIn(l.text[at+len(focusMark):])
			l.bare = l.text[:at] + l.text[at+len(focusMark):]
		}
		lines = append(lines, l)
	}
	return lines
}

// refIn finds the ref of a line, such as e12 in: button "a [b]" [e12]: text.
func refIn(text string) (ref, head string) {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == ':' && (i+1 == len(text) || text[i+1] == ' '):
			return "", text[:i]
		case c == '[':
			end := strings.IndexByte(text[i:], ']')
			if end > 0 && isRef(text[i+1:i+end]) {
				return text[i+1 : i+end], text[:i+end+1]
			}
		}
	}
	return "", text
}

// outside finds a part of a line that is not within quotes, or -1. It may stand
// after a colon, where a line holds the one element that is in it.
func outside(text, part string) int {
	quoted := false
	for i := 0; i < len(text); i++ {
		switch {
		case quoted && text[i] == '\\':
			i++
		case text[i] == '"':
			quoted = !quoted
		case !quoted && strings.HasPrefix(text[i:], part):
			return i
		}
	}
	return -1
}

// isRef tells a ref (e12, f2e5) from a state (checked).
func isRef(s string) bool {
	if rest, ok := strings.CutPrefix(s, "f"); ok {
		digits, number, ok := strings.Cut(rest, "e")
		return ok && isNumber(digits) && isNumber(number)
	}
	number, ok := strings.CutPrefix(s, "e")
	return ok && isNumber(number)
}

func isNumber(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}

// changeBetween tells what differs between two snapshots of a page, a line for
// each difference: + for what is new or elsewhere now, ~ for what is different
// in itself, - for what is gone (with all that was in it). What is new stands
// below the element that holds it. That the focus moved is told only of the
// element that has it now, and not when that is acted, the ref of the one that
// was acted on. It is empty when nothing differs.
func changeBetween(before, after, acted string) string {
	if before == after {
		return ""
	}
	c := change{old: linesOf(before), new: linesOf(after)}
	c.compare()
	c.focus(acted)
	return c.write()
}

// change is a comparison under way.
type change struct {
	old, new []line
	marks    []byte        // of the new lines: 0, + or ~
	gone     map[int][]int // old lines that are gone, by the new line they stood before
}

func (c *change) compare() {
	c.marks, c.gone = make([]byte, len(c.new)), map[int][]int{}
	was, is := refs(c.old), refs(c.new)
	lost := make([]bool, len(c.old))
	for _, h := range hunks(c.old, c.new) {
		left := map[string][]int{} // lines without a ref that went, by their role
		for i := h.oldFrom; i < h.oldTo; i++ {
			l := c.old[i]
			if l.ref == "" {
				left[role(l.head)] = append(left[role(l.head)], i)
			}
			_, stays := is[l.ref]
			lost[i] = l.ref == "" || !stays
		}
		for i := h.newFrom; i < h.newTo; i++ {
			l := c.new[i]
			c.marks[i] = '+'
			if l.ref != "" {
				if j, ok := was[l.ref]; ok && c.old[j].bare != l.bare {
					c.marks[i] = '~'
				}
			} else if same := left[role(l.head)]; len(same) > 0 {
				c.marks[i] = '~'
				lost[same[0]] = false
				left[role(l.head)] = same[1:]
			}
		}
		for i := h.oldFrom; i < h.oldTo; i++ {
			if lost[i] && !c.within(i, lost) {
				c.gone[h.newFrom] = append(c.gone[h.newFrom], i)
			}
		}
	}
}

// focus marks the element that has the focus now, if it did not have it before.
func (c *change) focus(acted string) {
	had := ""
	for _, l := range c.old {
		if l.focus != "" {
			had = l.focus
		}
	}
	for i, l := range c.new {
		if l.focus != "" && l.focus != had && l.focus != acted && c.marks[i] == 0 {
			c.marks[i] = '~'
		}
	}
}

// within tells whether an old line was part of one that is gone.
func (c *change) within(i int, lost []bool) bool {
	p := parent(c.old, i)
	return p >= 0 && lost[p]
}

// write tells the change.
func (c *change) write() string {
	var b strings.Builder
	depth := make([]int, len(c.new)) // at which a line was shown, and 1
	put := func(mark byte, depth int, text string) {
		b.WriteByte(mark)
		b.WriteByte(' ')
		for range depth {
			b.WriteString("  ")
		}
		b.WriteString(text)
		b.WriteByte('\n')
	}
	for i := 0; i <= len(c.new); i++ {
		for _, j := range c.gone[i] {
			text := c.old[j].head
			if c.old[j].ref == "" {
				text = c.old[j].text
			}
			put('-', 0, text)
		}
		if i == len(c.new) || c.marks[i] == 0 {
			continue
		}
		at := 0
		for p := parent(c.new, i); p >= 0; p = parent(c.new, p) {
			l := c.new[p]
			if depth[p] > 0 {
				at = depth[p]
				break
			}
			if c.new[i].ref != "" && c.marks[i] == '~' {
				continue // its ref says where it is
			}
			if l.ref != "" || strings.Contains(l.head, `"`) {
				put(' ', 0, l.head)
				depth[p], at = 1, 1
				break
			}
		}
		put(c.marks[i], at, c.new[i].text)
		depth[i] = at + 1
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// parent returns the line that a line is in, or -1.
func parent(lines []line, i int) int {
	for j := i - 1; j >= 0; j-- {
		if lines[j].depth < lines[i].depth {
			return j
		}
	}
	return -1
}

func refs(lines []line) map[string]int {
	m := make(map[string]int, len(lines))
	for i, l := range lines {
		if l.ref != "" {
			m[l.ref] = i
		}
	}
	return m
}

func role(head string) string {
	role, _, _ := strings.Cut(head, " ")
	return role
}

// hunk is a stretch of lines that differs.
type hunk struct{ oldFrom, oldTo, newFrom, newTo int }

// hunks finds the stretches, whatever the indentation: an element that is
// wrapped in another is still the same.
func hunks(before, after []line) []hunk {
	// Most of a page stays: only what lies between the first and the last
	// difference is worth comparing.
	head := 0
	for head < len(before) && head < len(after) && before[head].bare == after[head].bare {
		head++
	}
	tail := 0
	for tail < len(before)-head && tail < len(after)-head &&
		before[len(before)-1-tail].bare == after[len(after)-1-tail].bare {
		tail++
	}
	before, after = before[head:len(before)-tail], after[head:len(after)-tail]
	text := func(lines []line) (string, map[int]int) {
		var b strings.Builder
		at := map[int]int{} // the line that begins at an offset
		for i, l := range lines {
			at[b.Len()] = i
			b.WriteString(l.bare)
			b.WriteByte('\n')
		}
		at[b.Len()] = len(lines)
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
