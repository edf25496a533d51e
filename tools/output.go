package tools

import "reflect"

// output is the schema of a tool's structured answer: its own value below
// result, beside what every answer may tell. Of that only the sorts are
// declared, since each tool carries it.
func (t *tool) output() *schema {
	value := schemaOf(t.body.value)
	if t.body.value == reflect.TypeFor[browserResponse]() {
		return value // it is the whole answer
	}
	loosen(value)
	s := &schema{Type: "object", Properties: properties{{"result", value}}}
	for _, f := range fieldsOf(reflect.TypeFor[Answer]()) {
		if f.name != "result" {
			s.Properties = append(s.Properties, property{f.name, &schema{Type: schemaOf(f.typ).Type}})
		}
	}
	return s
}

// loosen leaves room for what cut an action short, in place of its value.
func loosen(s *schema) { s.Required = nil }
