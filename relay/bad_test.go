package relay

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// TestBadInputOfClients holds that what a client says wrong is answered with a number
// of CDP's, under its id and its session where it has such, and that it goes on then.
func TestBadInputOfClients(t *testing.T) {
	t.Parallel()
	nested := func(open, shut string) string { return strings.Repeat(open, 3000) + strings.Repeat(shut, 3000) }
	long := strings.Repeat("x", 1<<18)
	for name, test := range map[string]struct {
		said string // $ stands for the client's session
		code string
		id   string // of the answer
		at   bool   // it is of the session
	}{
		"no JSON":                   {`{"id":1,"method":`, "-32700", "1", false},
		"another kind of JSON":      {`[{"id":1,"method":"Browser.getVersion"}]`, "-32700", "", false},
		"two messages":              {`{"id":1,"method":"Browser.getVersion"}{"id":2}`, "-32700", "1", false},
		"no UTF-8":                  {"{\"id\":1,\"method\":\"\xff\"}", "-32700", "", false},
		"a byte of zero":            {"{\"id\":1,\"method\":\"A\x00\"}", "-32700", "1", false},
		"deep objects":              {`{"id":1,"method":"Runtime.evaluate","sessionId":"$","params":{"a":` + nested(`{"a":`, `}`) + `}}`, "-32700", "1", true},
		"deep arrays":               {`{"id":1,"sessionId":"$","method":"Runtime.evaluate","params":` + nested("[", "]") + `}`, "-32700", "1", true},
		"no id":                     {`{"method":"Browser.getVersion"}`, "-32600", "", false},
		"a string for an id":        {`{"id":"1","method":"Browser.getVersion"}`, "-32600", "", false},
		"nothing for an id":         {`{"id":null,"method":"Browser.getVersion"}`, "-32600", "", false},
		"an object for an id":       {`{"id":{"id":1},"method":"Browser.getVersion"}`, "-32600", "", false},
		"a part of an id":           {`{"id":1.5,"method":"Browser.getVersion"}`, "-32600", "", false},
		"an exponent in an id":      {`{"id":1e3,"method":"Browser.getVersion"}`, "-32600", "", false},
		"a huge id":                 {`{"id":9007199254740993,"method":"Browser.getVersion"}`, "-32600", "", false},
		"an id of 256 KB":           {`{"id":1` + strings.Repeat("0", 1<<18) + `,"method":"Browser.getVersion"}`, "-32600", "", false},
		"no method":                 {`{"id":1,"params":{}}`, "-32600", "1", false},
		"a number for a method":     {`{"id":1,"method":7,"sessionId":"$"}`, "-32600", "1", true},
		"an unknown method":         {`{"id":1,"method":"Nope.nope"}`, "-32601", "1", false},
		"one of a session":          {`{"id":1,"method":"Nope.nope","sessionId":"$"}`, "-32601", "1", true},
		"a method of 256 KB":        {`{"id":1,"method":"` + long + `","sessionId":"$"}`, "-32601", "1", true},
		"an unknown session":        {`{"id":1,"method":"Runtime.evaluate","sessionId":"NOPE"}`, "-32001", "1", false},
		"a session of 256 KB":       {`{"id":1,"method":"Runtime.evaluate","sessionId":"` + long + `"}`, "-32001", "1", false},
		"a number for a session":    {`{"id":1,"method":"Browser.getVersion","sessionId":7}`, "-32600", "1", false},
		"a list for params":         {`{"id":1,"method":"Runtime.evaluate","params":[],"sessionId":"$"}`, "-32602", "1", true},
		"a string for params":       {`{"id":1,"method":"Browser.getVersion","params":"x"}`, "-32602", "1", false},
		"a number for a URL":        {`{"id":1,"method":"Target.createTarget","params":{"url":7}}`, "-32602", "1", false},
		"a context of 256 KB":       {`{"id":1,"method":"Target.createTarget","params":{"url":"","browserContextId":"` + long + `"}}`, "-32000", "1", false},
		"a list for a target":       {`{"id":1,"method":"Target.attachToTarget","params":{"targetId":["TAB1"],"flatten":true}}`, "-32602", "1", false},
		"an object for a flag":      {`{"id":1,"method":"Target.setDiscoverTargets","params":{"discover":{}}}`, "-32602", "1", false},
		"a string for a flag":       {`{"id":1,"method":"Target.setAutoAttach","params":{"autoAttach":"true","flatten":true},"sessionId":"$"}`, "-32602", "1", true},
		"a string for a filter":     {`{"id":1,"method":"Target.getTargets","params":{"filter":"page"}}`, "-32602", "1", false},
		"a number within a filter":  {`{"id":1,"method":"Target.setDiscoverTargets","params":{"discover":true,"filter":[{"type":7}]}}`, "-32602", "1", false},
		"a string for a window":     {`{"id":1,"method":"Browser.getWindowBounds","params":{"windowId":"1"}}`, "-32602", "1", false},
		"a number for a download":   {`{"id":1,"method":"Browser.cancelDownload","params":{"guid":7}}`, "-32602", "1", false},
		"a number for a behaviour":  {`{"id":1,"method":"Browser.setDownloadBehavior","params":{"behavior":7},"sessionId":"$"}`, "-32602", "1", true},
		"a number to detach from":   {`{"id":1,"method":"Target.detachFromTarget","params":{"sessionId":7}}`, "-32602", "1", false},
		"a stream of nobody":        {`{"id":1,"method":"IO.read","params":{"handle":7},"sessionId":"$"}`, "-32602", "1", true},
		"an origin that is none":    {`{"id":1,"method":"Storage.clearDataForOrigin","params":{"origin":7,"storageTypes":"all"},"sessionId":"$"}`, "-32000", "1", true},
		"a proxy that is no string": {`{"id":1,"method":"Target.createBrowserContext","params":{"proxyServer":7}}`, "-32602", "1", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			tk := newTalk()
			tk.hub.policy = policy{"Runtime.evaluate": {}, "IO.read": {}, "Storage.clearDataForOrigin": {}}
			play := func(lines ...string) []string {
				t.Helper()
				for _, line := range lines {
					name, rest, _ := strings.Cut(line, " ")
					if err := tk.play(name, rest); err != nil {
						t.Fatal(err)
					}
				}
				out := tk.out
				tk.out = nil
				return out
			}
			play("ext connects", "ext> "+greeting("i"), "bad connects", "good connects",
				`ext> {"method":"tabUpdated","params":{"id":"TAB1","url":"http://one.test/","attached":true}}`,
				`bad> {"id":9,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`)
			session := ""
			for id := range tk.clients["bad"].client.sessions {
				session = id
			}
			if session == "" {
				t.Fatal("it has no session")
			}
			out := play("bad> " + strings.Replace(test.said, "$", session, 1))
			if len(out) != 1 || len(out[0]) > 1000 || !strings.HasPrefix(out[0], "bad< ") {
				t.Fatalf("%d lines: %.1000q", len(out), out)
			}
			var said struct {
				ID        json.RawMessage
				Error     struct{ Code, Message json.RawMessage }
				SessionID string
			}
			if err := json.Unmarshal([]byte(out[0][5:]), &said); err != nil {
				t.Fatal(err)
			}
			if !test.at {
				session = ""
			}
			if string(said.Error.Code) != test.code || len(said.Error.Message) < 10 || string(said.ID) != test.id || said.SessionID != session {
				t.Error(out[0])
			}
			for _, who := range []string{"bad", "good"} {
				if out := play(who + `> {"id":1,"method":"Target.getTargets"}`); len(out) != 1 || !strings.Contains(out[0], who+`< {"id":1,"result"`) {
					t.Errorf("%s hears %.1000q", who, out)
				}
			}
		})
	}
}

