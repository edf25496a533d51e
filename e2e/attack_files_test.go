package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// attackFiles asks each tool that reads or writes files for paths that are not
// an agent's to use.
func attackFiles(a *attacks) {
	root, home, work := a.t.TempDir(), a.t.TempDir(), a.t.TempDir()
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			a.t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			a.t.Fatal(err)
		}
	}
	const own, canary = "own file", "words-in-a-file-77aa"
	targets := []string{
		filepath.Join(root, "kept.txt"), filepath.Join(root, ".hidden"), filepath.Join(root, ".git/hooks/pre-commit"), filepath.Join(root, ".mcp.json"), filepath.Join(root, "Makefile"),
		filepath.Join(home, ".bashrc"), filepath.Join(home, "notes.txt"), filepath.Join(work, "package.json"), filepath.Join(work, ".envrc"),
	}
	for _, path := range targets {
		write(path, own)
	}
	write(filepath.Join(home, "secret.txt"), canary)
	for name, to := range map[string]string{"link.txt": filepath.Join(home, "notes.txt"), "dangling.txt": filepath.Join(home, "new.txt"), "linked": home, "proc": "/proc/self"} {
		if err := os.Symlink(to, filepath.Join(root, name)); err != nil {
			a.t.Fatal(err)
		}
	}
	s := &server{state: a.t.TempDir(), work: work, env: []string{"HOME=" + home}, log: &tail{}, done: make(chan struct{})}
	if err := s.start(flags(browser(a.t), "--transport", "http", "--root", root)...); err != nil {
		a.t.Fatal(err)
	}
	a.t.Cleanup(s.stop)
	agent := s.agent(a.t)
	site := newSite(a.t, `<h1>page</h1><input type=file aria-label=File multiple><pre id=out></pre>
<script>document.querySelector('input').onchange = async e => { out.textContent = ''; for (const f of e.target.files) out.textContent += await f.text() }</script>`)
	ref := agent.open(site.URL).ref("File")
	id := agent.ok("browser_network", args{"static": true}).request(site.URL)
	paths := []string{
		"kept.txt", ".hidden", ".new", ".git/hooks/pre-commit", ".git/config", ".mcp.json", "Makefile", "link.txt", "dangling.txt", "linked/notes.txt", "linked/new.txt", "../escape.txt",
		"./../escape.txt", "a/../../escape.txt", "proc/cwd/escape.txt", "proc/environ", "x\x00.txt", "",
	}
	var all []string
	for _, path := range paths {
		all = append(all, filepath.Join(root, "x")[:len(root)+1]+path)
	}
	all = append(all, filepath.Join(home, ".bashrc"), filepath.Join(home, "notes.txt"), filepath.Join(home, "new.txt"), "~/notes.txt", "$HOME/notes.txt", "file://"+home+"/notes.txt",
		filepath.Join(work, "package.json"), filepath.Join(work, ".envrc"), filepath.Join(work, "new.txt"), "package.json", "../escape.txt", "/etc/tabrelay-attack", "/proc/self/mem", "/dev/tty",
		"/tmp/tabrelay-attack.txt", filepath.Join(s.state, "relay.json"), filepath.Join(s.state, "new.json"), "//etc/tabrelay-attack", `\\host\share\x`, "C:\\x")
	untouched := func() string {
		for _, path := range targets {
			if data, err := os.ReadFile(path); err != nil || string(data) != own {
				write(path, own)
				return path + " was overwritten"
			}
		}
		for _, path := range []string{filepath.Join(home, "new.txt"), filepath.Join(work, "new.txt"), filepath.Join(filepath.Dir(root), "escape.txt"), filepath.Join(filepath.Dir(work), "escape.txt"),
			filepath.Join(work, "escape.txt"), "/etc/tabrelay-attack", "/tmp/tabrelay-attack.txt", filepath.Join(s.state, "new.json"), filepath.Join(root, ".new"), filepath.Join(root, ".git/config")} {
			if _, err := os.Lstat(path); err == nil {
				_ = os.Remove(path)
				return path + " was written"
			}
		}
		if data, _ := os.ReadFile(filepath.Join(s.state, "relay.json")); !strings.Contains(string(data), "clientSecret") {
			return "relay.json was overwritten"
		}
		return ""
	}
	for _, path := range all {
		for tool, with := range map[string]args{
			"browser_screenshot": {"file": path}, "browser_pdf": {"file": path}, "browser_network": {"har": path}, "browser_request": {"id": id, "part": "response", "file": path},
		} {
			a.try(attack{tool + " to " + excerpt(path), func(*testing.T) string {
				agent.call(tool, with)
				return untouched()
			}})
		}
	}
	for _, path := range []string{
		filepath.Join(home, "secret.txt"), filepath.Join(root, "linked/secret.txt"), filepath.Join(root, "../"+filepath.Base(home)+"/secret.txt"), "~/secret.txt", "$HOME/secret.txt", "secret.txt",
		"file://" + home + "/secret.txt", filepath.Join(root, "proc/cwd/../"+filepath.Base(home)+"/secret.txt"), "/etc/passwd", filepath.Join(s.state, "relay.json"), "/proc/self/environ", filepath.Join(root, "proc/environ"), "/dev/zero", "/",
	} {
		for tool, with := range map[string]args{"browser_upload": {"ref": ref, "files": []string{path}}, "browser_drop": {"ref": ref, "files": []string{path}}} {
			a.try(attack{tool + " of " + excerpt(path), func(*testing.T) string {
				an := agent.call(tool, with)
				text := agent.value("document.getElementById('out').textContent + [...document.querySelector('input').files].map(f => f.name)")
				for _, got := range []string{canary, "root:x:0", "clientSecret", "TABRELAY_"} {
					if strings.Contains(text, got) || strings.Contains(an.text, got) {
						return excerpt(text)
					}
				}
				return ""
			}})
		}
	}
}
