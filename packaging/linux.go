package main

import (
	"bytes"
	"crypto/md5" // what dpkg checks a package's files by
	"fmt"
	"path"
	"strings"

	"github.com/google/rpmpack"
)

// browsers are what Debian and its kind may install with it; none is needed.
const browsers = "chromium | google-chrome-stable | brave-browser | microsoft-edge-stable"

// addLinux makes the packages of distributions.
func (r *release) addLinux(p platform, program, notices []byte) error {
	manual, err := zippedOne(r.of("man/tabrelay.1"))
	if err != nil {
		return err
	}
	files := func(zsh, license string) []file {
		return []file{ // in the order of their paths, as rpm wants it
			{"usr/bin/tabrelay", 0o755, program},
			{"usr/share/bash-completion/completions/tabrelay", 0o644, r.of("completions/tabrelay.bash")},
			{"usr/share/doc/tabrelay/" + noticesName, 0o644, notices},
			{"usr/share/doc/tabrelay/" + license, 0o644, r.of("LICENSE")},
			{"usr/share/fish/vendor_completions.d/tabrelay.fish", 0o644, r.of("completions/tabrelay.fish")},
			{"usr/share/man/man1/tabrelay.1.gz", 0o644, manual},
			{"usr/share/zsh/" + zsh + "/_tabrelay", 0o644, r.of("completions/_tabrelay")},
		}
	}
	name := fmt.Sprintf("tabrelay_%s_%s.deb", r.version, p.arch)
	if r.files[name], err = r.deb(p, files("vendor-completions", "copyright")); err != nil {
		return err
	}
	arch := map[string]string{"amd64": "x86_64", "arm64": "aarch64"}[p.arch]
	name = fmt.Sprintf("tabrelay-%s.%s.rpm", r.version, arch)
	r.files[name], err = r.rpm(arch, files("site-functions", "LICENSE"))
	return err
}

// packageVersion writes a version as distributions sort it: 1.0.0~rc.1 is before 1.0.0.
func (r *release) packageVersion() string {
	main, pre, ok := strings.Cut(r.version, "-")
	if !ok {
		return main
	}
	return main + "~" + strings.ReplaceAll(pre, "-", ".")
}

// deb makes a package of Debian: an ar archive of two tar archives.
func (r *release) deb(p platform, files []file) ([]byte, error) {
	var sums strings.Builder
	var tree []file // with the folders
	seen, size := map[string]bool{}, 0
	for _, f := range files {
		for i, c := range f.path {
			if dir := f.path[:i]; c == '/' && !seen[dir] {
				seen[dir] = true
				tree = append(tree, file{path: dir, mode: 0o755})
			}
		}
		tree = append(tree, f)
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.data), f.path)
		size += len(f.data)
	}
	control := fmt.Sprintf("Package: tabrelay\nVersion: %s\nArchitecture: %s\nMaintainer: The Tabrelay maintainers\nInstalled-Size: %d\nRecommends: %s\nSection: web\nPriority: optional\nHomepage: %s\nDescription: %s\n %s\n",
		r.packageVersion(), p.arch, size/1024, browsers, home, summary, story)
	meta, err := tarball("./", []file{{"control", 0o644, []byte(control)}, {"md5sums", 0o644, []byte(sums.String())}}, r.time)
	if err != nil {
		return nil, err
	}
	content, err := tarball("./", tree, r.time)
	if err != nil {
		return nil, err
	}
	out := bytes.NewBufferString("!<arch>\n")
	for _, m := range []file{{path: "debian-binary", data: []byte("2.0\n")}, {path: "control.tar.gz", data: meta}, {path: "data.tar.gz", data: content}} {
		fmt.Fprintf(out, "%-16s%-12d%-6d%-6d%-8o%-10d`\n", m.path, r.time.Unix(), 0, 0, 0o100644, len(m.data))
		out.Write(m.data)
		if len(m.data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

func (r *release) rpm(arch string, files []file) ([]byte, error) {
	var wanted rpmpack.Relations
	if err := wanted.Set("chromium"); err != nil {
		return nil, err
	}
	p, err := rpmpack.NewRPM(rpmpack.RPMMetaData{
		Name: "tabrelay", Version: r.packageVersion(), Release: "1", Arch: arch, OS: "linux", Licence: license, Summary: summary, Description: story, URL: home,
		Packager: "The Tabrelay maintainers", Group: "Applications/Internet", BuildHost: "localhost", BuildTime: r.time, Compressor: "gzip", Epoch: rpmpack.NoEpoch, Recommends: wanted,
	})
	if err != nil {
		return nil, err
	}
	own := rpmpack.RPMFile{Name: "/usr/share/doc/tabrelay", Mode: 0o40755, Owner: "root", Group: "root", MTime: uint32(r.time.Unix())}
	p.AddFile(own) // else it stays behind, empty
	for _, f := range files {
		kind := rpmpack.GenericFile
		switch {
		case path.Base(f.path) == "LICENSE":
			kind = rpmpack.LicenceFile
		case strings.HasPrefix(f.path, "usr/share/doc/"), strings.HasPrefix(f.path, "usr/share/man/"):
			kind = rpmpack.DocFile
		}
		p.AddFile(rpmpack.RPMFile{Name: "/" + f.path, Body: f.data, Mode: uint(f.mode) | 0o100000, Owner: "root", Group: "root", MTime: uint32(r.time.Unix()), Type: kind})
	}
	var out bytes.Buffer
	err = p.Write(&out)
	return out.Bytes(), err
}
