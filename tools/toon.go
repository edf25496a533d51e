package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// toonEncoder writes TOON; both settings are the specification's options.
type toonEncoder struct {
	delimiter string
	indent    int
}

// encodeValue encodes a value, as encoding/json sees it, in TOON 4.0: objects as
// indented lines, arrays of uniform objects as tables. The order of fields is
// kept. It fails where encoding/json does.
func (t toonEncoder) encodeValue(v any) (string, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return "", err
	}
	return t.encode(data)
}

// encode encodes JSON text.
func (t toonEncoder) encode(data []byte) (string, error) {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	root, err := toonParse(d)
	if err != nil {
		return "", err
	}
	var lines []string
	switch {
	case root.kind == toonPrimitive:
		return t.primitive(root), nil
	case root.kind == toonObject:
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

type toonKind int

const (
	toonPrimitive toonKind = iota
	toonObject
	toonArray
)

// toonNode is a JSON value whose fields are in order.
type toonNode struct {
	kind  toonKind
	value any // a string, json.Number, bool or nil
	keys  []string
	items []toonNode // of an array, or the values of the keys
}

func toonParse(d *json.Decoder) (toonNode, error) {
	token, err := d.Token()
	if err != nil {
		return toonNode{}, err
	}
	delimiter, nested := token.(json.Delim)
	if !nested {
		return toonNode{value: token}, nil
	}
	n := toonNode{kind: toonArray}
	if delimiter == '{' {
		n.kind = toonObject
	}
	for d.More() {
		if n.kind == toonObject {
			key, err := d.Token()
			if err != nil {
				return n, err
			}
			n.keys = append(n.keys, key.(string))
		}
		item, err := toonParse(d)
		if err != nil {
			return n, err
		}
		n.items = append(n.items, item)
	}
	_, err = d.Token()
	return n, err
}

func (n toonNode) field(key string) (toonNode, bool) {
	i := slices.Index(n.keys, key)
	if i < 0 {
		return toonNode{}, false
	}
	return n.items[i], true
}

func (n toonNode) all(kind toonKind) bool {
	return !slices.ContainsFunc(n.items, func(i toonNode) bool { return i.kind != kind })
}

// fields writes an object's fields at a depth.
func (t toonEncoder) fields(n toonNode, depth int) (lines []string) {
	for i, key := range n.keys {
		head, v := t.pad(depth)+toonKey(key), n.items[i]
		switch {
		case v.kind == toonPrimitive:
			lines = append(lines, head+": "+t.primitive(v))
		case v.kind == toonObject:
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
func (t toonEncoder) array(head string, n toonNode, depth int) []string {
	mark := t.delimiter
	if mark == "," {
		mark = ""
	}
	head += fmt.Sprintf("[%d%s]", len(n.items), mark)
	if len(n.items) > 0 {
		if columns := toonColumns(n.items); columns != nil {
			lines := []string{head + "{" + t.header(columns) + "}:"}
			for _, item := range n.items {
				lines = append(lines, t.pad(depth+1)+t.row(item, columns))
			}
			return lines
		}
	}
	if n.all(toonPrimitive) {
		cells := make([]string, len(n.items))
		for i, item := range n.items {
			cells[i] = t.primitive(item)
		}
		return []string{strings.TrimRight(head+": "+strings.Join(cells, t.delimiter), " ")}
	}
	lines := []string{head + ":"}
	for _, item := range n.items {
		lines = append(lines, t.item(item, depth+1)...)
	}
	return lines
}

// item writes an item of a list.
func (t toonEncoder) item(n toonNode, depth int) []string {
	hyphen := t.pad(depth) + "-"
	switch n.kind {
	case toonPrimitive:
		return []string{hyphen + " " + t.primitive(n)}
	case toonArray:
		return t.array(hyphen+" ", n, depth)
	}
	lines := t.fields(n, depth+1)
	if len(lines) == 0 {
		return []string{hyphen}
	}
	lines[0] = hyphen + " " + strings.TrimLeft(lines[0], " ")
	return lines
}

// toonColumn is a column of a table; one with columns of its own is an object.
type toonColumn struct {
	key   string
	inner []toonColumn
}

// toonColumns returns the columns that objects share, or nil where they are not
// uniform: the same keys in each, and below each either primitives alone, or
// objects that are uniform in turn.
func toonColumns(rows []toonNode) []toonColumn {
	first := rows[0]
	if first.kind != toonObject || len(first.keys) == 0 {
		return nil
	}
	columns := make([]toonColumn, 0, len(first.keys))
	for _, key := range first.keys {
		cells := make([]toonNode, 0, len(rows))
		plain := 0
		for _, row := range rows {
			cell, ok := row.field(key)
			if !ok || row.kind != toonObject || len(row.keys) != len(first.keys) {
				return nil
			}
			if cell.kind == toonPrimitive {
				plain++
			}
			cells = append(cells, cell)
		}
		c := toonColumn{key: key}
		if plain == 0 {
			if c.inner = toonColumns(cells); c.inner == nil {
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
func keyedColumns(n toonNode) []toonColumn {
	if len(n.items) < 2 {
		return nil
	}
	return toonColumns(n.items)
}

// keyed writes an object of uniform objects as a table with a key before each
// row.
func (t toonEncoder) keyed(head string, n toonNode, columns []toonColumn, depth int) []string {
	mark := t.delimiter
	if mark == "," {
		mark = ""
	}
	lines := []string{fmt.Sprintf("%s[%d:%s]{%s}:", head, len(n.items), mark, t.header(columns))}
	for i, key := range n.keys {
		lines = append(lines, t.pad(depth+1)+toonKey(key)+": "+t.row(n.items[i], columns))
	}
	return lines
}

func (t toonEncoder) header(columns []toonColumn) string {
	names := make([]string, len(columns))
	for i, c := range columns {
		names[i] = toonKey(c.key)
		if c.inner != nil {
			names[i] += "{" + t.header(c.inner) + "}"
		}
	}
	return strings.Join(names, t.delimiter)
}

func (t toonEncoder) row(n toonNode, columns []toonColumn) string {
	cells := make([]string, len(columns))
	for i, c := range columns {
		cell, _ := n.field(c.key)
		if c.inner != nil {
			cells[i] = t.row(cell, c.inner)
		} else {
			cells[i] = t.primitive(cell)
		}
	}
	return strings.Join(cells, t.delimiter)
}

func (t toonEncoder) pad(depth int) string { return strings.Repeat(" ", depth*t.indent) }

func (t toonEncoder) primitive(n toonNode) string {
	switch v := n.value.(type) {
	case string:
		if t.plain(v) {
			return v
		}
		return toonQuote(v)
	case json.Number:
		return toonNumber(v)
	case bool:
		return strconv.FormatBool(v)
	}
	return "null"
}

var (
	toonNumeric = regexp.MustCompile(`^[+-]?\d+(\.\d+)?([eE][+-]?\d+)?$`)
	toonBareKey = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.]*$`)
)

// plain tells whether a string can stand without quotes.
func (t toonEncoder) plain(s string) bool {
	switch {
	case s == "" || s != strings.TrimSpace(s) || s == "true" || s == "false" || s == "null" || toonNumeric.MatchString(s):
		return false
	case s[0] == '-' || s[0] == '#' || strings.ContainsAny(s, `:"\[]{}`) || strings.Contains(s, t.delimiter):
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x20 })
}

func toonKey(s string) string {
	if toonBareKey.MatchString(s) {
		return s
	}
	return toonQuote(s)
}

var toonEscapes = map[rune]string{'"': `\"`, '\\': `\\`, '\n': `\n`, '\r': `\r`, '\t': `\t`}

func toonQuote(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range s {
		switch escape, ok := toonEscapes[r]; {
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

// toonNumber writes a number without an exponent, where it is not too large or
// small for that.
func toonNumber(n json.Number) string {
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
