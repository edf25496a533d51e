// Package toon writes TOON, a form of JSON that takes fewer tokens: objects as
// indented lines, lists of like objects as tables.
//
//	text, err := toon.Encoder{Delimiter: ",", Indent: 2}.Encode(page)
//
// It only encodes. The order of fields is kept.
package toon

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Encoder writes TOON; both settings are the format's options.
type Encoder struct {
	Delimiter string
	Indent    int // spaces
	// Lean leaves bare what decoders read back alike though the format quotes it:
	// addresses that are the value of a key, and empty cells of a table.
	Lean bool
}

// Encode encodes a value, as encoding/json sees it, in TOON 4.0: objects as
// indented lines, arrays of uniform objects as tables. The order of fields is
// kept. It fails where encoding/json does.
func (t Encoder) Encode(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return t.EncodeJSON(data)
}

// EncodeJSON encodes JSON text, which is one value.
func (t Encoder) EncodeJSON(data []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root, err := parse(d)
	if err != nil {
		return "", err
	}
	if _, err := d.Token(); err != io.EOF {
		return "", errors.New("more than one value")
	}
	var lines []string
	switch {
	case root.kind == primitiveKind:
		return t.primitive(root), nil
	case root.kind == objectKind:
		if columns := keyedColumns(root); columns != nil {
			lines = t.keyed("", root, columns, 0)
		} else {
			lines = t.fields(root, 0)
		}
	case len(root.items) == 0:
		return "[]", nil
	default:
		lines = t.array("", root, 0)
	}
	return strings.Join(lines, "\n"), nil
}

type kind int

const (
	primitiveKind kind = iota
	objectKind
	arrayKind
)

// node is a JSON value whose fields are in order.
type node struct {
	kind  kind
	value any // a string, json.Number, bool or nil
	keys  []string
	items []node // of an array, or the values of the keys
}

func parse(d *json.Decoder) (node, error) {
	token, err := d.Token()
	if err != nil {
		return node{}, err
	}
	delimiter, nested := token.(json.Delim)
	if !nested {
		return node{value: token}, nil
	}
	n := node{kind: arrayKind}
	if delimiter == '{' {
		n.kind = objectKind
	}
	for d.More() {
		if n.kind == objectKind {
			key, err := d.Token()
			if err != nil {
				return n, err
			}
			n.keys = append(n.keys, key.(string))
		}
		item, err := parse(d)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	_, err = d.Token()
	return n, err
}

func (n node) field(key string) (node, bool) {
	i := slices.Index(n.keys, key)
	if i < 0 {
		return node{}, false
	}
	return n.items[i], true
}

func (n node) all(kind kind) bool {
	return !slices.ContainsFunc(n.items, func(i node) bool { return i.kind != kind })
}

// fields writes an object's fields at a depth.
func (t Encoder) fields(n node, depth int) (lines []string) {
	for i, key := range n.keys {
		head, v := t.pad(depth)+keyText(key), n.items[i]
		switch {
		case v.kind == primitiveKind:
			lines = append(lines, head+": "+t.value(v))
		case v.kind == objectKind:
			if columns := keyedColumns(v); columns != nil {
				lines = append(lines, t.keyed(head, v, columns, depth)...)
			} else {
				lines = append(append(lines, head+":"), t.fields(v, depth+1)...)
			}
		case len(v.items) == 0:
			lines = append(lines, head+": []")
		default:
			lines = append(lines, t.array(head, v, depth)...)
		}
	}
	return lines
}

// array writes an array after its key, or the hyphen of a list; what is in it
// stands a level below depth.
func (t Encoder) array(head string, n node, depth int) []string {
	mark := t.Delimiter
	if mark == "," {
		mark = ""
	}
	head += fmt.Sprintf("[%d%s]", len(n.items), mark)
	if len(n.items) > 0 {
		if columns := columnsOf(n.items); columns != nil {
			lines := []string{head + "{" + t.header(columns) + "}:"}
			for _, item := range n.items {
				lines = append(lines, t.pad(depth+1)+t.row(item, columns))
			}
			return lines
		}
	}
	if n.all(primitiveKind) {
		cells := make([]string, len(n.items))
		for i, item := range n.items {
			cells[i] = t.primitive(item)
		}
		return []string{strings.TrimRight(head+": "+strings.Join(cells, t.Delimiter), " ")}
	}
	lines := []string{head + ":"}
	for _, item := range n.items {
		lines = append(lines, t.item(item, depth+1)...)
	}
	return lines
}

// item writes an item of a list.
func (t Encoder) item(n node, depth int) []string {
	hyphen := t.pad(depth) + "-"
	switch n.kind {
	case primitiveKind:
		return []string{hyphen + " " + t.primitive(n)}
	case arrayKind:
		return t.array(hyphen+" ", n, depth)
	}
	lines := t.fields(n, depth+1)
	if len(lines) == 0 {
		return []string{hyphen}
	}
	lines[0] = hyphen + " " + strings.TrimLeft(lines[0], " ")
	return lines
}

// column is a column of a table; one with columns of its own is an object.
type column struct {
	key   string
	inner []column
}

// columnsOf returns the columns that objects share, or nil where they are not
// uniform: the same keys in each, and below each either primitives alone, or
// objects that are uniform in turn.
func columnsOf(rows []node) []column {
	first := rows[0]
	if first.kind != objectKind || len(first.keys) == 0 {
		return nil
	}
	columns := make([]column, 0, len(first.keys))
	for _, key := range first.keys {
		cells := make([]node, 0, len(rows))
		plain := 0
		for _, row := range rows {
			cell, ok := row.field(key)
			if !ok || row.kind != objectKind || len(row.keys) != len(first.keys) {
				return nil
			}
			if cell.kind == primitiveKind {
				plain++
			}
			cells = append(cells, cell)
		}
		c := column{key: key}
		if plain == 0 {
			if c.inner = columnsOf(cells); c.inner == nil {
				return nil
			}
		} else if plain != len(rows) {
			return nil
		}
		columns = append(columns, c)
	}
	return columns
}

// keyedColumns returns the columns of an object whose values, two at least, are
// uniform objects; else nil.
func keyedColumns(n node) []column {
	if len(n.items) < 2 {
		return nil
	}
	return columnsOf(n.items)
}

// keyed writes an object of uniform objects as a table with a key before each
// row.
func (t Encoder) keyed(head string, n node, columns []column, depth int) []string {
	mark := t.Delimiter
	if mark == "," {
		mark = ""
	}
	lines := []string{fmt.Sprintf("%s[%d:%s]{%s}:", head, len(n.items), mark, t.header(columns))}
	for i, key := range n.keys {
		lines = append(lines, t.pad(depth+1)+keyText(key)+": "+t.row(n.items[i], columns))
	}
	return lines
}

func (t Encoder) header(columns []column) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = keyText(c.key)
		if c.inner != nil {
			names[i] += "{" + t.header(c.inner) + "}"
		}
	}
	return strings.Join(names, t.Delimiter)
}

