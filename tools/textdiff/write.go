package textdiff

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// longChange is how many bytes of a change are compared with the subtree that
	// holds it all, which may be the shorter thing to read.
	longChange = 1500
	// longText is how many characters of a text that changed are told with what
	// stayed in it.
	longText = 120
)

// write tells the change, a line for each difference.
func (c *change) write() string {
	var b strings.Builder
	put := func(mark byte, depth int, text string) {
		fmt.Fprintf(&b, "%c %s%s\n", mark, strings.Repeat("  ", depth), text)
	}
	depth := make([]int, len(c.new)) // at which a line was told, and 1
	for i := 0; i <= len(c.new); i++ {
		for _, j := range c.gone[i] {
			put(isGone, 0, c.farewell(j))
		}
		if i == len(c.new) || c.marks[i] == 0 {
			continue
		}
		if c.marks[i] == isMoved {
			put(isOther, 0, "moved "+c.brief(c.new[i])+" "+c.where(i))
			continue
		}
		at := 0
		for p := lines.Parent(c.new, i); p >= 0; p = lines.Parent(c.new, p) {
			l := c.new[p]
			if depth[p] > 0 {
				at = depth[p]
				break
			}
			if c.new[i].Ref != "" && c.marks[i] == isOther {
				continue // its ref says where it is
			}
			if l.Ref != "" || l.Name != "" {
				put(isAround, 0, c.w.Head(l))
				depth[p], at = 1, 1
				break
			}
		}
		put(c.marks[i], at, c.told(i))
		depth[i] = at + 1
	}
	return c.shorter(strings.TrimSuffix(b.String(), "\n"))
}

// farewell is an old line that is gone.
func (c *change) farewell(j int) string {
	if c.old[j].Ref != "" {
		return c.w.Head(c.old[j])
	}
	return c.w.Line(c.old[j])
}

// told is a new line, with what it was where that is worth a word.
func (c *change) told(i int) string {
	l := c.new[i]
	if c.marks[i] == isNew {
		text := c.w.Line(l)
		if i+1 < len(c.new) && c.new[i+1].Depth > l.Depth && text == c.w.Head(l) {
			text += ":"
		}
		return text
	}
	j := c.from[i]
	if j < 0 || c.oldText[j] == c.newText[i] { // the focus came
		return c.w.Line(l)
	}
	was := c.old[j].Without(lines.Focused)
	head, before := c.w.Head(l.Without(lines.Focused)), c.w.Head(was)
	if head != before {
		if l.Ref != "" {
			return c.w.Line(l)
		}
		return c.w.Line(was) + " → " + c.w.Line(l)
	}
	head = c.w.Head(l) + c.which(i)
	switch {
	case len(l.Cells) > 0 && len(l.Cells) == len(was.Cells):
		return head + ": " + c.cells(was.Cells, l.Cells)
	case len(l.Cells) > 0 || len(was.Cells) > 0 || was.Inside > 0 || l.Inside > 0:
		if identity(&l) != "" {
			return c.w.Line(l)
		}
		return c.w.Line(was) + " → " + c.w.Line(l)
	case was.Text == "":
		return c.w.Line(l)
	case l.Text == "":
		return head + ": " + c.text(was.Text) + " → (empty)"
	}
	from, to := apart(was.Text, l.Text)
	return head + ": " + c.text(from) + " → " + c.text(to)
}

// cells tells what stands in a line, and of what differs what it was.
func (c *change) cells(was, is [][]lines.Line) string {
	var parts []string
	for k := range is {
		before, now := c.w.Cell(was[k]), c.w.Cell(is[k])
		if before != now {
			now = cmp.Or(before, "(empty)") + " → " + cmp.Or(now, "(empty)")
		}
		parts = append(parts, now)
	}
	return strings.Join(parts, " | ")
}

// text writes a text of the page.
func (c *change) text(s string) string { return c.w.Cell([]lines.Line{{Text: s}}) }

