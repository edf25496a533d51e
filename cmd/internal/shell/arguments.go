package shell

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Arguments reads name=value words as a tool's schema wants them: a text stays as
// it is written, anything else is JSON; a name that is given again makes a list.
// One word that begins with { is all of them, in JSON. What does not fit stays a
// text, so that the tool says what is wrong with it.
func Arguments(schema any, words []string) (map[string]any, error) {
	with := map[string]any{}
	if len(words) == 1 && strings.HasPrefix(words[0], "{") {
		if err := json.Unmarshal([]byte(words[0]), &with); err != nil {
			return nil, fmt.Errorf("the arguments are not JSON: %s", err)
		}
		return with, nil
	}
	given := map[string]bool{}
	for _, word := range words {
		name, text, ok := strings.Cut(word, "=")
		if !ok || name == "" {
			return nil, fmt.Errorf("%q is not an argument: write it as name=value", word)
		}
		kinds, items := kindsOf(schema, name)
		value := read(kinds, text)
		if _, list := value.([]any); !list && slices.Contains(kinds, "array") {
			value = []any{read(items, text)}
		}
		before, isList := with[name].([]any)
		switch now, also := value.([]any); {
		case given[name] && isList && also:
			value = append(before, now...)
		case given[name] && isList:
			value = append(before, value)
		case given[name]:
			value = []any{with[name], value}
		}
		with[name], given[name] = value, true
	}
	return with, nil
}

// kindsOf returns the JSON types that an argument may have, and those of its items
// if it is a list; none where the schema does not know it.
func kindsOf(schema any, name string) (kinds, items []string) {
	top, _ := schema.(map[string]any)
	properties, _ := top["properties"].(map[string]any)
	property, _ := properties[name].(map[string]any)
	item, _ := property["items"].(map[string]any)
	return typesIn(property), typesIn(item)
}

func typesIn(schema map[string]any) (kinds []string) {
	switch t := schema["type"].(type) {
	case string:
		kinds = append(kinds, t)
	case []any:
		for _, one := range t {
			if kind, ok := one.(string); ok {
				kinds = append(kinds, kind)
			}
		}
	}
	for _, key := range []string{"anyOf", "oneOf"} {
		list, _ := schema[key].([]any)
		for _, one := range list {
			if branch, ok := one.(map[string]any); ok {
				kinds = append(kinds, typesIn(branch)...)
			}
		}
	}
	return kinds
}

// read reads a value of one of the types; no types are any.
func read(kinds []string, text string) any {
	var value any
	if len(kinds) == 1 && kinds[0] == "string" || json.Unmarshal([]byte(text), &value) != nil {
		return text
	}
	kind := ""
	switch value.(type) {
	case bool:
		kind = "boolean"
	case float64:
		kind = "number"
	case []any:
		kind = "array"
	case map[string]any:
		kind = "object"
	}
	if len(kinds) == 0 || slices.Contains(kinds, kind) || kind == "number" && slices.Contains(kinds, "integer") {
		return value
	}
	return text
}

// Words splits a line as a shell does: at spaces, with quotes and backslashes. A
// line that begins with # has none.
func Words(line string) ([]string, error) {
	if strings.HasPrefix(strings.TrimSpace(line), "#") {
		return nil, nil
	}
	var words []string
	var word strings.Builder
	begun, quote, escaped := false, rune(0), false
	for _, c := range line {
		switch {
		case escaped:
			word.WriteRune(c)
			escaped = false
		case c == '\\' && quote != '\'':
			escaped, begun = true, true
		case c == quote:
			quote = 0
		case quote != 0:
			word.WriteRune(c)
		case c == '"' || c == '\'':
			quote, begun = c, true
		case c == ' ' || c == '\t' || c == '\r':
			if begun {
				words = append(words, word.String())
			}
			word.Reset()
			begun = false
		default:
			word.WriteRune(c)
			begun = true
		}
	}
	switch {
	case quote != 0:
		return nil, fmt.Errorf("a quote %c has no end", quote)
	case escaped:
		return nil, fmt.Errorf("there is nothing after the backslash at the end")
	case begun:
		words = append(words, word.String())
	}
	return words, nil
}
