package main

import (
	"fmt"
	"os"

	"github.com/alecthomas/kong"

	"github.com/tabrelay/tabrelay/tools"
)

// configFile is what a configuration file says of flags, by their names. The
// command line and the environment have the last word.
type configFile struct {
	name  string
	flags map[string]any
}

func readConfig(name string) (tools.Config, *configFile, error) {
	config, flags, err := tools.ReadConfig(name)
	return config, &configFile{name, flags}, err
}

// Validate refuses keys that are no flags of all commands.
func (f *configFile) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, flag := range app.Node.Flags {
		known[flag.Name] = flag.Name != "help" && flag.Name != "config"
	}
	for key := range f.flags {
		if !known[key] {
			return fmt.Errorf("configuration %s: unknown key %q: keys are the names of flags, and mcp", f.name, key)
		}
	}
	return nil
}

// Resolve returns what the file says of a flag.
func (f *configFile) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, ok := os.LookupEnv(env); ok {
			return nil, nil
		}
	}
	return f.flags[flag.Name], nil
}
