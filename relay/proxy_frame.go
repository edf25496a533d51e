package relay

import (
	"strconv"
	"unicode/utf8"
)

// proxyFrame is the outside of one frame of the proxy's protocol. Each
// field is a slice of the text it was read from, nil when it is missing.
type proxyFrame struct {
	frame
	connection, tab []byte
}

// scanProxy reads a frame of a client or of a foreign extension, both of
// whom are strangers.
func scanProxy(data []byte) (proxyFrame, error) {
	var f proxyFrame
	if !utf8.Valid(data) {
		return f, errUTF8
	}
	c := cursor{data: data}
	err := c.members(func(key []byte) error {
		to := f.field(key)
		switch string(key) {
		case "connectionId":
			to = &f.connection
		case "tabId":
			to = &f.tab
		}
		v, err := c.value()
		if err == nil && to != nil {
			*to = v
		}
		return err
	})
	if err == nil {
		err = c.end()
	}
	return f, err
}

// replyID is the id to answer with as it was written, a number or a
// string, or "" where the answer has none.
func (f *proxyFrame) replyID() string {
	if len(f.id) > 0 && len(f.id) <= maxName && (f.id[0] == '"' || f.id[0] == '-' || f.id[0] >= '0' && f.id[0] <= '9') {
		return string(f.id)
	}
	return ""
}

// proxyReply begins an answer with the members that it may have, and a
// comma.
func proxyReply(id, connection string, room int) []byte {
	b := append(make([]byte, 0, len(id)+len(connection)+room+64), '{')
	if id != "" {
		b = append(append(append(b, `"id":`...), id...), ',')
	}
	if connection != "" {
		b = append(appendString(append(b, `"connectionId":`...), connection), ',')
	}
	return b
}

func proxyError(id, connection, why string) []byte {
	return append(appendString(append(proxyReply(id, connection, len(why)), `"error":`...), why), '}')
}

func proxyFailure(id, why string) []byte {
	return append(appendString(append(proxyReply(id, "", len(why)), `"success":false,"error":`...), why), '}')
}

func proxySuccess(id, connection string) []byte {
	return append(append(append(proxyReply(id, "", len(connection)), `"success":true,"connectionId":"`...), connection...), `"}`...)
}

// proxyResult passes on what the browser answered: key is result or
// error.
func proxyResult(id, connection, key string, raw []byte) []byte {
	b := append(proxyReply(id, connection, len(raw)), '"')
	b = append(append(append(b, key...), `":`...), raw...)
	return append(b, '}')
}

// proxyCommand is what an event of a browser of ours says inside.
func proxyCommand(b []byte, tab *int64, session, method, params []byte) []byte {
	b = append(b, '{')
	if tab != nil {
		b = strconv.AppendInt(append(b, `"tabId":`...), *tab, 10)
		b = append(b, ',')
	}
	if len(session) > 0 && session[0] == '"' {
		b = append(append(append(b, `"sessionId":`...), session...), ',')
	}
	b = append(append(b, `"method":`...), method...)
	if len(params) == 0 || params[0] != '{' {
		params = empty
	}
	return append(append(append(b, `,"params":`...), params...), '}')
}

// passed is a frame on its way between a client and a foreign extension: all that
// it says, but for the connection, and for the tab, which is always the
// connection's. b begins the frame.
func (f *proxyFrame) passed(b []byte, c *connection) []byte {
	b = append(append(b, `"method":`...), f.method...)
	b = append(append(append(b, `,"connectionId":"`...), c.id...), `","params":{`...)
	if c.tab != nil {
		b = strconv.AppendInt(append(b, `"tabId":`...), *c.tab, 10)
	}
	in := cursor{data: f.params}
	_ = in.members(func(key []byte) error {
		v, err := in.value()
		if err != nil || string(key) == "tabId" || string(key) == "connectionId" {
			return err
		}
		if b[len(b)-1] != '{' {
			b = append(b, ',')
		}
		b = append(append(appendString(b, string(key)), ':'), v...)
		return nil
	})
	return append(b, `}}`...)
}

// integer reads a tab number; ok is false for anything else.
func integer(raw []byte) (n int64, ok bool) {
	n, err := strconv.ParseInt(string(raw), 10, 64)
	return n, err == nil && n >= 0
}

func appendNumber(b []byte, n uint64) []byte { return strconv.AppendUint(b, n, 10) }
