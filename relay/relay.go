// Package relay joins CDP clients with browsers that are reached through
// an extension: many of each, on one loopback address.
//
//	s := relay.NewServer(relay.Options{
//		ExtensionOrigin: "chrome-extension://…",
//		ExtensionID: …, ExtensionKey: …, ClientSecret: …,
//	})
//	defer s.Close()
//	go http.Serve(listener, s)
//	b, err := s.Wait(ctx, func(b relay.Browser) bool { return true })
//
// A client then dials ws://ADDRESS/cdp/SECRET and speaks CDP as if to
// Chrome. Three facts explain the rest:
//
// An extension has one debugger attachment a tab, so the sessions of all
// clients share it. What Chrome counts and says once, the relay counts
// for each session and says again to those that come late.
//
// A browser's hub is a state machine under one mutex that never waits;
// its tests are texts of frames in and frames out.
//
// Payloads are copied from frame to frame as they are. Only the outside
// of a frame is read, but strictly, since a bad byte in one client's
// message would otherwise end everybody's connection.
package relay

import (
	"log/slog"
	"time"
)

// Options say what a Server lets in. Zero durations mean the defaults.
type Options struct {
	// ExtensionOrigin is the Origin of the one extension that may connect,
	// such as chrome-extension://abc….
	ExtensionOrigin string
	// ExtensionID is the last part of the address /extension/ID, and names the
	// pairing. ExtensionKey is what both ends prove to hold before anything
	// else is said. Without either no extension is let in.
	ExtensionID  string
	ExtensionKey []byte
	// ClientSecret is the last part of the addresses /cdp/SECRET and
	// /proxy/SECRET. An empty one lets nobody in.
	ClientSecret string
	// Policy is the extension's policy.json: what may be forwarded to the
	// browser. Nil leaves that to the extension alone.
	Policy []byte
	// Private are folders of which no client gives a file to a page, unless its
	// address says files=allow.
	Private []string
	// Visit hears of each client of CDP that came or went, at an address that was
	// given out, or the owner's own, which is the zero Address; not of those that say
	// that they are this program's agents, and of none that the person has yet to let
	// in. It must not wait, and must not ask the server for anything. Nil for nobody.
	Visit func(at Address, came bool)
	// Wish hears what the person asks for in a browser, known by its install id. It
	// must not wait, and must not ask the server for anything. Nil for nobody.
	Wish func(installID string, w Wish)
	// Logger hears of connections. It is never given payloads, urls or
	// secrets. Nil means silence.
	Logger *slog.Logger
	// Grace is how long clients outlive their browser's connection, 15 s
	// by default. CommandTimeout bounds each command, 60 s by default.
	Grace, CommandTimeout time.Duration

	policy policy // Policy, read once
}

func (o Options) withDefaults() Options {
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	if o.Grace == 0 {
		o.Grace = 15 * time.Second
	}
	if o.CommandTimeout == 0 {
		o.CommandTimeout = 60 * time.Second
	}
	if o.Visit == nil {
		o.Visit = func(Address, bool) {}
	}
	if o.Wish == nil {
		o.Wish = func(string, Wish) {}
	}
	o.policy = parsePolicy(o.Policy)
	return o
}

// Browser is one profile of one browser, known by its extension.
type Browser struct {
	// InstallID tells the extension's installation, Launch who started the
	// browser, if that was a launcher.
	InstallID, Launch string
	// Name, Version and UserAgent are the browser's, such as Chromium and
	// 156.0.1.2; ExtensionVersion is the extension's own.
	Name, Version, UserAgent, ExtensionVersion string
	// Label is what the person calls this profile, if they gave it a name.
	Label string
	// Connected is false while the extension is away and may come back.
	Connected bool
	// LastUsed is when a client last spoke to it, or it connected.
	LastUsed time.Time
}

// Refusal is an extension that was not let in.
type Refusal struct {
	At  time.Time
	Why string // and what to do
}
