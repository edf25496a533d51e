package schema_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

type place struct {
	Ref  string `json:"ref,omitempty"`
	Near *bool  `json:"near,omitempty"`
}

type limits struct {
	Ms int `json:"ms,omitempty" min:"1" list:"-"`
}

type journey struct {
	To    string            `json:"to" doc:"a town"`
	By    string            `json:"by,omitempty" enum:"rail,road" default:"rail"`
	Days  []string          `json:"days,omitempty" enum:"mon,tue"`
	Stops []place           `json:"stops,omitempty"`
	Seats int               `json:"seats,omitempty" min:"1" default:"1"`
	Share float64           `json:"share,omitempty"`
	Notes map[string]string `json:"notes,omitempty"`
	Any   []any             `json:"any,omitempty"`
	limits
}

// TestOf holds what clients see of a type.
func TestOf(t *testing.T) {
	text, err := lines.Marshal(schema.Of(reflect.TypeFor[journey]()))
	want := `{"type":"object","properties":{"to":{"type":"string","description":"a town"},"by":{"type":"string","enum":["rail","road"],"default":"rail"},` +
		`"days":{"type":"array","items":{"type":"string","enum":["mon","tue"]}},` +
		`"stops":{"type":"array","items":{"type":"object","properties":{"ref":{"type":"string"},"near":{"type":"boolean"}}}},` +
		`"seats":{"type":"integer","default":1},"share":{"type":"number"},"notes":{"type":"object"},"any":{"type":"array","items":{}}},"required":["to"]}`
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s\nwant\n%s", err, text, want)
	}
	if text, err = lines.Marshal(schema.Of(reflect.TypeFor[limits]())); err != nil || string(text) != `{"type":"object"}` {
		t.Errorf("%v %s", err, text)
	}
}

// TestDecode holds what a type takes, and what is said of the rest.
func TestDecode(t *testing.T) {
	s := schema.Of(reflect.TypeFor[journey]())
	for _, c := range []struct {
		raw  string
		want string // the value, or the error
	}{
		{`{"to":"Rome"}`, `{Rome  [] [] 0 0 map[] [] {0}}`},
		{`{"to":"Rome","by":null,"seats":2.0,"share":1e2,"ms":5,"notes":{"a":"b"},"any":[1,"x"],"days":["tue"]}`, `{Rome  [tue] [] 2 100 map[a:b] [1 x] {5}}`},
		{` `, `argument "to" is missing: it must be a string (a town)`},
		{`{"to":null}`, `argument "to" is missing: it must be a string (a town)`},
		{`{"to":["x"]}`, `argument "to" must be a string (a town), not an array`},
		{`{"TO":"Rome"}`, `unknown argument "TO": expected: to, by?, days?, stops?, seats?, share?, notes?, any?, ms?`},
		{`{"to":"Rome","by":"air"}`, `argument "by" must be one of rail, road, not "air"`},
		{`{"to":"Rome","by":7}`, `argument "by" must be one of rail, road, not the number 7`},
		{`{"to":"Rome","days":"mon"}`, `argument "days" must be an array of mon, tue, not a string`},
		{`{"to":"Rome","days":["mon","wed"]}`, `argument "days[1]" must be one of mon, tue, not "wed"`},
		{`{"to":"Rome","stops":[{},{"ref":7}]}`, `argument "stops[1].ref" must be a string, not the number 7`},
		{`{"to":"Rome","stops":[{"x":1}]}`, `unknown argument "stops[0].x": expected: ref?, near?`},
		{`{"to":"Rome","stops":[null]}`, `argument "stops[0]" must be an object, not null`},
		{`{"to":"Rome","seats":0}`, `argument "seats" must be 1 or more, not 0`},
		{`{"to":"Rome","seats":1.5}`, `argument "seats" must be a whole number, not the number 1.5`},
		{`{"to":"Rome","seats":1e99}`, `argument "seats" must be 2147483647 or less, not 1e+99`},
		{`{"to":"Rome","ms":0}`, `argument "ms" must be 1 or more, not 0`},
		{`{"to":"Rome","notes":{"a":1}}`, `argument "notes.a" must be a string, not the number 1`},
		{`[]`, `the arguments must be an object, not an array`},
		{`{"to"`, `the arguments are not valid JSON: give an object`},
	} {
		var v journey
		got := fmt.Sprint(s.Decode([]byte(c.raw), &v))
		if got == "<nil>" {
			got = fmt.Sprint(v)
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.raw, got, c.want)
		}
	}
}

