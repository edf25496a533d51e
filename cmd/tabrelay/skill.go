package main

import (
	"context"
	_ "embed"
	"io"
)

// skill tells coding agents how to use each set of tools well.
//
//go:embed skill.md
var skill string

type skillCommand struct{}

func (skillCommand) Run(_ context.Context, c console) error {
	_, err := io.WriteString(c.stdout, skill)
	return err
}
