package daemon

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

	"github.com/google/uuid"

	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// Contact is daemon.json: how a daemon is spoken to. It is there from when the
// daemon listens until it begins to leave, or after it was killed.
type Contact struct {
	PID      int       `json:"pid"`
	Version  string    `json:"version"`
	Protocol int       `json:"protocol"`
	Network  string    `json:"network"` // unix, or tcp where a socket file cannot be
	Address  string    `json:"address"`
	Secret   string    `json:"secret"`
	Port     int       `json:"port"` // of the relay
	Started  time.Time `json:"started"`
	Built    time.Time `json:"built,omitzero"` // when the file of its program was written
}

const (
	ContactFile = "daemon.json"
	SocketFile  = "daemon.sock"
	LifeLock    = "daemon.lock" // held by the daemon while it runs
	StartLock   = "start.lock"  // held by who starts or replaces it
	LogName     = "daemon.log"

	// maxSocketPath is what fits into a socket's address on every system.
	maxSocketPath = 100
)

// QuietLimit is how long a daemon may take for a status.
const QuietLimit = 10 * time.Second

// ErrNone is the answer of who asks where none is.
var ErrNone = errors.New("no daemon is running")

// ErrLeaves is of daemons that leave before anybody could use them.
var ErrLeaves = errors.New("each tabrelay daemon exited immediately after connecting: see daemon.log in the state folder")

// ReadContact reads daemon.json; ErrNone says that there is none.
func ReadContact(dir string) (Contact, error) {
	var c Contact
	data, err := state.ReadRegular(filepath.Join(dir, ContactFile), MaxGreeting)
	if errors.Is(err, fs.ErrNotExist) {
		return c, ErrNone
	}
	if err != nil {
		return c, state.FolderError(err)
	}
	if json.Unmarshal(data, &c) != nil || c.Address == "" {
		return c, ErrNone // of a daemon that is gone; the next one writes it anew
	}
	return c, nil
}

// Dial connects to a daemon. One that is gone is ErrNone.
func (c Contact) Dial(ctx context.Context) (net.Conn, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	conn, err := (&net.Dialer{}).DialContext(ctx, c.Network, c.Address)
	switch {
	case err == nil:
		return conn, nil
	case ctx.Err() != nil:
		return nil, fmt.Errorf("the tabrelay daemon (pid %d) does not respond: end that process, then try again", c.PID)
	}
	return nil, ErrNone
}

// Welcomed asks a daemon to serve, and returns what it then says.
func Welcomed(conn net.Conn, q Ask, pid int) (*bufio.Reader, Control, error) {
	var said Control
	if WriteLine(conn, q) != nil {
		return nil, said, ErrNone
	}
	r := bufio.NewReader(conn)
	_ = conn.SetReadDeadline(time.Now().Add(QuietLimit))
	line, err := ReadLine(r, nil, MaxGreeting)
	_ = conn.SetReadDeadline(time.Time{})
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, said, fmt.Errorf("the tabrelay daemon (pid %d) does not respond: end that process, then try again", pid)
	case err != nil:
		return nil, said, ErrNone // it was just leaving
	case json.Unmarshal(line, &said) == nil && said.Tabrelay == SayWelcome:
		return r, said, nil
	case said.Reason != "":
		return nil, said, errors.New(said.Reason)
	}
	return nil, said, fmt.Errorf("the tabrelay daemon %s does not serve this version, %s: stop it with `tabrelay stop`", said.Version, release.Text())
}

// findDaemon connects to the daemon that runs, whatever its version.
func findDaemon(ctx context.Context, dir string) (net.Conn, Contact, error) {
	c, err := ReadContact(dir)
	if err != nil {
		return nil, c, err
	}
	conn, err := c.Dial(ctx)
	return conn, c, err
}

// Listen opens the daemon's own socket, which only its owner may use.
func Listen(dir string) (net.Listener, Contact, error) {
	c := Contact{PID: os.Getpid(), Version: release.Text(), Protocol: WireProtocol,
		Network: "unix", Address: filepath.Join(dir, SocketFile), Secret: uuid.NewString(), Started: time.Now(), Built: release.This().Written}
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

// Write makes the daemon known.
func (c Contact) Write(dir string) error {
	data, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	// In one step, and without waiting for a disk: after a crash of the machine
	// there is no daemon.
	next := filepath.Join(dir, ContactFile+".new")
	if err := os.WriteFile(next, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	if err := os.Rename(next, filepath.Join(dir, ContactFile)); err != nil {
		return fmt.Errorf("daemon: %w", err)
	}
	return nil
}
