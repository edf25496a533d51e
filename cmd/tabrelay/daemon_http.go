package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/front"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// httpAgents are the agents over HTTP in the daemon. They are served for as long
// as the process is there that asked for them, `tabrelay --transport http`.
type httpAgents struct {
	// Static after construction.
	daemon  *service
	conn    net.Conn
	pid     int
	flags   settings.Agent
	records map[string]json.RawMessage // of agents at another daemon
	front   *router
	handler http.Handler  // the front, for those who know the token
	ended   chan struct{} // closed when nothing of them is left

	// mu guards the following.
	mu        sync.Mutex
	dismissed bool
	here      map[*tools.Session]*presence

	// out guards writing.
	out sync.Mutex
}

// newHTTPAgents returns the agents that a process asked for, as none yet.
func (d *service) newHTTPAgents(conn net.Conn, q daemon.Ask) *httpAgents {
	h := &httpAgents{daemon: d, conn: conn, pid: q.PID, flags: q.Agent, records: q.Records,
		ended: make(chan struct{}), here: map[*tools.Session]*presence{}}
	h.front = newRouter(d.options(q.Agent, &presence{}, d.host.seeker(q.Agent)))
	h.front.begin, h.front.end = h.begin, h.end
	h.handler = guard(cmp.Or(q.Token, d.host.state.MCPToken), q.Origins, h.front)
	return h
}

// serveHTTP serves agents over HTTP until the connection ends.
func (d *service) serveHTTP(conn net.Conn, r *bufio.Reader, q daemon.Ask) {
	h := d.newHTTPAgents(conn, q)
	if why := d.open(h); why != nil {
		if !errors.Is(why, daemon.ErrNone) {
			_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayRefused, Protocol: daemon.WireProtocol, Version: d.contact.Version, Reason: why.Error()})
		}
		return
	}
	defer close(h.ended)
	if daemon.WriteLine(h, daemon.Control{Tabrelay: daemon.SayWelcome, Protocol: daemon.WireProtocol, Version: d.contact.Version}) == nil {
		_, _ = r.ReadByte() // nothing more is said; the end comes with the process, or when the daemon leaves
	}
	d.shut()
	limit := time.Duration(0)
	if h.elsewhere() {
		limit = partLimit
	}
	h.front.close(limit)
}

// serveHTTPHere serves agents over HTTP from this process alone, until ctx ends.
func (d *service) serveHTTPHere(ctx context.Context, a settings.Agent, origins []string, c console) error {
	h := d.newHTTPAgents(nil, daemon.Ask{PID: os.Getpid(), Agent: a, Token: os.Getenv("TABRELAY_TOKEN"), Origins: origins})
	if err := d.open(h); err != nil {
		return err
	}
	front.SayServed(c.stderr, d.host.address(), d.host.state)
	<-ctx.Done()
	d.shut()
	h.front.close(0)
	return nil
}

// open lets agents in over HTTP; one process at a time asks for that.
func (d *service) open(h *httpAgents) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case d.leaving:
		return daemon.ErrNone
	case d.http != nil:
		return fmt.Errorf("agents over HTTP are already served at http://%s/mcp while process %d runs: use that address (?agent= and ?tools= "+
			"tell agents apart), or give this one a --port of its own", d.host.address(), d.http.pid)
	case d.host.moved != 0:
		return fmt.Errorf("port %d is taken, perhaps by another tabrelay: end that program, or choose another port with --port", d.host.moved)
	}
	d.http = h
	d.busy()
	return nil
}

func (d *service) shut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.http = nil
	d.rest()
}

// serveMCP hands requests on to the agents over HTTP, while somebody wants them
// served.
func (d *service) serveMCP(w http.ResponseWriter, r *http.Request) {
	d.mu.Lock()
	h := d.http
	d.mu.Unlock()
	if h == nil {
		http.Error(w, "agents are not served over HTTP now: run `tabrelay --transport http`", http.StatusServiceUnavailable)
		return
	}
	h.handler.ServeHTTP(w, r)
}

// begin makes the session of an agent.
func (h *httpAgents) begin(o tools.Options, name string) (*mcp.Server, *tools.Session) {
	d, p, s := h.daemon, &presence{pid: h.pid, since: time.Now()}, h.daemon.host.seeker(h.flags)
	own := d.options(h.flags, p, s)
	o.Connect, o.Launch, o.Has, o.Used, o.Using = own.Connect, own.Launch, own.Has, own.Used, own.Using
	server, session := tools.NewServer(o)
	p.session = session
	if name != "" {
		p.resume(s, h.records[name])
	}
	server.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			d.know(p, r)
			result, err := next(ctx, method, r)
			d.know(p, r)
			if method == "tools/call" {
				h.record(name, p, s)
			}
			return result, err
		}
	})
	d.enter(p) // one that comes while the daemon leaves is ended with the others
	h.mu.Lock()
	h.here[session] = p
	h.mu.Unlock()
	return server, session
}

// end ends an agent's session.
func (h *httpAgents) end(session *tools.Session) {
	h.mu.Lock()
	p := h.here[session]
	delete(h.here, session)
	h.mu.Unlock()
	if h.flags.OnExit == "close" && !h.elsewhere() {
		tidy(session)
	}
	_ = session.Close()
	if p != nil {
		h.daemon.exit(p, h.elsewhere())
	}
}

// record tells the process what another daemon needs to go on with an agent. One
// without a name cannot come back.
func (h *httpAgents) record(name string, p *presence, s *seeker) {
	if h.conn == nil {
		return // there is no other daemon
	}
	if data := h.daemon.record(p, s); data != nil && name != "" {
		_ = daemon.WriteLine(h, daemon.Control{Tabrelay: daemon.SayRecord, Agent: name, Record: data})
	}
}

// Write writes a line to the process.
func (h *httpAgents) Write(p []byte) (int, error) {
	h.out.Lock()
	defer h.out.Unlock()
	_ = h.conn.SetWriteDeadline(time.Now().Add(partLimit))
	return h.conn.Write(p)
}

// elsewhere reports whether the agents go on at another daemon.
func (h *httpAgents) elsewhere() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.dismissed
}

// dismiss ends the agents when they have their answers, and tells the process
// whether there is another daemon to go to.
func (h *httpAgents) dismiss(why error) {
	h.mu.Lock()
	h.dismissed = true
	h.mu.Unlock()
	_ = daemon.WriteLine(h, daemon.Control{Tabrelay: daemon.SayLeaving, Reason: why.Error()})
	_ = h.conn.SetReadDeadline(time.Now())
}
