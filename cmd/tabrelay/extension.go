package main

import (
	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

type extensionCommand struct {
	Dir string `help:"The folder to write it to; one in the state folder if not given. A --port is kept for later." placeholder:"DIR"`
}

func (e extensionCommand) Run(c console, f *serveFlags) error {
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
	return browser.WriteOwn(c.stdout, s, e.Dir)
}
