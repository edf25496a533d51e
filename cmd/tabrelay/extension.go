package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

type extensionCommand struct {
	Dir      string `env:"-" help:"Folder to write the extension to; default: in the state folder." placeholder:"DIR"`
	Port     *int   `help:"The port on 127.0.0.1 at which the extension finds tabrelay (default 8765); it is remembered." placeholder:"PORT"`
	Rotate   bool   `env:"-" help:"Replace the pairing key first: copies written earlier can no longer connect. Ends the daemon."`
	AllSites *bool  `env:"-" negatable:"" help:"Let agents use every site that you do not refuse, instead of asking you once for each. It is remembered."`
}

func (e extensionCommand) Run(ctx context.Context, c console) error {
	s, err := state.Open("")
	if err != nil {
		return err
	}
	if e.Port != nil {
		if err := checkPort(*e.Port); err != nil {
			return err
		}
		if err := s.UsePort(*e.Port); err != nil {
			return err
		}
	}
	if e.Rotate {
		if err := s.Rotate(); err != nil {
			return err
		}
		// It knows the old key.
		if _, err := daemon.Stop(ctx, s.Dir); err != nil && !errors.Is(err, daemon.ErrNone) {
			return fmt.Errorf("the key is replaced, but the daemon with the old one still runs: %w", err)
		}
	}
	return browser.WriteOwn(c.stdout, s, e.Dir, e.AllSites)
}
