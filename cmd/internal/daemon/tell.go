package daemon

import (
	"context"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/release"
)

// Query connects to the daemon and asks it something; the caller closes.
func Query(ctx context.Context, dir, what string) (net.Conn, Contact, error) {
	return tellDaemon(ctx, dir, Ask{Ask: what})
}

// tellDaemon is Query with more to say.
func tellDaemon(ctx context.Context, dir string, q Ask) (net.Conn, Contact, error) {
	conn, c, err := findDaemon(ctx, dir)
	if err != nil {
		return nil, c, err
	}
	q.Protocol, q.Secret, q.Version, q.PID = WireProtocol, c.Secret, release.Text(), os.Getpid()
	if err := WriteLine(conn, q); err != nil {
		_ = conn.Close()
		return nil, c, ErrNone // it was just leaving
	}
	return conn, c, nil
}

// Watch starts a daemon where none is, keeps it, and returns a connection on which
// it tells its status after each change; the caller closes.
func Watch(ctx context.Context, dir, level string) (net.Conn, error) {
	conn, _, err := Reach(ctx, dir, level)
	if err != nil {
		return nil, err
	}
	_ = conn.Close() // it stays for a moment
	conn, _, err = tellDaemon(ctx, dir, Ask{Ask: AskWatch, Hold: true})
	return conn, err
}

// Stop asks the daemon to leave and waits until it has.
func Stop(ctx context.Context, dir string) (Contact, error) {
	return endDaemon(ctx, dir, Ask{Ask: AskStop})
}

func endDaemon(ctx context.Context, dir string, q Ask) (Contact, error) {
	conn, c, err := tellDaemon(ctx, dir, q)
	if err != nil {
		return c, err
	}
	defer conn.Close()
	_ = conn.SetReadDeadline(time.Now().Add(lifeLimit))
	if _, err := io.Copy(io.Discard, conn); err != nil {
		return c, fmt.Errorf("the daemon (pid %d) does not exit: end that process", c.PID)
	}
	return c, nil
}

// Ping asks for a status that says how long each browser takes to answer; the
// caller closes.
func Ping(ctx context.Context, dir string) (net.Conn, error) {
	conn, _, err := tellDaemon(ctx, dir, Ask{Ask: AskStatus, Ping: true})
	return conn, err
}