func (t Encoder) row(n node, columns []column) string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cell, _ := n.field(c.key)
		if c.inner != nil {
			cells[i] = t.row(cell, c.inner)
		} else {
			cells[i] = t.primitive(cell)
			if t.Lean && cell.value == "" && len(columns) > 1 {
				cells[i] = ""
			}
		}
	}
	return strings.Join(cells, t.Delimiter)
}

func (t Encoder) pad(depth int) string { return strings.Repeat(" ", depth*t.Indent) }

func (t Encoder) primitive(n node) string {
	switch v := n.value.(type) {
	case string:
		if t.plain(v) {
			return v
		}
		return quoted(v)
	case json.Number:
		return numberText(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

// address is what may stand bare behind a key in lean text.
var address = regexp.MustCompile(`^https?://[^\s"\\{}]+[^\s"\\{}:]$`)

// value writes what stands behind a key.
func (t Encoder) value(n node) string {
	if s, ok := n.value.(string); ok && t.Lean && address.MatchString(s) {
		return s
	}
	return t.primitive(n)
}

var (
	numeric = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	bareKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)
)

// plain reports whether a string can stand without quotes.
func (t Encoder) plain(s string) bool {
	switch {
	case s == "" || s != strings.TrimSpace(s) || s == "true" || s == "false" || s == "null" || numeric.MatchString(s):
		return false
	case s[0] == '-' || s[0] == '#' || strings.ContainsAny(s, `:"\[]{}`) || strings.Contains(s, t.Delimiter):
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 })
}

func keyText(s string) string {
	if bareKey.MatchString(s) {
		return s
	}
	return quoted(s)
}

var escapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := escapes[r]; {
		case ok:
			b.WriteString(escape)
		case r < 0x20:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// number writes a number without an exponent, where it is not too large or
// small for that.
func numberText(n json.Number) string {
	f, err := n.Float64()
	if err != nil || math.IsInf(f, 0) {
		return n.String()
	}
	if f == 0 {
		return "0"
	}
	if i, err := n.Int64(); err == nil {
		return strconv.FormatInt(i, 10)
	}
	if size := math.Abs(f); size >= 1e21 || size < 1e-6 {
		return strconv.FormatFloat(f, 'g', -1, 64)
	}
	return strconv.FormatFloat(f, 'f', -1, 64)
}
