package state

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gofrs/flock"
)

// errNotRegular says that something else has a file's name, such as a pipe, which
// would be read forever.
var errNotRegular = errors.New("it is not a file")

// ReadRegular returns what a file holds, up to a limit of bytes. It does not wait,
// whatever is there.
func ReadRegular(path string, limit int64) ([]byte, error) {
	return read(path, limit, func(string, fs.FileInfo) error { return nil })
}

// ReadOwn is ReadRegular of a file that is this user's and that nobody else can
// read; another one is an error that says how to change that.
func ReadOwn(path string, limit int64) ([]byte, error) { return read(path, limit, ownAlone) }

func read(path string, limit int64, check func(string, fs.FileInfo) error) ([]byte, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s: %w", path, errNotRegular)
	}
	if err := check(path, info); err != nil {
		return nil, err
	}
	return io.ReadAll(io.LimitReader(f, limit))
}

// CheckRegular is the error of a path that is there and no file.
func CheckRegular(path string) error {
	info, err := os.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && !info.Mode().IsRegular() {
		err = errNotRegular
	}
	if err != nil {
		return FolderError(fmt.Errorf("%s: %w", path, err))
	}
	return nil
}

// Lock returns a lock of the state folder, as nobody's yet.
func Lock(dir, name string) (*flock.Flock, error) {
	path := filepath.Join(dir, name)
	if err := CheckRegular(path); err != nil {
		return nil, err
	}
	return flock.New(path, flock.SetPermissions(0o600)), nil
}
