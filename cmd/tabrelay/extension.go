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
	Dir    string `help:"The folder to write it to; one in the state folder if not given. A --port is kept for later." placeholder:"DIR"`
	Rotate bool   `help:"Make a new key first: copies that were written before, and not by this, are strangers from then on. Ends the daemon."`
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
			return fmt.Errorf("the key is new, but the daemon that knows the old one is there still: %w", err)
		}
	}
	return browser.WriteOwn(c.stdout, s, e.Dir)
}
