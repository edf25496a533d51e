package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const (
	// logShown is how much of the end of a log is printed.
	logShown = 64 << 10
	// logPace is how often a log that is followed is looked at: each system reports
	// a growing file in a way of its own.
	logPace = 300 * time.Millisecond
)

// log prints the end of the daemon's log, and with --follow what is added.
func (s statusCommand) log(ctx context.Context, c console) error {
	path := filepath.Join(state.Folder(), daemon.LogName)
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no log yet: the daemon writes %s when it first runs", path)
	}
	if err != nil {
		return state.FolderError(err)
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	switch {
	case err != nil:
		return state.FolderError(err)
	case info.Size() > logShown:
		_, _ = f.Seek(-logShown, io.SeekEnd)
		if err := skipLine(f); err != nil && !errors.Is(err, io.EOF) {
			return state.FolderError(err)
		}
	case info.Size() == 0 && !s.Follow:
		fmt.Fprintln(c.stderr, "The log is empty: the daemon had nothing to complain about.")
	}
	tick := time.NewTicker(logPace)
	defer tick.Stop()
	for {
		if _, err := io.Copy(c.stdout, f); err != nil || !s.Follow {
			return err
		}
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		// A full log is put aside, and the next is begun in its place.
		was, err := f.Stat()
		now, gone := os.Stat(path)
		if err != nil || gone != nil || os.SameFile(was, now) {
			continue
		}
		if _, err := io.Copy(c.stdout, f); err != nil {
			return err
		}
		if next, err := os.Open(path); err == nil {
			_ = f.Close()
			f = next
		}
	}
}

// skipLine goes on to the next line, so that none is shown in part.
func skipLine(f *os.File) error {
	for one := make([]byte, 1); ; {
		if _, err := f.Read(one); err != nil || one[0] == '\n' {
			return err
		}
	}
}
