// Command bundle joins and minifies the modules of the page script into
// page/bundle.js, which the package extension embeds. Run it with
//
//	go generate ./extension
package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/evanw/esbuild/pkg/api"
)

func main() {
	text, err := bundle("page")
	if err == nil {
		err = os.WriteFile(filepath.Join("page", "bundle.js"), text, 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle returns one expression statement that does what main.js in dir and what it imports do.
// It travels to each document anew, through several processes: minified, it is less than half as long.
func bundle(dir string) ([]byte, error) {
	result := api.Build(api.BuildOptions{
		EntryPoints:       []string{filepath.Join(dir, "main.js")},
		Bundle:            true,
		Format:            api.FormatIIFE,
		Target:            api.ES2023,
		Charset:           api.CharsetUTF8,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
	})
	if len(result.Errors) > 0 {
		return nil, errors.Join(toErrors(result.Errors)...)
	}
	return result.OutputFiles[0].Contents, nil
}

func toErrors(messages []api.Message) []error {
	var errs []error
	for _, m := range messages {
		text := m.Text
		if at := m.Location; at != nil {
			text = fmt.Sprintf("%s:%d:%d: %s", at.File, at.Line, at.Column, text)
		}
		errs = append(errs, errors.New(text))
	}
	return errs
}
