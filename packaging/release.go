package main

import (
	"context"
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

const (
	home    = "https://github.com/tabrelay/tabrelay"
	license = "Apache-2.0"
	summary = "Lets AI agents work in the browser that you already use"
	story   = "An MCP server, a CDP relay and a browser extension in one program: agents work in Chrome, Brave, Edge or Chromium as they are, logged in, with their tabs and profile."

	sumsName = "SHA256SUMS"
)

// release is what is made of one commit.
type release struct {
	version string    // without v: 1.2.3, or 0.0.0-20260102030405-abcdef012345
	time    time.Time // of the commit
	url     string    // where the archives will be found; empty if that is not known
	dir     string    // the sources

	common []file            // in every archive and package, by their path in an archive
	files  map[string][]byte // what is made, by name
	npm    []string          // the names of npm's packages, one a platform
}

// file is one of an archive.
type file struct {
	path string // with slashes, relative
	mode int64
	data []byte
}

// newRelease begins one from the sources in dir: host is the program for this
// machine, which prints its manual and completions.
func newRelease(ctx context.Context, dir, host, version string, at time.Time) (*release, error) {
	r := &release{version: version, time: at, dir: dir, files: map[string][]byte{}}
	for path, args := range map[string][]string{
		"man/tabrelay.1": {"man"}, "completions/tabrelay.bash": {"completion", "bash"}, "completions/_tabrelay": {"completion", "zsh"}, "completions/tabrelay.fish": {"completion", "fish"},
	} {
		text, err := output(ctx, "", host, args...)
		if err != nil {
			return nil, err
		}
		r.common = append(r.common, file{path, 0o644, []byte(text + "\n")})
	}
	for _, name := range []string{"LICENSE", "README.md", "CHANGELOG.md"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return nil, err
		}
		r.common = append(r.common, file{name, 0o644, data})
	}
	slices.SortFunc(r.common, func(a, b file) int { return strings.Compare(a.path, b.path) })
	return r, nil
}

// of returns one of the files that every archive has.
func (r *release) of(path string) []byte {
	i := slices.IndexFunc(r.common, func(f file) bool { return f.path == path })
	return r.common[i].data
}

// versionOf returns the version of a program, without v and what only says that it
// was built of more than is committed.
func versionOf(program string) (string, error) {
	info, err := buildinfo.ReadFile(program)
	if err != nil {
		return "", err
	}
	version, _, _ := strings.Cut(strings.TrimPrefix(info.Main.Version, "v"), "+")
	if version == "" || version == "(devel)" {
		return "", fmt.Errorf("%s has no version: was it built of a clone?", program)
	}
	return version, nil
}

// add makes everything for one platform from its program, and what is in that.
func (r *release) add(p platform, data []byte, parts []dependency) (err error) {
	name := fmt.Sprintf("tabrelay_%s_%s_%s", r.version, p.os, p.arch)
	if r.files[name+".cdx.json"], err = r.bom(parts, data); err != nil {
		return err
	}
	files := append([]file{{p.program(), 0o755, data}, {noticesName, 0o644, notices(parts)}}, r.common...)
	slices.SortFunc(files, func(a, b file) int { return strings.Compare(a.path, b.path) })
	if p.os == "windows" {
		r.files[name+".zip"], err = zipped(files, r.time)
	} else {
		r.files[name+".tar.gz"], err = tarball(name+"/", files, r.time)
	}
	if err == nil && p.os == "linux" {
		err = r.addLinux(p, data, notices(parts))
	}
	if err == nil {
		err = r.addNPM(p, data, notices(parts))
	}
	return err
}

// finish makes what is for all platforms.
func (r *release) finish() error {
	steps := []func() error{r.finishNPM, r.addExtension, r.addServer}
	if r.url != "" {
		steps = append(steps, r.addHomebrew, r.addScoop)
	} else {
		fmt.Println("no -url: without Homebrew's formula and Scoop's manifest")
	}
	for _, step := range steps {
		if err := step(); err != nil {
			return err
		}
	}
	var sums strings.Builder
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		fmt.Fprintf(&sums, "%s  %s\n", r.sum(name), name)
	}
	r.files[sumsName] = []byte(sums.String())
	return nil
}

// sum is the SHA-256 of a file that was made, in hexadecimal digits.
func (r *release) sum(name string) string { return fmt.Sprintf("%x", sha256.Sum256(r.files[name])) }

func (r *release) write(dir string) error {
	for _, name := range slices.Sorted(maps.Keys(r.files)) {
		if err := os.WriteFile(filepath.Join(dir, name), r.files[name], 0o644); err != nil {
			return err
		}
		fmt.Printf("%10d  %s\n", len(r.files[name]), name)
	}
	return nil
}
