package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"time"

	"github.com/gofrs/flock"
	"github.com/google/uuid"
)

// contact is daemon.json: how a daemon is spoken to. It is there from when the
// daemon listens until it begins to leave, or after it was killed.
type contact struct {
	PID      int       `json:"pid"`
	Version  string    `json:"version"`
	Protocol int       `json:"protocol"`
	Network  string    `json:"network"` // unix, or tcp where a socket file cannot be
	Address  string    `json:"address"`
	Secret   string    `json:"secret"`
	Port     int       `json:"port"` // of the relay
	Started  time.Time `json:"started"`
}

const (
	contactFile = "daemon.json"
	socketFile  = "daemon.sock"
	lifeLock    = "daemon.lock" // held by the daemon while it runs
	startLock   = "start.lock"  // held by who starts or replaces it
	logName     = "daemon.log"

	// maxSocketPath is what fits into a socket's address on every system.
	maxSocketPath = 100
)

// errNoDaemon is the answer of who asks where none is.
var errNoDaemon = errors.New("no daemon is running")

// readContact reads daemon.json; errNoDaemon says that there is none.
func readContact(dir string) (contact, error) {
	var c contact
	data, err := os.ReadFile(filepath.Join(dir, contactFile))
	if errors.Is(err, fs.ErrNotExist) {
		return c, errNoDaemon
	}
	if err != nil {
		return c, folderError(err)
	}
	if json.Unmarshal(data, &c) != nil || c.Address == "" {
		return c, errNoDaemon // of a daemon that is gone; the next one writes it anew
	}
	return c, nil
}

// dial connects to a daemon. One that is gone is errNoDaemon.
func (c contact) dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, c.Network, c.Address)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the tabrelay daemon (pid %d) does not answer: end that process, then try again", c.PID)
	}
	return nil, errNoDaemon
}

// welcomed asks a daemon to serve, and returns what it then says.
func welcomed(conn net.Conn, q ask, pid int) (*bufio.Reader, control, error) {
	var said control
	if writeLine(conn, q) != nil {
		return nil, said, errNoDaemon
	}
	r := bufio.NewReader(conn)
	_ = conn.SetReadDeadline(time.Now().Add(quietLimit))
	line, err := readLine(r, nil, maxGreeting)
	_ = conn.SetReadDeadline(time.Time{})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, said, fmt.Errorf("the tabrelay daemon (pid %d) does not answer: end that process, then try again", pid)
	case err != nil:
		return nil, said, errNoDaemon // it was just leaving
	case json.Unmarshal(line, &said) == nil && said.Tabrelay == sayWelcome:
		return r, said, nil
	case said.Reason != "":
		return nil, said, errors.New(said.Reason)
	}
	return nil, said, fmt.Errorf("the tabrelay daemon %s does not serve this version, %s: end it with `tabrelay stop`", said.Version, versionText())
}

// findDaemon connects to the daemon that runs, whatever its version.
func findDaemon(ctx context.Context, dir string) (net.Conn, contact, error) {
	c, err := readContact(dir)
	if err != nil {
		return nil, c, err
	}
	conn, err := c.dial(ctx)
	return conn, c, err
}

// listenForFronts opens the daemon's own socket, which only its owner may use.
func listenForFronts(dir string) (net.Listener, contact, error) {
	c := contact{PID: os.Getpid(), Version: versionText(), Protocol: wireProtocol,
		Network: "unix", Address: filepath.Join(dir, socketFile), Secret: uuid.NewString(), Started: time.Now()}
	if runtime.GOOS == "windows" || len(c.Address) > maxSocketPath {
		c.Network, c.Address = "tcp", "127.0.0.1:0"
	} else if err := os.Remove(c.Address); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, c, fmt.Errorf("daemon: %w", err)
	}
	l, err := net.Listen(c.Network, c.Address)
	if err != nil {
		return nil, c, fmt.Errorf("daemon: %w", err)
	}
	if c.Network == "unix" {
		if err := os.Chmod(c.Address, 0o600); err != nil {
			_ = l.Close()
			return nil, c, fmt.Errorf("daemon: %w", err)
		}
	}
	c.Address = l.Addr().String()
	return l, c, nil
}

// write makes the daemon known.
func (c contact) write(dir string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	// In one step, and without waiting for a disk: after a crash of the machine
	// there is no daemon.
	next := filepath.Join(dir, contactFile+".new")
	if err := os.WriteFile(next, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	if err := os.Rename(next, filepath.Join(dir, contactFile)); err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	return nil
}

// takeLock waits for a lock in the state folder; the caller unlocks it.
func takeLock(ctx context.Context, dir, name string) (*flock.Flock, error) {
	lock := flock.New(filepath.Join(dir, name), flock.SetPermissions(0o600))
	if ok, err := lock.TryLock(); err != nil {
		return nil, folderError(err)
	} else if ok {
		return lock, nil
	}
	taken := make(chan error, 1)
	go func() { taken <- lock.Lock() }() // ends when whoever holds it is done
	select {
	case err := <-taken:
		if err != nil {
			return nil, fmt.Errorf("daemon: %w", err)
		}
		return lock, nil
	case <-ctx.Done():
		go func() { // the lock comes late, and nobody wants it any more
			if <-taken == nil {
				_ = lock.Unlock()
			}
		}()
		return nil, context.Cause(ctx)
	}
}