// TestBadFramesOfClients holds the same of what is below messages: the socket goes on,
// or is closed with a reason, and others do not notice.
func TestBadFramesOfClients(t *testing.T) {
	t.Parallel()
	d := newDesk(t, Options{})
	d.extension("i")
	good := d.client()
	session := attachTab1(t, good)
	for name, test := range map[string]struct {
		bytes string
		code  int // with which the socket is closed; 0: it goes on
		word  string
	}{
		"a binary frame":         {"\x82\x02{}", websocket.CloseUnsupportedData, "text"},
		"a part and the rest":    {"\x01\x01{\x80\x01}", 0, "integer 'id'"},
		"a part without a first": {"\x80\x02{}", websocket.CloseProtocolError, "continuation"},
		"a first after a part":   {"\x01\x01{\x81\x02{}", websocket.CloseProtocolError, "FIN"},
		"a frame of no kind":     {"\x83\x02{}", websocket.CloseProtocolError, "opcode"},
		"bits of no extension":   {"\xc1\x02{}", websocket.CloseProtocolError, "RSV"},
		"a large ping":           {"\x89\x7e\x01\x00" + strings.Repeat("x", 256), websocket.CloseProtocolError, "125"},
		"a part of a ping":       {"\x09\x01x", websocket.CloseProtocolError, "FIN"},
		"no text":                {"\x81\x01\xff", 0, "UTF-8"},
		"nothing":                {"\x81\x00", 0, "JSON"},
		"a length of 2^62":       {"\x81\x7f\x40\x00\x00\x00\x00\x00\x00\x00", websocket.CloseMessageTooBig, ""},
		"a negative length":      {"\x81\x7f\xff\x00\x00\x00\x00\x00\x00\x00", websocket.CloseAbnormalClosure, ""},
	} {
		t.Run(name, func(t *testing.T) {
			bad := d.client()
			_, err := bad.NetConn().Write(masked(test.bytes))
			if err != nil {
				t.Fatal(err)
			}
			_, data, err := bad.ReadMessage()
			closed, _ := err.(*websocket.CloseError)
			switch {
			case test.code == 0 && (err != nil || !strings.Contains(string(data), test.word)):
				t.Errorf("it hears %q, %v", data, err)
			case test.code != 0 && (closed == nil || closed.Code != test.code || !strings.Contains(closed.Text, test.word)):
				t.Errorf("it hears %q, %v", data, err)
			case test.code == 0:
				fine(t, bad, attachTab1(t, bad))
			}
			fine(t, good, session)
		})
	}
	t.Run("a socket that ends within a frame", func(t *testing.T) {
		bad := d.client()
		_, _ = bad.NetConn().Write(masked("\x81\x02{}")[:5])
		if tcp, ok := bad.NetConn().(*net.TCPConn); ok {
			_ = tcp.SetLinger(0)
		}
		bad.Close()
		fine(t, good, session)
	})
}

