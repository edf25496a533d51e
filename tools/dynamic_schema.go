package tools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
)

// Bounds of what a page may put into a tool's schema.
const (
	schemaDepth   = 4
	schemaFields  = 40
	schemaChoices = 50
	schemaWords   = 120  // characters of a description
	schemaSize    = 4000 // bytes of a tool's schema, beyond which descriptions go
)

// pageSchema describes what a page's tool takes. It is written anew from what
// the page says: of the page's own schema nothing is passed on but what is
// known here, since clients refuse a whole list for one schema that they do
// not like.
type pageSchema struct {
	Type        string         `json:"type,omitempty"`
	Description string         `json:"description,omitempty"`
	Enum        []any          `json:"enum,omitempty"`
	Default     any            `json:"default,omitempty"`
	Format      string         `json:"format,omitempty"`
	Minimum     *float64       `json:"minimum,omitempty"`
	Maximum     *float64       `json:"maximum,omitempty"`
	MinLength   int            `json:"minLength,omitempty"`
	MaxLength   int            `json:"maxLength,omitempty"`
	Pattern     string         `json:"pattern,omitempty"`
	Items       *pageSchema    `json:"items,omitempty"`
	Properties  pageProperties `json:"properties,omitzero"`
	Required    []string       `json:"required,omitempty"`

	choices []any // all of them; Enum lists them where they are few
	loose   bool  // arguments that are not known are passed on
}

// pageProperty is an argument of a page's tool.
type pageProperty struct {
	name string // as it is listed
	real string // as the page calls it
	*pageSchema
}

type pageProperties []pageProperty

// MarshalJSON writes an object, in the page's order.
func (ps pageProperties) MarshalJSON() ([]byte, error) {
	return inOrder(ps, func(p pageProperty) (string, any) { return p.name, p.pageSchema })
}

// objectSchema is the schema of a tool that takes the given arguments.
func objectSchema(ps ...pageProperty) *pageSchema {
	s := &pageSchema{Type: "object", Properties: pageProperties{}}
	for _, p := range ps {
		p.real = p.name
		s.Properties = append(s.Properties, p)
	}
	return s
}

// declaredSchema reads the schema that a page declares for a tool.
func declaredSchema(raw []byte) *pageSchema {
	s := readSchema(raw, 0)
	if s == nil || s.Type != "object" {
		s = &pageSchema{Type: "object", loose: true}
	}
	if s.Properties == nil {
		s.Properties = pageProperties{}
	}
	s.Description = ""
	return s.fit()
}

// fit drops what makes a schema too long: the descriptions, and then all but
// the names.
func (s *pageSchema) fit() *pageSchema {
	for _, cut := range []func(*pageSchema){
		func(p *pageSchema) { p.Description, p.Default = "", nil },
		func(p *pageSchema) { p.Enum, p.Pattern, p.Properties, p.Items = nil, "", nil, nil; p.loose = true },
	} {
		if text, err := plainJSON(s); err == nil && len(text) <= schemaSize {
			return s
		}
		for _, p := range s.Properties {
			p.walk(cut)
		}
	}
	return s
}

func (s *pageSchema) walk(f func(*pageSchema)) {
	if s.Items != nil {
		s.Items.walk(f)
	}
	for _, p := range s.Properties {
		p.walk(f)
	}
	f(s)
}

// rawSchema is the part of JSON Schema that is read.
type rawSchema struct {
	Type        json.RawMessage   `json:"type"`
	Title       string            `json:"title"`
	Description string            `json:"description"`
	Enum        []any             `json:"enum"`
	Default     any               `json:"default"`
	Format      string            `json:"format"`
	Minimum     *float64          `json:"minimum"`
	Maximum     *float64          `json:"maximum"`
	MinLength   float64           `json:"minLength"`
	MaxLength   float64           `json:"maxLength"`
	Pattern     string            `json:"pattern"`
	Items       json.RawMessage   `json:"items"`
	Properties  json.RawMessage   `json:"properties"`
	Required    []string          `json:"required"`
	Additional  json.RawMessage   `json:"additionalProperties"`
	OneOf       []json.RawMessage `json:"oneOf"`
}

var schemaTypes = []string{"string", "number", "integer", "boolean", "array", "object"}

