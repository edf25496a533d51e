package browser

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/extension"
)

// OwnFolder is where in a state folder the extension for a person's browser lies.
func OwnFolder(stateDir string) string { return filepath.Join(stateDir, "extension") }

// Written is what is known of a written copy of the extension.
type Written struct {
	Version string    // of its manifest
	At      time.Time // of its manifest
	Current bool      // it is the extension of this program, file by file
	Paired  bool      // it leads to the state's relay, with the state's key
}

// ReadWritten looks at a written copy of the extension; fs.ErrNotExist says that
// there is none.
func ReadWritten(dir string, s *state.State) (Written, error) {
	var w Written
	manifest := filepath.Join(dir, "manifest.json")
	info, err := os.Stat(manifest)
	if err != nil {
		return w, err
	}
	w.At, w.Current, w.Version = info.ModTime(), true, "unknown"
	if data, err := os.ReadFile(manifest); err == nil {
		w.Version = versionOf(data)
	}
	err = fs.WalkDir(extension.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == PairingFile {
			return err
		}
		mine, err := fs.ReadFile(extension.Files, path)
		theirs, e := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		w.Current = w.Current && e == nil && bytes.Equal(mine, theirs)
		return err
	})
	if err != nil {
		return w, fmt.Errorf("extension: %w", err)
	}
	p, err := readPairing(dir)
	p.AllSites = false
	w.Paired = err == nil && p == pairingFor(s, shareChosen, "")
	return w, nil
}

func readPairing(dir string) (p pairing, err error) {
	data, err := os.ReadFile(filepath.Join(dir, PairingFile))
	if err == nil {
		err = json.Unmarshal(data, &p)
	}
	return p, err
}

// ExtensionVersion is the version of the extension that this program carries.
func ExtensionVersion() string {
	data, _ := fs.ReadFile(extension.Files, "manifest.json") // embedded
	return versionOf(data)
}

func versionOf(manifest []byte) string {
	var m struct{ Version string }
	if json.Unmarshal(manifest, &m) != nil || m.Version == "" {
		return "unknown"
	}
	return m.Version
}