// TestDeclared holds what is made of a schema that a page declares, and that its
// tool takes what the page understands, by the page's names.
func TestDeclared(t *testing.T) {
	for _, c := range []struct{ raw, want string }{
		{`7`, `{"type":"object","properties":{}}`},
		{`{"properties":{"a":{"type":["null","string"],"title":"An a","$ref":"#"}},"anyOf":[{}],"description":"x"}`, `{"type":"object","properties":{"a":{"type":"string","description":"An a"}}}`},
		{`{"type":"object","properties":{"b":{"maxLength":"5"},"a b":{"oneOf":[{"const":1},{"const":2}]},"a_b":{}},"required":["a b","c"]}`,
			`{"type":"object","properties":{"b":{},"a_b":{"enum":[1,2]},"a_b_2":{}},"required":["a_b"]}`},
		{`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"},"b":{"type":"string","pattern":"^x+$","format":"not a name"}}}`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string","pattern":"^x+$"}}}`},
	} {
		text, err := lines.Marshal(schema.Declared([]byte(c.raw)))
		if err != nil || string(text) != c.want {
			t.Errorf("%s: %v\n%s\nwant\n%s", c.raw, err, text, c.want)
		}
	}
	s := schema.Declared([]byte(`{"type":"object","properties":{"a b":{"type":"string","minLength":2,"maxLength":3,"pattern":"^x"},"n":{"type":"integer","minimum":1,"maximum":5000000000},"l":{"type":"array","items":{"type":"boolean"}}},"additionalProperties":false}`))
	for raw, want := range map[string]string{
		`{"a_b":"xy","n":5000000000,"l":[true]}`: `map[a b:xy l:[true] n:5e+09]`,
		`{"a_b":"x"}`:                            `argument "a_b" has 1 character, and must have 2 to 3`,
		`{"a_b":"yx"}`:                           `argument "a_b" does not match ^x`,
		`{"n":0}`:                                `argument "n" must be 1 or more, not 0`,
		`{"n":6000000000}`:                       `argument "n" must be 5000000000 or less, not 6000000000`,
		`{"l":[1]}`:                              `argument "l[0]" must be true or false, not the number 1`,
		`{"a b":"xy"}`:                           `unknown argument "a b": expected: a_b?, n?, l?`,
	} {
		v, err := s.Read([]byte(raw))
		got := fmt.Sprint(v)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", raw, got, want)
		}
	}
}

// TestDeclaredIsBounded holds that no page makes a schema long or deep, nor an
// error of it.
func TestDeclaredIsBounded(t *testing.T) {
	word := strings.Repeat("évil ", 1000)
	deep := `{"type":"string"}`
	for range 500 {
		deep = `{"type":"object","properties":{"a":` + deep + `}}`
	}
	many := map[string]any{}
	for i := range 100 {
		many[fmt.Sprint(word[:i%100], i)] = map[string]any{"type": "string", "description": word, "default": word, "enum": []string{word, "b"}, "pattern": strings.Repeat("(a|b)", 5000)}
	}
	wide, err := json.Marshal(map[string]any{"type": "object", "description": word, "properties": many})
	if err != nil {
		t.Fatal(err)
	}
	for _, raw := range []string{deep, string(wide), `{"type":"object","properties":{"a":{"enum":["` + word + `"]}},"additionalProperties":false}`} {
		s := schema.Declared([]byte(raw))
		text, err := lines.Marshal(s)
		if err != nil || len(text) > schema.Size {
			t.Errorf("%d bytes, %v", len(text), err)
		}
		for _, call := range []string{`{"a":"` + word + `"}`, `{"` + word + `":1}`, `{"a":` + strings.Repeat("[", 100) + strings.Repeat("]", 100) + `}`} {
			if _, err := s.Read([]byte(call)); err != nil && len(err.Error()) > 500 {
				t.Errorf("an error of %d bytes: %.600s", len(err.Error()), err)
			}
		}
	}
}
