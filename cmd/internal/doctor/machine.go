package doctor

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// scarce is the space on a disk below which a browser's profile may break.
const scarce = 500 << 20

// settings looks at the file that the environment names.
func (e *examination) settings() {
	if e.Config == "" {
		return
	}
	_, _, err := settings.ReadFile(e.Config)
	if err = cmp.Or(err, e.Misread); err != nil {
		e.add(Finding{Check: "settings", Level: Failure, Text: err.Error(), Mend: "correct that file, or unset TABRELAY_CONFIG"})
		return
	}
	e.ok("settings", "%s", e.Config)
}

// browsers looks for a browser that can be started.
func (e *examination) browsers() {
	if e.Choice.BrowserPath != "" {
		b, err := browser.Find(e.Choice.Browser, e.Choice.BrowserPath)
		if err != nil {
			mend := "unset TABRELAY_BROWSER_PATH"
			if e.Config != "" {
				mend += ", or correct browser-path in " + e.Config
			}
			e.add(Finding{Check: "browser", Level: Failure, Text: err.Error(), Mend: mend})
			return
		}
		e.ok("browser", "%s at %s", b.Name(), b.Path)
		return
	}
	all := e.Installed()
	if kind, channel, err := browser.SplitName(e.Choice.Browser); err == nil && kind != "" && len(all) > 0 &&
		!slices.ContainsFunc(all, func(b browser.Installed) bool { return b.Kind == kind && (channel == "" || b.Channel == channel) }) {
		e.add(Finding{Check: "browser", Level: Failure, Text: e.Choice.Browser + " is not installed", Mend: "install it, or choose " + all[0].Name() + " with --browser or TABRELAY_BROWSER"})
		return
	}
	if len(all) == 0 {
		e.add(Finding{Check: "browser", Level: Failure, Text: "no Chrome, Brave, Edge or Chromium was found",
			Mend: "install one (" + browser.HowToInstall() + "), or set TABRELAY_BROWSER_PATH to it"})
		return
	}
	var names []string
	seen := map[string]bool{}
	for _, b := range all {
		if !seen[b.Name()] { // the others are other ways to the same
			names = append(names, b.Name()+" at "+b.Path)
		}
		seen[b.Name()] = true
	}
	e.ok("browser", "%s", strings.Join(names, ", "))
}

// sandbox looks whether a managed browser can be started as it should be.
func (e *examination) sandbox() {
	switch err := e.Sandbox(); {
	case err == nil:
		e.ok("sandbox", "managed browsers have theirs")
	case e.Choice.NoSandbox:
		e.add(Finding{Check: "sandbox", Level: Note, Text: "managed browsers run without theirs (--no-sandbox)"})
	default:
		e.add(Finding{Check: "sandbox", Level: Failure, Text: "managed browsers do not start: root has no sandbox",
			Mend: "run tabrelay as a normal user, or in a container set TABRELAY_NO_SANDBOX=1"})
	}
	if !e.Display {
		e.add(Finding{Check: "display", Level: Note, Text: "no window can be opened here (DISPLAY and WAYLAND_DISPLAY are empty): managed browsers run without one"})
	}
}

// folder looks at the state folder and what is kept in it.
func (e *examination) folder() {
	info, err := os.Stat(e.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.add(Finding{Check: "state", Level: Note, Text: e.Dir + " is not there yet: it is made when tabrelay is first used"})
		return
	case err != nil:
		e.add(Finding{Check: "state", Level: Failure, Text: err.Error(), Mend: "set TABRELAY_STATE to a folder of yours"})
		return
	case !info.IsDir():
		e.add(Finding{Check: "state", Level: Failure, Text: e.Dir + " is not a folder", Mend: "set TABRELAY_STATE to a folder of yours"})
		return
	}
	if !state.IsOwn(info) {
		e.add(Finding{Check: "state", Level: Failure, Text: fmt.Sprintf("%s belongs to %s, perhaps because tabrelay once ran with other rights", e.Dir, owner(info)),
			Mend: fmt.Sprintf("sudo chown -R \"$(id -u)\" %q", e.Dir)})
		return
	}
	if err := writable(e.Dir); err != nil {
		e.add(Finding{Check: "state", Level: Failure, Text: err.Error(), Mend: fmt.Sprintf("chmod u+rwx %q", e.Dir)})
		return
	}
	e.modes(info)
	e.state, err = state.Read(e.Dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.state = nil
		e.add(Finding{Check: "state", Level: Note, Text: e.Dir + " has no relay.json yet: it is made when tabrelay is first used"})
	case err != nil:
		e.state = nil
		e.add(Finding{Check: "state", Level: Failure, Text: err.Error(), Mend: fmt.Sprintf("rm %q", filepath.Join(e.Dir, "relay.json"))})
	default:
		e.ok("state", "%s", e.Dir)
	}
}

// modes looks whether others can read what is the person's alone.
func (e *examination) modes(dir fs.FileInfo) {
	if runtime.GOOS == "windows" {
		return
	}
	look := func(path string, info fs.FileInfo, mode fs.FileMode) {
		if info.Mode().Perm()&0o077 == 0 {
			return
		}
		e.add(Finding{Check: "state", Level: Warning, Text: fmt.Sprintf("%s can be read by others (mode %04o)", path, info.Mode().Perm()),
			Mend: fmt.Sprintf("chmod %o %q", mode, path), Fix: func(context.Context) error { return state.Narrow(path, mode) }})
	}
	look(e.Dir, dir, 0o700)
	path := filepath.Join(e.Dir, "relay.json")
	if info, err := os.Stat(path); err == nil {
		look(path, info, 0o600)
	}
}

// writable reports why nothing can be written to a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, ".tabrelay-doctor-*")
	if err != nil {
		return fmt.Errorf("nothing can be written to the state folder: %w", err)
	}
	_ = f.Close()
	return os.Remove(f.Name())
}

// disk looks at what is free, and what is used.
func (e *examination) disk() {
	where := e.Dir
	for _, err := os.Stat(where); err != nil && filepath.Dir(where) != where; _, err = os.Stat(where) {
		where = filepath.Dir(where)
	}
	space, known := e.Free(where)
	var used int64
	_ = filepath.WalkDir(e.Dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			if info, err := d.Info(); err == nil {
				used += info.Size()
			}
		}
		return nil // what cannot be read counts nothing
	})
	switch {
	case known && space < scarce:
		e.add(Finding{Check: "disk", Level: Failure, Text: fmt.Sprintf("only %d MB are free; browsers lose what they cannot write, and tabrelay's folder uses %d MB", space>>20, used>>20),
			Mend: "free some space; " + filepath.Join(e.Dir, "output") + " holds screenshots and downloads of agents"})
	case known:
		e.ok("disk", "%d MB used by tabrelay, %d MB free", used>>20, space>>20)
	default:
		e.ok("disk", "%d MB used by tabrelay", used>>20)
	}
}
