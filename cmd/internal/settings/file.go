package settings

import (
	"fmt"
	"os"
	"slices"

	"github.com/alecthomas/kong"

	"github.com/tabrelay/tabrelay/tools"
)

// File is what a configuration file says of flags, by their names. The
// command line and the environment have the last word.
type File struct {
	name  string
	flags map[string]any
}

func ReadFile(name string) (tools.Config, *File, error) {
	config, flags, err := tools.ReadConfig(name)
	return config, &File{name, flags}, err
}

// Validate refuses keys that are no flags of the commands that read a file.
func (f *File) Validate(app *kong.Application) error {
	known := map[string]bool{}
	for _, command := range app.Children {
		if !slices.ContainsFunc(command.Flags, func(flag *kong.Flag) bool { return flag.Name == "config" }) {
			continue
		}
		for _, flag := range command.Flags {
			known[flag.Name] = len(flag.Envs) > 0 && flag.Name != "config"
		}
	}
	for key := range f.flags {
		if !known[key] {
			return fmt.Errorf("configuration %s: unknown key %q: keys are flag names, and mcp", f.name, key)
		}
	}
	return nil
}

// Resolve returns what the file says of a flag.
func (f *File) Resolve(_ *kong.Context, _ *kong.Path, flag *kong.Flag) (any, error) {
	for _, env := range flag.Envs {
		if _, ok := os.LookupEnv(env); ok {
			return nil, nil
		}
	}
	return f.flags[flag.Name], nil
}
