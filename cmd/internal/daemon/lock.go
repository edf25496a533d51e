package daemon

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// lifeLimit is how long a new daemon waits for the one that leaves: that may have
// browsers to close.
const lifeLimit = 15 * time.Second

// TakeLife takes the lock that makes a daemon the only one. One that is leaving
// is waited for.
func TakeLife(ctx context.Context, dir string) (*flock.Flock, error) {
	if lock, ok, err := tryLock(dir, LifeLock); ok || err != nil {
		return lock, err
	}
	if c, err := ReadContact(dir); err == nil {
		if conn, err := c.Dial(ctx); err == nil {
			_ = conn.Close()
			return nil, fmt.Errorf("a daemon is already running (pid %d): `tabrelay status` shows it, `tabrelay stop` ends it", c.PID)
		}
	}
	wait, cancel := context.WithTimeoutCause(ctx, lifeLimit, errors.New("another daemon is still shutting down: try again in a moment"))
	defer cancel()
	return TakeLock(wait, dir, LifeLock)
}

// TakeLock waits for a lock in the state folder; the caller unlocks it.
func TakeLock(ctx context.Context, dir, name string) (*flock.Flock, error) {
	lock, ok, err := tryLock(dir, name)
	if ok || err != nil {
		return lock, err
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

// tryLock returns a lock in the state folder, and whether it is held now.
func tryLock(dir, name string) (*flock.Flock, bool, error) {
	lock, err := state.Lock(dir, name)
	if err != nil {
		return nil, false, err
	}
	ok, err := lock.TryLock()
	if err != nil {
		return nil, false, state.FolderError(err)
	}
	return lock, ok, nil
}

// Forget removes the daemon.json of a daemon that was killed. While one runs that is
// an error.
func Forget(dir string) error {
	lock, ok, err := tryLock(dir, LifeLock)
	if err != nil {
		return err
	}
	if !ok {
		return errors.New("a daemon runs by now")
	}
	defer func() { _ = lock.Unlock() }()
	return os.Remove(filepath.Join(dir, ContactFile))
}