// masked makes frames a client's: what is written with a mask of zeros is as it was.
func masked(frames string) []byte {
	var out []byte
	for data := []byte(frames); len(data) > 0; {
		head, size := 2, int(data[1])
		switch size {
		case 126:
			head, size = 4, int(data[2])<<8|int(data[3])
		case 127:
			head, size = 10, 0
		}
		frame := bytes.Clone(data[:head])
		frame[1] |= 0x80
		out = append(append(append(out, frame...), 0, 0, 0, 0), data[head:head+size]...)
		data = data[head+size:]
	}
	return out
}

// TestClientsThatWaitAreBounded holds how much is kept of what a client says while the
// person is asked about it.
func TestClientsThatWaitAreBounded(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		size, count int
		closed      bool
	}{
		"little":           {100, 100, false},
		"much in one":      {1 << 20, 1, true},
		"much in many":     {1000, 600, true},
		"many of no bytes": {0, 1100, true},
	} {
		t.Run(name, func(t *testing.T) {
			tk := newTalk()
			for _, line := range []string{"ext connects", "ext> " + strings.Replace(greeting("i"), `"launch":"L",`, "", 1), "good connects", "bad connects at 9222"} {
				who, what, _ := strings.Cut(line, " ")
				if err := tk.play(who, what); err != nil {
					t.Fatal(err)
				}
			}
			tk.out = nil
			for range test.count {
				tk.hub.receive(tk.clients["bad"].client, bytes.Repeat([]byte(" "), test.size))
			}
			out := fmt.Sprint(tk.out)
			if got := strings.Contains(out, "bad closed 4005 you are sending more"); got != test.closed || strings.Count(out, "closed") > 1 {
				t.Errorf("%.500s", out)
			}
			tk.out = nil
			if err := tk.play("good>", `{"id":1,"method":"Target.getTargets"}`); err != nil || len(tk.out) != 1 {
				t.Error(err, tk.out)
			}
		})
	}
}
