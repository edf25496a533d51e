package setup

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/aymanbagabas/go-udiff"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// Change is what is to be written to a client's configuration.
type Change struct {
	Client Client
	Path   string

	exists        bool
	before, after []byte
	undo          bool
	gone          bool // the file goes: it was made by Write
}

// maxFile is how much of a configuration is read.
const maxFile = 64 << 20

// read reads a client's configuration; none is empty.
func (c Client) read(h Home) (Change, error) {
	change := Change{Client: c, Path: c.file(h)}
	if to, err := os.Readlink(change.Path); err == nil { // a link stays one
		path, err := filepath.EvalSymlinks(change.Path)
		if err != nil {
			return change, fmt.Errorf("%s: %s is a link to %s, which cannot be read: %w", c.Name, change.Path, to, err)
		}
		change.Path = path
	}
	data, err := state.ReadRegular(change.Path, maxFile+1)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return change, fmt.Errorf("%s: %w", c.Name, err)
	}
	if len(data) > maxFile {
		return change, fmt.Errorf("%s: %s has more than %d MB", c.Name, change.Path, maxFile>>20)
	}
	change.exists, change.before, change.after = err == nil, data, data
	return change, nil
}

// Add is the change that makes a client start a server.
func (c Client) Add(h Home, s Server) (Change, error) {
	change, err := c.read(h)
	if err != nil {
		return change, err
	}
	if c.shape.toml {
		change.after, err = setTable(change.before, c.shape.key, s)
	} else {
		change.after, err = setMember(change.before, c.shape.key, c.shape.entry(s))
	}
	if err != nil {
		return change, fmt.Errorf("%s: %w; add this to it yourself:\n%s", change.Path, err, c.Snippet(s))
	}
	return change, nil
}

// Remove is the change that takes the server out: to what was there before Write,
// if nobody has changed the file since, else the server alone.
func (c Client) Remove(h Home, stateDir string) (Change, error) {
	change, err := c.read(h)
	change.undo = true
	if err != nil || !change.exists {
		return change, err
	}
	if b, ok := c.backup(stateDir); ok && b.Path == change.Path && bytes.Equal(b.After, change.before) {
		change.after, change.gone = b.Before, !b.Existed
		return change, nil
	}
	if c.shape.toml {
		change.after = dropTable(change.before, c.shape.key)
	} else {
		change.after, err = dropMember(change.before, c.shape.key)
	}
	if err != nil {
		return change, fmt.Errorf("%s: %w", change.Path, err)
	}
	return change, nil
}

// Snippet is the whole of a configuration that has nothing but the server.
func (c Client) Snippet(s Server) string {
	var data []byte
	if c.shape.toml {
		data, _ = setTable(nil, c.shape.key, s)
	} else {
		data, _ = setMember(nil, c.shape.key, c.shape.entry(s))
	}
	return string(data)
}

// Empty reports whether there is nothing to write.
func (c Change) Empty() bool { return bytes.Equal(c.before, c.after) && !c.gone }

// Diff shows the change.
func (c Change) Diff() string {
	from, to := c.Path, c.Path
	if !c.exists {
		from = "/dev/null"
	}
	if c.gone {
		to = "/dev/null"
	}
	return udiff.Unified(from, to, string(c.before), string(c.after))
}

// backup is what Write keeps in the state folder, so that Remove gives back the
// same bytes.
type backup struct {
	Path    string `json:"path"`
	Existed bool   `json:"existed"`
	Before  []byte `json:"before"`
	After   []byte `json:"after"`
}

func (c Client) backupFile(stateDir string) string {
	return filepath.Join(stateDir, "setup", c.ID+".json")
}

func (c Client) backup(stateDir string) (b backup, ok bool) {
	data, err := state.ReadRegular(c.backupFile(stateDir), 2*maxFile)
	return b, err == nil && json.Unmarshal(data, &b) == nil
}

// Write writes the change in one step, unless the file is another by now.
func (c Change) Write(stateDir string) error {
	if now, err := os.ReadFile(c.Path); err == nil != c.exists || !bytes.Equal(now, c.before) {
		return fmt.Errorf("%s has changed meanwhile: try again", c.Path)
	}
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(c.Path); err == nil {
		if !state.IsOwn(info) { // the new file would be ours
			return fmt.Errorf("%s belongs to another user: run `tabrelay setup` as that user", c.Path)
		}
		mode = info.Mode().Perm()
	}
	if c.undo {
		return c.writeUndo(stateDir, mode)
	}
	b := backup{Path: c.Path, Existed: c.exists, Before: c.before, After: c.after}
	if old, ok := c.Client.backup(stateDir); ok && old.Path == c.Path && bytes.Equal(old.After, c.before) {
		b.Before, b.Existed = old.Before, old.Existed // what was there before the first time
	}
	data, err := json.Marshal(b)
	if err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Client.backupFile(stateDir)), 0o700); err != nil {
		return state.FolderError(err)
	}
	if err := state.ReplaceFile(c.Client.backupFile(stateDir), data); err != nil {
		return state.FolderError(err)
	}
	if err := os.MkdirAll(filepath.Dir(c.Path), 0o700); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return c.replace(mode)
}

// writeUndo writes what is without the server. The copy that was kept for that goes:
// it may hold secrets of other servers.
func (c Change) writeUndo(stateDir string, mode fs.FileMode) error {
	var err error
	if c.gone {
		err = os.Remove(c.Path)
	} else {
		err = c.replace(mode)
	}
	if err != nil {
		return err
	}
	if err := os.Remove(c.Client.backupFile(stateDir)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return state.FolderError(err)
	}
	return nil
}

func (c Change) replace(mode fs.FileMode) error {
	if err := state.ReplaceFile(c.Path, c.after); err != nil {
		return fmt.Errorf("setup: %w", err)
	}
	return os.Chmod(c.Path, mode)
}
