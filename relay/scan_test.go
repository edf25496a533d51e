package relay

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

func FuzzScanMessage(f *testing.F) {
	for _, s := range []string{
		`{}`, `{"id":1,"method":"A.b","params":{"x":[1,2,{"y":"z\"}"}]},"sessionId":"S"}`,
		`{"id":-1.5e+3,"result":null}`, `{"method":"a"}`, `{"id":1,"error":{"code":-1}} `,
		`{"a":tru}`, `{"a":01}`, `{"a":"\u12"}`, "{\"a\":\"\x01\"}", `[]`, `{"id":1}{}`, `{"a":1,}`, `{"id":1,"id":2}`,
		"{\"a\":\"\xff\"}", `{"a":"\ud800"}`, `{"a":-}`, `{"a":1.}`, `{"a":.1}`, ``, `{`, `{"a"`, `{"a":[}`,
	} {
		f.Add([]byte(s))
	}
	fuzz.Run(f, func(t *testing.T, data []byte) {
		got, err := scanMessage(data)
		var want map[string]json.RawMessage
		ok := utf8.Valid(data) && json.Unmarshal(data, &want) == nil && want != nil
		if ok != (err == nil) {
			t.Fatalf("%q: encoding/json says %v, scanMessage %v", data, ok, err)
		}
		if !ok {
			return
		}
		for name, value := range map[string][]byte{
			"id": got.id, "method": got.method, "params": got.params,
			"sessionId": got.sessionID, "result": got.result, "error": got.err,
		} {
			if string(want[name]) != string(value) {
				t.Fatalf("%q: %s is %q, not %q", data, name, want[name], value)
			}
		}
	})
}

func FuzzScanWire(f *testing.F) {
	f.Add([]byte(`{"method":"forwardCDPEvent","params":{"id":"T","method":"A.b","params":{"x":1}}}`))
	f.Add([]byte(`{"params":{"id":"T","method":"A.b"},"method":"forwardCDPEvent"}`))
	f.Add([]byte(`{"id":1,"result":{}}`))
	f.Add([]byte(`{"method":"forwardCDPEvent","params":7}`))
	fuzz.Run(f, func(t *testing.T, data []byte) {
		outer, event, err := scanWire(data)
		if err != nil {
			return
		}
		if !json.Valid(data) {
			t.Fatalf("%q was taken", data)
		}
		for _, raw := range [][]byte{outer.params, outer.result, event.params} {
			if raw != nil && !json.Valid(raw) {
				t.Fatalf("%q: spliced %q", data, raw)
			}
		}
	})
}

func TestDepthIsBounded(t *testing.T) {
	deep := `{"a":` + strings.Repeat("[", 1<<20)
	if _, err := scanMessage([]byte(deep)); err == nil {
		t.Fatal("a frame of a million brackets was taken")
	}
}

func TestMembersOfObjects(t *testing.T) {
	object := []byte(`{"a":{"b":"x\n"},"c":[1],"a\u0062":2}`)
	if got := string(member(member(object, "a"), "b")); got != `"x\n"` {
		t.Error(got)
	}
	if got := string(member(object, "ab")); got != "2" {
		t.Error(got)
	}
	if member([]byte(`[1]`), "a") != nil || member(nil, "a") != nil {
		t.Error("found a member of what is no object")
	}
	if got := string(text([]byte(`"x\n\u00e9"`))); got != "x\né" {
		t.Error(got)
	}
	if got := string(dropMember(object, "a")); got != `{"c":[1],"ab":2}` {
		t.Error(got)
	}
}
