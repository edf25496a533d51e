package browser

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/extension"
)

const PairingFile = "pairing.json"

// The tabs that a paired extension offers.
const (
	shareChosen = "chosen" // those that the person shared, and those made for an agent
	shareAll    = "all"    // every tab: the browser is there for agents alone
)

// pairing is what a written copy of the extension knows of its relay.
type pairing struct {
	Port  int    `json:"port"`  // of the relay, on this machine
	ID    string `json:"id"`    // path of the extension's socket
	Key   string `json:"key"`   // what both ends of it prove to hold
	Share string `json:"share"` // shareChosen or shareAll
	// AllSites lets agents use every site that the person does not refuse, unless they
	// chose otherwise in the options.
	AllSites bool   `json:"allSites,omitempty"`
	Launch   string `json:"launch"` // echoed in hello; empty for a person's own browser
}

// pairingFor binds an extension to a state's relay.
func pairingFor(s *state.State, share, launch string) pairing {
	return pairing{Port: s.Port, ID: s.ExtensionID, Key: s.ExtensionKey, Share: share, Launch: launch}
}

// writeExtension puts the extension and its pairing in dir, to be loaded by a
// browser. It may be called again over an older copy, also while a browser has
// that loaded: each file is replaced in one step and the folder never lacks its
// manifest, without which a starting browser forgets the extension. A folder
// that holds something else is refused.
func writeExtension(dir string, p pairing) error {
	return writeExtensionFiles(dir, extension.Files, p)
}

func writeExtensionFiles(dir string, files fs.FS, p pairing) error {
	if err := ours(dir, files); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("extension folder: %w", err)
	}
	if err := state.Narrow(dir, 0o700); err != nil {
		return fmt.Errorf("extension folder: %w", err)
	}
	// The manifest goes first into a new folder, so that one whose writing was cut
	// off is known as ours.
	if err := writeFrom(files, "manifest.json", dir); err != nil {
		return fmt.Errorf("write extension: %w", err)
	}
	err := fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || path == PairingFile:
			return err
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, filepath.FromSlash(path)), 0o700)
		}
		return writeFrom(files, path, dir)
	})
	if err != nil {
		return fmt.Errorf("write extension: %w", err)
	}
	data, err := json.MarshalIndent(p, "", "  ")
	if err != nil {
		return fmt.Errorf("pairing: %w", err)
	}
	if err := state.ReplaceFile(filepath.Join(dir, PairingFile), append(data, '\n')); err != nil {
		return fmt.Errorf("write pairing: %w", err)
	}
	return nil
}

// writeFrom copies one file, unless it is there already.
func writeFrom(files fs.FS, path, dir string) error {
	data, err := fs.ReadFile(files, path)
	if err != nil {
		return err
	}
	to := filepath.Join(dir, filepath.FromSlash(path))
	if old, err := os.ReadFile(to); err == nil && bytes.Equal(old, data) {
		return nil
	}
	return state.ReplaceFile(to, data)
}

// ours refuses a folder that is neither empty nor a copy of the extension.
func ours(dir string, files fs.FS) error {
	entries, err := os.ReadDir(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("extension folder: %w", err)
	}
	left := slices.DeleteFunc(entries, func(e fs.DirEntry) bool {
		return strings.HasPrefix(e.Name(), ".tabrelay-") // of a write that was cut off
	})
	if len(left) == 0 {
		return nil
	}
	mine, err := fs.ReadFile(files, "manifest.json")
	if err != nil {
		return fmt.Errorf("extension: %w", err)
	}
	theirs, _ := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if key := manifestKey(theirs); key == "" || key != manifestKey(mine) {
		return fmt.Errorf("extension folder: %s contains something else (%s); give an empty or new folder with --dir", dir, left[0].Name())
	}
	return nil
}

// manifestKey is the public key that gives an extension its id.
func manifestKey(manifest []byte) string {
	var m struct{ Key string }
	_ = json.Unmarshal(manifest, &m) // broken is as good as another one's
	return m.Key
}

// WriteOwn is `tabrelay extension`: it writes the extension for the person's
// own browser to dir (empty: a folder in the state) and tells how to load it. allSites
// says whether agents may use every site unasked; nil leaves it as it was.
func WriteOwn(w io.Writer, s *state.State, dir string, allSites *bool) error {
	if dir == "" {
		dir = OwnFolder(s.Dir)
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return fmt.Errorf("extension folder: %w", err)
	}
	p := pairingFor(s, shareChosen, "")
	if old, err := readPairing(dir); err == nil {
		p.AllSites = old.AllSites
	}
	if allSites != nil {
		p.AllSites = *allSites
	}
	if err := writeExtension(dir, p); err != nil {
		return err
	}
	asks := "You are asked once for each site that an agent wants to use."
	if p.AllSites {
		asks = "Agents may use every site that you do not refuse."
	}
	_, err = fmt.Fprintf(w, `The extension is ready in
  %s

To use your own browser, once:
  1. Open chrome://extensions (also in Brave, Edge and Chromium).
  2. Turn on "Developer mode".
  3. Choose "Load unpacked" and pick the folder above.

It connects by itself from then on. No tab is shared until you choose it:
click the Tabrelay icon on a tab to share it. %s
Keep the folder where it is, and keep it private: it holds the key to this machine's Tabrelay.
`, dir, asks)
	return err
}
