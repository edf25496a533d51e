package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// helloLimit is how long the extension of a browser that has just started may
// take to connect; it takes some 100 ms.
const helloLimit = 15 * time.Second

// managedKey tells managed browsers apart: agents that want the same share it.
type managedKey struct {
	Browser   string
	Kind      string
	Headless  bool
	Profile   string
	Path      string
	NoSandbox bool
	Instance  int    // of one agent alone; 0 is shared
	Plain     bool   // announces no automation
	Display   string // lines of the environment; for a browser with a window
}

// env is where the browser's window opens; nil for where this process's would.
func (k managedKey) env() []string {
	if k.Display == "" {
		return nil
	}
	return strings.Split(k.Display, "\n")
}

// managedBrowser is a browser that a host started, or is starting.
type managedBrowser struct {
	// Static after construction.
	ready  chan struct{} // closed when the start is over
	number int           // 0 for one that has another name, or none

	// Written before ready is closed.
	process *browser.Process
	err     error
}

// alive reports whether the browser runs; ready is closed.
func (b *managedBrowser) alive() bool {
	if b.err != nil {
		return false
	}
	select {
	case <-b.process.Done():
		return false
	default:
		return true
	}
}

// close ends the browser, also one that is starting.
func (b *managedBrowser) close() {
	<-b.ready
	if b.process != nil {
		b.process.Close()
	}
}

// standIn connects to a managed browser; own says that the person has one that did
// not come.
func (h *host) standIn(ctx context.Context, want tools.Want, key managedKey, own bool) (tools.Endpoint, error) {
	if want.Running && !h.runs(key) {
		text := "No browser found"
		if own {
			text += ": your own is set up, but its extension is not connected"
		}
		return tools.Endpoint{}, &tools.Error{Kind: tools.ErrBrowserNotAvailable, Text: text,
			Hint: "Please open Chrome with the Tabrelay extension enabled, or call with launch=true"}
	}
	b, gone, err := h.managed(ctx, key)
	if err != nil {
		return tools.Endpoint{}, err
	}
	how := "It is a managed browser with a profile of its own"
	if key.Headless {
		how += ", without a window"
	}
	if own {
		how += ", since the extension of your own browser did not connect. Start that browser, then browser_disconnect and browser_connect, to use its logins."
	} else {
		how += ". " + h.ownHow()
	}
	end := h.endpoint(b, how)
	end.Gone = gone
	return end, nil
}

// managed returns a managed browser that is connected, and what is closed when
// it ends; it starts one unless it runs already.
func (h *host) managed(ctx context.Context, key managedKey) (relay.Browser, <-chan struct{}, error) {
	for {
		b, mine, err := h.claim(ctx, key)
		if err != nil {
			return relay.Browser{}, nil, err
		}
		if mine {
			b.process, b.err = h.start(ctx, key)
			close(b.ready)
		}
		if b.err != nil {
			return relay.Browser{}, nil, b.err
		}
		found, err := h.hello(ctx, b)
		if err != nil && !mine && !b.alive() && ctx.Err() == nil {
			continue // it was just ending: another is started
		}
		return found, b.process.Gone, err
	}
}

// runs reports whether the managed browser of a key is there, or starting.
func (h *host) runs(key managedKey) bool {
	h.mu.Lock()
	b := h.browsers[key]
	h.mu.Unlock()
	if b == nil {
		return false
	}
	select {
	case <-b.ready:
		return b.alive()
	default:
		return true
	}
}

// claim returns the browser of a key once its start is over, or a new entry
// that is the caller's to start.
func (h *host) claim(ctx context.Context, key managedKey) (b *managedBrowser, mine bool, err error) {
	for {
		h.mu.Lock()
		if h.closed {
			h.mu.Unlock()
			return nil, false, errors.New("tabrelay is shutting down")
		}
		b = h.browsers[key]
		if b == nil {
			b = &managedBrowser{ready: make(chan struct{}), number: h.number(key)}
			h.browsers[key] = b
			h.mu.Unlock()
			return b, true, nil
		}
		h.mu.Unlock()
		select {
		case <-b.ready:
		case <-ctx.Done():
			return nil, false, context.Cause(ctx)
		}
		if b.alive() {
			return b, false, nil
		}
		h.mu.Lock()
		if h.browsers[key] == b {
			delete(h.browsers, key)
		}
		h.mu.Unlock()
	}
}

// start starts a browser of a key.
func (h *host) start(ctx context.Context, key managedKey) (*browser.Process, error) {
	path, err := browser.Find(key.Browser, key.Path)
	if err != nil {
		return nil, browserError(err)
	}
	m, err := browser.Launch(ctx, h.state, browser.Options{
		Browser: path, Headless: key.Headless, NoSandbox: key.NoSandbox, Profile: key.Profile,
		Env: key.env(), Args: key.args(ctx, path),
	})
	if err != nil {
		return nil, browserError(err)
	}
	h.log.Info("managed browser started", "product", m.Product, "headless", key.Headless)
	return m, nil
}

// hello waits until a managed browser's extension is connected.
func (h *host) hello(ctx context.Context, b *managedBrowser) (relay.Browser, error) {
	wait, cancel := context.WithTimeout(ctx, helloLimit)
	defer cancel()
	go func() { // ends with the wait
		select {
		case <-b.process.Done():
			cancel()
		case <-wait.Done():
		}
	}()
	found, err := h.relay.Wait(wait, func(r relay.Browser) bool { return r.Launch == b.process.Launch })
	switch {
	case err == nil:
		return found, nil
	case ctx.Err() != nil:
		return relay.Browser{}, context.Cause(ctx)
	case !b.alive():
		return relay.Browser{}, &tools.Error{Kind: tools.ErrExtensionNotConnected, Phase: "browser_not_launched",
			Text: b.process.Product + " ended while it was starting", Hint: "try again", Flag: "`tabrelay --log-level debug` shows more"}
	}
	return relay.Browser{}, &tools.Error{Kind: tools.ErrExtensionNotConnected, Phase: "extension_missing",
		Text: fmt.Sprintf("%s started, but its extension did not connect within %s", b.process.Product, helloLimit),
		Hint: "a policy may forbid extensions in it: choose another with browser, such as chromium"}
}

// browserError gives an error of finding or starting a browser its kind.
func browserError(err error) error {
	e := &tools.Error{Kind: tools.ErrExtensionNotConnected, Text: err.Error(), Phase: "browser_not_launched"}
	if r, ok := errors.AsType[*browser.Remedy](err); ok {
		e.Text, e.Hint, e.Flag = r.Err.Error(), r.Do, r.Flag
	}
	switch {
	case errors.Is(err, browser.ErrNotAvailable):
		e.Kind, e.Phase = tools.ErrBrowserNotAvailable, ""
	case errors.Is(err, browser.ErrExecutable):
		e.Kind, e.Phase = tools.ErrBrowserExecutableNotFound, ""
	case errors.Is(err, browser.ErrProfileName):
		e.Kind, e.Phase = adapter.ErrInvalid, ""
	case errors.Is(err, browser.ErrDisplay), errors.Is(err, browser.ErrProfileInUse):
		e.Kind, e.Phase = tools.ErrBrowserNotAvailable, ""
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return err
	}
	return e
}
