package main

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// biggest is the size in bytes that a program may have. A fifth of what it has is
// methods that nobody calls: the library for the command line finds methods by their
// names, so the linker has to keep those of all types.
const biggest = 20 << 20

// platform is what a program is built for, as Go calls it.
type platform struct{ os, arch string }

var platforms = []platform{
	{"linux", "amd64"}, {"linux", "arm64"},
	{"darwin", "amd64"}, {"darwin", "arm64"},
	{"windows", "amd64"}, {"windows", "arm64"},
}

func thisPlatform() platform { return platform{runtime.GOOS, runtime.GOARCH} }

func (p platform) String() string { return p.os + "/" + p.arch }

// program is the name of the executable.
func (p platform) program() string {
	if p.os == "windows" {
		return "tabrelay.exe"
	}
	return "tabrelay"
}

// source is a clone of one commit.
type source struct {
	work string // a temporary folder, with the clone in it
	dir  string
	time time.Time // of the commit
}

func checkout(ctx context.Context, commit string) (s source, err error) {
	root, err := output(ctx, "", "git", "rev-parse", "--show-toplevel")
	if err != nil {
		return s, err
	}
	if s.work, err = os.MkdirTemp("", "tabrelay-release-*"); err != nil {
		return s, err
	}
	s.dir = filepath.Join(s.work, "tabrelay")
	seconds := ""
	if _, err = output(ctx, "", "git", "clone", "--quiet", "--no-checkout", root, s.dir); err == nil {
		_, err = output(ctx, s.dir, "git", "checkout", "--quiet", "--detach", commit)
	}
	if err == nil {
		seconds, err = output(ctx, s.dir, "git", "log", "-1", "--format=%ct")
	}
	if err != nil {
		s.remove()
		return s, err
	}
	n, err := strconv.ParseInt(seconds, 10, 64)
	s.time = time.Unix(n, 0).UTC()
	return s, err
}

func (s source) remove() { _ = os.RemoveAll(s.work) }

// build builds the program for p as path.
func (s source) build(ctx context.Context, p platform, path, cache string) error {
	return build(ctx, s.dir, p, path, cache, "-buildvcs=true")
}

// build builds the program from the sources in dir, in the same way anywhere.
func build(ctx context.Context, dir string, p platform, path, cache string, flags ...string) error {
	args := append([]string{"build", "-trimpath", "-ldflags=-s -w", "-o", path}, flags...)
	cmd := exec.CommandContext(ctx, "go", append(args, "./cmd/tabrelay")...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GOAMD64=") || strings.HasPrefix(v, "GOARM64=") }),
		"GOOS="+p.os, "GOARCH="+p.arch, "CGO_ENABLED=0", "GOFLAGS=", "GOEXPERIMENT=", "GOWORK=off")
	if cache != "" {
		cmd.Env = append(cmd.Env, "GOCACHE="+cache)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("go build for %v: %w\n%s", p, err, out)
	}
	info, err := os.Stat(path)
	if err == nil && info.Size() > biggest {
		err = fmt.Errorf("the program for %v has %d bytes, more than %d", p, info.Size(), biggest)
	}
	return err
}

// output returns what a command prints, without white space around it.
func output(ctx context.Context, dir, name string, args ...string) (string, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		err = fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), err
}
