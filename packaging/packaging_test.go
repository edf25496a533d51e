package main

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// small is a release of a program that is only a line of shell.
func small(t *testing.T) *release {
	t.Helper()
	r := &release{version: "1.2.3", time: time.Unix(1_800_000_000, 0).UTC(), url: "https://example.test/v1.2.3", dir: "..", files: map[string][]byte{}}
	for _, path := range []string{"CHANGELOG.md", "LICENSE", "README.md", "completions/_tabrelay", "completions/tabrelay.bash", "completions/tabrelay.fish", "man/tabrelay.1"} {
		r.common = append(r.common, file{path, 0o644, []byte("this is " + path + "\n")})
	}
	parts := []dependency{{path: "std", version: "1.26.0", licenses: []string{"BSD-3-Clause"}, text: "as you like"}, {path: "example.test/part", version: "v1.0.0", licenses: []string{"MIT"}, text: "free"}}
	for _, p := range platforms {
		if err := r.add(p, []byte("#!/bin/sh\necho tabrelay 1.2.3 \"$@\"\nexit 7\n"), parts); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.finish(); err != nil {
		t.Fatal(err)
	}
	return r
}

func TestReleaseIsWholeAndTheSameEachTime(t *testing.T) {
	r, other := small(t), small(t)
	for name, data := range r.files {
		if !bytes.Equal(data, other.files[name]) {
			t.Errorf("%s differs when it is made again", name)
		}
	}
	got := strings.Join(slices.Sorted(maps.Keys(r.files)), "\n")
	want := `SHA256SUMS
npm-tabrelay-1.2.3.tgz
npm-tabrelay-darwin-arm64-1.2.3.tgz
npm-tabrelay-darwin-x64-1.2.3.tgz
npm-tabrelay-linux-arm64-1.2.3.tgz
npm-tabrelay-linux-x64-1.2.3.tgz
npm-tabrelay-win32-arm64-1.2.3.tgz
npm-tabrelay-win32-x64-1.2.3.tgz
scoop-tabrelay.json
server.json
tabrelay-1.2.3.aarch64.rpm
tabrelay-1.2.3.x86_64.rpm
tabrelay-extension-0.1.0.zip
tabrelay.rb
tabrelay_1.2.3_amd64.deb
tabrelay_1.2.3_arm64.deb
tabrelay_1.2.3_darwin_amd64.cdx.json
tabrelay_1.2.3_darwin_amd64.tar.gz
tabrelay_1.2.3_darwin_arm64.cdx.json
tabrelay_1.2.3_darwin_arm64.tar.gz
tabrelay_1.2.3_linux_amd64.cdx.json
tabrelay_1.2.3_linux_amd64.tar.gz
tabrelay_1.2.3_linux_arm64.cdx.json
tabrelay_1.2.3_linux_arm64.tar.gz
tabrelay_1.2.3_windows_amd64.cdx.json
tabrelay_1.2.3_windows_amd64.zip
tabrelay_1.2.3_windows_arm64.cdx.json
tabrelay_1.2.3_windows_arm64.zip`
	if got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
	if n := strings.Count(string(r.files[sumsName]), "\n"); n != len(r.files)-1 {
		t.Errorf("%d sums of %d files", n, len(r.files)-1)
	}
}

// What the store of extensions is given is what the program writes, without the key.
func TestExtensionForAStore(t *testing.T) {
	r := small(t)
	data := r.files["tabrelay-extension-0.1.0.zip"]
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{"_locales/en/messages.json", "background.js", "suffixes.txt", "policy.json", "icons/16.png", "welcome.html", "welcome.css"} {
		got, err := fs.ReadFile(z, path)
		want, _ := extension.Files.ReadFile(path)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: %v, %d bytes, want %d", path, err, len(got), len(want))
		}
	}
	var m map[string]any
	text, err := fs.ReadFile(z, "manifest.json")
	if err != nil || json.Unmarshal(text, &m) != nil || m["version"] != "0.1.0" || m["key"] != nil {
		t.Errorf("%v: %s", err, text)
	}
}

// What the managers of packages are told leads to the archives, with their sums.
func TestManifestsNameTheArchives(t *testing.T) {
	r := small(t)
	formula, scoop := string(r.files["tabrelay.rb"]), string(r.files["scoop-tabrelay.json"])
	for name := range r.files {
		in := ""
		switch {
		case strings.HasSuffix(name, ".tar.gz"):
			in = formula
		case strings.HasPrefix(name, "tabrelay_") && strings.HasSuffix(name, ".zip"):
			in = scoop
		default:
			continue
		}
		if !strings.Contains(in, r.url+"/"+name) || !strings.Contains(in, r.sum(name)) {
			t.Errorf("%s is not in\n%s", name, in)
		}
	}
	var server struct {
		Description string
		Packages    []struct{ Identifier, Version string }
	}
	if err := json.Unmarshal(r.files["server.json"], &server); err != nil || len(server.Description) > 100 || len(server.Packages) != 1 || server.Packages[0].Version != "1.2.3" {
		t.Errorf("%v: %s", err, r.files["server.json"])
	}
}

func TestPackageVersion(t *testing.T) {
	for version, want := range map[string]string{"1.2.3": "1.2.3", "1.2.3-rc.1": "1.2.3~rc.1", "0.0.0-20260102030405-abcdef012345": "0.0.0~20260102030405.abcdef012345"} {
		if got := (&release{version: version}).packageVersion(); got != want {
			t.Errorf("%s: %s, want %s", version, got, want)
		}
	}
}

