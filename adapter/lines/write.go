package lines

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// Writer writes lines as text. It alone escapes what is the page's.
type Writer struct {
	NoRefs bool // for a reader who has no use for them
}

// Text returns lines as a snapshot shows them: indented, a dash before each.
func (w Writer) Text(list []Line) string {
	b := make([]byte, 0, 64*len(list))
	for i := range list {
		l := &list[i]
		if i > 0 {
			b = append(b, '\n')
		}
		for range l.Depth {
			b = append(b, "  "...)
		}
		if l.Note == "" {
			b = append(b, "- "...)
		}
		b = w.line(b, l)
		if i+1 < len(list) && list[i+1].Depth > l.Depth && !l.content() && l.Note == "" {
			b = append(b, ':')
		}
	}
	return string(b)
}

// Line returns a line without what stands before it, and without the colon of one
// that has others below it.
func (w Writer) Line(l Line) string { return string(w.line(nil, &l)) }

// Head returns a line up to its content, such as button "Save" [e5].
func (w Writer) Head(l Line) string { return string(w.head(nil, &l)) }

// Cell returns what stands in one cell of a line.
func (w Writer) Cell(cell []Line) string { return string(w.cell(nil, cell)) }

// Quote returns a text of a page in quotes, as names are written.
func Quote(text string) string { return string(quote(nil, text)) }

// content reports whether a line says more than its head.
func (l *Line) content() bool { return l.Text != "" || len(l.Cells) > 0 || l.Inside > 0 || l.Cut > 0 }

func (w Writer) line(b []byte, l *Line) []byte {
	if l.Note != "" {
		return append(b, l.Note...)
	}
	b = w.head(b, l)
	if !l.content() {
		return b
	}
	b = append(b, ": "...)
	switch {
	case l.Inside > 0:
		return append(b, "… ("+counted(l.Inside)+" inside)"...)
	case len(l.Cells) == 0:
		b = text(b, l.Text)
		if l.Cut > 0 {
			b = append(b, "… ("+counted(l.Cut)+" more characters"...)
			if l.Ref != "" && !w.NoRefs { // by which all of it is shown
				b = append(b, ": ref="+l.Ref...)
			}
			b = append(b, ')')
		}
		return b
	}
	for i, cell := range l.Cells {
		if i > 0 {
			b = append(b, " | "...)
		}
		b = w.cell(b, cell)
	}
	return b
}

// head writes a role, a name, states, a ref and a box.
func (w Writer) head(b []byte, l *Line) []byte {
	begin := len(b)
	role := l.Role
	if !roles[role] && role != "" {
		role = "generic" // the page script's mistake, and no page's chance
	}
	b = append(b, role...)
	if l.Name != "" {
		b = quote(append(b, ' '), l.Name)
	}
	return w.marks(b, begin, l)
}

// marks writes states, a ref and a box, in brackets.
func (w Writer) marks(b []byte, begin int, l *Line) []byte {
	put := func(parts ...string) {
		if len(b) > begin {
			b = append(b, ' ')
		}
		b = append(b, '[')
		for _, p := range parts {
			b = append(b, p...)
		}
		b = append(b, ']')
	}
	for _, s := range l.States {
		key, value, valued := strings.Cut(s, "=")
		switch {
		case !valued:
			put(word(key))
		case key != "placeholder" && token(value):
			put(word(key), "=", value)
		default:
			put(word(key), "=", Quote(value))
		}
	}
	if l.Ref != "" && !w.NoRefs {
		put(l.Ref)
	}
	if l.Box != "" {
		put("box=", l.Box)
	}
	return b
}

// word is the name of a state, of which the page has no part.
func word(s string) string {
	if strings.ContainsAny(s, "[]\"\\\n") {
		return Quote(s)
	}
	return s
}

// token reports whether the value of a state needs no quotes.
func token(s string) bool {
	for i := range len(s) {
		if c := s[i]; c <= ' ' || c >= 0x7f || c == '[' || c == ']' || c == '"' || c == '\\' {
			return false
		}
	}
	return s != ""
}

// cell writes texts and elements in their order.
func (w Writer) cell(b []byte, cell []Line) []byte {
	begin := len(b)
	for i := range cell {
		l := &cell[i]
		if l.Role == "" && l.Text == "" && w.NoRefs && len(l.States) == 0 {
			continue // there was only a ref
		}
		if len(b) > begin && !(l.Role == "" && i > 0 && cell[i-1].Role != "" && follows(Clean(l.Text))) {
			b = append(b, ' ')
		}
		switch {
		case l.Role == "" && l.Text != "":
			b = text(b, l.Text)
		case l.Role == "":
			from := len(b)
			if from > begin && (cell[i-1].Text == "" || cell[i-1].Role != "" || roles[lastWord(Clean(cell[i-1].Text))]) {
				b = append(b, "cell"...) // else it would be read as what is before it
			}
			b = w.marks(b, from, l)
		default:
			b = w.element(b, l, len(b) == begin, i+1 == len(cell))
		}
	}
	return b
}

// element writes an element that stands in a line; first and last in its cell.
func (w Writer) element(b []byte, l *Line, first, last bool) []byte {
	begin := len(b)
	plain := l.Name == "" && len(l.States) == 0 && l.Box == "" && (l.Ref == "" || w.NoRefs) && !l.content()
	switch {
	case l.Role == "option" && first && l.Ref == "" && !l.content():
		return w.marks(quote(b, l.Name), begin, l) // its role goes without saying
	case plain:
		b = append(append(b, l.Role...), ` ""`...)
	default:
		b = w.head(b, l)
	}
	switch {
	case len(l.Cells) > 0 && len(l.Cells[0]) > 0:
		b = append(b, ": "...)
		return w.element(b, &l.Cells[0][0], false, last)
	case l.Text == "":
	case last:
		b = text(append(b, ": "...), l.Text)
	default:
		b = quote(append(b, ": "...), l.Text)
	}
	return b
}

// lastWord is what stands behind the last space.
func lastWord(s string) string { return s[strings.LastIndexByte(s, ' ')+1:] }

// follows reports whether a text stands right behind the element before it.
func follows(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return strings.ContainsRune(".,;!?)]}”’»…", r) && s != ""
}

// counted writes a number with commas.
func counted(n int) string {
	s := strconv.Itoa(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
