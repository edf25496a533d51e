package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// tidyLimit bounds the closing of an agent's tabs when it has gone.
const tidyLimit = 5 * time.Second

// agent is one front's agent in the daemon.
type agent struct {
	*presence

	// Static after construction.
	daemon *service
	conn   net.Conn
	in     *bufio.Reader
	flags  settings.Agent
	seeker *seeker
	server *mcp.Server
	ctx    context.Context // ends when the agent is gone
	gone   context.CancelFunc
	ended  chan struct{} // closed when nothing of it is left
	rest   []byte        // of a line that was read; the reader's alone

	// mu guards the following.
	mu        sync.Mutex
	dismissed bool

	// out guards writing.
	out sync.Mutex
}

// errGone is the end of an agent that did not say so.
var errGone = errors.New("the agent is gone")

func newAgent(d *service, conn net.Conn, in *bufio.Reader, q daemon.Ask) *agent {
	a := &agent{daemon: d, conn: conn, in: in, flags: q.Agent, seeker: d.host.seeker(q.Agent), ended: make(chan struct{})}
	a.presence = &presence{front: a, pid: q.PID, since: time.Now()}
	a.ctx, a.gone = context.WithCancel(context.Background())
	a.server, a.session = tools.NewServer(d.options(q.Agent, a.presence, a.seeker))
	a.resume(a.seeker, q.Record)
	a.server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			return d.frontOf(a.presence).around(next)(ctx, method, r)
		}
	})
	return a
}

// frontOf returns what an agent comes through now.
func (d *service) frontOf(p *presence) *agent {
	d.mu.Lock()
	defer d.mu.Unlock()
	return p.front
}

// resume makes an agent go on where a record ends. One that cannot be read is of
// a daemon that kept others: the session begins anew.
func (p *presence) resume(s *seeker, record json.RawMessage) {
	var r daemon.AgentRecord
	if record == nil || json.Unmarshal(record, &r) != nil {
		return
	}
	p.session.Resume(r.Session)
	s.expect, p.wish = r.Own, r.Name
}

// record is what another daemon needs to go on with an agent; nil where it is
// what it was before.
func (d *service) record(p *presence, s *seeker) json.RawMessage {
	r := daemon.AgentRecord{Session: p.session.Record(), Own: s.ownInstall()}
	d.mu.Lock()
	defer d.mu.Unlock()
	r.Name = p.name
	data, err := json.Marshal(r)
	if err != nil || bytes.Equal(data, p.recorded) {
		return nil
	}
	p.recorded = data
	d.tell()
	return data
}

// serve serves the agent until it is gone, and leaves nothing of it behind.
func (a *agent) serve() {
	defer close(a.ended)
	a.talk()
	a.leave(a.elsewhere())
}

// leave ends the agent's session.
func (a *agent) leave(elsewhere bool) {
	if a.flags.OnExit == "close" && !elsewhere {
		tidy(a.session)
	}
	_ = a.session.Close()
}

// talk serves the agent on its connection until that ends.
func (a *agent) talk() {
	defer a.gone()
	hello := daemon.Control{Tabrelay: daemon.SayWelcome, Protocol: daemon.WireProtocol, Version: release.Text(), Reads: tools.Repeatable(a.flags.Tools)}
	if a.daemon.host.moved != 0 {
		hello.Reason = daemon.PortTaken(a.daemon.host.moved)
	}
	err := daemon.WriteLine(a, hello)
	if err == nil {
		_ = a.server.Run(a.ctx, &draining{&mcp.IOTransport{Reader: a, Writer: nopCloser{a}, MaxLineLength: daemon.MaxLine}})
	}
}

// elsewhere reports whether the agent goes on at another daemon.
func (a *agent) elsewhere() bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.dismissed
}

// around runs within each request: it ends with the agent, and what it changed
// is told to the front before its answer.
func (a *agent) around(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(a.ctx, cancel)()
		a.daemon.know(a.presence, r)
		result, err := next(ctx, method, r)
		a.daemon.know(a.presence, r) // initialize says who it is
		if method == "tools/call" {
			a.record()
		}
		return result, err
	}
}

// record tells the front what another daemon needs to go on.
func (a *agent) record() {
	if data := a.daemon.record(a.presence, a.seeker); data != nil {
		_ = daemon.WriteLine(a, daemon.Control{Tabrelay: daemon.SayRecord, Record: data})
	}
}

// dismiss ends the agent when it has its answers: its front goes elsewhere.
func (a *agent) dismiss() {
	a.mu.Lock()
	a.dismissed = true
	a.mu.Unlock()
	// A front that does not read must not keep the daemon here.
	_ = a.conn.SetWriteDeadline(time.Now().Add(partLimit))
	_ = daemon.WriteLine(a, daemon.Control{Tabrelay: daemon.SayLeaving})
	_ = a.conn.SetReadDeadline(time.Now())
}

// cut ends the agent at once.
func (a *agent) cut() {
	a.gone()
	_ = a.conn.Close()
}

// Write writes a line to the front.
func (a *agent) Write(p []byte) (int, error) {
	a.out.Lock()
	defer a.out.Unlock()
	return a.conn.Write(p)
}

// Read reads what the agent said. A connection that ends without a word is not
// io.EOF, upon which answers are still awaited, but the end of the agent.
func (a *agent) Read(p []byte) (int, error) {
	for len(a.rest) == 0 {
		line, err := daemon.ReadLine(a.in, nil, daemon.MaxLine)
		if err != nil {
			if a.elsewhere() {
				return 0, io.EOF
			}
			a.gone()
			return 0, errGone
		}
		if daemon.IsControl(line) {
			var c daemon.Control
			if json.Unmarshal(line, &c) == nil && c.Tabrelay == daemon.SayEnd {
				a.watch()
				return 0, io.EOF
			}
			continue
		}
		a.rest = line
	}
	n := copy(p, a.rest)
	a.rest = a.rest[n:]
	return n, nil
}

// watch ends the agent when its front goes before the last answers came.
func (a *agent) watch() {
	go func() { // ends with the connection
		_, _ = a.in.ReadByte()
		a.gone()
	}()
}

// Close is part of what the server reads from; serve ends the connection.
func (a *agent) Close() error { return nil }
