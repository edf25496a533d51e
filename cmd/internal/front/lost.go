package front

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"runtime/debug"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/tools"
)

// copyOut copies what the daemon says to the agent, until the connection ends.
func (f *stdioFront) copyOut(r *bufio.Reader) {
	var buf []byte
	for {
		line, err := daemon.ReadLine(r, buf, daemon.MaxLine)
		if err != nil {
			return // half a line is none
		}
		f.pass(line)
		if buf = line; cap(buf) > largeLine {
			buf = nil
			debug.FreeOSMemory()
		}
	}
}

// pass hands a line on to the agent, unless it is for this front.
func (f *stdioFront) pass(line []byte) {
	if daemon.IsControl(line) {
		f.hear(line)
		return
	}
	m := readReply(line)
	f.mu.Lock()
	replay := string(m.ID) == replayID || string(m.ID) == loggingID
	switch {
	case m.isResponse() && string(m.ID) == replayID && f.began != nil:
		close(f.began)
		f.began = nil
	case m.isResponse():
		delete(f.open, string(m.ID))
	case m.isRequest():
		f.asked[string(m.ID)] = true
	}
	f.mu.Unlock()
	if !replay {
		f.say(line)
	}
}

// hear takes in what the daemon says to this front.
func (f *stdioFront) hear(line []byte) {
	var c daemon.Control
	if json.Unmarshal(line, &c) != nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch c.Tabrelay {
	case daemon.SayRecord:
		f.record = c.Record
	case daemon.SayLeaving:
		f.leaving = true
	}
}

// trimmed gives memory back once the first answer is out.
var trimmed = sync.OnceFunc(trim)

// say writes a line to the agent.
func (f *stdioFront) say(line []byte) {
	f.writing.Lock()
	_, _ = f.out.Write(line) // an agent that does not read has closed stdin, too
	f.writing.Unlock()
	trimmed()
}

// lost deals with the end of a connection: calls that only look are made once
// more at another daemon, the others are answered with an error.
func (f *stdioFront) lost(ctx context.Context) {
	f.turn.Lock()
	defer f.turn.Unlock()
	f.mu.Lock()
	f.conn = nil
	var again []json.RawMessage // ids
	var over []json.RawMessage
	for id, call := range f.open {
		if call.unsent {
			continue
		}
		if f.repeatable(call) && !f.finished && ctx.Err() == nil {
			again = append(again, json.RawMessage(id))
		} else {
			over = append(over, json.RawMessage(id))
		}
	}
	f.mu.Unlock()
	for _, id := range over {
		f.giveUp(id)
	}
	if len(again) == 0 {
		return
	}
	err := f.connect(ctx)
	f.mu.Lock()
	_, beginning := f.open[f.initializeID()]
	f.mu.Unlock()
	if err == nil && !beginning {
		if err = f.replay(""); err != nil {
			f.hangUp()
		}
	}
	for _, id := range again {
		f.mu.Lock()
		call, conn := f.open[string(id)], f.conn
		if call != nil {
			call.again = true
		}
		f.mu.Unlock()
		switch {
		case call == nil:
		case err != nil:
			f.mu.Lock()
			delete(f.open, string(id))
			f.mu.Unlock()
			f.refuse(id, call.method, &tools.Error{Kind: adapter.ErrConnectionLost, Text: err.Error()})
		case conn != nil:
			_, _ = conn.Write(call.line)
		}
	}
}

// repeatable reports whether a call may be made a second time; mu is held.
func (f *stdioFront) repeatable(c *openCall) bool {
	switch c.method {
	case "tools/call":
		return !c.again && f.reads[c.tool]
	case "subscriptions/listen": // it has no answer for as long as it lasts
		return true
	}
	return !c.again
}

// initializeID is the id of the agent's initialize; turn is held.
func (f *stdioFront) initializeID() string {
	m, _ := readRequest(f.initialize)
	return string(m.ID)
}

// giveUp answers a call whose daemon is gone.
func (f *stdioFront) giveUp(id json.RawMessage) {
	f.mu.Lock()
	call := f.open[string(id)]
	delete(f.open, string(id))
	f.mu.Unlock()
	if call == nil {
		return
	}
	f.refuse(id, call.method, &tools.Error{Kind: adapter.ErrConnectionLost,
		Text: "the daemon stopped while this call ran, and how far it got is unknown; it is not repeated automatically",
		Hint: "look at the page before you repeat it: tabrelay restarts by itself, and refs are new"})
}

// refuse answers a request in the daemon's place.
func (f *stdioFront) refuse(id json.RawMessage, method string, why *tools.Error) {
	type fault struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	}
	answer := struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result,omitempty"`
		Error   *fault          `json:"error,omitempty"`
	}{Version: "2.0", ID: id}
	if method == "tools/call" {
		answer.Result = tools.Failed(f.flags.Tools, f.flags.Structured, why)
	} else {
		answer.Error = &fault{Code: -32000, Message: why.Text}
	}
	if line, err := json.Marshal(answer); err == nil {
		f.say(append(line, '\n'))
	}
}

// replay begins the agent's session anew at another daemon; turn is held. Before
// names what the agent sends next.
func (f *stdioFront) replay(before string) error {
	if f.initialize == nil {
		return nil // its protocol has no sessions
	}
	began := make(chan struct{})
	f.mu.Lock()
	conn, over := f.conn, f.over
	f.began = began
	f.mu.Unlock()
	gone := errors.New("the tabrelay daemon exited again: call again")
	if sendAnew(conn, f.initialize, replayID) != nil {
		return gone
	}
	limit := time.NewTimer(replayLimit)
	defer limit.Stop()
	select {
	case <-began:
	case <-over:
		return gone
	case <-limit.C:
		return errors.New("the tabrelay daemon does not respond: `tabrelay stop` ends it")
	}
	if f.initialized != nil && before != "notifications/initialized" {
		_, _ = conn.Write(f.initialized)
	}
	if f.logging != nil && before != "logging/setLevel" {
		_ = sendAnew(conn, f.logging, loggingID)
	}
	return nil
}

// sendAnew sends a request of the agent to a daemon under an id of ours.
func sendAnew(conn net.Conn, line []byte, id string) error {
	var request map[string]json.RawMessage
	if err := json.Unmarshal(line, &request); err != nil {
		return fmt.Errorf("again: %w", err)
	}
	request["id"] = json.RawMessage(id)
	return daemon.WriteLine(conn, request)
}
