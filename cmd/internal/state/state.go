// Package state keeps what outlives a process: the folder for profiles, logs and
// locks, and in it relay.json with the port and the secrets that bind the parts of
// tabrelay to each other. All of it is readable by its owner alone.
package state

import (
	"bytes"
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"github.com/adrg/xdg"
	"github.com/google/uuid"
)

const (
	defaultPort = 8765
	stateFile   = "relay.json"
	maxState    = 64 << 10 // bytes of relay.json that are read
)

// State is the folder in which tabrelay keeps what outlives a process, and the
// address and secrets that bind its parts to each other. Both are for their
// owner's eyes alone.
type State struct {
	Dir string `json:"-"`

	Port         int    `json:"port"`
	ExtensionID  string `json:"extensionId"`  // path of the extension's socket; it names the pairing and is no secret
	ExtensionKey string `json:"extensionKey"` // what both ends of that socket prove to hold
	ClientSecret string `json:"clientSecret"` // path of the CDP clients' address
	MCPToken     string `json:"mcpToken"`     // bearer token of the MCP address

	// OldSecret is what extensions of protocol 1 say in their address. It names
	// the pairing from then on, so that they are told to update.
	OldSecret string `json:"extensionSecret,omitempty"`
}

// NewKey makes a key for extensions: 32 bytes, as base64 for addresses.
func NewKey() string {
	var key [32]byte
	_, _ = rand.Read(key[:]) // never fails
	return base64.RawURLEncoding.EncodeToString(key[:])
}

// Key returns the bytes of ExtensionKey.
func (s *State) Key() []byte {
	key, _ := base64.RawURLEncoding.DecodeString(s.ExtensionKey) // Read has looked
	return key
}

// Rotate replaces the key: extensions that were paired before are strangers.
func (s *State) Rotate() error {
	s.ExtensionKey = NewKey()
	return s.save()
}

// Folder is where the state is kept unless told otherwise: TABRELAY_STATE, or
// the platform's place for such things, on Linux $XDG_STATE_HOME/tabrelay.
func Folder() string {
	if dir := os.Getenv("TABRELAY_STATE"); dir != "" {
		return dir
	}
	return filepath.Join(xdg.StateHome, "tabrelay")
}

// FolderError says what to do where the state folder cannot be used.
func FolderError(err error) error {
	return fmt.Errorf("state folder: %w; it must be writable by you; TABRELAY_STATE selects another one", err)
}

// Open reads the state in dir (empty: Folder), and makes it with fresh
// secrets if there is none. Rights that are too wide are narrowed. A file that
// cannot be read as state is an error and stays as it is, since new secrets
// would silently cut every paired browser off.
func Open(dir string) (*State, error) {
	if dir == "" {
		dir = Folder()
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("state folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, FolderError(err)
	}
	if err := Narrow(dir, 0o700); err != nil {
		return nil, FolderError(err)
	}
	if err := Narrow(filepath.Join(dir, stateFile), 0o600); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("state: %w", err)
	}
	s, err := Read(dir)
	if err == nil && s.OldSecret == "" || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return s, err
	}
	// Two processes may be first at once: one makes the file, the other reads it.
	lock, err := Lock(dir, "relay.json.lock")
	if err != nil {
		return nil, err
	}
	if err := lock.Lock(); err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	defer func() { _ = lock.Unlock() }()
	s, err = Read(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		s = &State{
			Dir: dir, Port: defaultPort, ExtensionID: uuid.NewString(), ExtensionKey: NewKey(),
			ClientSecret: uuid.NewString(), MCPToken: uuid.NewString(),
		}
	case err == nil && s.OldSecret != "":
		s.ExtensionID, s.ExtensionKey, s.OldSecret = s.OldSecret, NewKey(), ""
	default:
		return s, err
	}
	return s, s.save()
}

func (s *State) File() string { return filepath.Join(s.Dir, stateFile) }

// save writes relay.json in one step, so that a reader sees the old or the new.
func (s *State) save() error {
	data, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	if err := ReplaceFile(s.File(), append(data, '\n')); err != nil {
		return fmt.Errorf("state: %w", err)
	}
	return nil
}

// UsePort keeps another port for the processes to come.
func (s *State) UsePort(port int) error {
	if port == s.Port {
		return nil
	}
	s.Port = port
	return s.save()
}

// Read reads the state in a folder, and changes nothing there.
func Read(dir string) (*State, error) {
	s := &State{Dir: dir}
	broken := func(err error) error {
		return fmt.Errorf("state: %s cannot be used: %w; delete it to get a new one (paired browsers then need "+
			"`tabrelay extension` again)", s.File(), err)
	}
	data, err := ReadRegular(s.File(), maxState)
	switch {
	case errors.Is(err, errNotRegular):
		return nil, broken(err)
	case err != nil:
		return nil, fmt.Errorf("state: %w", err)
	}
	decoder := json.NewDecoder(bytes.NewReader(data))
	if err := decoder.Decode(s); err != nil {
		return nil, broken(err)
	}
	if s.Port < 1 || s.Port > 65535 {
		return nil, broken(fmt.Errorf("%d is not a port", s.Port))
	}
	if s.OldSecret != "" && s.ExtensionKey == "" { // openState makes a key
		s.ExtensionID, s.ExtensionKey = s.OldSecret, NewKey()
	}
	if key, err := base64.RawURLEncoding.DecodeString(s.ExtensionKey); err != nil || len(key) != 32 {
		return nil, broken(errors.New("extensionKey is not a key"))
	}
	for name, secret := range map[string]string{
		"extensionId": s.ExtensionID, "clientSecret": s.ClientSecret, "mcpToken": s.MCPToken,
	} {
		if uuid.Validate(secret) != nil {
			// The value itself stays out of the error: it may be most of a secret.
			return nil, broken(fmt.Errorf("%s is not a uuid", name))
		}
	}
	return s, nil
}

// Narrow takes rights away that others have to path. Windows keeps such rights
// in lists that a home folder already sets well.
func Narrow(path string, mode fs.FileMode) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() == mode {
		return err
	}
	return os.Chmod(path, mode)
}

// ReplaceFile writes a file that only its owner can read, in one step.
func ReplaceFile(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".tabrelay-*") // 0600 by itself
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // nothing is there any more if all went well
	_, err = f.Write(data)
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
