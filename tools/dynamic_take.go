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
	"unicode/utf8"
)

// take holds a value against the schema and returns it as the page wants it.
func (s *pageSchema) take(v any, at string) (any, error) {
	wrong := func() (any, error) { return nil, invalid("argument %q must be %s, not %s", at, s.wants(), shown(v)) }
	if len(s.choices) > 0 && !slices.Contains(s.choices, v) {
		if s.Type != "array" {
			return wrong()
		}
	}
	switch v := v.(type) {
	case nil:
		if s.Type != "" {
			return wrong()
		}
	case string:
		if s.Type != "string" && s.Type != "" {
			return wrong()
		}
		n := utf8.RuneCountInString(v)
		if n < s.MinLength || s.MaxLength > 0 && n > s.MaxLength {
			return nil, invalid("argument %q has %d characters, and must have %s", at, n, between(s.MinLength, s.MaxLength))
		}
		if re, err := regexp.Compile(s.Pattern); s.Pattern != "" && err == nil && !re.MatchString(v) {
			return nil, invalid("argument %q does not have the form %s", at, s.Pattern)
		}
	case float64:
		if s.Type != "number" && s.Type != "integer" && s.Type != "" || s.Type == "integer" && v != math.Trunc(v) {
			return wrong()
		}
		if s.Minimum != nil && v < *s.Minimum {
			return nil, invalid("argument %q must be %v or more, not %v", at, *s.Minimum, v)
		}
		if s.Maximum != nil && v > *s.Maximum {
			return nil, invalid("argument %q must be %v or less, not %v", at, *s.Maximum, v)
		}
	case bool:
		if s.Type != "boolean" && s.Type != "" {
			return wrong()
		}
	case []any:
		if s.Type != "array" && s.Type != "" {
			return wrong()
		}
		for i := range v {
			if s.Items == nil {
				break
			}
			item, err := s.Items.take(v[i], fmt.Sprintf("%s[%d]", at, i))
			if err != nil {
				return nil, err
			}
			v[i] = item
		}
	case map[string]any:
		if s.Type != "object" && s.Type != "" {
			return wrong()
		}
		return s.takeObject(v, at)
	}
	return v, nil
}

func (s *pageSchema) takeObject(given map[string]any, at string) (map[string]any, error) {
	dot := ""
	if at != "" {
		dot = at + "."
	}
	taken := map[string]any{}
	names := make([]string, 0, len(given))
	for name := range given {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		i := slices.IndexFunc(s.Properties, func(p pageProperty) bool { return p.name == name })
		switch {
		case i < 0 && s.loose:
			taken[name] = given[name]
		case i < 0:
			return nil, invalid("unknown argument %q: %s", dot+name, s.expected())
		case given[name] == nil: // left out
		default:
			v, err := s.Properties[i].take(given[name], dot+name)
			if err != nil {
				return nil, err
			}
			taken[s.Properties[i].real] = v
		}
	}
	for _, p := range s.Properties {
		if _, ok := taken[p.real]; !ok && slices.Contains(s.Required, p.name) {
			return nil, invalid("argument %q is missing: it must be %s", dot+p.name, p.wants())
		}
	}
	return taken, nil
}

// read decodes a call's arguments.
func (s *pageSchema) read(raw json.RawMessage) (map[string]any, error) {
	if raw = bytes.TrimSpace(raw); len(raw) == 0 || string(raw) == "null" {
		raw = json.RawMessage("{}")
	}
	var given map[string]any
	if json.Unmarshal(raw, &given) != nil {
		return nil, invalid("the arguments must be an object, not %s", sort(raw))
	}
	return s.takeObject(given, "")
}

// wants says what a value must be.
func (s *pageSchema) wants() string {
	if n := len(s.choices); n > 0 && s.Type != "array" {
		texts := make([]string, 0, 20)
		for _, v := range s.choices[:min(n, 20)] {
			texts = append(texts, plain(fmt.Sprint(v), 40))
		}
		if n > 20 {
			texts = append(texts, fmt.Sprintf("… (%d)", n))
		}
		return "one of " + strings.Join(texts, ", ")
	}
	what := map[string]string{"string": "a string", "number": "a number", "integer": "a whole number", "boolean": "true or false", "array": "an array", "object": "an object"}[s.Type]
	if s.Format != "" {
		what += " (" + s.Format + ")"
	}
	return cmp.Or(what, "a value")
}

// expected lists the arguments that there are.
func (s *pageSchema) expected() string {
	if len(s.Properties) == 0 {
		return "there are no arguments"
	}
	names := make([]string, len(s.Properties))
	for i, p := range s.Properties {
		names[i] = p.name
		if !slices.Contains(s.Required, p.name) {
			names[i] += "?"
		}
	}
	return "expected are " + strings.Join(names, ", ")
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

// shown says of what sort a decoded value is.
func shown(v any) string {
	raw, err := json.Marshal(v)
	if err != nil {
		return "that"
	}
	if s, ok := v.(string); ok {
		return fmt.Sprintf("%q", plain(s, 40))
	}
	return sort(raw)
}
