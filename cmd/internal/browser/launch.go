package browser

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

const (
	// startLimit bounds a start when the caller's context has no earlier end.
	startLimit = 30 * time.Second
	// workerLimit is how long the extension's worker may take to appear before the
	// other way to load it is tried; it takes some 100 ms when all is well.
	workerLimit = 3 * time.Second
	// endLimit is what a browser gets to write its profile when it is asked to close.
	endLimit = 5 * time.Second
)

// The ways to give a browser the extension. Branded Chrome and Edge ignore
// --load-extension; they take it over the debugging pipe.
const (
	loadAuto = iota
	loadByFlag
	loadByPipe
)

type launchOptions struct {
	Browser      Installed
	Headless     bool
	NoSandbox    bool
	ProfileDir   string    // the browser's user data folder; made if it is not there
	ExtensionDir string    // the unpacked extension; empty loads none
	URL          string    // the page to open first; empty opens about:blank
	Args         []string  // more flags, as the person gave them
	Env          []string  // where its window opens; nil for where this process's would
	Stderr       io.Writer // what the browser says; nil drops it
	LoadWay      int
}

func (o launchOptions) way() int {
	switch {
	case o.LoadWay != loadAuto:
		return o.LoadWay
	case o.Browser.Kind == "chrome" || o.Browser.Kind == "edge":
		return loadByPipe
	}
	return loadByFlag
}

// Process is a browser that this process started and that leaves with it,
// however this process ends.
type Process struct {
	// Static after construction.
	Launch  string // echoed by the extension in its hello; empty if launch was called bare
	Product string // such as Chrome/156.0.1.2

	patience time.Duration // endLimit, unless a test has less
	cmd      *exec.Cmd
	pipe     *pipe
	complain *complaints
	Gone     chan struct{} // closed when the process has been reaped
	given    chan struct{} // closed when its profile has been given back too; nil without one
	ending   sync.Once

	// Written before gone is closed, read after.
	exit error
}

// startBare starts a browser and returns when it answers and has the extension.
// ctx bounds the start alone; the browser lives until close or its own end.
func startBare(ctx context.Context, o launchOptions) (*Process, error) {
	if err := mayStart(o); err != nil {
		return nil, err
	}
	if err := os.MkdirAll(o.ProfileDir, 0o700); err != nil {
		return nil, fmt.Errorf("profile folder: %w", err)
	}
	ctx, cancel := context.WithTimeoutCause(ctx, startLimit,
		fmt.Errorf("the browser did not answer within %s", startLimit))
	defer cancel()

	m, err := spawn(o)
	if err != nil {
		return nil, err
	}
	if err := m.greet(ctx, o); err != nil {
		if errors.Is(err, errPipeClosed) {
			// It is ending by itself: how it ended tells more than our kill.
			select {
			case <-m.Gone:
			case <-ctx.Done():
			}
		}
		m.abort()
		return nil, m.startError(o, err)
	}
	return m, nil
}

// mayStart refuses what is known to fail, with what to do instead.
func mayStart(o launchOptions) error {
	if err := Sandbox(); err != nil && !o.NoSandbox {
		return err
	}
	if !o.Headless && !HasDisplay(o.Env) &&
		!strings.Contains(strings.Join(o.Args, " "), "--ozone-platform") {
		return &Remedy{Err: fmt.Errorf("%w to open a window on (DISPLAY and WAYLAND_DISPLAY are empty)", ErrDisplay), Do: headlessHow}
	}
	return nil
}

// Sandbox is why managed browsers cannot have their sandbox here, or nil.
func Sandbox() error {
	if runtime.GOOS == "linux" && os.Geteuid() == 0 {
		return &Remedy{Err: errors.New("the browser's sandbox does not work for root: it works by dropping privileges, " +
			"and Chromium refuses to start without that"),
			Flag: "run tabrelay as a normal user, or, in a container that is a sandbox of its own, turn it off with " + sandboxFlag}
	}
	return nil
}