// readSchema reads a schema, or returns nil where it is none.
func readSchema(raw []byte, depth int) *pageSchema {
	var r rawSchema
	if depth > schemaDepth || json.Unmarshal(raw, &r) != nil {
		return nil
	}
	s := &pageSchema{Description: plain(cmp.Or(r.Description, r.Title), schemaWords), Format: name64(r.Format), Minimum: r.Minimum, Maximum: r.Maximum,
		MinLength: bound(r.MinLength), MaxLength: bound(r.MaxLength), loose: string(r.Additional) != "false"}
	var types []string
	if json.Unmarshal(r.Type, &types) != nil {
		var one string
		_ = json.Unmarshal(r.Type, &one)
		types = []string{one}
	}
	for _, t := range types {
		if slices.Contains(schemaTypes, t) {
			s.Type = t
			break
		}
	}
	if s.Type == "" && r.Properties != nil {
		s.Type = "object"
	}
	if _, err := regexp.Compile(r.Pattern); err == nil && len(r.Pattern) <= 200 {
		s.Pattern = r.Pattern
	}
	for _, one := range r.OneOf { // choices with titles
		var c struct {
			Const any `json:"const"`
		}
		if json.Unmarshal(one, &c) == nil && c.Const != nil {
			r.Enum = append(r.Enum, c.Const)
		}
	}
	s.choose(r.Enum)
	if isScalar(r.Default) {
		s.Default = r.Default
		if text, ok := r.Default.(string); ok {
			s.Default = plain(text, schemaWords)
		}
	}
	if s.Type == "array" {
		if s.Items = readSchema(r.Items, depth+1); s.Items == nil {
			s.Items = &pageSchema{loose: true}
		}
	}
	if s.Type == "object" {
		s.readProperties(r, depth)
	}
	return s
}

// readProperties reads the members of an object, those that are required first
// in doubt.
func (s *pageSchema) readProperties(r rawSchema, depth int) {
	names, raws := members(r.Properties)
	for _, real := range names {
		if len(s.Properties) == schemaFields {
			s.loose = true
			break
		}
		p := pageProperty{name: real, real: real, pageSchema: readSchema(raws[real], depth+1)}
		if p.pageSchema == nil {
			p.pageSchema = &pageSchema{loose: true}
		}
		if !validKey.MatchString(real) {
			p.name = cmp.Or(snake(real), "value")
		}
		for n, base := 2, p.name; slices.ContainsFunc(s.Properties, func(o pageProperty) bool { return o.name == p.name }); n++ {
			p.name = fmt.Sprintf("%s_%d", base, n)
		}
		s.Properties = append(s.Properties, p)
		if slices.Contains(r.Required, real) {
			s.Required = append(s.Required, p.name)
		}
	}
}

var validKey = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// choose sets the values that can be chosen; many are not listed.
func (s *pageSchema) choose(list []any) {
	var size int
	for _, v := range list {
		if !isScalar(v) {
			continue
		}
		s.choices = append(s.choices, v)
		size += len(fmt.Sprint(v))
	}
	if len(s.choices) <= schemaChoices && size <= schemaSize/2 && !slices.ContainsFunc(s.choices, func(v any) bool { return fmt.Sprint(v) != plain(fmt.Sprint(v), schemaWords) }) {
		s.Enum = s.choices
		return
	}
	some := make([]string, 0, 3)
	for _, v := range s.choices[:min(3, len(s.choices))] {
		some = append(some, plain(fmt.Sprint(v), 30))
	}
	s.Description = plain(strings.TrimSpace(s.Description+fmt.Sprintf(" one of %d, such as %s", len(s.choices), strings.Join(some, ", "))), 2*schemaWords)
}

// members returns the members of a JSON object in their order.
func members(raw []byte) (names []string, values map[string]json.RawMessage) {
	d := json.NewDecoder(bytes.NewReader(raw))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, nil
	}
	values = map[string]json.RawMessage{}
	for d.More() {
		t, err := d.Token()
		name, ok := t.(string)
		var v json.RawMessage
		if err != nil || !ok || d.Decode(&v) != nil {
			break
		}
		if _, twice := values[name]; !twice {
			names = append(names, name)
		}
		values[name] = v
	}
	return names, values
}

func isScalar(v any) bool {
	switch v.(type) {
	case string, float64, bool:
		return true
	}
	return false
}

// bound reads a length; nonsense is none.
func bound(n float64) int {
	if n < 1 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}
