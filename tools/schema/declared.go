package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Bounds of what a page may put into a schema.
const (
	depthLimit   = 4
	fieldLimit   = 40
	choiceLimit  = 50
	patternLimit = 200 // bytes; what Go makes of a pattern is linear in a text
	// Words is how many characters a description may have.
	Words = 120
	// Size is how many bytes a schema may have; beyond it descriptions go, then all
	// but the names.
	Size = 4000
)

// declared is the part of JSON Schema that is read.
type declared struct {
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

// Declared returns the schema that a page declares for a tool, as far as it is
// understood; the rest is left open.
func Declared(raw []byte) *Schema {
	s := read(raw, 0)
	if s == nil || s.Type != "object" {
		s = &Schema{Type: "object", open: true}
	}
	if s.Properties == nil {
		s.Properties = Properties{}
	}
	s.Description = ""
	return s.Fit()
}

// Fit drops what makes a schema longer than Size, and returns it.
func (s *Schema) Fit() *Schema {
	for _, drop := range []func(*Schema){
		func(p *Schema) { p.Description, p.Default = "", nil },
		func(p *Schema) { p.Enum, p.Pattern, p.Properties, p.Items = nil, "", nil, nil; p.open = true },
	} {
		if text, err := lines.Marshal(s); err == nil && len(text) <= Size {
			return s
		}
		for _, p := range s.Properties {
			p.walk(drop)
		}
	}
	return s
}

func (s *Schema) walk(visit func(*Schema)) {
	if s.Items != nil {
		s.Items.walk(visit)
	}
	for _, p := range s.Properties {
		p.walk(visit)
	}
	visit(s)
}

// read reads a schema, or returns nil for what is not one.
func read(raw []byte, depth int) *Schema {
	var d declared
	if depth > depthLimit || json.Unmarshal(raw, &d) != nil {
		return nil
	}
	s := &Schema{Type: d.kind(), Description: lines.Short(cmp.Or(d.Description, d.Title), Words), Minimum: d.Minimum, Maximum: d.Maximum,
		MinLength: length(d.MinLength), MaxLength: length(d.MaxLength), open: string(d.Additional) != "false"}
	if IsName(d.Format) {
		s.Format = d.Format
	}
	if len(d.Pattern) <= patternLimit {
		if _, err := regexp.Compile(d.Pattern); err == nil {
			s.Pattern = d.Pattern
		}
	}
	s.Choose(d.choices())
	if isScalar(d.Default) {
		s.Default = d.Default
		if text, ok := d.Default.(string); ok {
			s.Default = lines.Short(text, Words)
		}
	}
	switch s.Type {
	case "array":
		s.Items = readOpen(d.Items, depth+1)
	case "object":
		s.readMembers(d, depth+1)
	}
	return s
}

// readOpen reads a schema; what is not one takes any value.
func readOpen(raw []byte, depth int) *Schema {
	if s := read(raw, depth); s != nil {
		return s
	}
	return &Schema{open: true}
}

// kind is the first type that is known; "" for any.
func (d *declared) kind() string {
	var types []string
	if json.Unmarshal(d.Type, &types) != nil {
		var one string
		_ = json.Unmarshal(d.Type, &one)
		types = []string{one}
	}
	known := []string{"string", "number", "integer", "boolean", "array", "object"}
	if i := slices.IndexFunc(types, func(t string) bool { return slices.Contains(known, t) }); i >= 0 {
		return types[i]
	}
	if d.Properties != nil {
		return "object"
	}
	return ""
}

// choices are those of enum, and of oneOf, where they have titles.
func (d *declared) choices() []any {
	list := d.Enum
	for _, raw := range d.OneOf {
		var one struct {
			Const any `json:"const"`
		}
		if json.Unmarshal(raw, &one) == nil && one.Const != nil {
			list = append(list, one.Const)
		}
	}
	return list
}

// readMembers reads the members of an object, up to fieldLimit of them, under names
// that clients accept.
func (s *Schema) readMembers(d declared, depth int) {
	names, raws := members(d.Properties)
	for _, name := range names {
		if len(s.Properties) == fieldLimit {
			s.open = true
			break
		}
		p := Property{Name: name, real: name, Schema: readOpen(raws[name], depth)}
		if !IsName(name) {
			p.Name = cmp.Or(Name(name), "value")
		}
		for n, base := 2, p.Name; s.Property(p.Name) != nil; n++ {
			p.Name = fmt.Sprintf("%s_%d", base, n)
		}
		s.Properties = append(s.Properties, p)
		if slices.Contains(d.Required, name) {
			s.Required = append(s.Required, p.Name)
		}
	}
}

// Choose sets the values that can be chosen; if they are many or long, a few of them
// are named in the description instead of a list.
func (s *Schema) Choose(list []any) {
	var size int
	short := true
	for _, v := range list {
		if !isScalar(v) {
			continue
		}
		text := fmt.Sprint(v)
		s.choices = append(s.choices, v)
		size += len(text)
		short = short && text == lines.Short(text, Words)
	}
	if short && len(s.choices) <= choiceLimit && size <= Size/2 {
		s.Enum = s.choices
		return
	}
	some := make([]string, 0, 3)
	for _, v := range s.choices[:min(3, len(s.choices))] {
		some = append(some, lines.Short(fmt.Sprint(v), 30))
	}
	s.Description = lines.Short(strings.TrimSpace(s.Description+fmt.Sprintf(" one of %d, such as %s", len(s.choices), strings.Join(some, ", "))), 2*Words)
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

// length reads a number of characters; 0 for nonsense.
func length(n float64) int {
	if n < 1 || n > math.MaxInt32 {
		return 0
	}
	return int(n)
}
