package browser

import (
	"path"
	"strings"
)

// kinds in the order in which they are tried when any will do.
var kinds = []string{"chrome", "brave", "edge", "chromium"}

// channels in the order in which they are tried.
var channels = []string{"stable", "beta", "dev", "canary"}

var installPages = map[string]string{
	"chrome":   "https://www.google.com/chrome/",
	"brave":    "https://brave.com/download/",
	"edge":     "https://www.microsoft.com/edge/download",
	"chromium": "https://www.chromium.org/getting-involved/download-chromium/",
}

// places says where one channel of one browser is installed on each system.
type places struct {
	kind, channel string
	commands      []string // Linux: names in PATH
	files         []string // Linux: beside PATH, which daemons of a desktop often lack
	snap          string   // Linux: the name in /snap/bin
	flatpak       string   // Linux: the application
	app           string   // macOS: in an Applications folder
	exe           string   // Windows: below Program Files or the user's own programs
}

var known = []places{
	{kind: "chrome", channel: "stable", commands: []string{"google-chrome-stable", "google-chrome"},
		files: []string{"/opt/google/chrome/chrome"}, flatpak: "com.google.Chrome",
		app: "Google Chrome", exe: `Google\Chrome\Application\chrome.exe`},
	{kind: "chrome", channel: "beta", commands: []string{"google-chrome-beta"},
		files: []string{"/opt/google/chrome-beta/chrome"},
		app:   "Google Chrome Beta", exe: `Google\Chrome Beta\Application\chrome.exe`},
	{kind: "chrome", channel: "dev", commands: []string{"google-chrome-unstable"},
		files: []string{"/opt/google/chrome-unstable/chrome"}, flatpak: "com.google.ChromeDev",
		app: "Google Chrome Dev", exe: `Google\Chrome Dev\Application\chrome.exe`},
	{kind: "chrome", channel: "canary", commands: []string{"google-chrome-canary"},
		app: "Google Chrome Canary", exe: `Google\Chrome SxS\Application\chrome.exe`},

	{kind: "brave", channel: "stable", commands: []string{"brave-browser-stable", "brave-browser", "brave"},
		files: []string{"/opt/brave.com/brave/brave-browser", "/opt/brave-bin/brave"}, snap: "brave", flatpak: "com.brave.Browser",
		app: "Brave Browser", exe: `BraveSoftware\Brave-Browser\Application\brave.exe`},
	{kind: "brave", channel: "beta", commands: []string{"brave-browser-beta"},
		files: []string{"/opt/brave.com/brave-beta/brave-browser-beta"},
		app:   "Brave Browser Beta", exe: `BraveSoftware\Brave-Browser-Beta\Application\brave.exe`},
	{kind: "brave", channel: "dev", commands: []string{"brave-browser-dev"},
		app: "Brave Browser Dev", exe: `BraveSoftware\Brave-Browser-Dev\Application\brave.exe`},
	{kind: "brave", channel: "canary", commands: []string{"brave-browser-nightly"},
		files: []string{"/opt/brave.com/brave-nightly/brave-browser-nightly"},
		app:   "Brave Browser Nightly", exe: `BraveSoftware\Brave-Browser-Nightly\Application\brave.exe`},

	{kind: "edge", channel: "stable", commands: []string{"microsoft-edge-stable", "microsoft-edge"},
		files: []string{"/opt/microsoft/msedge/msedge"}, flatpak: "com.microsoft.Edge",
		app: "Microsoft Edge", exe: `Microsoft\Edge\Application\msedge.exe`},
	{kind: "edge", channel: "beta", commands: []string{"microsoft-edge-beta"},
		files: []string{"/opt/microsoft/msedge-beta/msedge"},
		app:   "Microsoft Edge Beta", exe: `Microsoft\Edge Beta\Application\msedge.exe`},
	{kind: "edge", channel: "dev", commands: []string{"microsoft-edge-dev"},
		files: []string{"/opt/microsoft/msedge-dev/msedge"}, flatpak: "com.microsoft.EdgeDev",
		app: "Microsoft Edge Dev", exe: `Microsoft\Edge Dev\Application\msedge.exe`},
	{kind: "edge", channel: "canary",
		app: "Microsoft Edge Canary", exe: `Microsoft\Edge SxS\Application\msedge.exe`},

	// chromium-browser comes last: Ubuntu's is a script around the snap.
	{kind: "chromium", channel: "stable", commands: []string{"chromium"},
		files: []string{"/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"},
		snap:  "chromium", flatpak: "org.chromium.Chromium",
		app: "Chromium", exe: `Chromium\Application\chrome.exe`},
	{kind: "chromium", channel: "stable", commands: []string{"chromium-browser", "chromium-freeworld", "ungoogled-chromium"},
		flatpak: "io.github.ungoogled_software.ungoogled_chromium"},
}

// all lists the installed browsers of a kind (empty: of all), best first.
func (f finder) all(kind string) []Installed {
	var found []Installed
	for _, wanted := range kinds {
		if kind != "" && kind != wanted {
			continue
		}
		for _, channel := range channels {
			for _, p := range known {
				if p.kind == wanted && p.channel == channel {
					found = append(found, f.at(p)...)
				}
			}
		}
	}
	return found
}

func (f finder) at(p places) []Installed {
	switch f.goos {
	case "windows":
		return f.windows(p)
	case "darwin":
		return f.darwin(p)
	}
	return f.linux(p)
}

func (f finder) linux(p places) []Installed {
	b := Installed{Kind: p.kind, Channel: p.channel}
	var found []Installed
	add := func(where, home string) {
		b.Path, b.Home = where, home
		found = append(found, b)
	}
	for _, command := range p.commands {
		if where, err := f.lookPath(command); err == nil {
			add(where, f.snapHome(where))
		}
	}
	for _, file := range p.files {
		if f.exists(file) {
			add(file, "")
		}
	}
	if where := "/snap/bin/" + p.snap; p.snap != "" && f.exists(where) {
		add(where, f.snapHome(where))
	}
	if p.flatpak == "" {
		return found
	}
	data := f.env("XDG_DATA_HOME")
	if data == "" {
		data = path.Join(f.env("HOME"), ".local/share")
	}
	for _, root := range []string{path.Join(data, "flatpak"), "/var/lib/flatpak"} {
		// An installed application exports a starter under its own name.
		if !f.exists(path.Join(root, "exports/bin", p.flatpak)) {
			continue
		}
		if flatpak, err := f.lookPath("flatpak"); err == nil {
			b.App = p.flatpak
			add(flatpak, "")
			break
		}
	}
	return found
}

func (f finder) darwin(p places) []Installed {
	var found []Installed
	for _, folder := range []string{"/Applications", path.Join(f.env("HOME"), "Applications")} {
		where := path.Join(folder, p.app+".app", "Contents/MacOS", p.app)
		if p.app != "" && f.exists(where) {
			found = append(found, Installed{Kind: p.kind, Channel: p.channel, Path: where})
		}
	}
	return found
}

func (f finder) windows(p places) []Installed {
	var found []Installed
	for _, name := range []string{"ProgramFiles", "ProgramFiles(x86)", "ProgramW6432", "LOCALAPPDATA"} {
		folder := strings.TrimRight(f.env(name), `\`)
		if folder == "" || p.exe == "" {
			continue
		}
		where := folder + `\` + p.exe
		if f.exists(where) && !has(found, where) {
			found = append(found, Installed{Kind: p.kind, Channel: p.channel, Path: where})
		}
	}
	return found
}

func has(found []Installed, where string) bool {
	for _, b := range found {
		if strings.EqualFold(b.Path, where) {
			return true
		}
	}
	return false
}
