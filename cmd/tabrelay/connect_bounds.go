package main

import (
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// beyond is the error of a call that asks for more than the agent's flags give.
func (s *seeker) beyond(what string) error {
	var flags []string
	if s.headless {
		flags = append(flags, "--headless")
	}
	if s.flags.Profile != "" {
		flags = append(flags, "--profile "+s.flags.Profile)
	}
	if s.flags.Browser != "" {
		flags = append(flags, "--browser "+s.flags.Browser)
	}
	return &tools.Error{Kind: adapter.ErrBlocked, Text: what + " is not allowed for this agent", Hint: "leave the argument out",
		Flag: "it was started with " + strings.Join(flags, " ")}
}

// allows refuses what an agent's own flags exclude: a call may narrow them, never
// widen.
func (s *seeker) allows(want tools.Want) error {
	switch {
	case s.headless && want.Headless != nil && !*want.Headless:
		return s.beyond("a browser with a window")
	case s.flags.Profile != "" && want.Profile != "" && want.Profile != s.flags.Profile:
		return s.beyond("the profile " + want.Profile)
	case s.flags.Browser != "" && want.Browser != "" && !s.narrows(want.Browser):
		return s.beyond("the browser " + want.Browser)
	}
	return nil
}

// ownAllowed reports whether the agent may use a person's own browser.
func (s *seeker) ownAllowed() bool { return !s.headless && s.flags.Profile == "" }

// narrows reports whether a name means nothing but what --browser allows.
func (s *seeker) narrows(name string) bool {
	if strings.EqualFold(strings.TrimSpace(name), s.flags.Browser) {
		return true
	}
	persons := s.persons()
	kind, channel, err := browser.SplitName(s.flags.Browser)
	if err != nil { // the name of one browser
		return slices.ContainsFunc(persons, func(b relay.Browser) bool { return s.isNamed(b, s.flags.Browser) && s.isNamed(b, name) })
	}
	if kind == "" {
		return true
	}
	if wanted, its, err := browser.SplitName(name); err == nil {
		return wanted == kind && (channel == "" || its == channel)
	}
	if channel != "" { // which channel a connected browser is of is not known
		return false
	}
	for _, b := range persons {
		if s.isNamed(b, name) {
			return s.isOwn(b, s.flags.Browser)
		}
	}
	return true // a managed one, which is compared when it is found, or none at all
}

// persons are the persons' browsers that are connected, or were.
func (h *host) persons() []relay.Browser {
	list := slices.DeleteFunc(h.relay.Browsers(), func(b relay.Browser) bool { return b.Launch != "" })
	for _, o := range h.remembered() {
		if !slices.ContainsFunc(list, func(b relay.Browser) bool { return b.InstallID == o.Install }) {
			list = append(list, relay.Browser{InstallID: o.Install, Name: o.Name, Label: o.Label})
		}
	}
	return list
}

// shares reports whether the agent may use a managed browser that runs.
func (s *seeker) shares(key managedKey) bool {
	kind, _, err := browser.SplitName(s.flags.Browser)
	return (!s.headless || key.Headless) && (s.flags.Profile == "" || key.Profile == s.flags.Profile) &&
		(s.flags.Browser == "" || err == nil && (kind == "" || key.Kind == kind))
}