// need returns the path of the first of some commands that this machine has.
func need(t *testing.T, commands ...string) (path string) {
	t.Helper()
	for _, name := range commands {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	lacks(t, fmt.Sprintf("none of %v is installed", commands))
	return ""
}

// lacks skips a test that cannot run here, but fails it in CI on Linux, where each can.
func lacks(t *testing.T, why string) {
	t.Helper()
	if runtime.GOOS == "linux" && os.Getenv("CI") != "" {
		t.Fatal(why)
	}
	t.Skip(why)
}

// limited returns a context that bounds the commands of a test.
func limited(t *testing.T) context.Context {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// TestNPM installs what was made for npm and runs it as npx does.
func TestNPM(t *testing.T) {
	if nodeNames[runtime.GOOS] == "" || nodeNames[runtime.GOARCH] == "" || runtime.GOOS == "windows" {
		lacks(t, "there is no package of npm with a shell script for "+runtime.GOOS+" on "+runtime.GOARCH)
	}
	npm, ctx := need(t, "npm"), limited(t)
	r, dir := small(t), t.TempDir()
	args := []string{"install", "--offline", "--no-audit", "--no-fund", "--cache", filepath.Join(dir, "cache"), "--prefix", dir}
	for _, name := range []string{"npm-tabrelay-" + nodeNames[runtime.GOOS] + "-" + nodeNames[runtime.GOARCH] + "-1.2.3.tgz", "npm-tabrelay-1.2.3.tgz"} {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, r.files[name], 0o600); err != nil {
			t.Fatal(err)
		}
		args = append(args, path)
	}
	if out, err := exec.CommandContext(ctx, npm, args...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.CommandContext(ctx, filepath.Join(dir, "node_modules", ".bin", "tabrelay"), "one", "two words")
	out, _ := cmd.Output()
	if got := string(out); got != "tabrelay 1.2.3 one two words\n" || cmd.ProcessState.ExitCode() != 7 {
		t.Errorf("%q, exit status %d", got, cmd.ProcessState.ExitCode())
	}
	if err := os.RemoveAll(filepath.Join(dir, "node_modules", "@tabrelay")); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(ctx, filepath.Join(dir, "node_modules", ".bin", "tabrelay")).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "is not installed") {
		t.Errorf("without a program: %v: %s", err, out)
	}
}

// TestInstalled installs the package of Debian in an empty root, sets up a client
// there, and makes the first call as that client does.
func TestInstalled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("packages of Debian are not for " + runtime.GOOS)
	}
	dpkg := need(t, "dpkg")
	need(t, "chromium", "google-chrome-stable", "google-chrome")
	root, ctx := t.TempDir(), limited(t)
	r := built(ctx, t)
	for _, dir := range []string{"var/lib/dpkg/info", "var/lib/dpkg/updates", "var/lib/dpkg/triggers", "home"} {
		if err := os.MkdirAll(filepath.Join(root, dir), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	deb := filepath.Join(root, "tabrelay.deb")
	for path, data := range map[string][]byte{deb: r.files["tabrelay_1.2.3_"+runtime.GOARCH+".deb"], filepath.Join(root, "var/lib/dpkg/status"): nil} {
		if err := os.WriteFile(path, data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(ctx, dpkg, "--root="+root, "--force-not-root", "--log="+filepath.Join(root, "dpkg.log"), "--install", deb).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	tabrelay := filepath.Join(root, "usr/bin/tabrelay")
	script := exec.CommandContext(ctx, "sh", "-eu", "testdata/first_call.sh", tabrelay)
	script.WaitDelay = 10 * time.Second // what it started may hold its output
	script.Env = append(os.Environ(), "HOME="+filepath.Join(root, "home"), "XDG_STATE_HOME=", "XDG_CONFIG_HOME=", "TABRELAY_STATE=", "TABRELAY_CONFIG=")
	out, err := script.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "The first page") {
		t.Errorf("%v\n%s", err, out)
	}
	if ctx.Err() != nil { // it was killed before it could do this itself
		stop := exec.Command(tabrelay, "stop")
		stop.Env = script.Env
		_ = stop.Run()
	}
	for _, path := range []string{"share/man/man1/tabrelay.1.gz", "share/bash-completion/completions/tabrelay", "share/doc/tabrelay/copyright", "share/doc/tabrelay/" + noticesName} {
		if info, err := os.Stat(filepath.Join(root, "usr", path)); err != nil || info.Size() < 100 {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// built is a release for this machine, with the program as the sources are now. It
// takes what was compiled for other tests, which -trimpath would not, and needs no
// repository.
func built(ctx context.Context, t *testing.T) *release {
	t.Helper()
	program := filepath.Join(t.TempDir(), "tabrelay")
	if err := build(ctx, "..", thisPlatform(), program, "", "-trimpath=false", "-buildvcs=false"); err != nil {
		t.Fatal(err)
	}
	r, err := newRelease(ctx, "..", program, "1.2.3", time.Unix(1_800_000_000, 0))
	if err != nil {
		t.Fatal(err)
	}
	parts, err := dependencies(ctx, program)
	if err != nil {
		t.Fatal(err)
	}
	if len(parts) < 10 || !strings.Contains(string(notices(parts)), "The Go library") {
		t.Errorf("what the program is made of: %v", parts)
	}
	data, err := os.ReadFile(program)
	if err == nil {
		err = r.addLinux(thisPlatform(), data, notices(parts))
	}
	if err != nil {
		t.Fatal(err)
	}
	return r
}
