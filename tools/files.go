package tools

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// maxTwins is how many files may have the same name before another has to be
// chosen.
const maxTwins = 1000

// place returns where within the output folder a file is that an agent names.
// Nothing is written elsewhere, nor to a name with a dot in front, which tools
// read as settings.
func (s *Session) place(name string) (within string, err error) {
	out := s.opts.Output
	if out == "" {
		return "", &Error{Kind: ErrFile, Text: "files cannot be written here", Hint: "leave out the argument \"file\"", Flag: "start tabrelay with --output DIR"}
	}
	if strings.ContainsRune(name, 0) {
		return "", invalid("argument \"file\" is not a file name")
	}
	within = filepath.Clean(name)
	if filepath.IsAbs(name) {
		for _, folder := range []string{out, resolved(out)} {
			if rest, err := filepath.Rel(folder, within); err == nil && filepath.IsLocal(rest) {
				within = rest
				break
			}
		}
	}
	if !filepath.IsLocal(within) || within == "." || !isIn(resolved(out), resolved(filepath.Join(resolved(out), filepath.Dir(within)))) {
		return "", &Error{Kind: ErrFile, Text: name + " is outside the output folder", Hint: "give a name without a folder; files are written to " + out, Flag: "--output sets the folder"}
	}
	if slices.ContainsFunc(strings.Split(filepath.ToSlash(within), "/"), func(part string) bool { return strings.HasPrefix(part, ".") }) {
		return "", &Error{Kind: ErrFile, Text: name + " is a hidden file", Hint: "give a name that does not begin with a dot"}
	}
	return within, nil
}

// isIn reports whether a path is a folder or lies in it.
func isIn(folder, path string) bool {
	rest, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(rest)
}

// resolved follows the links in the part of a path that exists.
func resolved(path string) string {
	if end, err := filepath.EvalSymlinks(path); err == nil {
		return end
	}
	dir, base := filepath.Split(path)
	if dir = filepath.Clean(dir); dir == path || base == "" {
		return path
	}
	return filepath.Join(resolved(dir), base)
}

// openOutput opens the output folder, made if it is not there. One that another
// user made, could change or could put a link in the place of is refused.
func (s *Session) openOutput() (*os.Root, error) {
	out := s.opts.Output
	unsafe := func(format string, args ...any) error {
		return &Error{Kind: ErrFile, Text: "the output folder cannot be trusted: " + fmt.Sprintf(format, args...), Flag: "start tabrelay with --output and a folder of your own"}
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o700); err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	if err := os.Mkdir(out, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	info, err := os.Lstat(out)
	if err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	switch {
	case !info.IsDir():
		return nil, unsafe("%s is a link or not a folder", out)
	case !isOwn(info):
		return nil, unsafe("%s belongs to another user", out)
	case othersWrite(info):
		return nil, unsafe("other users can write to %s", out)
	}
	for dir := filepath.Dir(resolved(out)); ; dir = filepath.Dir(dir) {
		above, err := os.Lstat(dir)
		if err != nil {
			return nil, fmt.Errorf("output folder: %w", err)
		}
		if othersWrite(above) && above.Mode()&fs.ModeSticky == 0 {
			return nil, unsafe("other users can write to %s", dir)
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	root, err := os.OpenRoot(out)
	if err != nil {
		return nil, fmt.Errorf("output folder: %w", err)
	}
	if opened, err := root.Stat("."); err != nil || !os.SameFile(opened, info) {
		_ = root.Close()
		return nil, unsafe("%s was just replaced", out)
	}
	return root, nil
}

// create makes a file in the output folder that only its owner can read, and
// returns its path. What is there is never written over: the new one gets a
// number. The caller closes it.
func (s *Session) create(name string) (*os.File, string, error) {
	within, err := s.place(name)
	if err != nil {
		return nil, "", err
	}
	root, err := s.openOutput()
	if err != nil {
		return nil, "", err
	}
	defer root.Close()
	if parent := filepath.Dir(within); parent != "." {
		if err := root.MkdirAll(parent, 0o700); err != nil {
			return nil, "", fmt.Errorf("make the folder of %s: %w", name, err)
		}
	}
	free := within
	stem, extension := strings.TrimSuffix(within, filepath.Ext(within)), filepath.Ext(within)
	for n := 2; ; n++ {
		f, err := root.OpenFile(free, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if errors.Is(err, fs.ErrExist) && n < maxTwins {
			free = fmt.Sprintf("%s-%d%s", stem, n, extension)
			continue
		}
		if err != nil {
			return nil, "", fmt.Errorf("write %s: %w", name, err)
		}
		return f, filepath.Join(resolved(s.opts.Output), free), nil
	}
}

// write writes a file to the output folder and returns its path.
func (s *Session) write(name string, data []byte) (string, error) {
	f, path, err := s.create(name)
	if err != nil {
		return "", err
	}
	_, err = f.Write(s.mask.Data(data))
	if err := errors.Join(err, f.Close()); err != nil {
		return "", fmt.Errorf("write %s: %w", name, err)
	}
	s.opts.publish(path)
	return path, nil
}

// maxMasked is how many bytes of a file are looked through for secrets.
const maxMasked = 64 << 20

// copyIn copies a file into the output folder and returns its path there.
func (s *Session) copyIn(name, from string) (string, error) {
	source, err := os.Open(from)
	if err != nil {
		return "", err
	}
	defer source.Close()
	f, path, err := s.create(name)
	if err != nil {
		return "", err
	}
	if err = errors.Join(s.copyTo(f, source), f.Close()); err == nil {
		s.opts.publish(path)
	}
	return path, err
}

func (s *Session) copyTo(f, source *os.File) error {
	if info, err := source.Stat(); s.mask == nil || err != nil || info.Size() > maxMasked {
		_, err = io.Copy(f, source)
		return err
	}
	data, err := io.ReadAll(source)
	if err == nil {
		_, err = f.Write(s.mask.Data(data))
	}
	return err
}

// readable are the folders that files may be read from.
func (s *Session) readable() []string {
	if s.opts.Output == "" {
		return s.opts.Root
	}
	return append(slices.Clip(s.opts.Root), s.opts.Output)
}

// carriage is how much longer it may take to hand over files. Whether they may be
// read is for the call to say.
func (s *Session) carriage(names []string) time.Duration {
	var bytes int64
	for _, name := range names {
		for _, folder := range s.readable() {
			full := name
			if !filepath.IsAbs(full) {
				full = filepath.Join(folder, name)
			}
			if info, err := os.Stat(full); err == nil {
				bytes += info.Size()
				break
			}
		}
	}
	return min(time.Duration(bytes>>20)*megabyteTime, carriageLimit)
}
