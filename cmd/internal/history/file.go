package history

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

const (
	// Name is the file's in the state folder; those before it have a number behind.
	Name = "history.jsonl"

	fileSize  = 2 << 20 // bytes of a file before the next is begun
	fileAge   = 7 * 24 * time.Hour
	fileCount = 5                   // with the one that is written
	keptFor   = 30 * 24 * time.Hour // after the last entry of a file
	batchSize = 64 << 10            // bytes that are written at once
	lineLimit = 64 << 10            // of a line that is read
)

// file is the one that is written; its owner's goroutine alone uses it.
type file struct {
	path  string
	size  int64
	file  *os.File
	began time.Time // when its first entry was written
}

func newFile(dir string) *file {
	f := &file{path: filepath.Join(dir, Name), size: fileSize}
	f.forget()
	return f
}

func (f *file) numbered(n int) string {
	if n == 0 {
		return f.path
	}
	return fmt.Sprintf("%s.%d", f.path, n)
}

// open opens the file to append to it.
func (f *file) open() error {
	if err := state.CheckRegular(f.path); err != nil {
		return err
	}
	opened, err := os.OpenFile(f.path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err == nil {
		err = state.Narrow(f.path, 0o600)
	}
	if err != nil {
		return state.FolderError(err)
	}
	f.file, f.began = opened, time.Now()
	var first Entry
	line, err := bufio.NewReader(io.NewSectionReader(opened, 0, lineLimit)).ReadBytes('\n')
	if err == nil && json.Unmarshal(line, &first) == nil && !first.At.IsZero() {
		f.began = first.At
	}
	return nil
}

// append writes lines, each of them whole: other processes append to the same file.
func (f *file) append(list [][]byte) error {
	data := bytes.Join(list, nil)
	there, err := os.Lstat(f.path)
	if f.file != nil {
		if own, e := f.file.Stat(); err != nil || e != nil || !os.SameFile(own, there) {
			f.close() // another process began the next one, or the person took it away
		}
	}
	if f.file == nil {
		if err := f.open(); err != nil {
			return err
		}
	}
	info, err := f.file.Stat()
	if err != nil {
		return err
	}
	if info.Size() > 0 && (info.Size()+int64(len(data)) > f.size || time.Since(f.began) > fileAge) {
		if err := f.turn(); err != nil {
			return err
		}
	}
	_, err = f.file.Write(data)
	return err
}

// turn puts the full file aside and begins the next.
func (f *file) turn() error {
	f.close()
	for n := fileCount - 1; n > 0; n-- {
		_ = os.Rename(f.numbered(n-1), f.numbered(n)) // at first there is nothing yet to put aside
	}
	f.forget()
	return f.open()
}

// forget deletes files whose last entry is too old.
func (f *file) forget() {
	for n := range fileCount {
		if info, err := os.Lstat(f.numbered(n)); err == nil && time.Since(info.ModTime()) > keptFor {
			_ = os.Remove(f.numbered(n))
		}
	}
}

// clear deletes all files.
func (f *file) clear() error {
	f.close()
	var failed error
	for n := range fileCount {
		if err := os.Remove(f.numbered(n)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			failed = state.FolderError(err)
		}
	}
	return failed
}

func (f *file) close() {
	if f.file != nil {
		_ = f.file.Close()
		f.file = nil
	}
}

// Last returns the lines of the newest entries of a state folder, oldest first, as
// many as there are of n.
func Last(dir string, n int) ([]json.RawMessage, error) {
	var list []json.RawMessage
	err := Read(dir, func(_ Entry, line []byte) error {
		if list = append(list, bytes.Clone(line)); len(list) > 2*n {
			list = append(list[:0], list[len(list)-n:]...)
		}
		return nil
	})
	return list[max(0, len(list)-n):], err
}

// Read calls do with each entry of a state folder, and its line, oldest first. What
// is no entry is left out.
func Read(dir string, do func(Entry, []byte) error) error {
	f := file{path: filepath.Join(dir, Name)}
	for n := fileCount - 1; n >= 0; n-- {
		if err := state.CheckRegular(f.numbered(n)); err != nil {
			return err
		}
		opened, err := os.Open(f.numbered(n))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return state.FolderError(err)
		}
		lines := bufio.NewScanner(opened)
		lines.Buffer(nil, lineLimit)
		for err == nil && lines.Scan() {
			var e Entry
			if json.Unmarshal(lines.Bytes(), &e) == nil {
				err = do(e, lines.Bytes())
			}
		}
		_ = opened.Close()
		if err != nil {
			return err
		}
	}
	return nil
}
