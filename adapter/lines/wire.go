package lines

import (
	"fmt"
	"strconv"
	"strings"
)

// The page script writes lines as one string, since a tree of values takes Chrome
// several times as long to hand out. Each part begins with a control character,
// of which it leaves none in what is the page's; those that are frequent take JSON
// two bytes at the most.
const (
	wireLine    = '\n' // ends a line, which begins with its depth
	wireName    = '\t'
	wireState   = '\x1f'
	wireRef     = '\f' // a ref, and its box after a space
	wireCut     = '\x1d'
	wireInside  = '\x1c'
	wireContent = '\r'   // the text in it, or what stands in the line
	wireCell    = '\x7f' // the next cell
	wireElement = '\b'   // an element within a line
	wireText    = '\x1e' // a text behind one
)

// Decode returns the lines that the page script wrote.
func Decode(wire string) ([]Line, error) {
	if wire == "" {
		return nil, nil
	}
	list := make([]Line, 0, strings.Count(wire, "\n")+1)
	for record := range strings.SplitSeq(wire, string(wireLine)) {
		d := decoder{record}
		digits := d.rest[:len(d.rest)-len(strings.TrimLeft(d.rest, "0123456789"))]
		depth, err := strconv.Atoi(digits)
		if err != nil {
			return nil, fmt.Errorf("a line of the page script without a depth: %q", record)
		}
		d.rest = d.rest[len(digits):]
		l := d.element(true)
		if d.rest != "" {
			return nil, fmt.Errorf("a line of the page script goes on: %q", record)
		}
		l.Depth = depth
		if l.Role == "" {
			l = Note(depth, l.Text) // a word of the page script
		}
		list = append(list, l)
	}
	return list, nil
}

// decoder reads a line.
type decoder struct{ rest string }

// word reads up to the next control character what is ours, and text what is the
// page's.
func (d *decoder) text() string { return Clean(d.word()) }

func (d *decoder) word() string {
	i := 0
	for i < len(d.rest) && d.rest[i] >= ' ' && d.rest[i] != wireCell {
		i++
	}
	word := d.rest[:i]
	d.rest = d.rest[i:]
	return word
}

// next reads a control character if it is the next one.
func (d *decoder) next(mark byte) bool {
	if d.rest == "" || d.rest[0] != mark {
		return false
	}
	d.rest = d.rest[1:]
	return true
}

// element reads an element; a line may have cells, an element within one has one
// text or element.
func (d *decoder) element(line bool) Line {
	l := Line{Role: d.word()}
	for {
		switch {
		case d.next(wireName):
			l.Name = d.text()
		case d.next(wireState):
			l.States = append(l.States, d.text())
		case d.next(wireRef):
			l.Ref, l.Box, _ = strings.Cut(d.word(), " ")
		case d.next(wireCut):
			l.Cut, _ = strconv.Atoi(d.word())
		case d.next(wireInside):
			l.Inside, _ = strconv.Atoi(d.word())
		case d.next(wireContent):
			switch {
			case line:
				d.cells(&l)
			case d.next(wireElement):
				l.Cells = [][]Line{{d.element(false)}}
			default:
				l.Text = d.text()
			}
			return l
		default:
			return l
		}
	}
}

// cells reads what stands in a line.
func (d *decoder) cells(l *Line) {
	text := d.text()
	if d.rest == "" {
		l.Text = text
		return
	}
	cell := []Line{}
	add := func(text string) {
		if text != "" {
			cell = append(cell, Line{Text: text})
		}
	}
	add(text)
	for {
		switch {
		case d.next(wireElement):
			cell = append(cell, d.element(false))
		case d.next(wireText):
			add(d.text())
		case d.next(wireCell):
			l.Cells = append(l.Cells, cell)
			cell = []Line{}
			add(d.text())
		default:
			l.Cells = append(l.Cells, cell)
			return
		}
	}
}
