package main

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/cmd/internal/front"
	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// serveCommand is what runs when no command is named.
type serveCommand struct {
	settings.Agent
	Transport   string   `enum:"stdio,http" default:"stdio" help:"How agents connect: ${enum}."`
	Port        *int     `help:"The port on 127.0.0.1 for the extension, CDP clients and HTTP (default 8765; 0 for any free one). With it, this process runs on its own, without the shared daemon." placeholder:"PORT"`
	AllowOrigin []string `help:"Origins of web pages that may call the HTTP address, such as https://app.example; they need the token, too." placeholder:"ORIGIN"`
	logging
	fromFile
}

// listenAt is where a process listens that was given a port of its own.
func listenAt(port int) (hostOptions, error) {
	o := hostOptions{Port: port, AnyPort: port == 0}
	if o.AnyPort {
		return o, nil
	}
	return o, checkPort(o.Port)
}

func (s serveCommand) Run(ctx context.Context, c console) error {
	s.Agent.Config = c.config
	sets := []string{s.Tools}
	if s.Transport == "http" && s.Tools == "" { // each agent chooses
		sets = tools.Profiles()
	}
	if err := s.Check(sets...); err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	if err := checkOrigins(s.AllowOrigin); err != nil {
		return err
	}
	agent, err := s.Resolved()
	if err != nil {
		return fmt.Errorf("%w: %w", err, errUsage)
	}
	if s.Transport == "stdio" && process.IsTerminal(c.stdin) {
		fmt.Fprintln(c.stderr, "MCP is served here on stdin and stdout, for a client that starts this program; Ctrl-D ends it.")
	}
	if s.Port == nil {
		if s.Transport == "http" {
			return front.HTTP(ctx, agent, s.AllowOrigin, c.streams())
		}
		return front.Stdio(ctx, agent, c.streams())
	}
	o, err := listenAt(*s.Port)
	if err != nil {
		return err
	}
	o.Log, o.Strict = c.log, s.Transport == "http"
	d, err := newService(ctx, o)
	if err != nil {
		return err
	}
	defer d.close()
	if s.Transport == "http" {
		return d.serveHTTPHere(ctx, agent, s.AllowOrigin, c)
	}
	return d.serveStdio(ctx, agent, c)
}
