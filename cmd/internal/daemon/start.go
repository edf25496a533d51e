package daemon

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const (
	// ReadyWord is what a daemon that was started says when it can be reached.
	ReadyWord = "ready"
	// readyLimit is how long it may take for that; it may have to wait for
	// another one to leave.
	readyLimit = lifeLimit + 10*time.Second
)

// daemonSettings are the variables that a daemon takes over from who starts it.
var daemonSettings = []string{"TABRELAY_STATE", "TABRELAY_IDLE"}

// Reach returns a connection to a daemon that this front can work with. It
// starts one where none is, and takes an older one's place.
func Reach(ctx context.Context, dir, level string) (net.Conn, Contact, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, 2*readyLimit, errors.New("the tabrelay daemon did not start in time: `tabrelay stop` ends a hung one"))
	defer cancel()
	conn, c, err := meetDaemon(ctx, dir)
	if !errors.Is(err, ErrNone) && !errors.Is(err, errOlder) {
		return conn, c, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, c, state.FolderError(err)
	}
	lock, err := TakeLock(ctx, dir, StartLock)
	if err != nil {
		return nil, c, err
	}
	defer func() { _ = lock.Unlock() }()
	// Meanwhile another front may have done it.
	conn, c, err = meetDaemon(ctx, dir)
	if errors.Is(err, errOlder) {
		if _, err := endDaemon(ctx, dir, Ask{Ask: AskStop, Replaces: true}); err != nil && !errors.Is(err, ErrNone) {
			return nil, c, err
		}
		err = ErrNone
	}
	if !errors.Is(err, ErrNone) {
		return conn, c, err
	}
	for range 5 {
		if err := startDaemon(ctx, dir, level); err != nil {
			return nil, c, err
		}
		// On a busy machine one that waits for clients only shortly may have left.
		if conn, c, err = meetDaemon(ctx, dir); !errors.Is(err, ErrNone) {
			return conn, c, err
		}
	}
	return nil, c, ErrLeaves
}

// errOlder says that the daemon is of an older version than this process.
var errOlder = errors.New("the daemon is older")

// meetDaemon connects to the daemon that runs, if its version will do.
func meetDaemon(ctx context.Context, dir string) (net.Conn, Contact, error) {
	conn, c, err := findDaemon(ctx, dir)
	if err != nil {
		return nil, c, err
	}
	err = c.fits()
	if err != nil {
		_ = conn.Close()
		return nil, c, err
	}
	return conn, c, nil
}

// fits reports whether this process can work with a daemon.
func (c Contact) fits() error {
	switch {
	case c.Protocol < WireProtocol || release.Newer(release.This(), release.Build{Version: c.Version, Written: c.Built}):
		return errOlder
	case c.Protocol > WireProtocol:
		return fmt.Errorf("the running daemon is tabrelay %s, newer than this %s: update this one, or end the daemon with `tabrelay stop`",
			c.Version, release.Text())
	}
	return nil
}

// startDaemon starts a daemon that outlives this process, and returns when it
// can be reached.
func startDaemon(ctx context.Context, dir, level string) error {
	path, err := os.Executable()
	if err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	if _, err := os.Stat(path); err != nil && runtime.GOOS == "linux" {
		path = "/proc/self/exe" // the file was replaced; this is still the same program
	}
	cmd := exec.Command(path, "daemon", "--detached", "--log-level", level)
	cmd.Args[0], cmd.Dir = os.Args[0], dir
	// Each agent brings its own settings; those of the first are nobody else's.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(kv string) bool {
		name, _, _ := strings.Cut(kv, "=")
		return strings.HasPrefix(name, "TABRELAY_") && !slices.Contains(daemonSettings, name)
	})
	process.Detach(cmd)
	said, err := cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start the daemon: %w", err)
	}
	limit := time.AfterFunc(readyLimit, func() { _ = said.Close() })
	defer limit.Stop()
	defer context.AfterFunc(ctx, func() { _ = said.Close() })()
	line, _ := bufio.NewReaderSize(said, 512).ReadString('\n')
	_ = said.Close()
	go func() { _ = cmd.Wait() }() // ends with the daemon
	switch line = strings.TrimSpace(line); line {
	case ReadyWord:
		return nil
	case "":
		return errors.New("the tabrelay daemon did not start: `tabrelay daemon` shows why")
	}
	return errors.New(line)
}
