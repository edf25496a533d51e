// Package front is the process that stands between an agent and the daemon. Stdio
// copies an agent's lines both ways and survives the daemon's end; HTTP has the
// daemon serve agents at an address for as long as this process stays.
package front

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/tools"
)

// stdioFront is a process between an agent and the daemon. It copies lines both
// ways, and knows just enough of them to go on with another daemon when one is
// gone: how the session began, and which calls have no answer yet.
type stdioFront struct {
	// Static after construction.
	dir   string
	level string
	flags settings.Agent
	out   io.Writer
	log   func(format string, args ...any)

	// turn is held by who sends, connects, or deals with a connection's end.
	turn        sync.Mutex
	initialize  []byte // the agent's own lines, for another daemon
	initialized []byte
	logging     []byte // how much the agent wants logged
	finished    bool   // the agent has said its last

	// mu guards the following.
	mu      sync.Mutex
	conn    net.Conn      // nil when there is none
	over    chan struct{} // closed when nothing more comes from conn
	settled chan struct{} // closed when that has been dealt with
	leaving bool          // the daemon at conn takes nothing more
	began   chan struct{} // closed when a daemon has answered the replay
	open    map[string]*openCall
	asked   map[string]bool // requests of the daemon that the agent has not answered
	record  json.RawMessage
	reads   map[string]bool

	// writing guards out.
	writing sync.Mutex
}

// openCall is a request of the agent without an answer.
type openCall struct {
	line   []byte
	method string
	tool   string
	again  bool // it was sent a second time
	unsent bool // it is being sent, by who will send it again if need be
}

const (
	// replayID is that of an initialize that is sent anew, and the beginning of others'.
	replayID  = `"tabrelay-replay"`
	loggingID = `"tabrelay-replay-logging"`
	// replayLimit is how long a daemon may take for an initialize.
	replayLimit = 20 * time.Second
	// lastLimit is how long answers are awaited when the agent has said its last.
	lastLimit = daemon.DrainLimit + 2*time.Second
	// largeLine is what makes a front give memory back.
	largeLine = 256 << 10
)

// Streams are what a front reads and writes, and how much a daemon that it starts
// logs.
type Streams struct {
	In    io.Reader
	Out   io.Writer
	Err   io.Writer
	Level string
}

// Stdio serves the agent at stdin and stdout through the daemon.
func Stdio(ctx context.Context, flags settings.Agent, s Streams) error {
	f := &stdioFront{dir: state.Folder(), level: s.Level, flags: flags, out: s.Out,
		log:  func(format string, args ...any) { fmt.Fprintf(s.Err, "tabrelay: "+format+"\n", args...) },
		open: map[string]*openCall{}, asked: map[string]bool{}, reads: map[string]bool{}}
	if err := f.connect(ctx); err != nil {
		return err
	}
	done := make(chan error, 1)
	go func() { done <- f.copyIn(ctx, s.In) }() // ends with stdin, or this process
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		f.mu.Lock()
		defer f.mu.Unlock()
		if f.conn != nil {
			_ = f.conn.Close()
		}
		return nil
	}
}

// copyIn sends the agent's lines until it has said its last and has its answers.
func (f *stdioFront) copyIn(ctx context.Context, stdin io.Reader) error {
	in := bufio.NewReader(stdin)
	var buf []byte
	for {
		line, err := daemon.ReadLine(in, buf, daemon.MaxLine)
		if len(bytes.TrimSpace(line)) > 0 {
			f.forward(ctx, line)
		}
		if err != nil {
			if errors.Is(err, daemon.ErrLongLine) {
				return err
			}
			return f.finish()
		}
		if buf = line; cap(buf) > largeLine {
			buf = nil
		}
	}
}

// finish waits for what is still to come.
func (f *stdioFront) finish() error {
	f.turn.Lock()
	f.finished = true
	f.mu.Lock()
	conn, settled := f.conn, f.settled
	f.mu.Unlock()
	f.turn.Unlock()
	if conn == nil {
		return nil
	}
	_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayEnd})
	limit := time.AfterFunc(lastLimit, func() { _ = conn.Close() })
	defer limit.Stop()
	<-settled
	return nil
}

