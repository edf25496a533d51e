package tools

import (
	"reflect"
	"strconv"
	"strings"
)

// schema is the part of JSON Schema that tools need. Schemas stay flat, without
// unions or nulls: some model providers reject a whole list for one of them.
type schema struct {
	Type        string     `json:"type,omitempty"`
	Description string     `json:"description,omitempty"`
	Enum        []string   `json:"enum,omitempty"`
	Default     any        `json:"default,omitempty"`
	Items       *schema    `json:"items,omitempty"`
	Properties  properties `json:"properties,omitempty"`
	Required    []string   `json:"required,omitempty"`
}

// schemaOf derives the schema of a type from its fields and their tags.
func schemaOf(t reflect.Type) *schema {
	switch t.Kind() {
	case reflect.Pointer:
		return schemaOf(t.Elem())
	case reflect.String:
		return &schema{Type: "string"}
	case reflect.Bool:
		return &schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &schema{Type: "integer"}
	case reflect.Float64:
		return &schema{Type: "number"}
	case reflect.Slice:
		return &schema{Type: "array", Items: schemaOf(t.Elem())}
	case reflect.Map:
		return &schema{Type: "object"}
	case reflect.Interface:
		return &schema{}
	case reflect.Struct:
		s := &schema{Type: "object"}
		for _, f := range fieldsOf(t) {
			if f.hidden {
				continue
			}
			p := schemaOf(f.typ)
			if f.enum != nil && p.Items != nil {
				p.Items.Enum = f.enum
			} else {
				p.Enum = f.enum
			}
			p.Description, p.Default = f.doc, f.initial()
			s.Properties = append(s.Properties, property{f.name, p})
			if f.required {
				s.Required = append(s.Required, f.name)
			}
		}
		return s
	}
	panic("tools: no schema for " + t.String())
}

// field is an argument: a field of an argument struct, or of one embedded in it.
type field struct {
	name     string
	doc      string
	enum     []string
	first    string // the default
	min      *float64
	required bool
	hidden   bool // understood, but not listed
	index    []int
	typ      reflect.Type
}

// fieldsOf returns a struct's fields in order, those of embedded structs in
// their place.
func fieldsOf(t reflect.Type) []field {
	var fields []field
	for i := range t.NumField() {
		f := t.Field(i)
		if f.Anonymous {
			kind, optional := f.Type, f.Type.Kind() == reflect.Pointer
			if optional { // a part that may be missing
				kind = kind.Elem()
			}
			for _, inner := range fieldsOf(kind) {
				inner.index = append([]int{i}, inner.index...)
				inner.required = inner.required && !optional
				fields = append(fields, inner)
			}
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		a := field{
			name: name, doc: f.Tag.Get("doc"), first: f.Tag.Get("default"),
			required: !strings.Contains(options, "omit") && f.Type.Kind() != reflect.Pointer,
			hidden:   f.Tag.Get("list") == "-",
			index:    []int{i}, typ: f.Type,
		}
		if e := f.Tag.Get("enum"); e != "" {
			a.enum = strings.Split(e, ",")
		}
		if m := f.Tag.Get("min"); m != "" {
			n, err := strconv.ParseFloat(m, 64)
			if err != nil {
				panic("tools: min of " + name + ": " + err.Error())
			}
			a.min = &n
		}
		fields = append(fields, a)
	}
	return fields
}

// initial is the default as a JSON value.
func (f *field) initial() any {
	if f.first == "" {
		return nil
	}
	if n, err := strconv.Atoi(f.first); err == nil && f.typ.Kind() != reflect.String {
		return n
	}
	if b, err := strconv.ParseBool(f.first); err == nil && f.typ.Kind() != reflect.String {
		return b
	}
	return f.first
}
