package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/fleet"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// fleets are those that a host's agents use. The zero value is ready.
type fleets struct {
	bridge fleet.Bridge

	// mu guards the following.
	mu      sync.Mutex
	clients map[settings.Fleet]*fleet.Client
	closed  bool
}

// door serves the addresses of browsers in fleets, as the relay serves its own.
func (f *fleets) door(wrap func(http.Handler) http.Handler) http.Handler {
	var inner http.Handler = &f.bridge
	if wrap != nil {
		inner = wrap(inner)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !relay.Loopback(r.Host) || r.Header.Get("Origin") != "" {
			http.Error(w, "only programs on this machine may connect here", http.StatusForbidden)
			return
		}
		inner.ServeHTTP(w, r)
	})
}

// client returns the connection to a fleet, which agents share.
func (f *fleets) client(s settings.Fleet, dir string, grace time.Duration) (*fleet.Client, error) {
	f.mu.Lock()
	c := f.clients[s]
	f.mu.Unlock()
	if c != nil {
		return c, nil
	}
	c, err := fleet.Join(fleet.Options{URL: s.Fleet, Creds: s.FleetCreds, CA: s.FleetCA, Name: "tabrelay agents"}, dir, grace)
	if err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case f.closed:
		c.Close()
		return nil, errors.New("tabrelay is shutting down")
	case f.clients[s] != nil: // another was faster
		c.Close()
		return f.clients[s], nil
	case f.clients == nil:
		f.clients = map[settings.Fleet]*fleet.Client{}
	}
	f.clients[s] = c
	return c, nil
}

func (f *fleets) close() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	for _, c := range f.clients {
		c.Close()
	}
}

// isElsewhere reports whether a name means a browser of another machine.
func (s *seeker) isElsewhere(name string) bool {
	return fleet.IsName(name) && !s.known(name) && !s.isConnected(name)
}

// through serves CDP clients of an address in a browser of another machine: each has
// a session of its own.
func (s *seeker) through(ctx context.Context, name string) (http.Handler, error) {
	c, err := s.joined(name)
	if err == nil {
		_, err = c.Find(ctx, name)
	}
	if err != nil {
		return nil, fleetError(err)
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, path, err := s.bridge(r.Context(), name)
		if err != nil {
			http.Error(w, err.Error(), http.StatusServiceUnavailable)
			return
		}
		r = r.Clone(r.Context())
		r.URL.Path = path
		s.fleets.bridge.ServeHTTP(w, r)
	}), nil
}

// remote connects to a browser of another machine.
func (s *seeker) remote(ctx context.Context, name string) (tools.Endpoint, error) {
	b, path, err := s.bridge(ctx, name)
	if err != nil {
		return tools.Endpoint{}, err
	}
	s.found("")
	how := fmt.Sprintf("It is a browser on another machine, %s, through the fleet: files that pages upload or download are that machine's.", b.Machine)
	if b.Managed {
		how += " It was started for you alone."
	}
	major, _, _ := strings.Cut(b.Version, ".")
	return tools.Endpoint{URL: "ws://" + s.address() + path, Name: strings.TrimSpace(b.Kind + " " + major), Called: b.Called(), How: how, Elsewhere: true}, nil
}

// joined returns the fleet that has the browser of a name.
func (s *seeker) joined(name string) (*fleet.Client, error) {
	if s.fleet.Fleet == "" {
		return nil, &fleet.Error{Text: fmt.Sprintf("%s is a browser of a fleet, and no fleet is set", name),
			Hint: "choose another browser", Flag: "start tabrelay with --fleet URL"}
	}
	return s.fleets.client(s.fleet, s.state.Dir, s.grace)
}

// bridge opens a way to the first browser of a fleet that a name means and that
// takes a session.
func (s *seeker) bridge(ctx context.Context, name string) (b fleet.Browser, path string, err error) {
	c, err := s.joined(name)
	if err != nil {
		return b, "", fleetError(err)
	}
	agent := "cdp"
	if s.called != nil {
		agent = s.called()
	}
	if b, path, err = s.fleets.bridge.Open(ctx, c, name, agent); err != nil {
		err = fleetError(err)
	}
	return b, path, err
}

// fleetError gives an error of a fleet its kind.
func fleetError(err error) error {
	var says *fleet.Error
	if !errors.As(err, &says) {
		return err
	}
	return &tools.Error{Kind: tools.ErrBrowserNotAvailable, Text: says.Text, Hint: says.Hint, Flag: says.Flag}
}
