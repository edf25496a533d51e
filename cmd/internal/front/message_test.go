package front

import (
	"strings"
	"testing"
)

func TestReplyIsKnownByItsBeginning(t *testing.T) {
	for line, want := range map[string]string{
		`{"jsonrpc":"2.0","id":7,"result":{"content":"` + strings.Repeat("x", 100):                         "7",
		`{"jsonrpc":"2.0","id":"a","error":{"code":1}}`:                                                    `"a"`,
		`{"id":8,"result":{},"jsonrpc":"2.0"}`:                                                             "8",
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{},"progress":0.5}}`: "",
	} {
		m := readReply([]byte(line))
		if string(m.ID) != want || m.isResponse() != (want != "") || m.isRequest() {
			t.Errorf("%.80s: %+v", line, m)
		}
	}
	if m := readReply([]byte(`{"jsonrpc":"2.0","id":9,"method":"elicitation/create","params":{"name":{}}}`)); !m.isRequest() || string(m.ID) != "9" {
		t.Errorf("a request: %+v", m)
	}
}