// apart returns what differs in two texts, with the words around it where they
// are long.
func apart(was, is string) (string, string) {
	if len(was) <= longText && len(is) <= longText {
		return was, is
	}
	a, b := strings.Fields(was), strings.Fields(is)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from, end := max(head-2, 0), max(tail-2, 0)
	part := func(words []string) string {
		s := strings.Join(words[from:len(words)-end], " ")
		if from > 0 {
			s = "… " + s
		}
		if end > 0 {
			s += " …"
		}
		return s
	}
	return part(a), part(b)
}

// which tells a text from its likes beside it: by the element before it, or by
// its number.
func (c *change) which(i int) string {
	l := c.new[i]
	if l.Ref != "" || l.Name != "" || len(l.Cells) > 1 {
		return ""
	}
	n, all := 0, 0
	before := -1 // the line beside it
	p := lines.Parent(c.new, i)
	end := len(c.new)
	if p >= 0 {
		end = lines.End(c.new, p)
	}
	for k := p + 1; k < end; k = lines.End(c.new, k) {
		if c.new[k].Role == l.Role && c.new[k].Ref == "" && c.new[k].Name == "" {
			if all++; k <= i {
				n++
			}
		}
		if k < i {
			before = k
		}
	}
	switch {
	case all < 2:
		return ""
	case before >= 0 && (c.new[before].Ref != "" || c.new[before].Name != ""):
		return " (after " + c.w.Head(c.new[before]) + ")"
	}
	return fmt.Sprintf(" (%d of %d)", n, all)
}

// where tells the place of a line by what is beside it.
func (c *change) where(i int) string {
	p := lines.Parent(c.new, i)
	end := len(c.new)
	if p >= 0 {
		end = lines.End(c.new, p)
	}
	if next := lines.End(c.new, i); next < end && c.new[next].Note == "" {
		return "before " + c.brief(c.new[next])
	}
	before := -1
	for k := p + 1; k < i; k = lines.End(c.new, k) {
		before = k
	}
	switch {
	case before >= 0:
		return "after " + c.brief(c.new[before])
	case p >= 0:
		return "into " + c.brief(c.new[p])
	}
	return "to the top"
}

// brief names a line: by its head, or by the first thing in it.
func (c *change) brief(l lines.Line) string {
	if l.Ref != "" || l.Name != "" {
		return c.w.Head(l)
	}
	if len(l.Cells) > 2 {
		l.Cells = l.Cells[:2]
	}
	l.Text, l.Cut = lines.Clip(l.Text, 60), 0
	return c.w.Line(l)
}

// shorter returns a change, or the subtree that holds it all where that is the
// shorter thing to read.
func (c *change) shorter(text string) string {
	if len(text) < longChange {
		return text
	}
	first, last := len(c.new), -1
	at := func(i int) { first, last = min(first, i), max(last, i) }
	for i, m := range c.marks {
		if m != 0 {
			at(i)
		}
	}
	for i := range c.gone {
		at(max(i-1, 0)) // what it stood behind
	}
	for p := min(first, len(c.new)-1); p >= 0; p = lines.Parent(c.new, p) {
		if l := c.new[p]; lines.End(c.new, p) <= last || c.marks[p] == isNew || l.Ref == "" && l.Name == "" {
			continue
		}
		var b strings.Builder
		whole := c.new[p:lines.End(c.new, p)]
		for i, l := range whole {
			l.Depth -= c.new[p].Depth
			fmt.Fprintf(&b, "%c %s%s", isWhole, strings.Repeat("  ", l.Depth), c.w.Line(l))
			if i == 0 {
				b.WriteByte(':')
			}
			b.WriteByte('\n')
		}
		if subtree := strings.TrimSuffix(b.String(), "\n"); len(subtree) < len(text) {
			return subtree
		}
		break
	}
	return text
}
