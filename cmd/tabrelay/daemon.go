package main

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/history"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/tools"
)

// daemonCommand is the process that holds everything: the relay, the managed
// browsers and the sessions of all agents.
type daemonCommand struct {
	Idle     time.Duration `default:"10m" help:"Exit after this long with no clients (0 = never)."`
	Port     *int          `help:"The port on 127.0.0.1 for the extension and CDP clients (default 8765; 0 for any free one)." placeholder:"PORT"`
	Detached bool          `hidden:"" env:"-" help:"Report on stdout when ready, and write a log file."`
	logging
}

const (
	// greetLimit is how long a process that connects may take for its first line.
	greetLimit = 5 * time.Second
	// partLimit is how long a daemon that leaves waits for calls under way.
	partLimit = 3 * time.Second
)

// service serves agents: a daemon those of all fronts, on a socket of its own, and
// a process with --port its own.
type service struct {
	// Static after construction.
	host     *host
	contact  daemon.Contact
	idle     time.Duration
	ctx      context.Context // ends when the service leaves
	log      *slog.Logger
	claims   *tools.Claims
	history  *history.Book
	listen   net.Listener
	leave    context.CancelCauseFunc
	parted   chan struct{} // closed when all is closed
	audience *audience

	// mu guards the following.
	mu      sync.Mutex
	agents  map[*presence]struct{}
	http    *httpAgents // nil when nobody asked for agents over HTTP
	order   int         // of agents
	clients int         // sockets of CDP clients
	asking  int         // who asks for an address
	kept    map[string]*kept
	resting int // of those that nobody calls now
	timer   *time.Timer
	leaving bool
	changed chan struct{} // closed and made anew when agents, clients or what they hold change
	conns   sync.WaitGroup
}

func (c daemonCommand) Run(ctx context.Context, out console) (err error) {
	ready := io.Discard
	if c.Detached {
		ready = out.stdout
		defer func() {
			if err != nil { // who started this daemon waits for a word
				fmt.Fprintln(out.stdout, err)
			}
		}()
	}
	s, err := state.Open("")
	if err != nil {
		return err
	}
	life, err := daemon.TakeLife(ctx, s.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = life.Unlock() }()
	log := out.log
	if c.Detached {
		file, err := daemon.OpenLog(s.Dir, s.ExtensionKey, s.ClientSecret, s.MCPToken)
		if err != nil {
			return err
		}
		defer file.Close()
		log = slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: out.level}))
	}
	o := hostOptions{}
	if c.Port != nil {
		if o, err = listenAt(*c.Port); err != nil {
			return err
		}
	}
	o.Log = log
	d, err := openDaemon(ctx, c.Idle, o)
	if err != nil {
		return err
	}
	if c.Detached {
		fmt.Fprintln(ready, daemon.ReadyWord)
		if f, ok := out.stdout.(io.Closer); ok {
			_ = f.Close() // nobody reads it any more
		}
	} else {
		fmt.Fprintf(out.stderr, "The tabrelay daemon runs at port %d.\n", d.contact.Port)
	}
	d.run()
	return nil
}

// newService listens for extensions and clients, and knows no agent yet. It ends
// with close, unless a daemon is made of it.
func newService(ctx context.Context, o hostOptions) (*service, error) {
	d := &service{log: o.Log, claims: &tools.Claims{}, agents: map[*presence]struct{}{}, kept: map[string]*kept{}, changed: make(chan struct{}),
		parted: make(chan struct{}), history: history.Open(state.Folder(), o.Log)}
	d.audience = newAudience(d)
	o.Clients, o.Visit, o.Wish = d.counted, d.visited, d.audience.wish
	ctx, d.leave = context.WithCancelCause(ctx)
	var err error
	if d.host, err = openHost(o); err != nil {
		d.leave(err)
		d.history.Close()
		return nil, err
	}
	d.host.routes.HandleFunc("/mcp", d.serveMCP)
	d.ctx = ctx
	go d.follow(ctx) // ends when the service leaves
	go d.audience.run(ctx)
	return d, nil
}

// close ends a service that is no daemon.
func (d *service) close() {
	d.leave(daemon.ErrStopped)
	d.host.close()
	d.history.Close()
}

