package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

const (
	// returnLimit is how long a person's browser that was connected before is
	// waited for; its extension comes back within this while its worker lives.
	returnLimit = 3 * time.Second
	// firstLimit is the same for one that was paired but has not been seen by this
	// process; once that was in vain, againLimit is.
	firstLimit = 15 * time.Second
	againLimit = 1500 * time.Millisecond
	// wakeLimit is how long a person's browser is waited for that an agent used
	// before another daemon took over; a worker that sleeps wakes within this.
	wakeLimit = 35 * time.Second
	// awayLimit is how long an agent that follows a person's browser takes it for
	// connected while its extension is away: a worker that Chrome ended is back in less.
	awayLimit = 3 * time.Second
)

// ownHow says how to use one's own browser.
func (h *host) ownHow() string {
	if h.moved != 0 {
		return fmt.Sprintf("Your own browser cannot be used now: port %d is taken; `tabrelay status` says what to do.", h.moved)
	}
	return "To use your own browser with its logins, run `tabrelay extension` once and load what it writes."
}

// seeker finds browsers for one agent, by its settings.
type seeker struct {
	// Static after construction.
	*host
	flags    settings.Choice
	headless bool
	display  []string // lines of the environment; nil for this process's own
	fleet    settings.Fleet
	called   func() string // the agent's name; nil for one without

	// mu guards the following.
	mu     sync.Mutex
	used   string // the installation of the person's browser that it found last
	other  bool   // it found a managed one last
	expect string // one that has to come back first, after another daemon
}

// seeker finds browsers by an agent's settings.
func (h *host) seeker(a settings.Agent) *seeker {
	return &seeker{host: h, flags: a.Choice, headless: a.Headless, display: a.Display, fleet: a.Fleet}
}

// ownInstall is the installation of the person's browser that is used, or "".
func (s *seeker) ownInstall() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return cmp.Or(s.used, s.expect)
}

func (s *seeker) found(install string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used, s.expect, s.other = install, "", install == ""
}

// stoodIn reports whether the agent had a managed browser before: it goes on with one.
func (s *seeker) stoodIn() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.other
}

// connect finds a browser for an agent, in this order: a person's own that is
// connected; one that was connected or paired before, for which it waits a
// moment; a managed one, which it starts, and which stands in for a person's own
// only where the agent asked for a browser and so is told.
func (s *seeker) connect(ctx context.Context, want tools.Want) (tools.Endpoint, error) {
	h := s.host
	if err := s.allows(want); err != nil {
		return tools.Endpoint{}, err
	}
	name := cmp.Or(want.Browser, s.flags.Browser)
	if s.isElsewhere(name) {
		return s.remote(ctx, name)
	}
	headless := s.headless
	if want.Headless != nil {
		headless = *want.Headless
	}
	profile := cmp.Or(want.Profile, s.flags.Profile)
	// A name is a choice in itself, whatever the settings say of browsers that are
	// to be started.
	kind, _, unknown := browser.SplitName(name)
	chosen := unknown != nil && want.Headless == nil && want.Profile == "" && (h.known(name) || h.isConnected(name))
	if chosen && !s.ownAllowed() {
		return tools.Endpoint{}, s.beyond("the person's own browser " + name)
	}
	if chosen || !headless && profile == "" {
		b, ok, err := s.await(ctx, name)
		if err != nil {
			return tools.Endpoint{}, err
		}
		if !ok {
			b, ok = s.own(ctx, name)
		}
		if !ok && s.parted(name) {
			return tools.Endpoint{}, &tools.Error{Kind: adapter.ErrConnectionLost, Text: "the person disconnected this browser",
				Hint: "ask them to press Connect in the Tabrelay popup, then connect again"}
		}
		if ok {
			s.found(b.InstallID)
			h.remember(b, true)
			end := h.endpoint(b, "It is your own browser "+h.nameOf(b)+", through its extension: you see shared tabs and tabs opened here."+
				h.others(b))
			if s.called != nil {
				end.URL = strings.Replace(end.URL, "agent=&", "agent="+url.QueryEscape(s.called())+"&", 1)
			}
			if want.Follows {
				end.URL += "&away=" + awayLimit.String()
			}
			return end, nil
		}
		switch {
		case !chosen && want.Unasked && h.setUp(name) && !s.stoodIn():
			return tools.Endpoint{}, &tools.Error{Kind: tools.ErrExtensionNotConnected, Phase: "unknown",
				Text: "your own browser is set up for Tabrelay, but not connected", Advice: tools.AdviceStart}
		case chosen:
			return tools.Endpoint{}, &tools.Error{Kind: tools.ErrExtensionNotConnected, Phase: "unknown",
				Text: fmt.Sprintf("your browser %s is not connected and did not wake", name), Hint: "start it, or choose another; " + h.choice()}
		}
	}
	if end, ok, err := s.named(ctx, name); ok {
		s.found("")
		return end, err
	}
	if unknown != nil {
		return tools.Endpoint{}, browserError(fmt.Errorf("%w; or the name of one: %s", unknown, h.choice()))
	}
	s.found("")
	quiet := headless || !browser.HasDisplay(s.display)
	key := managedKey{Browser: name, Kind: kind, Headless: quiet, Profile: profile, Path: s.flags.BrowserPath, NoSandbox: s.flags.NoSandbox}
	if !quiet {
		key.Display = strings.Join(s.display, "\n")
	}
	return h.standIn(ctx, want, key, !headless && profile == "" && h.setUp(name))
}

