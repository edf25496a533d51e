package relay

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// maxCopies bounds the names that are tried for a copy.
const maxCopies = 1000

// copyInto copies a file into a folder, which is made if it must be, and returns where
// it is then. It replaces nothing: where there is such a file it takes another name.
// Unless it may go anywhere, the folder must be among the system's temporary ones, so
// that no program writes where others read what it wrote; links are followed first.
func copyInto(folder, name, from string, anywhere bool) (path string, err error) {
	base := os.TempDir()
	if anywhere {
		base = filepath.VolumeName(folder) + string(filepath.Separator)
	}
	if base, err = filepath.EvalSymlinks(base); err != nil {
		return "", err
	}
	if folder, err = followed(folder); err != nil {
		return "", err
	}
	within, err := filepath.Rel(base, folder)
	if err != nil || !filepath.IsLocal(within) {
		return "", errors.New("its folder is not among the temporary ones")
	}
	if !filepath.IsLocal(name) || name != filepath.Base(name) {
		return "", errors.New("its name is not that of a file")
	}
	root, err := os.OpenRoot(base) // what becomes a link meanwhile does not lead out
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := root.MkdirAll(within, 0o700); err != nil {
		return "", err
	}
	in, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer in.Close()
	part := filepath.Join(within, rand.Text()+".part") // whoever waits for the name finds all of it
	out, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	defer root.Remove(part) // is there only where something failed, or where a link was made
	_, err = io.Copy(out, in)
	if err := errors.Join(err, out.Close()); err != nil {
		return "", err
	}
	at, err := place(root, part, filepath.Join(within, name))
	return filepath.Join(base, at), err
}

// place gives a file of a root its name: "a.txt", or "a (1).txt" where that is.
func place(root *os.Root, part, name string) (string, error) {
	ext := filepath.Ext(name)
	for n, as := 0, name; n < maxCopies; as = fmt.Sprintf("%s (%d)%s", strings.TrimSuffix(name, ext), n, ext) {
		n++
		err := root.Link(part, as)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil { // there are none in this file system
			if _, err := root.Lstat(as); err == nil {
				continue
			}
			err = root.Rename(part, as)
		}
		return as, err
	}
	return "", fs.ErrExist
}

// followed is a path without links, also where its end is not there yet.
func followed(path string) (string, error) {
	rest := ""
	for dir := filepath.Clean(path); ; {
		there, err := filepath.EvalSymlinks(dir)
		if err == nil {
			return filepath.Join(there, rest), nil
		}
		if !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			return "", err
		}
		dir, rest = filepath.Dir(dir), filepath.Join(filepath.Base(dir), rest)
	}
}
