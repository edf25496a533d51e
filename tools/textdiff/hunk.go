package textdiff

import (
	"strings"

	"github.com/aymanbagabas/go-udiff"
)

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
