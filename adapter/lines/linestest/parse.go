// Package linestest reads snapshots back, for tests.
package linestest

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// escapable are the characters that a backslash may stand before.
const escapable = `\"[]|-(:→`

// Parse reads what lines.Writer wrote, by the grammar of docs/snapshots.md and
// nothing else.
func Parse(snapshot string) ([]lines.Line, error) {
	if snapshot == "" {
		return nil, nil
	}
	var list []lines.Line
	for s := range strings.SplitSeq(snapshot, "\n") {
		rest := strings.TrimLeft(s, " ")
		depth := (len(s) - len(rest)) / 2
		if strings.HasPrefix(rest, "…") {
			list = append(list, lines.Note(depth, rest))
			continue
		}
		p := parser{strings.TrimPrefix(rest, "- ")}
		if p.rest == rest {
			return nil, fmt.Errorf("a line without a dash: %q", s)
		}
		l, err := p.head()
		if err != nil {
			return nil, fmt.Errorf("%w: %q", err, s)
		}
		l.Depth = depth
		switch {
		case p.rest == "" || p.rest == ":":
		case p.skip(": "):
			if err := p.content(&l); err != nil {
				return nil, fmt.Errorf("%w: %q", err, s)
			}
		default:
			return nil, fmt.Errorf("a head that goes on with %q: %q", p.rest, s)
		}
		list = append(list, l)
	}
	return list, nil
}

type parser struct{ rest string }

func (p *parser) skip(prefix string) bool {
	rest, ok := strings.CutPrefix(p.rest, prefix)
	p.rest = rest
	return ok
}

// head reads a role, a name, states, a ref and a box.
func (p *parser) head() (lines.Line, error) {
	var l lines.Line
	role := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "abcdefghijklmnopqrstuvwxyz-"))]
	if !lines.IsRole(role) {
		return l, fmt.Errorf("no role %q", role)
	}
	l.Role, p.rest = role, p.rest[len(role):]
	if strings.HasPrefix(p.rest, ` "`) {
		p.rest = p.rest[1:]
		l.Name = p.quoted()
	}
	p.marks(&l, " ")
	return l, nil
}

// marks reads states, a ref and a box; the first stands behind a prefix.
func (p *parser) marks(l *lines.Line, prefix string) {
	for strings.HasPrefix(p.rest, prefix+"[") && l.Box == "" {
		after := strings.TrimPrefix(p.rest, prefix)
		end := strings.IndexByte(after, ']')
		mark := after[1:end]
		boxed := strings.HasPrefix(mark, "box=")
		if l.Ref != "" && !boxed {
			return
		}
		p.rest, prefix = after[end+1:], " "
		switch key, value, _ := strings.Cut(mark, "="); {
		case boxed:
			l.Box = mark[len("box="):]
		case lines.IsRef(mark):
			l.Ref = mark
		case strings.HasPrefix(value, `"`):
			p.rest = after[1+len(key)+1:]
			value = p.quoted()
			p.skip("]")
			l.States = append(l.States, key+"="+value)
		default:
			l.States = append(l.States, mark)
		}
	}
}

// quoted reads a text in quotes.
func (p *parser) quoted() string {
	var b strings.Builder
	for i := 1; i < len(p.rest); i++ {
		switch p.rest[i] {
		case '\\':
			i++
		case '"':
			p.rest = p.rest[i+1:]
			return b.String()
		}
		b.WriteByte(p.rest[i])
	}
	return "unterminated"
}

// content reads what stands behind the colon of a line.
func (p *parser) content(l *lines.Line) error {
	if n, ok := p.count("… (", " inside)"); ok {
		l.Inside = n
		return nil
	}
	for {
		cell, err := p.cell(l)
		if err != nil {
			return err
		}
		l.Cells = append(l.Cells, cell)
		if !p.skip(" | ") {
			break
		}
	}
	if p.rest != "" {
		return fmt.Errorf("left over: %q", p.rest)
	}
	if c := l.Cells; len(c) == 1 && len(c[0]) == 1 && c[0][0].Role == "" && len(c[0][0].States) == 0 && c[0][0].Ref == "" {
		l.Text, l.Cells = c[0][0].Text, nil
	}
	return nil
}

// count reads a number of ours at the end of a line.
func (p *parser) count(before, after string) (int, bool) {
	digits, ok := strings.CutPrefix(p.rest, before)
	digits, ended := strings.CutSuffix(digits, after)
	n, err := strconv.Atoi(strings.ReplaceAll(digits, ",", ""))
	return n, ok && ended && err == nil
}

// cell reads texts and elements up to the next cell.
func (p *parser) cell(l *lines.Line) ([]lines.Line, error) {
	cell := []lines.Line{}
	for p.rest != "" && !strings.HasPrefix(p.rest, " | ") {
		if len(cell) > 0 {
			p.skip(" ")
		}
		switch {
		case p.rest[0] == '"':
			o := lines.Line{Role: "option", Name: p.quoted()}
			p.marks(&o, " ")
			cell = append(cell, o)
		case p.rest[0] == '[':
			var bare lines.Line
			p.marks(&bare, "")
			cell = append(cell, bare)
		case p.elementBegins():
			e, err := p.element()
			if err != nil {
				return nil, err
			}
			cell = append(cell, e)
		default:
			text := p.text(true)
			for _, after := range []string{" more characters)", " more characters: ref=" + l.Ref + ")"} {
				if n, ok := p.count("… (", after); ok {
					l.Cut, p.rest = n, ""
				}
			}
			cell = append(cell, lines.Line{Text: text})
		}
	}
	return cell, nil
}

// elementBegins reports whether a role is next that begins an element.
func (p *parser) elementBegins() bool {
	role := p.rest[:len(p.rest)-len(strings.TrimLeft(p.rest, "abcdefghijklmnopqrstuvwxyz-"))]
	after := p.rest[len(role):]
	return lines.IsRole(role) && (strings.HasPrefix(after, ` "`) || strings.HasPrefix(after, " [") || strings.HasPrefix(after, ": "))
}

// element reads an element that stands in a line, with what is in it.
func (p *parser) element() (lines.Line, error) {
	e, err := p.head()
	if err != nil || !p.skip(": ") {
		return e, err
	}
	switch {
	case strings.HasPrefix(p.rest, `"`):
		e.Text = p.quoted()
	case p.elementBegins():
		inner, err := p.element()
		e.Cells = [][]lines.Line{{inner}}
		return e, err
	default:
		e.Text = p.text(false)
	}
	return e, nil
}

// text reads up to the next cell, and where it may be followed by one, up to the
// next element.
func (p *parser) text(followed bool) string {
	var b strings.Builder
	for i := 0; i < len(p.rest); {
		r, size := utf8.DecodeRuneInString(p.rest[i:])
		rest := p.rest[i:]
		if r == '\\' && len(rest) > 1 {
			if next, n := utf8.DecodeRuneInString(rest[1:]); strings.ContainsRune(escapable, next) {
				b.WriteRune(next)
				i += 1 + n
				continue
			}
		}
		if strings.HasPrefix(rest, " | ") || strings.HasPrefix(rest, "… (") {
			p.rest = rest
			return b.String()
		}
		if followed && r == ' ' {
			next := parser{rest[1:]}
			if next.elementBegins() || strings.HasPrefix(rest, " [") {
				p.rest = rest
				return b.String()
			}
		}
		b.WriteString(rest[:size])
		i += size
	}
	p.rest = ""
	return b.String()
}
