package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// managedName is what the first managed browser is called.
const managedName = "managed"

// nameOf is the name by which an agent can choose a browser among several, empty
// for one that is another agent's alone. A person's browser keeps its name: what
// the person called it, or its kind with a number that own.json remembers.
func (h *host) nameOf(b relay.Browser) string {
	if b.Launch != "" {
		h.mu.Lock()
		defer h.mu.Unlock()
		for key, m := range h.browsers {
			if m.launched(b.Launch) {
				return m.called(key)
			}
		}
		return ""
	}
	if label := plainLabel(b.Label); label != "" {
		return label
	}
	list := h.remembered()
	if i := slices.IndexFunc(list, func(o ownBrowser) bool { return o.Install == b.InstallID }); i >= 0 {
		return list[i].Called
	}
	return freeName(b, list)
}

// plainLabel is a person's name for a profile, fit for a line.
func plainLabel(label string) string {
	if strings.TrimSpace(label) == "" {
		return ""
	}
	return plainName(label)
}

// freeName is a name for a person's browser that none of a list has.
func freeName(b relay.Browser, list []ownBrowser) string {
	kind, _, _ := strings.Cut(strings.ToLower(strings.TrimSpace(b.Name)), " ")
	if known := browser.KindOf(b.Name); strings.Contains(strings.ToLower(b.Name), known) {
		kind = known
	}
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s-%d", kind, n)
		if !slices.ContainsFunc(list, func(o ownBrowser) bool { return o.Called == name }) {
			return name
		}
	}
}

// number gives a managed browser a number among those without a profile; mu is
// held.
func (h *host) number(key managedKey) int {
	if key.Instance != 0 || key.Profile != "" {
		return 0
	}
	for n := 1; ; n++ {
		taken := false
		for _, m := range h.browsers {
			taken = taken || m.number == n
		}
		if !taken {
			return n
		}
	}
}

// called is the name of a managed browser: its profile, or a number.
func (b *managedBrowser) called(key managedKey) string {
	switch {
	case key.Instance != 0:
		return ""
	case key.Profile != "":
		return key.Profile
	case b.number == 1:
		return managedName
	}
	return fmt.Sprintf("%s-%d", managedName, b.number)
}

// launched reports whether this is the browser of a launch.
func (b *managedBrowser) launched(launch string) bool {
	select {
	case <-b.ready:
		return b.process != nil && b.process.Launch == launch
	default:
		return false
	}
}

// isNamed reports whether a browser has a name, or is that installation. Its kind
// with a number means it also after the person has called it something else: an
// agent may know no other name.
func (h *host) isNamed(b relay.Browser, name string) bool {
	name = strings.TrimSpace(name)
	return name != "" && (strings.EqualFold(name, h.nameOf(b)) || strings.EqualFold(name, b.InstallID) ||
		b.Launch == "" && slices.ContainsFunc(h.remembered(), func(o ownBrowser) bool { return o.Install == b.InstallID && o.answersTo(name) }))
}

// named connects to the shared managed browser of a name, if there is one.
func (s *seeker) named(ctx context.Context, name string) (tools.Endpoint, bool, error) {
	h := s.host
	var found *managedKey
	h.mu.Lock()
	for key, b := range h.browsers {
		if c := b.called(key); c != "" && strings.EqualFold(c, strings.TrimSpace(name)) {
			found = &key
		}
	}
	h.mu.Unlock()
	if found == nil {
		return tools.Endpoint{}, false, nil
	}
	if !s.shares(*found) {
		return tools.Endpoint{}, true, s.beyond("the browser " + name)
	}
	b, gone, err := h.managed(ctx, *found)
	if err != nil {
		return tools.Endpoint{}, true, err
	}
	end := h.endpoint(b, "It is a managed browser, which other agents may also use.")
	end.Gone = gone
	return end, true, nil
}

// known reports whether a person's browser of a name was connected some time.
func (h *host) known(name string) bool {
	name = strings.TrimSpace(name)
	return slices.ContainsFunc(h.remembered(), func(o ownBrowser) bool { return o.answersTo(name) })
}

// isOwn reports whether a browser is a person's that a name or a kind means.
func (h *host) isOwn(b relay.Browser, name string) bool {
	return b.Launch == "" && (isCalled(b, name) || h.isNamed(b, name))
}

// wasNamed is isOwn for a browser that need not be connected.
func (h *host) wasNamed(install, name string) bool {
	list := h.remembered()
	i := slices.IndexFunc(list, func(o ownBrowser) bool { return o.Install == install })
	return i < 0 || h.isOwn(relay.Browser{InstallID: install, Name: list[i].Name, Label: list[i].Label}, name)
}

// isConnected reports whether a person's browser of a name is there.
func (h *host) isConnected(name string) bool {
	return slices.ContainsFunc(h.relay.Browsers(), func(b relay.Browser) bool { return b.Launch == "" && h.isNamed(b, name) })
}

// choice says which browsers are connected, for an agent whose own words led
// nowhere.
func (h *host) choice() string {
	var here, away []string
	for _, b := range h.relay.Browsers() {
		if name := h.nameOf(b); name != "" && b.Connected {
			here = append(here, name)
		}
	}
	for _, o := range h.remembered() {
		if !slices.Contains(here, o.name()) {
			away = append(away, o.name())
		}
	}
	text := "none is connected now"
	if len(here) > 0 {
		slices.Sort(here)
		text = "connected now: " + strings.Join(here, ", ")
	}
	if len(away) > 0 {
		text += "; known, but not connected: " + strings.Join(away, ", ")
	}
	return text
}

// others says which other browsers of a person are connected, for an agent that
// got one of them.
func (h *host) others(b relay.Browser) string {
	var names []string
	for _, o := range h.relay.Browsers() {
		if o.Connected && o.Launch == "" && o.InstallID != b.InstallID {
			names = append(names, h.nameOf(o))
		}
	}
	if len(names) == 0 {
		return ""
	}
	slices.Sort(names)
	return " Also connected: " + strings.Join(names, ", ") + " (browser_connect with that as browser)."
}
