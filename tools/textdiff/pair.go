package textdiff

import (
	"slices"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

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
