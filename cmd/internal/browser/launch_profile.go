package browser

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"sync"
	"time"

	"github.com/gofrs/flock"
)

// maxProfiles bounds how many tabrelays may run a managed browser of one kind
// side by side.
const maxProfiles = 20

// leaveLimit is how long a browser whose tabrelay is gone may take to leave
// before its profile counts as in use.
const leaveLimit = 3 * time.Second

var profileName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$`)

var (
	// ErrProfileName: a profile cannot be called so.
	ErrProfileName = errors.New("profile name")
	// ErrDisplay: there is nowhere to open a window.
	ErrDisplay = errors.New("no display")

	// ErrProfileInUse: another browser has the profile.
	ErrProfileInUse = errors.New("profile in use")
)

// mine are the folders of the profiles that this process holds.
var mine sync.Map

// profile is a browser's user data folder that nobody else may use until it is
// released. Nothing here ever deletes what a browser keeps in it.
type profile struct {
	Dir       string // the browser's user data folder
	Extension string // beside it: the extension with its pairing

	lock *flock.Flock
}

// takeProfile locks a profile below root (the state folder, or where a confined
// browser may write). Without a name it is the kind's own, or if another
// tabrelay has that one, the first free of kind-2, kind-3 and so on; a named one
// is that or an error that wraps ErrProfileInUse.
func takeProfile(root, kind string, headless bool, name string) (*profile, error) {
	if name != "" {
		if !profileName.MatchString(name) {
			return nil, fmt.Errorf("%w %q: use up to 64 letters, digits, - and _, with a letter or digit first", ErrProfileName, name)
		}
		p, err := lockProfile(filepath.Join(root, "profiles", "named", name))
		if errors.Is(err, ErrProfileInUse) {
			return nil, &Remedy{Err: fmt.Errorf("profile %q: %w", name, err), Do: "end that one or choose another profile"}
		}
		return p, err
	}
	base := kind
	if headless {
		base += "-headless"
	}
	for i := 1; i <= maxProfiles; i++ {
		dir := filepath.Join(root, "profiles", base)
		if i > 1 {
			dir += fmt.Sprintf("-%d", i)
		}
		p, err := lockProfile(dir)
		if !errors.Is(err, ErrProfileInUse) {
			return p, err
		}
	}
	return nil, fmt.Errorf("all %d profiles for %s are in use: end a tabrelay that has a managed browser", maxProfiles, base)
}

func lockProfile(dir string) (*profile, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("profile folder: %w", err)
	}
	lock := flock.New(dir+".lock", flock.SetPermissions(0o600))
	held, err := lock.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock profile: %w", err)
	}
	if _, ours := mine.Load(dir); !held && ours {
		return nil, fmt.Errorf("%w by a browser that another agent or instance has", ErrProfileInUse)
	}
	if !held {
		return nil, fmt.Errorf("%w by another tabrelay", ErrProfileInUse)
	}
	// A tabrelay that was killed has given its lock up, while its browser is still
	// on its way out (some 100 ms) and would swallow a new start.
	if pid := owner(dir); pid != 0 && !awaitExit(pid, leaveLimit) {
		_ = lock.Unlock()
		return nil, fmt.Errorf("%w by a browser that still runs (process %d)", ErrProfileInUse, pid)
	}
	clearSingleton(dir)
	mine.Store(dir, true)
	return &profile{Dir: dir, Extension: dir + ".extension", lock: lock}, nil
}

// release gives the profile back; the browser that used it must be gone.
func (p *profile) release() {
	clearSingleton(p.Dir)
	mine.Delete(p.Dir)
	_ = p.lock.Unlock()
}

// clearSingleton removes the marks by which a running browser is found, which a
// killed one leaves behind; with the profile locked nobody can be behind them.
// A browser would take those of another host name, as in a new container, for
// a running browser and refuse to start.
func clearSingleton(dir string) {
	if owner(dir) != 0 {
		return
	}
	for _, name := range []string{"SingletonLock", "SingletonSocket", "SingletonCookie"} {
		_ = os.Remove(filepath.Join(dir, name))
	}
}
