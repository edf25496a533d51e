package schema

import (
	"bytes"
	"slices"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Schema describes a value, and is what clients are told of it.
type Schema struct {
	Type        string     `json:"type,omitempty"`
	Description string     `json:"description,omitempty"`
	Enum        []any      `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Format      string     `json:"format,omitempty"`
	Minimum     *float64   `json:"minimum,omitempty"`
	Maximum     *float64   `json:"maximum,omitempty"`
	MinLength   int        `json:"minLength,omitempty"` // in characters
	MaxLength   int        `json:"maxLength,omitempty"` // 0 for any
	Pattern     string     `json:"pattern,omitempty"`   // not held where Go cannot read it
	Items       *Schema    `json:"items,omitempty"`
	Properties  Properties `json:"properties,omitzero"`
	Required    []string   `json:"required,omitempty"`

	// What is held, but not listed.

	choices   []any    // all of them; Enum lists them where they are few
	low, high *float64 // bounds of a number
	filled    bool     // an array has an item at least
	open      bool     // members that are not known are taken
	values    *Schema  // of such members; nil for any
}

// Property is a member of an object.
type Property struct {
	Name string // as it is listed
	*Schema

	real    string // as whoever takes it calls it; "" where that is the same
	hidden  bool   // taken, but not listed
	instead string // the required member whose place it can take; listed by Instead alone
}

// Properties keep the order in which they are declared, which is that of their
// importance; a map would sort them by name. Nil ones are not listed; empty ones
// are.
type Properties []Property

// IsZero reports whether there is nothing to list.
func (ps Properties) IsZero() bool {
	return ps == nil || len(ps) > 0 && !slices.ContainsFunc(ps, func(p Property) bool { return !p.hidden })
}

// MarshalJSON writes an object.
func (ps Properties) MarshalJSON() ([]byte, error) {
	b := bytes.NewBufferString("{")
	for _, p := range ps {
		if p.hidden {
			continue
		}
		if b.Len() > 1 {
			b.WriteByte(',')
		}
		name, err := lines.Marshal(p.Name)
		if err != nil {
			return nil, err
		}
		value, err := lines.Marshal(p.Schema)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(value)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// Object returns the schema of an object that has the given members and no other.
func Object(ps ...Property) *Schema {
	return &Schema{Type: "object", Properties: append(Properties{}, ps...)}
}

// Property returns a member, or nil.
func (s *Schema) Property(name string) *Property {
	for i := range s.Properties {
		if s.Properties[i].Name == name {
			return &s.Properties[i]
		}
	}
	return nil
}

// Instead returns the schema with the members that can take another's place listed,
// and the others no longer required.
func (s *Schema) Instead() *Schema {
	now := *s
	if s.Items != nil {
		now.Items = s.Items.Instead()
	}
	now.Properties = slices.Clone(s.Properties)
	for i, p := range s.Properties {
		now.Properties[i].Schema = p.Instead()
		if p.instead != "" {
			now.Properties[i].hidden = false
			now.Required = slices.DeleteFunc(slices.Clone(now.Required), func(name string) bool { return name == p.instead })
		}
	}
	return &now
}

// replaced reports whether another member is given in the place of one.
func (s *Schema) replaced(name string, given map[string]any) bool {
	return slices.ContainsFunc(s.Properties, func(p Property) bool { return p.instead == name && given[p.Name] != nil })
}

// Requires reports whether a member must be given.
func (s *Schema) Requires(name string) bool { return slices.Contains(s.Required, name) }
