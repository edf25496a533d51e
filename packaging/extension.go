package main

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/extension"
)

// addExtension makes what the extension's store is given: what the program writes,
// as it is in the commit. A store signs with a key of its own and refuses a manifest
// with one.
func (r *release) addExtension() error {
	dir := filepath.Join(r.dir, "extension")
	var files []file
	err := fs.WalkDir(extension.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || path == "manifest.json" {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(path)))
		files = append(files, file{path, 0o644, data})
		return err
	})
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return err
	}
	var m map[string]any
	if err := json.Unmarshal(text, &m); err != nil {
		return err
	}
	delete(m, "key")
	if text, err = json.MarshalIndent(m, "", "  "); err != nil {
		return err
	}
	files = append(files, file{"manifest.json", 0o644, text})
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	name := fmt.Sprintf("tabrelay-extension-%v.zip", m["version"])
	r.files[name], err = zipped(files, r.time)
	return err
}
