package front

import (
	"bytes"
	"encoding/json"
)

// message is what a front needs to know of a line of JSON-RPC.
type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params struct {
		Name      string          `json:"name"`      // of tools/call
		RequestID json.RawMessage `json:"requestId"` // of notifications/cancelled
	} `json:"params"`
}

func (m message) isRequest() bool  { return m.Method != "" && len(m.ID) > 0 }
func (m message) isResponse() bool { return m.Method == "" && len(m.ID) > 0 }

// readRequest reads a line of the agent; ok is false where it is no message.
// Params of another shape than those of tools are no reason to refuse it.
func readRequest(line []byte) (m message, ok bool) {
	err := json.Unmarshal(line, &m)
	if _, wrongType := err.(*json.UnmarshalTypeError); wrongType {
		return m, true
	}
	return m, err == nil
}

var (
	replyStart  = []byte(`{"jsonrpc":"2.0","id":`)
	replyResult = []byte(`"result":`)
	replyError  = []byte(`"error":`)
)

// readReply reads a line of the daemon. Its answers, which may be large, begin
// with their id, and need not be read to their end.
func readReply(line []byte) message {
	if rest, ok := bytes.CutPrefix(line, replyStart); ok {
		id, rest, ok := bytes.Cut(rest, []byte{','})
		if ok && (bytes.HasPrefix(rest, replyResult) || bytes.HasPrefix(rest, replyError)) {
			return message{ID: id}
		}
	}
	m, _ := readRequest(line)
	return m
}
