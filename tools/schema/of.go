package schema

import (
	"math"
	"reflect"
	"strconv"
	"strings"
)

// Of returns the schema of a Go type. A field of a struct is a member if it has a
// json tag; it is required unless that says omitempty or it is a pointer. More
// tags: doc describes it, enum lists the values of a string, or of an array's
// items, separated by commas, default says what it is when left out, min is the
// least number that is taken, list:"-" leaves it out of what clients see, and
// instead names the member whose place it takes, which Instead lists.
// Members of embedded structs stand in their place. Of panics on any other kind of
// type, and on a min that is not a number.
func Of(t reflect.Type) *Schema {
	switch t.Kind() {
	case reflect.Pointer:
		return Of(t.Elem())
	case reflect.String:
		return &Schema{Type: "string"}
	case reflect.Bool:
		return &Schema{Type: "boolean"}
	case reflect.Int, reflect.Int64:
		return &Schema{Type: "integer", low: new(float64(-math.MaxInt32)), high: new(float64(math.MaxInt32))}
	case reflect.Float64:
		return &Schema{Type: "number"}
	case reflect.Slice:
		return &Schema{Type: "array", Items: Of(t.Elem())}
	case reflect.Map:
		return &Schema{Type: "object", open: true, values: Of(t.Elem())}
	case reflect.Interface:
		return &Schema{open: true}
	case reflect.Struct:
		s := &Schema{Type: "object"}
		s.addFields(t, true)
		return s
	}
	panic("schema: none of " + t.String())
}

// addFields adds the fields of a struct; must says that the struct itself is there.
func (s *Schema) addFields(t reflect.Type, must bool) {
	for i := range t.NumField() {
		f := t.Field(i)
		kind, optional := f.Type, f.Type.Kind() == reflect.Pointer
		if optional {
			kind = kind.Elem()
		}
		if f.Anonymous {
			s.addFields(kind, must && !optional)
			continue
		}
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" || name == "-" {
			continue
		}
		p := Property{Name: name, Schema: Of(kind), hidden: f.Tag.Get("list") == "-" || f.Tag.Get("instead") != "", instead: f.Tag.Get("instead")}
		p.Description = f.Tag.Get("doc")
		p.Default = initial(f.Tag.Get("default"), p.Type)
		if list := f.Tag.Get("enum"); list != "" {
			one := p.Schema
			if one.Items != nil {
				one = one.Items
			}
			for v := range strings.SplitSeq(list, ",") {
				one.Enum = append(one.Enum, v)
			}
			one.choices = one.Enum
		}
		if m := f.Tag.Get("min"); m != "" {
			n, err := strconv.ParseFloat(m, 64)
			if err != nil {
				panic("schema: min of " + name + ": " + err.Error())
			}
			p.low = &n
		}
		if must && !optional && !strings.Contains(options, "omit") {
			s.Required = append(s.Required, name)
			p.filled = p.Type == "array"
		}
		s.Properties = append(s.Properties, p)
	}
}

// initial is a default as a value of its type; nil for none.
func initial(text, kind string) any {
	if text == "" {
		return nil
	}
	if kind != "string" {
		if n, err := strconv.Atoi(text); err == nil {
			return n
		}
		if b, err := strconv.ParseBool(text); err == nil {
			return b
		}
	}
	return text
}
