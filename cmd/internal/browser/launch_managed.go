package browser

import (
	"context"
	"io"

	"github.com/google/uuid"

	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// Options say which browser an agent gets for itself.
type Options struct {
	Browser   Installed
	Headless  bool
	NoSandbox bool
	Profile   string // a name, or empty for the kind's own
	URL       string
	Args      []string
	Env       []string // where its window opens; nil for where this process's would
	Stderr    io.Writer
}

// Launch starts a browser with a profile of its own in which the paired
// extension shares every tab. The extension connects to the relay a moment
// later, with the returned browser's Launch in its hello; wait for that there.
// The profile is given back when the browser is gone.
func Launch(ctx context.Context, s *state.State, o Options) (*Process, error) {
	root := s.Dir
	if o.Browser.Home != "" {
		root = o.Browser.Home
	}
	bare := launchOptions{
		Browser: o.Browser, Headless: o.Headless, NoSandbox: o.NoSandbox,
		URL: o.URL, Args: o.Args, Env: o.Env, Stderr: o.Stderr,
	}
	// Before a profile is made for nothing.
	if err := mayStart(bare); err != nil {
		return nil, err
	}
	p, err := takeProfile(root, o.Browser.Kind, o.Headless, o.Profile)
	if err != nil {
		return nil, err
	}
	id := uuid.NewString()
	if err := writeExtension(p.Extension, pairingFor(s, shareAll, id)); err != nil {
		p.release()
		return nil, err
	}
	bare.ProfileDir, bare.ExtensionDir = p.Dir, p.Extension
	m, err := startBare(ctx, bare)
	if err != nil {
		p.release()
		return nil, err
	}
	m.Launch, m.given = id, make(chan struct{})
	go func() { // ends with the browser
		<-m.Gone
		p.release()
		close(m.given)
	}()
	return m, nil
}
