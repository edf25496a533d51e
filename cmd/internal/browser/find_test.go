package browser

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// on is a system on which just these files are installed. Those in bin are in PATH.
func on(goos string, env map[string]string, files ...string) finder {
	return finder{
		goos:   goos,
		env:    func(name string) string { return env[name] },
		exists: func(path string) bool { return slices.Contains(files, path) },
		lookPath: func(name string) (string, error) {
			for _, file := range files {
				if file == name || file == "/usr/bin/"+name || file == "/snap/bin/"+name {
					return file, nil
				}
			}
			return "", fs.ErrNotExist
		},
	}
}

func TestFindBrowser(t *testing.T) {
	home := map[string]string{"HOME": "/home/ada"}
	mac := map[string]string{"HOME": "/Users/ada"}
	win := map[string]string{
		"ProgramFiles": `C:\Program Files`, "ProgramFiles(x86)": `C:\Program Files (x86)`,
		"ProgramW6432": `C:\Program Files`, "LOCALAPPDATA": `C:\Users\ada\AppData\Local`,
	}
	for name, test := range map[string]struct {
		system   finder
		browser  string
		override string
		want     Installed
	}{
		"linux chrome": {on("linux", home, "/usr/bin/google-chrome", "/usr/bin/google-chrome-beta"), "chrome", "",
			Installed{Kind: "chrome", Channel: "stable", Path: "/usr/bin/google-chrome"}},
		"linux channel": {on("linux", home, "/usr/bin/google-chrome", "/usr/bin/google-chrome-beta"), "chrome-beta", "",
			Installed{Kind: "chrome", Channel: "beta", Path: "/usr/bin/google-chrome-beta"}},
		"linux only another channel": {on("linux", home, "/usr/bin/google-chrome-unstable"), "chrome", "",
			Installed{Kind: "chrome", Channel: "dev", Path: "/usr/bin/google-chrome-unstable"}},
		"linux beside PATH": {on("linux", home, "/opt/brave.com/brave/brave-browser"), "Brave", "",
			Installed{Kind: "brave", Channel: "stable", Path: "/opt/brave.com/brave/brave-browser"}},
		"linux edge": {on("linux", home, "/usr/bin/microsoft-edge-stable"), "edge", "",
			Installed{Kind: "edge", Channel: "stable", Path: "/usr/bin/microsoft-edge-stable"}},
		"linux snap before its script": {on("linux", home, "/usr/bin/chromium-browser", "/snap/bin/chromium"), "chromium", "",
			Installed{Kind: "chromium", Channel: "stable", Path: "/snap/bin/chromium", Home: "/home/ada/snap/chromium/common/tabrelay"}},
		"linux flatpak": {on("linux", home, "/usr/bin/flatpak", "/var/lib/flatpak/exports/bin/com.google.Chrome"), "chrome", "",
			Installed{Kind: "chrome", Channel: "stable", Path: "/usr/bin/flatpak", App: "com.google.Chrome"}},
		"linux own flatpak": {on("linux", home, "/usr/bin/flatpak", "/home/ada/.local/share/flatpak/exports/bin/com.brave.Browser"), "brave", "",
			Installed{Kind: "brave", Channel: "stable", Path: "/usr/bin/flatpak", App: "com.brave.Browser"}},
		"linux any": {on("linux", home, "/usr/bin/chromium", "/usr/bin/microsoft-edge"), "", "",
			Installed{Kind: "edge", Channel: "stable", Path: "/usr/bin/microsoft-edge"}},
		"linux given": {on("linux", home, "/usr/bin/chromium", "/opt/b/brave"), "", "/opt/b/brave",
			Installed{Kind: "brave", Channel: "stable", Path: "/opt/b/brave"}},
		"linux given as another": {on("linux", home, "/opt/b/thing"), "chrome", "/opt/b/thing",
			Installed{Kind: "chrome", Channel: "stable", Path: "/opt/b/thing"}},

		"mac chrome": {on("darwin", mac, "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"), "chrome", "",
			Installed{Kind: "chrome", Channel: "stable", Path: "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome"}},
		"mac own folder": {on("darwin", mac, "/Users/ada/Applications/Brave Browser.app/Contents/MacOS/Brave Browser"), "brave", "",
			Installed{Kind: "brave", Channel: "stable", Path: "/Users/ada/Applications/Brave Browser.app/Contents/MacOS/Brave Browser"}},
		"mac canary": {on("darwin", mac, "/Applications/Microsoft Edge Canary.app/Contents/MacOS/Microsoft Edge Canary"), "edge", "",
			Installed{Kind: "edge", Channel: "canary", Path: "/Applications/Microsoft Edge Canary.app/Contents/MacOS/Microsoft Edge Canary"}},
		"mac given as an app": {on("darwin", mac, "/x/Chromium.app/Contents/MacOS/Chromium"), "", "/x/Chromium.app/",
			Installed{Kind: "chromium", Channel: "stable", Path: "/x/Chromium.app/Contents/MacOS/Chromium"}},

		"windows edge": {on("windows", win, `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`), "edge", "",
			Installed{Kind: "edge", Channel: "stable", Path: `C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe`}},
		"windows own chrome": {on("windows", win, `C:\Users\ada\AppData\Local\Google\Chrome\Application\chrome.exe`), "chrome", "",
			Installed{Kind: "chrome", Channel: "stable", Path: `C:\Users\ada\AppData\Local\Google\Chrome\Application\chrome.exe`}},
		"windows any": {on("windows", win, `C:\Users\ada\AppData\Local\Chromium\Application\chrome.exe`), "any", "",
			Installed{Kind: "chromium", Channel: "stable", Path: `C:\Users\ada\AppData\Local\Chromium\Application\chrome.exe`}},
		"windows given": {on("windows", win, `D:\b\msedge.exe`), "", `D:\b\msedge.exe`,
			Installed{Kind: "edge", Channel: "stable", Path: `D:\b\msedge.exe`}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := test.system.find(test.browser, test.override)
			if err != nil || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %v\nwant %+v", got, err, test.want)
			}
		})
	}
}

