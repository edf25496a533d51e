package schema_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/e2e/fuzz"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// FuzzDeclared reads any schema of a page, and any arguments by it: what clients
// are told of it is bounded and valid, and an error is one short line.
func FuzzDeclared(f *testing.F) {
	for _, s := range []string{`{"type":"object","properties":{"a b":{"type":["null","string"],"enum":["x","y"]}},"required":["a b"]}`,
		`{"properties":{"n":{"type":"integer","minimum":1,"maximum":1e400}}}`, `{"type":"object","properties":{"l":{"type":"array","items":{"type":"array","items":{}}}},"additionalProperties":{"type":"string"}}`,
		`{"type":"object","properties":{"p":{"type":"string","pattern":"(a+)+$","minLength":-1,"maxLength":1e99,"default":[{}]}}}`, `{"oneOf":[{"const":1}]}`, `[]`} {
		f.Add([]byte(s), []byte(`{"a_b":"x","n":2,"l":[[1]],"p":"aaaa","x":"y"}`))
	}
	fuzz.Run(f, func(t *testing.T, raw, arguments []byte) {
		s := schema.Declared(raw)
		text, err := lines.Marshal(s)
		if err != nil || !json.Valid(text) || len(text) > schema.Size {
			t.Fatalf("%q is told as %d bytes, %v: %.300s", raw, len(text), err, text)
		}
		for _, p := range s.Properties {
			if !schema.IsName(p.Name) {
				t.Fatalf("%q: an argument is called %q", raw, p.Name)
			}
		}
		if _, err := s.Read(arguments); err != nil && (len(err.Error()) > 2*schema.Size || strings.ContainsAny(err.Error(), "\n\r")) {
			t.Fatalf("%q %q: %q", raw, arguments, err)
		}
	})
}

// FuzzDecode holds that what a type takes is read alike a second time.
func FuzzDecode(f *testing.F) {
	s := schema.Of(reflect.TypeFor[journey]())
	for _, raw := range []string{`{"to":"Rome","by":"rail","days":["mon"],"stops":[{"ref":"e1","near":true}],"seats":2,"share":0.5,"notes":{"a":"b"},"any":[null,1,{"x":[]}],"ms":5}`,
		`{"to":"\ud800"}`, `{"to":"a","to":"b"}`, `{"to":"","seats":1e0}`, `null`, ``} {
		f.Add([]byte(raw))
	}
	fuzz.Run(f, func(t *testing.T, raw []byte) {
		var v, again journey
		if s.Decode(raw, &v) != nil {
			return
		}
		said, err := json.Marshal(v)
		if err == nil {
			err = s.Decode(said, &again)
		}
		if saidAgain, _ := json.Marshal(again); err != nil || string(saidAgain) != string(said) {
			t.Fatalf("%q is %s, and that (%v) is %s", raw, said, err, saidAgain)
		}
	})
}

// FuzzName holds that any words make a name, or none.
func FuzzName(f *testing.F) {
	f.Add("Add to basket!")
	f.Add("Ünï 9")
	fuzz.Run(f, func(t *testing.T, words string) {
		if name := schema.Name(words); name != "" && !schema.IsName(name) {
			t.Fatalf("%q makes %q", words, name)
		}
	})
}
