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
	Dir    string `help:"Folder to write the extension to; default: in the state folder. A --port is remembered." placeholder:"DIR"`
	Rotate bool   `help:"Replace the pairing key first: copies written earlier can no longer connect. Ends the daemon."`
}

func (e extensionCommand) Run(ctx context.Context, c console, f *serveFlags) error {
	s, err := state.Open("")
	if err != nil {
		return err
	}
	if f.Port != nil {
		if err := checkPort(*f.Port); err != nil {
			return err
		}
		if err := s.UsePort(*f.Port); err != nil {
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
	return browser.WriteOwn(c.stdout, s, e.Dir)
}