// await waits for the person's browser that the agent used before another daemon
// took over, unless it asks for another. It is waited for once; then the agent
// may have another.
func (s *seeker) await(ctx context.Context, name string) (b relay.Browser, ok bool, err error) {
	s.mu.Lock()
	install := s.expect
	s.expect = ""
	s.mu.Unlock()
	if install == "" || !s.wasNamed(install, name) {
		return b, false, nil
	}
	fits := func(b relay.Browser) bool { return b.InstallID == install }
	wait, cancel := context.WithTimeout(ctx, returnLimit)
	defer cancel()
	if b, err = s.relay.Wait(wait, fits); err == nil {
		return b, true, nil
	}
	if b, ok = s.rouse(ctx, fits); ok {
		return b, true, nil
	}
	wait, cancel = context.WithTimeout(ctx, wakeLimit-returnLimit)
	defer cancel()
	b, err = s.relay.Wait(wait, fits)
	switch {
	case err == nil:
		return b, true, nil
	case ctx.Err() != nil:
		return b, false, context.Cause(ctx)
	}
	return b, false, &tools.Error{Kind: tools.ErrExtensionNotConnected, Phase: "unknown",
		Text: fmt.Sprintf("your own browser did not come back within %s after tabrelay restarted", wakeLimit),
		Hint: "start that browser, then call again; otherwise the next call uses another one"}
}

// own returns a person's browser that is connected, comes back in a moment, or
// wakes. Of several it is the one that this agent had, or else the one that any
// agent used last.
func (s *seeker) own(ctx context.Context, name string) (relay.Browser, bool) {
	h := s.host
	fits := func(b relay.Browser) bool { return h.isOwn(b, name) }
	had := s.ownInstall()
	var connected []relay.Browser
	limit := time.Duration(0)
	if h.setUp(name) {
		if limit = h.first; h.missed.Load() {
			limit = againLimit
		}
	}
	for _, b := range h.relay.Browsers() {
		if !fits(b) {
			continue
		}
		switch {
		case b.Connected && b.InstallID == had:
			return b, true
		case b.InstallID == had && !s.parted(name): // it is away for a moment
			wait, cancel := context.WithTimeout(ctx, returnLimit)
			b, err := h.relay.Wait(wait, func(b relay.Browser) bool { return b.InstallID == had })
			cancel()
			if err == nil {
				return b, true
			}
		case b.Connected:
			connected = append(connected, b)
		}
		limit = returnLimit
	}
	if len(connected) > 0 {
		list := h.remembered()
		return slices.MaxFunc(connected, func(a, b relay.Browser) int {
			return cmp.Or(usedLast(list, a).Compare(usedLast(list, b)), a.LastUsed.Compare(b.LastUsed))
		}), true
	}
	if limit == 0 || s.parted(name) {
		return relay.Browser{}, false
	}
	b, ok := s.hope(ctx, limit, fits)
	h.missed.Store(!ok && ctx.Err() == nil)
	return b, ok
}

// setUp reports whether a person's browser that a name means may connect: one that
// did some time, or, where none did yet, whichever will.
func (h *host) setUp(name string) bool {
	list := h.remembered()
	return len(list) == 0 && h.paired() || slices.ContainsFunc(list, func(o ownBrowser) bool {
		return h.isOwn(relay.Browser{InstallID: o.Install, Name: o.Name, Label: o.Label}, name)
	})
}

// parted reports whether the person disconnected the browser that the agent would
// get: no waking helps then, only the person.
func (s *seeker) parted(name string) bool {
	had := s.ownInstall()
	return slices.ContainsFunc(s.relay.Parted(), func(b relay.Browser) bool {
		return s.isOwn(b, name) && (had == "" || had == b.InstallID)
	})
}

// paired reports whether `tabrelay extension` was used on this machine.
func (h *host) paired() bool {
	_, err := os.Stat(filepath.Join(browser.OwnFolder(h.state.Dir), browser.PairingFile))
	return err == nil
}

// isCalled reports whether a name that an agent gives means a browser: its kind,
// the name that it has itself, or its installation.
func isCalled(b relay.Browser, name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	own := strings.ToLower(b.Name)
	return name == "" || name == "any" || name == own || name == strings.ToLower(b.InstallID) ||
		name == browser.KindOf(own) && (name != "chromium" || strings.Contains(own, "chromium"))
}

// endpoint is where a browser is spoken to.
func (h *host) endpoint(b relay.Browser, how string) tools.Endpoint {
	major, _, _ := strings.Cut(b.Version, ".")
	return tools.Endpoint{
		// The adapter itself refuses files where the agent may not open them.
		URL: (&url.URL{Scheme: "ws", Host: h.address(), Path: "/cdp/" + h.state.ClientSecret,
			RawQuery: url.Values{"browser": {b.InstallID}, "agent": {""}, "behind": {"plain"}, "files": {"allow"}}.Encode()}).String(),
		Name:   strings.TrimSpace(fmt.Sprintf("%s %s", b.Name, major)),
		Called: h.nameOf(b),
		How:    how,
	}
}
