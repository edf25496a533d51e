package setup

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// member is a member of an object, by its places in the text.
type member struct {
	key        string
	start      int // of the key
	value, end int
}

// object is an object in a text.
type object struct {
	open, shut int // the places of its braces
	members    []member
	comma      int // the place of a comma after the last member, or -1
}

// reader reads JSON in a text.
type reader struct {
	text []byte
	at   int
	deep int // how many values it is within
}

// deepest is how many values may be within each other.
const deepest = 1000

// skip goes on to what is neither space nor comment.
func (r *reader) skip() error {
	for r.at < len(r.text) {
		rest := r.text[r.at:]
		switch {
		case bytes.HasPrefix(rest, []byte("\ufeff")):
			r.at += 3
		case rest[0] == ' ' || rest[0] == '\t' || rest[0] == '\n' || rest[0] == '\r':
			r.at++
		case bytes.HasPrefix(rest, []byte("//")):
			if i := bytes.IndexByte(rest, '\n'); i >= 0 {
				r.at += i
			} else {
				r.at = len(r.text)
			}
		case bytes.HasPrefix(rest, []byte("/*")):
			i := bytes.Index(rest, []byte("*/"))
			if i < 0 {
				return errShape
			}
			r.at += i + 2
		default:
			return nil
		}
	}
	return nil
}

// next is the next character that counts, or 0 at the end.
func (r *reader) next() (byte, error) {
	if err := r.skip(); err != nil || r.at == len(r.text) {
		return 0, err
	}
	return r.text[r.at], nil
}

// str reads a string.
func (r *reader) str() (string, error) {
	start := r.at
	for r.at++; r.at < len(r.text); r.at++ {
		switch r.text[r.at] {
		case '\\':
			r.at++
		case '"':
			r.at++
			var s string
			if json.Unmarshal(r.text[start:r.at], &s) != nil {
				return "", errShape
			}
			return s, nil
		}
	}
	return "", errShape
}

// skipValue reads a value of any kind.
func (r *reader) skipValue() error {
	if r.deep++; r.deep > deepest {
		return errShape
	}
	defer func() { r.deep-- }()
	switch c, err := r.next(); {
	case err != nil:
		return err
	case c == '"':
		_, err := r.str()
		return err
	case c == '{':
		_, err := r.object()
		return err
	case c == '[':
		r.at++
		for {
			switch c, err := r.next(); {
			case err != nil:
				return err
			case c == ']':
				r.at++
				return nil
			case c == ',':
				r.at++
			default:
				if err := r.skipValue(); err != nil {
					return err
				}
			}
		}
	}
	start := r.at
	for r.at < len(r.text) && !strings.ContainsRune(" \t\r\n,]}/", rune(r.text[r.at])) {
		r.at++
	}
	if !json.Valid(r.text[start:r.at]) {
		return errShape
	}
	return nil
}

// object reads an object.
func (r *reader) object() (object, error) {
	o := object{comma: -1}
	if c, err := r.next(); err != nil || c != '{' {
		return o, errShape
	}
	o.open = r.at
	r.at++
	for {
		switch c, err := r.next(); {
		case err != nil:
			return o, err
		case c == '}':
			o.shut = r.at
			r.at++
			return o, nil
		case c == ',':
			o.comma = r.at
			r.at++
		case c == '"':
			m := member{start: r.at}
			if m.key, err = r.str(); err != nil {
				return o, err
			}
			if c, err := r.next(); err != nil || c != ':' {
				return o, errShape
			}
			r.at++
			if _, err := r.next(); err != nil {
				return o, err
			}
			m.value = r.at
			if err := r.skipValue(); err != nil {
				return o, err
			}
			m.end = r.at
			o.members, o.comma = append(o.members, m), -1
		default:
			return o, errShape
		}
	}
}

// find returns the member of a key; of several the last, which is the one that counts.
func (o object) find(key string) (member, int) {
	for i, m := range slices.Backward(o.members) {
		if m.key == key {
			return m, i
		}
	}
	return member{}, -1
}

// whole reads a text that is one object.
func whole(text []byte) (object, error) {
	r := reader{text: text}
	top, err := r.object()
	if err != nil {
		return top, err
	}
	if c, err := r.next(); err != nil || c != 0 {
		return top, errShape
	}
	return top, nil
}
