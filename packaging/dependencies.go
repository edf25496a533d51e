package main

import (
	"context"
	"debug/buildinfo"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

const noticesName = "THIRD_PARTY_NOTICES.txt"

// dependency is what the program is made of beside its own sources.
type dependency struct {
	path, version string
	licenses      []string // by their SPDX identifiers
	text          string   // of the licenses, and notices that go with them
}

// licenseFile matches the names of files that say how a module may be used.
var licenseFile = regexp.MustCompile(`(?i)^(licen[cs]e|copying|notice|patents)([-._].*)?$`)

// licenseWords are words that only one license has.
var licenseWords = []struct{ id, words string }{
	{"Apache-2.0", "Apache License Version 2.0"},
	{"MIT", "Permission is hereby granted, free of charge"},
	{"BSD-3-Clause", "may be used to endorse or promote products derived from"},
	{"BSD-2-Clause", "Redistributions in binary form must reproduce the above copyright notice"},
	{"ISC", "Permission to use, copy, modify, and/or distribute this software for any purpose"},
	{"MPL-2.0", "Mozilla Public License Version 2.0"},
}

// dependencies returns the modules in a program, and Go's own library.
func dependencies(ctx context.Context, program string) ([]dependency, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return nil, err
	}
	root, err := output(ctx, "", "go", "env", "GOROOT")
	if err != nil {
		return nil, err
	}
	list := []dependency{{path: "std", version: strings.TrimPrefix(info.GoVersion, "go")}}
	if err := list[0].read(root); err != nil {
		return nil, err
	}
	download := []string{"mod", "download", "-json"}
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		download = append(download, m.Path+"@"+m.Version)
	}
	answers, err := output(ctx, "", "go", download...)
	if err != nil {
		return nil, err
	}
	for modules := json.NewDecoder(strings.NewReader(answers)); ; {
		var m struct{ Path, Version, Dir string }
		if err := modules.Decode(&m); errors.Is(err, io.EOF) {
			return list, nil
		} else if err != nil {
			return nil, err
		}
		d := dependency{path: m.Path, version: m.Version}
		if err := d.read(m.Dir); err != nil {
			return nil, fmt.Errorf("%s: %w", d.path, err)
		}
		list = append(list, d)
	}
}

// read reads the licenses in a module's folder. One that is not known is an error:
// somebody has to read it.
func (d *dependency) read(dir string) error {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return err
	}
	var text strings.Builder
	for _, e := range entries {
		if e.IsDir() || !licenseFile.MatchString(e.Name()) {
			continue
		}
		data, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return err
		}
		text.Write(data)
		if id := licenseOf(string(data)); id != "" && !slices.Contains(d.licenses, id) {
			d.licenses = append(d.licenses, id)
		}
	}
	d.text = strings.TrimSpace(strings.ReplaceAll(text.String(), "\r\n", "\n"))
	if len(d.licenses) == 0 {
		return fmt.Errorf("no license that is known in %s", dir)
	}
	return nil
}

func licenseOf(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	for _, l := range licenseWords {
		if strings.Contains(text, l.words) {
			return l.id
		}
	}
	return ""
}

// notices is the text that goes with the program, as the licenses want it.
func notices(list []dependency) []byte {
	var out strings.Builder
	fmt.Fprintf(&out, "Tabrelay contains the following, each under its own license.\n")
	for _, d := range list {
		name := d.path + " " + d.version
		if d.path == "std" {
			name = "The Go library " + d.version
		}
		fmt.Fprintf(&out, "\n%s\n%s (%s)\n\n%s\n", strings.Repeat("-", 72), name, strings.Join(d.licenses, " AND "), d.text)
	}
	return []byte(out.String())
}
