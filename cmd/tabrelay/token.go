package main

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/cmd/internal/process"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// tokenCommand prints what agents over HTTP have to send.
type tokenCommand struct{}

func (tokenCommand) Run(_ context.Context, c console) error {
	s, err := state.Open("")
	if err != nil {
		return err
	}
	fmt.Fprintln(c.stdout, s.MCPToken)
	if process.IsTerminal(c.stdout) {
		fmt.Fprintln(c.stderr, "Agents over HTTP send it as Authorization: Bearer …; whoever has it can use your browsers while `tabrelay --transport http` runs.")
	}
	return nil
}
