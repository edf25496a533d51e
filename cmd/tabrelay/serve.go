package main

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/cmd/internal/front"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// serveCommand is what runs when no command is named.
type serveCommand struct{}

// serveFlags are the settings that most commands share.
type serveFlags struct {
	settings.Agent
	Transport string `enum:"stdio,http" default:"stdio" help:"How agents connect: ${enum}."`
	Port      *int   `help:"The port on 127.0.0.1 for the extension, CDP clients and HTTP (default 8765; 0 for any free one). With it, this process runs on its own, without the shared daemon." placeholder:"PORT"`
}

// listenAt is where a process listens that shares nothing; --port was given.
func (s *serveFlags) listenAt() (hostOptions, error) {
	o := hostOptions{Port: *s.Port, AnyPort: *s.Port == 0, Strict: s.Transport == "http"}
	if o.AnyPort {
		return o, nil
	}
	return o, checkPort(o.Port)
}

func (serveCommand) Run(ctx context.Context, c console, s *serveFlags) error {
	sets := []string{s.Tools}
	if s.Transport == "http" && s.Tools == "" { // each agent chooses
		sets = tools.Profiles()
	}
	if err := s.Check(sets...); err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	agent, err := s.Resolved()
	if err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	if s.Port == nil {
		if s.Transport == "http" {
			return front.HTTP(ctx, agent, c.streams())
		}
		return front.Stdio(ctx, agent, c.streams())
	}
	o, err := s.listenAt()
	if err != nil {
		return err
	}
	o.Log = c.log
	d, err := newService(ctx, o)
	if err != nil {
		return err
	}
	defer d.close()
	if s.Transport == "http" {
		return d.serveHTTPHere(ctx, agent, c)
	}
	return d.serveStdio(ctx, agent, c)
}
