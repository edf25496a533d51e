package toon

import (
	"bytes"
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzEncode encodes two values: whatever they are, the text is valid, and two
// values that differ have texts that differ, so that nothing is lost or forged.
func FuzzEncode(f *testing.F) {
	for _, pair := range [][2]string{{`{"a":"1"}`, `{"a":1}`}, {`{"a":"x\n  b: 1"}`, `{"a":"x","b":1}`}, {`[[1,2],[3]]`, `[[1],[2,3]]`}, {`[{"a":1,"b":"x,y"}]`, `[{"a":1,"b":"x"}]`},
		{`{"a":{"b":1},"c":{"b":2}}`, `{"a":{"b":1,"c":{"b":2}}}`}, {`"- x"`, `["x"]`}, {`{}`, `[]`}, {`{"a":null}`, `{"a":"null"}`}, {`{"a.b":1}`, `{"a":{"b":1}}`}, {`1e3`, `"1e3"`}} {
		f.Add([]byte(pair[0]), []byte(pair[1]))
	}
	fuzz.Run(f, func(t *testing.T, a, b []byte) {
		e := Encoder{Delimiter: ",", Indent: 2}
		textA, err := e.EncodeJSON(a)
		if (err == nil) != json.Valid(a) {
			t.Fatalf("%q: %v", a, err)
		}
		textB, errB := e.EncodeJSON(b)
		if err != nil || errB != nil {
			return
		}
		if !utf8.ValidString(textA) || strings.ContainsAny(textA, "\r\x00") || strings.HasSuffix(textA, "\n") {
			t.Fatalf("%q: %q", a, textA)
		}
		if textA == textB && !reflect.DeepEqual(value(t, a), value(t, b)) {
			t.Fatalf("%q and %q are both\n%s", a, b, textA)
		}
	})
}

// value decodes JSON; numbers that are equal are alike.
func value(t *testing.T, data []byte) any {
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatal(err)
	}
	return alike(v)
}

func alike(v any) any {
	switch v := v.(type) {
	case json.Number:
		if f, err := v.Float64(); err != nil || f != 0 && (math.Abs(f) > 1e100 || math.Abs(f) < 1e-100) {
			return v.String() // too long to write out
		}
		r, _ := new(big.Rat).SetString(v.String())
		return r.RatString()
	case []any:
		for i := range v {
			v[i] = alike(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = alike(v[k])
		}
	}
	return v
}
