// Package browser finds, launches and pairs browsers on this machine.
//
//	installed, err := browser.Find("chrome-beta", "")
//	process, err := browser.Launch(ctx, state, browser.Options{Browser: installed, Headless: true})
//	defer process.Close()
//
// A browser that Launch starts has a profile and a copy of the extension of its
// own, and leaves with this process, however that ends. It does not reach the
// browser's pages: that is the relay's, to which the extension connects.
package browser

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

var (
	// ErrNotAvailable: none of the wanted kind is installed.
	ErrNotAvailable = errors.New("browser not available")
	// ErrExecutable: the path that was given starts nothing.
	ErrExecutable = errors.New("browser executable not found")
)

// Installed is an installed browser and how to start it.
type Installed struct {
	Kind    string // chrome, brave, edge or chromium
	Channel string // stable, beta, dev or canary
	Path    string // what is executed
	App     string // the flatpak application that Path runs, or empty
	Home    string // the only folder a confined browser may write, or empty
}

// prefix is what comes before the browser's own flags.
func (b Installed) prefix(folders ...string) []string {
	if b.App == "" {
		return nil
	}
	args := []string{"run"}
	for _, folder := range folders {
		if folder != "" {
			args = append(args, "--filesystem="+folder)
		}
	}
	return append(args, b.App)
}

// finder looks for browsers on a system that it only knows through its fields,
// so that one machine can be tested for all.
type finder struct {
	goos     string
	env      func(name string) string
	lookPath func(name string) (string, error)
	exists   func(file string) bool // a file or a link that leads to one
}

func systemFinder() finder {
	return finder{
		goos: runtime.GOOS, env: os.Getenv, lookPath: exec.LookPath,
		exists: func(file string) bool {
			info, err := os.Stat(file)
			return err == nil && !info.IsDir()
		},
	}
}

// Find finds an installed browser: chrome, brave, edge or chromium, with
// a channel if wanted (chrome-beta), or any for an empty name. override, the
// person's own path (--browser-path, TABRELAY_BROWSER_PATH), goes before.
func Find(name, override string) (Installed, error) {
	return systemFinder().find(name, override)
}

// All lists the installed browsers, best first.
func All() []Installed { return systemFinder().all("") }

func (f finder) find(name, override string) (Installed, error) {
	kind, channel, err := SplitName(name)
	if err != nil {
		return Installed{}, err
	}
	if override != "" {
		return f.given(kind, channel, override)
	}
	for _, b := range f.all(kind) {
		if channel == "" || b.Channel == channel {
			return b, nil
		}
	}
	return Installed{}, f.notAvailable(name)
}

// given trusts a path for what it is called by, unless the name says otherwise.
func (f finder) given(kind, channel, override string) (Installed, error) {
	if name, isApp := strings.CutSuffix(path.Base(override), ".app"); isApp && f.goos == "darwin" {
		override = path.Join(override, "Contents/MacOS", name)
	}
	where, err := f.lookPath(override)
	if err != nil {
		return Installed{}, &Remedy{Err: fmt.Errorf("%w: %s (%w)", ErrExecutable, override, err),
			Flag: "correct --browser-path (TABRELAY_BROWSER_PATH) or leave it out"}
	}
	if kind == "" {
		kind = KindOf(where)
	}
	if channel == "" {
		channel = "stable"
	}
	return Installed{Kind: kind, Channel: channel, Path: where, Home: f.snapHome(where)}, nil
}

// KindOf guesses a browser's kind from its executable; what is unknown is taken
// for Chromium, whose way to load the extension falls back to the other.
func KindOf(executable string) string {
	base := strings.ToLower(filepath.Base(strings.ReplaceAll(executable, `\`, "/")))
	switch {
	case strings.Contains(base, "brave"):
		return "brave"
	case strings.Contains(base, "edge"):
		return "edge"
	case strings.Contains(base, "chrome") && !strings.Contains(base, "chromium"):
		return "chrome"
	}
	return "chromium"
}

// SplitName reads names such as chrome, chrome-beta and "" (any).
func SplitName(name string) (kind, channel string, err error) {
	kind, channel, _ = strings.Cut(strings.ToLower(strings.TrimSpace(name)), "-")
	switch channel {
	case "unstable":
		channel = "dev"
	case "nightly":
		channel = "canary"
	}
	if kind == "any" {
		kind = ""
	}
	if kind != "" && !slices.Contains(kinds, kind) || channel != "" && !slices.Contains(channels, channel) {
		return "", "", fmt.Errorf("%w: %q is not a browser that tabrelay knows; use one of %s, with -beta, -dev or -canary if wanted",
			ErrNotAvailable, name, strings.Join(kinds, ", "))
	}
	return kind, channel, nil
}

func (f finder) notAvailable(name string) error {
	kind, _, _ := SplitName(name)
	found := f.all("")
	var names []string
	for _, b := range found {
		if n := b.Name(); !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	if len(names) > 0 {
		return &Remedy{Err: fmt.Errorf("%w: %s is not installed; found instead: %s", ErrNotAvailable, name, strings.Join(names, ", ")),
			Do: "use one of these, or install it (" + f.install(kind) + ")", Flag: pathFlag}
	}
	what := name
	if what == "" {
		what = "no browser"
	} else {
		what += " is not installed, nor is any other browser"
	}
	if name == "" {
		what += " is installed"
	}
	return &Remedy{Err: fmt.Errorf("%w: %s that tabrelay can use", ErrNotAvailable, what),
		Do: "install one (" + f.install(kind) + ")", Flag: pathFlag}
}

const pathFlag = "one that is elsewhere is found with --browser-path"

// Name is the name by which Find finds the browser.
func (b Installed) Name() string {
	if b.Channel == "stable" {
		return b.Kind
	}
	return b.Kind + "-" + b.Channel
}

// install tells in a few words how one gets a browser here.
func (f finder) install(kind string) string {
	if kind == "" {
		kind = "chromium"
	}
	if f.goos == "linux" && kind == "chromium" {
		return "for example: apt install chromium, dnf install chromium, or flatpak install org.chromium.Chromium"
	}
	return installPages[kind]
}

// snapHome is where a snap may write: hidden folders of the home are closed to it.
func (f finder) snapHome(where string) string {
	if f.goos != "linux" || !strings.HasPrefix(where, "/snap/bin/") {
		return ""
	}
	name, _, _ := strings.Cut(path.Base(where), ".")
	return path.Join(f.env("HOME"), "snap", name, "common", "tabrelay")
}

// HowToInstall tells how one gets a browser on this machine.
func HowToInstall() string { return systemFinder().install("") }
