package main

import (
	"context"
	"encoding/json"
	"os"

	"github.com/alecthomas/kong"

	"github.com/tabrelay/tabrelay/cmd/internal/doctor"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

type doctorCommand struct {
	JSON bool `name:"json" env:"-" help:"Print JSON, on one line."`
	Fix  bool `env:"-" help:"Fix what can be fixed safely: modes of files, an old daemon, an old copy of the extension."`

	settings.Choice
}

func (d doctorCommand) Run(ctx context.Context, c console) error {
	m := doctor.ThisMachine(state.Folder())
	m.Choice, m.Config = d.Choice, os.Getenv("TABRELAY_CONFIG")
	if _, file, err := settings.ReadFile(m.Config); m.Config != "" && err == nil { // else it is a finding
		var again *kong.Context
		if again, m.Misread = parse(c.line.Args, c, file); m.Misread == nil {
			m.Choice = again.Selected().Target.Interface().(doctorCommand).Choice
		}
	}
	found := doctor.Examine(ctx, m)
	if d.Fix {
		doctor.Mend(ctx, found)
	}
	var err error
	if d.JSON {
		err = json.NewEncoder(c.stdout).Encode(struct {
			Findings []doctor.Finding `json:"findings"`
		}{found})
	} else {
		err = doctor.Print(c.stdout, found)
	}
	if err == nil && doctor.Broken(found) {
		return errSilent
	}
	return err
}