func spawn(o launchOptions) (*Process, error) {
	args := append(o.Browser.prefix(o.ProfileDir, o.ExtensionDir), managedFlags(o)...)
	cmd := exec.Command(o.Browser.Path, args...)
	if o.Env != nil {
		cmd.Env = OnDisplay(o.Env)
	}
	log := &complaints{also: o.Stderr}
	cmd.Stderr = log
	// A child of the browser may outlive it for a moment with our stderr in hand.
	cmd.WaitDelay = time.Second
	in, out, theirs, err := openPipe(cmd)
	if err != nil {
		return nil, fmt.Errorf("debugging pipe: %w", err)
	}
	ownGroup(cmd)
	err = cmd.Start()
	for _, f := range theirs {
		_ = f.Close()
	}
	if err != nil {
		_, _ = in.Close(), out.Close()
		return nil, fmt.Errorf("start %s: %w", o.Browser.Path, err)
	}
	m := &Process{patience: endLimit, cmd: cmd, pipe: newPipe(in, out), complain: log, Gone: make(chan struct{})}
	go m.wait() // ends with the process
	return m, nil
}

// wait reaps the browser; what it left of its group goes too.
func (m *Process) wait() {
	err := m.cmd.Wait()
	if errors.Is(err, exec.ErrWaitDelay) {
		err = nil
	}
	killGroup(m.cmd)
	_ = m.pipe.close()
	m.exit = err
	close(m.Gone)
}

// greet waits for the browser's first answer and for the extension.
func (m *Process) greet(ctx context.Context, o launchOptions) error {
	workers := make(chan struct{}, 1)
	m.pipe.listen(func(method string, params json.RawMessage) {
		if isOurWorker(method, params) {
			select {
			case workers <- struct{}{}:
			default:
			}
		}
	})
	defer m.pipe.listen(nil)

	var version struct{ Product string }
	if err := m.pipe.call(ctx, "Browser.getVersion", struct{}{}, &version); err != nil {
		return err
	}
	m.Product = version.Product
	if o.ExtensionDir == "" {
		return nil
	}
	if o.way() == loadByFlag {
		if err := m.pipe.call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": true}, nil); err != nil {
			return err
		}
		timer := time.NewTimer(workerLimit)
		defer timer.Stop()
		select {
		case <-workers:
			return m.pipe.call(ctx, "Target.setDiscoverTargets", map[string]any{"discover": false}, nil)
		case <-m.pipe.done:
			return errPipeClosed
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-timer.C:
			// The browser passed the flag over: it is branded, or policy says so.
		}
	}
	var loaded struct{ ID string }
	err := m.pipe.call(ctx, "Extensions.loadUnpacked", map[string]any{"path": o.ExtensionDir}, &loaded)
	if err != nil {
		return fmt.Errorf("the browser did not take the extension; load it by hand once (tabrelay extension says how): %w", err)
	}
	return nil
}

func isOurWorker(method string, params json.RawMessage) bool {
	if method != "Target.targetCreated" {
		return false
	}
	var p struct {
		TargetInfo struct{ Type, URL string }
	}
	return json.Unmarshal(params, &p) == nil && p.TargetInfo.Type == "service_worker" &&
		strings.HasPrefix(p.TargetInfo.URL, "chrome-extension://"+extension.ID+"/")
}

// startError tells why a start came to nothing, in the browser's own words if it
// had any.
func (m *Process) startError(o launchOptions, err error) error {
	said := m.complain.first()
	died := errors.Is(err, errPipeClosed)
	switch {
	case said != "" && died:
		return remedied(fmt.Errorf("%s ended while starting: %s", o.Browser.Path, said), said)
	case died && m.exit == nil:
		return fmt.Errorf("%s exited while starting, without an error: another browser may be using %s; close it and try again",
			o.Browser.Path, o.ProfileDir)
	case died:
		return fmt.Errorf("%s ended while starting (%v) and said nothing; run it by hand to see why", o.Browser.Path, m.exit)
	case said != "":
		return fmt.Errorf("start %s: %w (it said: %s)", o.Browser.Path, err, said)
	}
	return fmt.Errorf("start %s: %w", o.Browser.Path, err)
}

// Done is closed when the browser is gone and its profile given back.
func (m *Process) Done() <-chan struct{} {
	if m.given != nil {
		return m.given
	}
	return m.Gone
}

// Close asks the browser to end, gives it a bounded time to write its profile,
// and then kills what is left of it. It may be called more than once.
func (m *Process) Close() {
	m.ending.Do(func() {
		ctx, cancel := context.WithTimeout(context.Background(), m.patience)
		defer cancel()
		// The browser may go before it answers: only its going counts.
		_ = m.pipe.call(ctx, "Browser.close", struct{}{}, nil)
		select {
		case <-m.Gone:
		case <-ctx.Done():
			m.abort()
		}
	})
	<-m.Done()
}

// abort kills the browser without asking.
func (m *Process) abort() {
	killGroup(m.cmd)
	<-m.Gone
}
