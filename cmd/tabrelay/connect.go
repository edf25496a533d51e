package main

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

const (
	// returnLimit is how long a person's browser that was connected before is
	// waited for; its extension comes back within this while its worker lives.
	returnLimit = 3 * time.Second
	// firstLimit is the same for one that was paired but has not been seen by this
	// process.
	firstLimit = 1500 * time.Millisecond
)

// ownHow says how to use one's own browser.
const ownHow = "To use your own browser with its logins, run `tabrelay extension` once and load what it writes."

// connect finds a browser for an agent, in this order: a person's own that is
// connected; one that was connected or paired before, for which it waits a
// moment; a managed one, which it starts.
func (h *host) connect(ctx context.Context, want tools.Want) (tools.Endpoint, error) {
	name := cmp.Or(want.Browser, h.flags.Browser)
	headless := h.headless
	if want.Headless != nil {
		headless = *want.Headless
	}
	profile := cmp.Or(want.Profile, h.flags.Profile)
	if !headless && profile == "" {
		if b, ok := h.own(ctx, name); ok {
			return h.endpoint(b, "It is your own browser, through its extension: it shows the tabs that were shared, and those opened here."), nil
		}
	}
	kind, _, err := splitName(name)
	if err != nil {
		return tools.Endpoint{}, browserError(err)
	}
	quiet := headless || !hasDisplay()
	key := managedKey{Browser: name, Kind: kind, Headless: quiet, Profile: profile}
	b, gone, err := h.managed(ctx, key)
	if err != nil {
		return tools.Endpoint{}, err
	}
	how := "It is a managed browser with a profile of its own"
	if quiet {
		how += ", without a window"
	}
	end := h.endpoint(b, how+". "+ownHow)
	end.Gone = gone
	return end, nil
}

// own returns a person's browser that is connected, or comes back in a moment.
func (h *host) own(ctx context.Context, name string) (relay.Browser, bool) {
	fits := func(b relay.Browser) bool { return b.Launch == "" && isCalled(b, name) }
	var connected []relay.Browser
	limit := time.Duration(0)
	if h.paired() {
		limit = firstLimit
	}
	for _, b := range h.relay.Browsers() {
		if !fits(b) {
			continue
		}
		if b.Connected {
			connected = append(connected, b)
		}
		limit = returnLimit
	}
	if len(connected) > 0 {
		return slices.MaxFunc(connected, func(a, b relay.Browser) int { return a.LastUsed.Compare(b.LastUsed) }), true
	}
	if limit == 0 {
		return relay.Browser{}, false
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	b, err := h.relay.Wait(ctx, fits)
	return b, err == nil
}

// paired tells whether `tabrelay extension` was used on this machine.
func (h *host) paired() bool {
	_, err := os.Stat(filepath.Join(h.state.Dir, "extension", pairingFile))
	return err == nil
}

// isCalled tells whether a name that an agent gives means a browser: its kind,
// the name that it has itself, or its installation.
func isCalled(b relay.Browser, name string) bool {
	name = strings.ToLower(strings.TrimSpace(name))
	own := strings.ToLower(b.Name)
	return name == "" || name == "any" || name == own || name == strings.ToLower(b.InstallID) ||
		name == kindOf(own) && (name != "chromium" || strings.Contains(own, "chromium"))
}

// endpoint is where a browser is spoken to.
func (h *host) endpoint(b relay.Browser, how string) tools.Endpoint {
	major, _, _ := strings.Cut(b.Version, ".")
	return tools.Endpoint{
		URL: (&url.URL{Scheme: "ws", Host: h.address(), Path: "/cdp/" + h.state.ClientSecret,
			RawQuery: url.Values{"browser": {b.InstallID}}.Encode()}).String(),
		Name: strings.TrimSpace(fmt.Sprintf("%s %s", b.Name, major)),
		How:  how,
	}
}

// hasDisplay tells whether a window can be opened.
func hasDisplay() bool {
	return runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != ""
}
