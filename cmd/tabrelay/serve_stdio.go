package main

import (
	"context"
	"errors"
	"io"
	"os"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// serveStdio serves one agent until its end of the pipe closes.
func (d *service) serveStdio(ctx context.Context, a settings.Agent, c console) error {
	p := &presence{pid: os.Getpid(), since: time.Now()}
	server, session := tools.NewServer(d.options(a, p, d.host.seeker(a)))
	p.session = session
	server.AddReceivingMiddleware(d.knowing(p))
	d.enter(p)
	defer d.exit(p, false)
	defer session.Close()
	if a.OnExit == "close" {
		defer tidy(session)
	}
	err := server.Run(ctx, &draining{&mcp.IOTransport{Reader: c.stdin, Writer: nopCloser{c.stdout}}})
	if ctx.Err() != nil || errors.Is(err, io.EOF) {
		return nil // asked to end, or the agent is gone
	}
	return err
}

// tidy closes the tabs that a session opened.
func tidy(session *tools.Session) {
	ctx, cancel := context.WithTimeout(context.Background(), tidyLimit)
	defer cancel()
	session.CloseTabs(ctx)
}

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// draining is a transport that answers what it was asked before it ends.
type draining struct{ inner mcp.Transport }

// Connect connects the inner transport.
func (d *draining) Connect(ctx context.Context) (mcp.Connection, error) {
	conn, err := d.inner.Connect(ctx)
	if err != nil {
		return nil, err
	}
	return &drainingConn{Connection: conn, idle: make(chan struct{}, 1)}, nil
}

type drainingConn struct {
	mcp.Connection
	idle chan struct{} // told when nothing is open any more

	// mu guards the following.
	mu   sync.Mutex
	open map[jsonrpc.ID]bool // requests without an answer
}

// Read reads a message; the end comes when all requests are answered, or the
// limit is over.
func (c *drainingConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	m, err := c.Connection.Read(ctx)
	if r, ok := m.(*jsonrpc.Request); ok && r.IsCall() {
		c.mu.Lock()
		if c.open == nil {
			c.open = map[jsonrpc.ID]bool{}
		}
		c.open[r.ID] = true
		c.mu.Unlock()
	}
	if !errors.Is(err, io.EOF) {
		return m, err
	}
	timer := time.NewTimer(daemon.DrainLimit)
	defer timer.Stop()
	for {
		c.mu.Lock()
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			return m, err
		}
		select {
		case <-c.idle:
		case <-ctx.Done():
			return m, err
		case <-timer.C:
			return m, err
		}
	}
}

// Write writes a message.
func (c *drainingConn) Write(ctx context.Context, m jsonrpc.Message) error {
	err := c.Connection.Write(ctx, m)
	if r, ok := m.(*jsonrpc.Response); ok {
		c.mu.Lock()
		delete(c.open, r.ID)
		n := len(c.open)
		c.mu.Unlock()
		if n == 0 {
			select {
			case c.idle <- struct{}{}:
			default:
			}
		}
	}
	return err
}
