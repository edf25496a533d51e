package front

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzReply holds that reading the beginning of a reply tells what reading all of
// it does.
func FuzzReply(f *testing.F) {
	for _, line := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`, `{"jsonrpc":"2.0","id":"a,b","error":{"code":-1}}`, `{"jsonrpc":"2.0","id":"x\",\"result\":","result":1}`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"name":7}}`, `{"jsonrpc":"2.0","id":2,"method":"ping"}`, `{"id":[1,"result":2],"result":3}`, `7`, `{`,
	} {
		f.Add([]byte(line))
	}
	fuzz.Run(f, func(t *testing.T, line []byte) {
		whole, ok := readRequest(line)
		if ok && !json.Valid(line) {
			t.Fatalf("%q is taken for a message", line)
		}
		quick := readReply(line)
		if lower := bytes.ToLower(line); !ok || bytes.Count(lower, []byte(`"id"`)) > 1 || bytes.Contains(line, []byte(`\u`)) || !bytes.Contains(lower, []byte(`"id"`)) {
			return // the daemon says each member once, and as it is
		}
		if got, want := bytes.TrimSpace(quick.ID), bytes.TrimSpace(whole.ID); !bytes.Equal(got, want) && json.Valid(want) {
			t.Fatalf("%q: the id is %q by its beginning, %q by all of it", line, got, want)
		}
	})
}
