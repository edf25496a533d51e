package main

import (
	"bufio"
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"sync"
	"time"

	"github.com/gofrs/flock"

	"github.com/tabrelay/tabrelay/tools"
)

// daemonCommand is the process that holds everything: the relay, the managed
// browsers and the sessions of all agents.
type daemonCommand struct {
	Idle     time.Duration `default:"10m" help:"Leave when no agent and no CDP client was there for so long; 0 stays."`
	Detached bool          `hidden:"" help:"Say on stdout when it can be reached, and write a log file."`
}

const (
	// greetLimit is how long a process that connects may take for its first line.
	greetLimit = 5 * time.Second
	// partLimit is how long a daemon that leaves waits for calls under way.
	partLimit = 3 * time.Second
	// lifeLimit is how long a new daemon waits for the one that leaves: that may
	// have browsers to close.
	lifeLimit = 15 * time.Second
)

// daemon serves the fronts of agents on a socket of its own.
type daemon struct {
	// Static after construction.
	host    *host
	contact contact
	idle    time.Duration
	log     *slog.Logger
	claims  *tools.Claims
	listen  net.Listener
	leave   context.CancelCauseFunc
	parted  chan struct{} // closed when all is closed

	// mu guards the following.
	mu      sync.Mutex
	agents  map[*presence]struct{}
	http    *httpAgents // nil when nobody asked for agents over HTTP
	order   int         // of agents
	clients int         // sockets of CDP clients
	timer   *time.Timer
	leaving bool
	changed chan struct{} // closed and made anew when agents, clients or what they hold change
	conns   sync.WaitGroup
}

// The reasons to leave.
var (
	errIdle     = errors.New("nobody is there")
	errStopped  = errors.New("asked to stop")
	errReplaced = errors.New("a newer one takes its place")
)

func (c daemonCommand) Run(ctx context.Context, out console, f *serveFlags) (err error) {
	ready := io.Discard
	if c.Detached {
		ready = out.stdout
		defer func() {
			if err != nil { // who started this daemon waits for a word
				fmt.Fprintln(out.stdout, err)
			}
		}()
	}
	s, err := openState("")
	if err != nil {
		return err
	}
	life, err := takeLife(ctx, s.Dir)
	if err != nil {
		return err
	}
	defer func() { _ = life.Unlock() }()
	log := out.log
	if c.Detached {
		file, err := openLog(s.Dir, s.ExtensionSecret, s.ClientSecret, s.MCPToken)
		if err != nil {
			return err
		}
		defer file.Close()
		log = slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: out.level}))
	}
	d, err := openDaemon(ctx, s, c.Idle, f, log)
	if err != nil {
		return err
	}
	if c.Detached {
		fmt.Fprintln(ready, readyWord)
		if f, ok := out.stdout.(io.Closer); ok {
			_ = f.Close() // nobody reads it any more
		}
	} else {
		fmt.Fprintf(out.stderr, "The tabrelay daemon runs at port %d.\n", d.contact.Port)
	}
	d.run()
	return nil
}

// takeLife takes the lock that makes a daemon the only one. One that is leaving
// is waited for.
func takeLife(ctx context.Context, dir string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, lifeLock), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil {
		return nil, folderError(err)
	} else if ok {
		return lock, nil
	}
	if c, err := readContact(dir); err == nil {
		if conn, err := c.dial(ctx); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("a daemon runs already (pid %d): `tabrelay status` tells of it, `tabrelay stop` ends it", c.PID)
		}
	}
	wait, cancel := context.WithTimeoutCause(ctx, lifeLimit, errors.New("another daemon is still leaving: try again in a moment"))
	defer cancel()
	return takeLock(wait, dir, lifeLock)
}

// openDaemon listens for extensions, clients and fronts; run serves them.
func openDaemon(ctx context.Context, s *state, idle time.Duration, f *serveFlags, log *slog.Logger) (*daemon, error) {
	d := &daemon{idle: idle, log: log, claims: &tools.Claims{}, agents: map[*presence]struct{}{}, changed: make(chan struct{}),
		parted: make(chan struct{})}
	o := hostOptions{Log: log, Clients: d.counted}
	if f.Port != nil {
		o.Port, o.AnyPort = *f.Port, *f.Port == 0
	}
	ctx, d.leave = context.WithCancelCause(ctx)
	var err error
	if d.host, err = openHost(o); err != nil {
		return nil, err
	}
	if d.listen, d.contact, err = listenForFronts(s.Dir); err != nil {
		d.host.close()
		return nil, err
	}
	d.contact.Port = d.host.state.Port
	d.host.routes.HandleFunc("/mcp", d.serveMCP)
	if err := d.contact.write(s.Dir); err != nil {
		_ = d.listen.Close()
		d.host.close()
		return nil, err
	}
	go d.follow(ctx) // ends when the daemon leaves
	context.AfterFunc(ctx, func() { d.part(context.Cause(ctx)) })
	if idle > 0 {
		d.timer = time.AfterFunc(idle, d.tire)
	}
	log.Info("daemon began", "version", d.contact.Version, "pid", d.contact.PID, "port", d.contact.Port)
	return d, nil
}

// run serves fronts until the daemon leaves.
func (d *daemon) run() {
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
	d.leave(errStopped) // also where the listener ended by itself
	<-d.parted
	d.conns.Wait()
}

// meet answers the first line of a connection.
func (d *daemon) meet(conn net.Conn) {
	_ = conn.SetReadDeadline(time.Now().Add(greetLimit))
	r := bufio.NewReader(conn)
	line, err := readLine(r, nil, maxGreeting)
	if err != nil {
		return
	}
	q, ok := d.admit(line)
	if !ok {
		return // who does not know the secret is told nothing
	}
	_ = conn.SetReadDeadline(time.Time{})
	if (q.Ask == askAgent || q.Ask == askHTTP) && q.Protocol != wireProtocol {
		_ = writeLine(conn, control{Tabrelay: sayRefused, Protocol: wireProtocol, Version: d.contact.Version})
		return
	}
	switch q.Ask {
	case askAgent:
		d.serve(conn, r, q)
	case askStatus:
		_ = writeLine(conn, d.status())
	case askWatch:
		d.watch(conn)
	case askHTTP:
		d.serveHTTP(conn, r, q)
	case askStop:
		d.log.Info("asked to stop", "by", q.Version)
		if q.Replaces {
			d.leave(errReplaced)
		} else {
			d.leave(errStopped)
		}
		<-d.parted // and the connection's end says so
	}
}

// serve serves an agent, unless the daemon leaves.
func (d *daemon) serve(conn net.Conn, r *bufio.Reader, q ask) {
	a := newAgent(d, conn, r, q)
	if !d.enter(a.presence) {
		return
	}
	defer func() { d.exit(a.presence, a.elsewhere()) }()
	a.serve()
}

// counted serves CDP clients, and counts their sockets: each holds the daemon.
func (d *daemon) counted(next http.Handler) http.Handler {
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

// admit reads the first line of a connection and tells whether who sent it knows
// the secret.
func (d *daemon) admit(line []byte) (ask, bool) {
	var q ask
	if json.Unmarshal(line, &q) != nil {
		return q, false
	}
	return q, subtle.ConstantTimeCompare([]byte(q.Secret), []byte(d.contact.Secret)) == 1
}
