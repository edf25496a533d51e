package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strings"
)

// The files of clients are JSON with what people put into it: comments, and commas
// at ends.

// entry is a server as an object.
type entry struct {
	Type    string   `json:"type,omitempty"`
	Command string   `json:"command"`
	Args    []string `json:"args"`
	Tools   []string `json:"tools,omitempty"` // that its agent may use
}

func (s shape) entry(server Server) entry {
	e := entry{Command: server.Command, Args: append([]string{}, server.Args...)}
	if s.kind {
		e.Type = "stdio"
	}
	if s.tools {
		e.Tools = []string{"*"}
	}
	return e
}

var errShape = errors.New("it is not written as expected")

// setMember returns a text in which the object of a key has the server's entry. If
// there is one already, it gets a new command, and new arguments if any are given:
// the rest is the person's.
func setMember(text []byte, key string, e entry) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return render(map[string]any{key: map[string]any{name: e}}, "", "  ", "\n", "\n"), nil
	}
	top, err := whole(text)
	if err != nil {
		return text, err
	}
	unit, line := habits(text)
	at, i := top.find(key)
	if i < 0 {
		return top.insert(text, key, map[string]any{name: e}, "", unit, line), nil
	}
	r := reader{text: text, at: at.value}
	servers, err := r.object()
	if err != nil {
		return text, fmt.Errorf("%q is not an object", key)
	}
	indent := indentAt(text, at.start)
	m, i := servers.find(name)
	if i < 0 {
		return servers.insert(text, name, e, indent, unit, line), nil
	}
	for _, field := range []struct {
		key   string
		value any
		keep  bool
	}{{"args", e.Args, len(e.Args) == 0}, {"command", e.Command, false}} {
		r := reader{text: text, at: m.value}
		own, err := r.object()
		if err != nil {
			return text, fmt.Errorf("%q in %q is not an object", name, key)
		}
		f, i := own.find(field.key)
		switch {
		case i < 0:
			text = own.insert(text, field.key, field.value, indentAt(text, m.start), unit, line)
		case !field.keep && !same(text[f.value:f.end], field.value):
			text = splice(text, f.value, f.end, render(field.value, indentAt(text, f.start), unit, line, ""))
		}
	}
	return text, nil
}

// dropMember returns a text in which the object of a key lacks the server.
func dropMember(text []byte, key string) ([]byte, error) {
	if len(bytes.TrimSpace(text)) == 0 {
		return text, nil
	}
	top, err := whole(text)
	if err != nil {
		return text, err
	}
	at, i := top.find(key)
	if i < 0 {
		return text, nil
	}
	for {
		r := reader{text: text, at: at.value}
		servers, err := r.object()
		if err != nil {
			return text, nil
		}
		_, i := servers.find(name)
		if i < 0 {
			return text, nil
		}
		text = servers.drop(text, i) // one before it would count then
	}
}

// drop takes a member out, with the comma that it needed; comments stay.
func (o object) drop(text []byte, i int) []byte {
	m, comma := o.members[i], o.comma
	if i+1 < len(o.members) {
		comma = commaAfter(text, m.end)
	}
	from, to, end := m.start, m.end, o.shut
	if comma >= 0 {
		text, end = splice(text, comma, comma+1, nil), end-1
	}
	rest := bytes.TrimLeft(text[to:end], " \t\r")
	switch before := bytes.TrimRight(text[:from], " \t"); {
	case len(rest) > 0 && rest[0] == '\n' && bytes.HasSuffix(before, []byte("\n")): // a line of its own
		from = len(bytes.TrimSuffix(bytes.TrimSuffix(before, []byte("\n")), []byte("\r")))
	case len(rest) == 0:
		from = len(before)
	default:
		to = end - len(rest)
	}
	text, end = splice(text, from, to, nil), end-(to-from)
	if comma < 0 && i > 0 {
		comma = commaAfter(text, o.members[i-1].end)
		text, end = splice(text, comma, comma+1, nil), end-1
	}
	if len(bytes.TrimSpace(text[o.open+1:end])) == 0 {
		text = splice(text, o.open+1, end, nil)
	}
	return text
}

// commaAfter is the place of the comma behind a member that is not the last.
func commaAfter(text []byte, at int) int {
	r := reader{text: text, at: at}
	_ = r.skip() // it was read before
	return r.at
}

// insert puts a member behind the last one; indent is that of the line with the
// object.
func (o object) insert(text []byte, key string, value any, indent, unit, line string) []byte {
	inner := indent + unit
	if len(o.members) > 0 && bytes.IndexByte(text[o.open:o.members[0].start], '\n') >= 0 {
		inner = indentAt(text, o.members[0].start)
	}
	quoted, _ := json.Marshal(key)
	added := line + inner + string(quoted) + ": " + string(render(value, inner, unit, line, ""))
	switch {
	case len(o.members) == 0:
		return splice(text, o.open+1, o.shut, []byte(string(bytes.TrimRight(text[o.open+1:o.shut], " \t\r\n"))+added+line+indent))
	case o.comma >= 0:
		at := remark(text, o.comma+1, o.shut)
		return splice(text, at, at, []byte(added+","))
	}
	last := o.members[len(o.members)-1].end
	if bytes.IndexByte(text[o.open:o.shut], '\n') < 0 {
		tail := bytes.TrimRight(text[last:o.shut], " \t")
		return splice(text, last, o.shut, []byte(","+string(tail)+added+line+indent))
	}
	at := remark(text, last, o.shut)
	return splice(splice(text, at, at, []byte(added)), last, last, []byte(","))
}

// remark is where a comment ends that follows a place on its line, or that place.
func remark(text []byte, at, shut int) int {
	rest, _, found := bytes.Cut(text[at:shut], []byte("\n"))
	r := reader{text: bytes.TrimRight(rest, " \t\r")}
	if !found || r.skip() != nil || r.at < len(r.text) {
		return at
	}
	return at + len(r.text)
}

// render writes a value at an indentation.
func render(value any, indent, unit, line, end string) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent(indent, unit)
	_ = e.Encode(value) // texts and lists of them
	return []byte(strings.ReplaceAll(strings.TrimSuffix(b.String(), "\n"), "\n", line) + end)
}

func splice(text []byte, from, to int, with []byte) []byte {
	return bytes.Join([][]byte{text[:from], with, text[to:]}, nil)
}

// habits are how a text indents, and ends its lines.
func habits(text []byte) (unit, line string) {
	unit, line = "  ", "\n"
	if bytes.Contains(text, []byte("\r\n")) {
		line = "\r\n"
	}
	for l := range bytes.Lines(text) {
		if space := l[:len(l)-len(bytes.TrimLeft(l, " \t"))]; len(space) > 0 && len(bytes.TrimSpace(l)) > 0 {
			return string(space), line
		}
	}
	return unit, line
}

// indentAt is the indentation of the line with a place.
func indentAt(text []byte, at int) string {
	start := bytes.LastIndexByte(text[:at], '\n') + 1
	l := text[start:at]
	return string(l[:len(l)-len(bytes.TrimLeft(l, " \t"))])
}

// same reports whether a text says a value.
func same(text []byte, value any) bool {
	data, err := json.Marshal(value)
	var a, b any
	return err == nil && json.Unmarshal(text, &a) == nil && json.Unmarshal(data, &b) == nil && reflect.DeepEqual(a, b)
}
