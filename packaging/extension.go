package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// addExtension makes what the extension's store is given. A store signs with a key
// of its own and refuses a manifest with one.
func (r *release) addExtension() error {
	dir := filepath.Join(r.dir, "extension")
	var files []file
	for _, pattern := range []string{"*.js", "*.html", "*.css", "policy.json", "icons/*.png"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			files = append(files, file{filepath.ToSlash(strings.TrimPrefix(path, dir+string(filepath.Separator))), 0o644, data})
		}
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