// openDaemon makes a daemon, which listens for fronts, too; run serves them.
func openDaemon(ctx context.Context, idle time.Duration, o hostOptions) (*service, error) {
	d, err := newService(ctx, o)
	if err != nil {
		return nil, err
	}
	dir := d.host.state.Dir
	if d.listen, d.contact, err = daemon.Listen(dir); err != nil {
		d.close()
		return nil, err
	}
	d.contact.Port = d.host.state.Port
	if err := d.contact.Write(dir); err != nil {
		_ = d.listen.Close()
		d.close()
		return nil, err
	}
	d.idle = idle
	context.AfterFunc(d.ctx, func() { d.part(context.Cause(d.ctx)) })
	if idle > 0 {
		d.timer = time.AfterFunc(idle, d.tire)
	}
	d.log.Info("daemon began", "version", d.contact.Version, "pid", d.contact.PID, "port", d.contact.Port)
	return d, nil
}

// run serves fronts until the daemon leaves.
func (d *service) run() {
	for {
		conn, err := d.listen.Accept()
		if err != nil {
			break // part closed it
		}
		d.conns.Go(func() { // ends with the connection, which part ends
			defer conn.Close()
			d.meet(conn)
		})
	}
	d.leave(daemon.ErrStopped) // also where the listener ended by itself
	<-d.parted
	d.conns.Wait()
	d.history.Close() // agents that left are in it
}

// meet answers the first line of a connection.
func (d *service) meet(conn net.Conn) {
	_ = conn.SetReadDeadline(time.Now().Add(greetLimit))
	r := bufio.NewReader(conn)
	line, err := daemon.ReadLine(r, nil, daemon.MaxGreeting)
	if err != nil {
		return
	}
	q, ok := d.admit(line)
	if !ok {
		return // who does not know the secret is told nothing
	}
	_ = conn.SetReadDeadline(time.Time{})
	if (q.Ask == daemon.AskAgent || q.Ask == daemon.AskHTTP) && q.Protocol != daemon.WireProtocol {
		_ = daemon.WriteLine(conn, daemon.Control{Tabrelay: daemon.SayRefused, Protocol: daemon.WireProtocol, Version: d.contact.Version})
		return
	}
	switch q.Ask {
	case daemon.AskAgent:
		d.serve(conn, r, q)
	case daemon.AskCDP:
		d.address(conn, q)
	case daemon.AskStatus:
		_ = daemon.WriteLine(conn, d.status(q.Ping))
	case daemon.AskWatch:
		if q.Hold {
			defer d.hold()()
		}
		d.watch(conn)
	case daemon.AskHistory:
		d.recite(conn)
	case daemon.AskHTTP:
		d.serveHTTP(conn, r, q)
	case daemon.AskStop:
		d.log.Info("asked to stop", "by", q.Version)
		if q.Replaces {
			d.leave(daemon.ErrReplaced)
		} else {
			d.leave(daemon.ErrStopped)
		}
		<-d.parted // and the connection's end says so
	}
}

// serve serves an agent, unless the daemon leaves.
func (d *service) serve(conn net.Conn, r *bufio.Reader, q daemon.Ask) {
	if q.Session != "" {
		d.serveKept(conn, r, q)
		return
	}
	a := newAgent(d, conn, r, q)
	if !d.enter(a.presence) {
		return
	}
	defer func() { d.exit(a.presence, a.elsewhere()) }()
	a.serve()
}

// counted serves CDP clients, and counts their sockets: each holds the daemon.
func (d *service) counted(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Upgrade") == "" { // a question about addresses, such as our own for a status
			next.ServeHTTP(w, r)
			return
		}
		d.mu.Lock()
		d.clients++
		d.busy()
		d.mu.Unlock()
		defer func() {
			d.mu.Lock()
			defer d.mu.Unlock()
			d.clients--
			d.rest()
		}()
		next.ServeHTTP(w, r)
	})
}

// admit reads the first line of a connection and reports whether who sent it knows
// the secret.
func (d *service) admit(line []byte) (daemon.Ask, bool) {
	var q daemon.Ask
	if json.Unmarshal(line, &q) != nil {
		return q, false
	}
	return q, subtle.ConstantTimeCompare([]byte(q.Secret), []byte(d.contact.Secret)) == 1
}