// forward sends a line of the agent to the daemon.
func (f *stdioFront) forward(ctx context.Context, line []byte) {
	m, ok := readRequest(line)
	batch := bytes.HasPrefix(bytes.TrimSpace(line), []byte{'['})
	if !ok && !batch {
		f.say([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the line is not JSON"}}` + "\n"))
		return
	}
	if !bytes.HasSuffix(line, []byte{'\n'}) {
		line = append(line, '\n')
	}
	f.turn.Lock()
	defer f.turn.Unlock()
	switch {
	case batch:
	case m.Method == "initialize":
		f.initialize, f.initialized, f.logging = bytes.Clone(line), nil, nil
	case m.Method == "notifications/initialized":
		f.initialized = bytes.Clone(line)
	case m.Method == "logging/setLevel":
		f.logging = bytes.Clone(line)
	case m.isResponse():
		f.mu.Lock()
		known := f.asked[string(m.ID)]
		delete(f.asked, string(m.ID))
		f.mu.Unlock()
		if !known {
			return // its question came from a daemon that is gone
		}
	}
	for range 2 {
		if err := f.ready(ctx, m); err != nil {
			if m.isRequest() {
				f.refuse(m.ID, m.Method, &tools.Error{Kind: tools.ErrNotConnected, Text: err.Error()})
			}
			return
		}
		if f.send(line, m) {
			return
		}
	}
	f.giveUp(m.ID)
}

// send writes a line to the daemon, and reports whether it may have arrived; turn
// is held. A line without its end does nothing there.
func (f *stdioFront) send(line []byte, m message) bool {
	f.mu.Lock()
	conn, settled := f.conn, f.settled
	if m.isRequest() {
		f.open[string(m.ID)] = &openCall{line: bytes.Clone(line), method: m.Method, tool: m.Params.Name, unsent: true}
	}
	if m.Method == "notifications/cancelled" {
		delete(f.open, string(m.Params.RequestID))
	}
	f.mu.Unlock()
	_, err := conn.Write(line)
	f.mu.Lock()
	if call := f.open[string(m.ID)]; call != nil {
		call.unsent = err != nil
	}
	f.mu.Unlock()
	if err != nil {
		_ = conn.Close()
		f.turn.Unlock() // who deals with the end needs it
		<-settled
		f.turn.Lock()
	}
	return err == nil
}

// ready makes sure that there is a daemon to send to; turn is held. One that
// leaves is waited for, and another takes its place.
func (f *stdioFront) ready(ctx context.Context, m message) error {
	f.mu.Lock()
	conn, settled, leaving := f.conn, f.settled, f.leaving
	f.mu.Unlock()
	if conn != nil && !leaving {
		return nil
	}
	if conn != nil {
		f.turn.Unlock() // who deals with the end needs it
		<-settled
		f.turn.Lock()
		return f.ready(ctx, m)
	}
	if err := f.connect(ctx); err != nil {
		return err
	}
	if m.Method == "initialize" {
		return nil
	}
	err := f.replay(m.Method)
	if err != nil {
		f.hangUp()
	}
	return err
}

// hangUp ends a connection on which the session could not go on.
func (f *stdioFront) hangUp() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.conn != nil {
		_ = f.conn.Close()
	}
}

// connect finds or starts a daemon and makes it serve this agent; turn is held,
// or nobody else knows f.
func (f *stdioFront) connect(ctx context.Context) error {
	for range 5 {
		conn, _, err := daemon.Reach(ctx, f.dir, f.level)
		if err != nil {
			return err
		}
		r, err := f.enter(conn)
		if err == nil {
			over, settled := make(chan struct{}), make(chan struct{})
			f.mu.Lock()
			f.conn, f.over, f.settled, f.leaving = conn, over, settled, false
			clear(f.asked)
			f.mu.Unlock()
			go func() { // ends with the connection
				f.copyOut(r)
				_ = conn.Close()
				close(over)
				f.lost(ctx)
				close(settled)
			}()
			return nil
		}
		_ = conn.Close()
		if !errors.Is(err, daemon.ErrNone) {
			return err
		}
	}
	return daemon.ErrLeaves
}

// enter asks a daemon to serve this agent.
func (f *stdioFront) enter(conn net.Conn) (*bufio.Reader, error) {
	c, err := daemon.ReadContact(f.dir)
	if err != nil {
		return nil, daemon.ErrNone
	}
	q := daemon.Ask{Ask: daemon.AskAgent, Protocol: daemon.WireProtocol, Secret: c.Secret, Version: release.Text(), PID: os.Getpid(), Agent: f.flags}
	f.mu.Lock()
	q.Record = f.record
	f.mu.Unlock()
	r, w, err := daemon.Welcomed(conn, q, c.PID)
	if err != nil {
		return nil, err
	}
	if w.Reason != "" {
		f.log("%s", w.Reason)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, tool := range w.Reads {
		f.reads[tool] = true
	}
	return r, nil
}
