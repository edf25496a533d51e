package tools

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// place finds where a file that an agent names is: the allowed folder that it
// is in, and its name within that. A relative name is in the first folder.
func (s *Session) place(name string) (root, within string, err error) {
	if len(s.opts.Root) == 0 {
		return "", "", &Error{Kind: ErrFile, Text: "files are not allowed", Hint: "allow a folder with --root, or leave the file out"}
	}
	if strings.ContainsRune(name, 0) {
		return "", "", invalid("argument \"file\" is no file name")
	}
	full := name
	if !filepath.IsAbs(full) {
		full = filepath.Join(s.opts.Root[0], name)
	}
	full = resolved(filepath.Clean(full))
	for _, root := range s.opts.Root {
		root = resolved(root)
		if within, err := filepath.Rel(root, full); err == nil && filepath.IsLocal(within) && within != "." {
			return root, within, nil
		}
	}
	return "", "", &Error{Kind: ErrFile, Text: fmt.Sprintf("%s is outside the allowed folders", name),
		Hint: "allowed are " + strings.Join(s.opts.Root, ", ") + " (--root adds one)"}
}

// carriage is how much longer it may take to hand over files.
func (s *Session) carriage(names []string) time.Duration {
	var bytes int64
	for _, name := range names {
		root, within, err := s.place(name)
		if err != nil {
			continue // the call says so
		}
		if info, err := os.Stat(filepath.Join(root, within)); err == nil {
			bytes += info.Size()
		}
	}
	return min(time.Duration(bytes>>20)*megabyteTime, carriageLimit)
}

// resolved follows the links in the part of a path that exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	dir, base := filepath.Split(path)
	if dir = filepath.Clean(dir); dir == path || base == "" {
		return path
	}
	return filepath.Join(resolved(dir), base)
}

// write writes a file and returns its path. The folder is opened as a root, so
// that no link that appears in the meantime leads out of it.
func (s *Session) write(name string, data []byte) (string, error) {
	dir, within, err := s.place(name)
	if err != nil {
		return "", err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", fmt.Errorf("open %s: %w", dir, err)
	}
	defer root.Close()
	if parent := filepath.Dir(within); parent != "." {
		if err := root.MkdirAll(parent, 0o755); err != nil {
			return "", fmt.Errorf("make the folder of %s: %w", name, err)
		}
	}
	f, err := root.OpenFile(within, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	_, err = f.Write(data)
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	return filepath.Join(dir, within), nil
}
