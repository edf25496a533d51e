package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const (
	logSize = 5 << 20 // bytes of a log file before the next is begun
	logKept = 3       // files, with the one that is written
)

// logFile is a log that begins anew when it is full, and keeps the files before
// as name.1 and name.2. What is no business of a log is taken out of its lines.
type logFile struct {
	// Static after construction.
	path    string
	size    int64
	secrets *strings.Replacer

	// mu guards the following.
	mu      sync.Mutex
	file    *os.File
	written int64
}

// OpenLog opens a log in the state folder; the caller closes it.
func OpenLog(dir string, secrets ...string) (*logFile, error) {
	var pairs []string
	for _, s := range secrets {
		pairs = append(pairs, s, "…")
	}
	l := &logFile{path: filepath.Join(dir, LogName), size: logSize, secrets: strings.NewReplacer(pairs...)}
	return l, l.open()
}

// open opens the file to append to it; mu is held, or nobody else knows l.
func (l *logFile) open() error {
	if err := state.CheckRegular(l.path); err != nil {
		return err
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return state.FolderError(err)
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return fmt.Errorf("log: %w", err)
	}
	l.file, l.written = f, info.Size()
	return nil
}

var (
	// urlPath is what follows the host in an address.
	urlPath = regexp.MustCompile(`(\b[a-z][a-z0-9+.-]*://[^/\s"'?#]*)[/?#][^\s"']*`)
	// filePath is an absolute path.
	filePath = regexp.MustCompile(`(^|[\s"'=(:])(?:[A-Za-z]:)?[/\\][^\s"':/\\]+[/\\][^\s"':]*`)
)

// scrub takes secrets, addresses and paths out of a line.
func (l *logFile) scrub(line string) string {
	line = urlPath.ReplaceAllString(l.secrets.Replace(line), "$1/…")
	return filePath.ReplaceAllString(line, "${1}…")
}

// Write writes a line.
func (l *logFile) Write(p []byte) (int, error) {
	line := l.scrub(string(p))
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.written > 0 && l.written+int64(len(line)) > l.size {
		if err := l.turn(); err != nil {
			return 0, err
		}
	}
	n, err := l.file.WriteString(line)
	l.written += int64(n)
	return len(p), err
}

// turn puts the full file aside and begins the next; mu is held.
func (l *logFile) turn() error {
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("log: %w", err)
	}
	for i := logKept - 1; i > 0; i-- {
		from := l.path
		if i > 1 {
			from = fmt.Sprintf("%s.%d", l.path, i-1)
		}
		// The first time there is nothing yet to put aside.
		_ = os.Rename(from, fmt.Sprintf("%s.%d", l.path, i))
	}
	return l.open()
}

// Close closes the file.
func (l *logFile) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.file.Close()
}
