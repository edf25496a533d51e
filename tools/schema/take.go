package schema

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// echoed is how many characters of what was given an error repeats.
	echoed = 80
	// choicesTold is how many choices an error lists.
	choicesTold = 20
)

// Read returns the members of a JSON object that the schema takes, as whoever
// takes them calls them. No arguments at all are an empty object; a null is a
// member left out. An error says of the first member that is unknown, missing or
// wrong what is expected.
func (s *Schema) Read(raw []byte) (map[string]any, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = []byte("{}")
	}
	var v any
	if json.Unmarshal(raw, &v) != nil {
		return nil, errors.New("the arguments are not valid JSON: give an object")
	}
	given, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the arguments must be an object, not %s", shown(v))
	}
	return s.takeMembers(given, "")
}

// Decode reads a JSON object, as Read does, into a pointer to a value of the type
// that the schema is of.
func (s *Schema) Decode(raw []byte, into any) error {
	taken, err := s.Read(raw)
	if err != nil {
		return err
	}
	if raw, err = json.Marshal(taken); err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// take returns a value as it is wanted, or says what is wrong with it.
func (s *Schema) take(v any, at string) (any, error) {
	if !is(v, s.Type) {
		return nil, fmt.Errorf("argument %q must be %s, not %s", at, s.wants(), shown(v))
	}
	if len(s.choices) > 0 && s.Type != "array" && !slices.Contains(s.choices, v) {
		what := shown(v)
		if text, ok := v.(string); ok {
			what = strconv.Quote(lines.Short(text, echoed))
		}
		return nil, fmt.Errorf("argument %q must be %s, not %s", at, s.wants(), what)
	}
	switch v := v.(type) {
	case string:
		return v, s.holdText(v, at)
	case float64:
		return v, s.holdNumber(v, at)
	case []any:
		return s.takeItems(v, at)
	case map[string]any:
		return s.takeMembers(v, at)
	}
	return v, nil
}

// is reports whether a value is of a type; "" is any.
func is(v any, kind string) bool {
	if kind == "" {
		return true
	}
	switch v := v.(type) {
	case string:
		return kind == "string"
	case bool:
		return kind == "boolean"
	case float64:
		return kind == "number" || kind == "integer" && v == math.Trunc(v)
	case []any:
		return kind == "array"
	case map[string]any:
		return kind == "object"
	}
	return false
}

func (s *Schema) holdText(v, at string) error {
	n := utf8.RuneCountInString(v)
	if n < s.MinLength || s.MaxLength > 0 && n > s.MaxLength {
		return fmt.Errorf("argument %q has %s, and must have %s", at, lines.Amount(n, "character"), between(s.MinLength, s.MaxLength))
	}
	if s.Pattern == "" {
		return nil
	}
	if re, err := regexp.Compile(s.Pattern); err == nil && !re.MatchString(v) {
		return fmt.Errorf("argument %q does not match %s", at, s.Pattern)
	}
	return nil
}

func (s *Schema) holdNumber(v float64, at string) error {
	if low := cmp.Or(s.Minimum, s.low); low != nil && v < *low {
		return fmt.Errorf("argument %q must be %s or more, not %s", at, number(*low), number(v))
	}
	if high := cmp.Or(s.Maximum, s.high); high != nil && v > *high {
		return fmt.Errorf("argument %q must be %s or less, not %s", at, number(*high), number(v))
	}
	return nil
}

func (s *Schema) takeItems(list []any, at string) (any, error) {
	if s.filled && len(list) == 0 {
		return nil, fmt.Errorf("argument %q is empty: give at least one", at)
	}
	if s.Items == nil {
		return list, nil
	}
	taken := make([]any, len(list))
	for i := range list {
		v, err := s.Items.take(list[i], fmt.Sprintf("%s[%d]", at, i))
		if err != nil {
			return nil, err
		}
		taken[i] = v
	}
	return taken, nil
}

func (s *Schema) takeMembers(given map[string]any, at string) (map[string]any, error) {
	if at != "" {
		at += "."
	}
	taken := map[string]any{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		switch v := given[name]; {
		case s.Property(name) != nil:
		case !s.open:
			return nil, fmt.Errorf("unknown argument %q: %s", at+lines.Short(name, echoed), s.expected())
		case s.values != nil:
			v, err := s.values.take(v, at+lines.Short(name, echoed))
			if err != nil {
				return nil, err
			}
			taken[name] = v
		default:
			taken[name] = v
		}
	}
	for _, p := range s.Properties {
		v := given[p.Name]
		if v == nil {
			if s.Requires(p.Name) && !s.replaced(p.Name, given) {
				return nil, fmt.Errorf("argument %q is missing: it must be %s", at+p.Name, p.wants())
			}
			continue
		}
		v, err := p.take(v, at+p.Name)
		if err != nil {
			return nil, err
		}
		taken[cmp.Or(p.real, p.Name)] = v
	}
	return taken, nil
}

// wants says what a value must be.
func (s *Schema) wants() string {
	if s.Type == "array" && s.Items != nil && len(s.Items.choices) > 0 {
		return "an array of " + s.Items.listed()
	}
	if s.Type != "array" && len(s.choices) > 0 {
		return "one of " + s.listed()
	}
	what := map[string]string{"string": "a string", "number": "a number", "integer": "a whole number", "boolean": "true or false",
		"array": "an array", "object": "an object", "": "a value"}[s.Type]
	if s.Items != nil && s.Items.Type == "string" {
		what += " of strings"
	}
	if about := strings.TrimPrefix(s.Format+", "+s.Description, ", "); about != "" {
		what += " (" + strings.TrimSuffix(about, ", ") + ")"
	}
	return what
}

// listed are the choices, or the first of them.
func (s *Schema) listed() string {
	var texts []string
	for _, v := range s.choices[:min(choicesTold, len(s.choices))] {
		texts = append(texts, lines.Short(fmt.Sprint(v), echoed/2))
	}
	if n := len(s.choices); n > choicesTold {
		texts = append(texts, fmt.Sprintf("… (%d)", n))
	}
	return strings.Join(texts, ", ")
}

// expected lists the members that there are.
func (s *Schema) expected() string {
	if len(s.Properties) == 0 {
		return "there are no arguments"
	}
	names := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		names[i] = p.Name
		if !s.Requires(p.Name) {
			names[i] += "?"
		}
	}
	return "expected: " + strings.Join(names, ", ")
}

func between(low, high int) string {
	switch {
	case high == 0:
		return fmt.Sprintf("%d or more", low)
	case low == 0:
		return fmt.Sprintf("%d or fewer", high)
	}
	return fmt.Sprintf("%d to %d", low, high)
}

// shown says of what type a value is.
func shown(v any) string {
	switch v := v.(type) {
	case string:
		return "a string"
	case map[string]any:
		return "an object"
	case []any:
		return "an array"
	case bool:
		return "a boolean"
	case float64:
		return "the number " + number(v)
	}
	return "null"
}

// number writes a number as a person would, unless it is very long.
func number(n float64) string {
	if math.Abs(n) < 1e15 {
		return strconv.FormatFloat(n, 'f', -1, 64)
	}
	return fmt.Sprint(n)
}
