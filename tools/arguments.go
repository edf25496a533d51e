package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
)

// echoed is how many characters of what was given an error repeats.
const echoed = 80

// decode reads a call's arguments into a new value of type t, and says of the
// first one that is missing, unknown or of a wrong type what is expected. No
// arguments at all are an empty object; a null is an argument left out.
func decode(raw json.RawMessage, t reflect.Type) (any, error) {
	v := reflect.New(t)
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	if err := decodeObject(raw, v.Elem(), ""); err != nil {
		return nil, err
	}
	if c, ok := v.Interface().(checked); ok {
		if err := c.check(); err != nil {
			return nil, err
		}
	}
	return v.Interface(), nil
}

func decodeObject(raw json.RawMessage, v reflect.Value, at string) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(raw, &given) != nil {
		if !json.Valid(raw) {
			return invalid("%s are no valid JSON: give an object", named(at, "the arguments"))
		}
		return invalid("%s must be an object, not %s", named(at, "the arguments"), sort(raw))
	}
	fields := fieldsOf(v.Type())
	for _, name := range sortedKeys(given) {
		if !slices.ContainsFunc(fields, func(f field) bool { return f.name == name }) {
			return invalid("unknown argument %q: %s", at+ellipsized(name, echoed), expected(fields))
		}
	}
	for _, f := range fields {
		value, ok := given[f.name]
		if !ok || string(value) == "null" {
			if f.required {
				return invalid("argument %q is missing: it must be %s", at+f.name, f.wants())
			}
			continue
		}
		if err := f.decode(value, v.FieldByIndex(f.index), at); err != nil {
			return err
		}
	}
	return nil
}

func (f *field) decode(raw json.RawMessage, v reflect.Value, at string) error {
	name := at + f.name
	wrong := func() error { return invalid("argument %q must be %s, not %s", name, f.wants(), sort(raw)) }
	if v.Kind() == reflect.Pointer {
		v.Set(reflect.New(v.Type().Elem()))
		v = v.Elem()
	}
	switch v.Kind() {
	case reflect.Struct:
		return decodeObject(raw, v, name+".")
	case reflect.Slice:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return wrong()
		}
		v.Set(reflect.MakeSlice(v.Type(), len(items), len(items)))
		for i, item := range items {
			inner := field{name: fmt.Sprintf("%s[%d]", f.name, i), enum: f.enum, typ: f.typ.Elem()}
			if err := inner.decode(item, v.Index(i), at); err != nil {
				return err
			}
		}
		if f.required && len(items) == 0 {
			return invalid("argument %q is empty: give at least one", name)
		}
		return nil
	case reflect.Int:
		var n float64
		if json.Unmarshal(raw, &n) != nil || n != math.Trunc(n) || math.Abs(n) > math.MaxInt32 {
			return wrong()
		}
		v.SetInt(int64(n))
		return f.bound(n, name)
	case reflect.Float64:
		var n float64
		if json.Unmarshal(raw, &n) != nil {
			return wrong()
		}
		v.SetFloat(n)
		return f.bound(n, name)
	}
	if json.Unmarshal(raw, v.Addr().Interface()) != nil {
		return wrong()
	}
	if f.enum != nil && !slices.Contains(f.enum, v.String()) {
		return invalid("argument %q must be %s, not %s", name, f.wants(), ellipsized(string(bytes.TrimSpace(raw)), echoed))
	}
	return nil
}

func (f *field) bound(n float64, name string) error {
	if f.min != nil && n < *f.min {
		return invalid("argument %q must be %v or more, not %v", name, *f.min, n)
	}
	return nil
}

// wants says what a field takes.
func (f *field) wants() string {
	t := f.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	what := map[reflect.Kind]string{
		reflect.String: "a string", reflect.Bool: "true or false", reflect.Int: "a whole number",
		reflect.Float64: "a number", reflect.Slice: "an array", reflect.Struct: "an object", reflect.Map: "an object",
	}[t.Kind()]
	if f.enum != nil {
		what = "one of " + strings.Join(f.enum, ", ")
		if t.Kind() == reflect.Slice {
			what = "an array of " + strings.Join(f.enum, ", ")
		}
	} else if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.String {
		what = "an array of strings"
	}
	if f.doc != "" && f.enum == nil {
		what += " (" + f.doc + ")"
	}
	return what
}

// expected lists the arguments of a tool.
func expected(fields []field) string {
	if len(fields) == 0 {
		return "there are no arguments"
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
		if !f.required {
			names[i] += "?"
		}
	}
	return "expected are " + strings.Join(names, ", ")
}

// sort says of what sort a JSON value is.
func sort(raw json.RawMessage) string {
	raw = bytes.TrimSpace(raw)
	switch {
	case len(raw) == 0:
		return "nothing"
	case raw[0] == '"':
		return "a string"
	case raw[0] == '{':
		return "an object"
	case raw[0] == '[':
		return "an array"
	case raw[0] == 't', raw[0] == 'f':
		return "a boolean"
	case raw[0] == 'n':
		return "null"
	}
	return "the number " + ellipsized(string(raw), echoed)
}

func named(at, otherwise string) string {
	if at == "" {
		return otherwise
	}
	return fmt.Sprintf("argument %q", strings.TrimSuffix(at, "."))
}

func sortedKeys(m map[string]json.RawMessage) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
