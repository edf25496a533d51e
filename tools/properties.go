package tools

import (
	"bytes"
	"encoding/json"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// property is a named part of an object's schema.
type property struct {
	name string
	*schema
}

// properties keep the order in which they are declared, which is that of their
// importance; a map would sort them by name.
type properties []property

// MarshalJSON writes an object.
func (ps properties) MarshalJSON() ([]byte, error) {
	return inOrder(ps, func(p property) (string, any) { return p.name, p.schema })
}

// inOrder encodes an object whose members stand as they do in ps.
func inOrder[P any](ps []P, member func(P) (name string, value any)) ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, p := range ps {
		if i > 0 {
			b.WriteByte(',')
		}
		name, value := member(p)
		key, err := plainJSON(name)
		if err != nil {
			return nil, err
		}
		text, err := plainJSON(value)
		if err != nil {
			return nil, err
		}
		b.Write(key)
		b.WriteByte(':')
		b.Write(text)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// plainJSON encodes v without turning <, > and & into escapes.
func plainJSON(v any) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return nil, err
	}
	return []byte(lines.JSON(strings.TrimRight(b.String(), "\n"))), nil
}