func TestFindBrowserNone(t *testing.T) {
	for name, test := range map[string]struct {
		system   finder
		browser  string
		override string
		sentinel error
		says     []string
	}{
		"another one": {on("linux", nil, "/usr/bin/chromium", "/usr/bin/google-chrome-beta"), "brave", "", ErrNotAvailable,
			[]string{"brave is not installed", "found instead: chrome-beta, chromium", "https://brave.com/download/", "--browser-path"}},
		"none":        {on("linux", nil), "chrome", "", ErrNotAvailable, []string{"chrome is not installed, nor is any other", "google.com/chrome"}},
		"none at all": {on("linux", nil), "", "", ErrNotAvailable, []string{"no browser is installed", "apt install chromium"}},
		"mac":         {on("darwin", nil), "edge", "", ErrNotAvailable, []string{"microsoft.com/edge"}},
		"unknown":     {on("windows", nil), "netscape", "", ErrNotAvailable, []string{`"netscape"`, "chrome, brave, edge, chromium"}},
		"channel":     {on("linux", nil, "/usr/bin/chromium"), "chrome-fast", "", ErrNotAvailable, []string{"-beta"}},
		"wrong path":  {on("linux", nil, "/usr/bin/chromium"), "chrome", "/no/where", ErrExecutable, []string{"/no/where", "TABRELAY_BROWSER_PATH"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := test.system.find(test.browser, test.override)
			if !errors.Is(err, test.sentinel) {
				t.Fatalf("got %v", err)
			}
			for _, part := range test.says {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("%v\ndoes not say %q", err, part)
				}
			}
		})
	}
}

func TestFlatpakMayReachItsFolders(t *testing.T) {
	b := Installed{Path: "/usr/bin/flatpak", App: "com.google.Chrome"}
	got := b.prefix("/s/profile", "", "/s/extension")
	want := []string{"run", "--filesystem=/s/profile", "--filesystem=/s/extension", "com.google.Chrome"}
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
	if got := (Installed{Path: "/usr/bin/chromium"}).prefix("/s"); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestFindBrowserInRealPath(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs an executable of its own")
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "microsoft-edge-dev")
	if err := os.WriteFile(path, []byte("#!/bin/sh\n"), 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir)
	f := systemFinder()
	f.goos = "linux"
	if got, err := f.find("edge-dev", ""); err != nil || got.Path != path {
		t.Errorf("got %+v, %v", got, err)
	}
}
