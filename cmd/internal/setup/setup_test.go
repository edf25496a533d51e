package setup

import (
	"bytes"
	"flag"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

var update = flag.Bool("update", false, "write the golden files anew")

var server = Server{Command: "/opt/tabrelay", Args: nil}

// newHome is the home of somebody on a system.
func newHome(t *testing.T, goos string) Home {
	t.Helper()
	dir := t.TempDir()
	return Home{GOOS: goos, Dir: dir, Config: filepath.Join(dir, "config"), XDG: filepath.Join(dir, ".config"), Environ: func(string) string { return "" }}
}

// in puts a client's configuration into a home.
func (c Client) in(t *testing.T, h Home, text []byte) string {
	t.Helper()
	path := c.file(h)
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, text, 0o640); err != nil {
		t.Fatal(err)
	}
	return path
}

func (c Client) apply(t *testing.T, change Change, err error, state string) []byte {
	t.Helper()
	if err == nil && !change.Empty() {
		err = change.Write(state)
	}
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(change.Path)
	if err != nil {
		return nil
	}
	return data
}

func modeOf(t *testing.T, path string) fs.FileMode {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Mode()
}

// A server is added to what each client has, and nothing else becomes another;
// adding it again changes nothing; taking it out gives back the same bytes.
func TestSetup(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) == 0 {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, name := range names {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		before := archive.Files[0].Data
		id := strings.TrimSuffix(strings.TrimSuffix(filepath.Base(name), ".txtar"), "-again")
		c, ok := Find(id)
		if !ok {
			t.Fatalf("%s: there is no such client", name)
		}
		seen[id] = true
		for end, text := range map[string][]byte{"\n": before, "\r\n": bytes.ReplaceAll(before, []byte("\n"), []byte("\r\n"))} {
			h, state := newHome(t, "linux"), t.TempDir()
			path := c.in(t, h, text)
			mode := modeOf(t, path)
			change, err := c.Add(h, server)
			after := c.apply(t, change, err, state)
			if now := modeOf(t, path); now != mode {
				t.Errorf("%s: mode %v, before %v", name, now, mode)
			}
			plain := bytes.ReplaceAll(after, []byte(end), []byte("\n"))
			if *update {
				archive.Files = append(archive.Files[:1], txtar.File{Name: "after", Data: plain})
				if err := os.WriteFile(name, txtar.Format(archive), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if len(archive.Files) < 2 || !bytes.Equal(plain, archive.Files[1].Data) || end == "\r\n" && bytes.Count(after, []byte("\n")) != bytes.Count(after, []byte(end)) {
				t.Errorf("%s: after:\n%s", name, after)
			}
			if again, err := c.Add(h, server); err != nil || !again.Empty() {
				t.Errorf("%s: again: %v\n%s", name, err, again.Diff())
			}
			change, err = c.Remove(h, state)
			if back := c.apply(t, change, err, state); !bytes.Equal(back, text) {
				t.Errorf("%s: taken out:\n%s", name, back)
			}
		}
	}
	for _, c := range Clients {
		if !seen[c.ID] {
			t.Errorf("no case for %s", c.ID)
		}
	}
}

// Where there is nothing a file is made, and goes again.
func TestSetupOfNothing(t *testing.T) {
	for _, c := range Clients {
		for _, there := range []bool{false, true} {
			h, state := newHome(t, "linux"), t.TempDir()
			if there { // and empty
				c.in(t, h, nil)
			}
			change, err := c.Add(h, server)
			if after := c.apply(t, change, err, state); string(after) != c.Snippet(server) || !bytes.Contains(after, []byte(`"/opt/tabrelay"`)) {
				t.Errorf("%s: %s", c.ID, after)
			}
			if !c.Installed(h) {
				t.Errorf("%s is not found", c.ID)
			}
			change, err = c.Remove(h, state)
			c.apply(t, change, err, state)
			if data, err := os.ReadFile(change.Path); there != (err == nil) || len(data) > 0 {
				t.Errorf("%s: left: %q, %v", c.ID, data, err)
			}
		}
	}
}

// Who has changed the file since keeps that: the server alone is taken out.
func TestSetupUndoneLater(t *testing.T) {
	for _, c := range Clients {
		h, state := newHome(t, "linux"), t.TempDir()
		text := []byte("{\n  \"" + c.shape.key + "\": {\n    \"a\": {\"command\": \"a\"}\n  }\n}\n")
		later := []byte("// later\n")
		if c.shape.toml {
			text, later = []byte("[mcp_servers.a]\ncommand = \"a\"\n\n"), []byte("# later\n")
		}
		path := c.in(t, h, text)
		change, err := c.Add(h, server)
		after := c.apply(t, change, err, state)
		if err := os.WriteFile(path, append(after, later...), 0o600); err != nil {
			t.Fatal(err)
		}
		change, err = c.Remove(h, state)
		if back := c.apply(t, change, err, state); strings.Contains(string(back), "tabrelay") || !bytes.HasPrefix(back, bytes.TrimSpace(text)) || !bytes.HasSuffix(back, later) {
			t.Errorf("%s:\n%s", c.ID, back)
		}
	}
}

// A file that is not understood stays as it is, and the person is told what to add.
func TestSetupOfOddFiles(t *testing.T) {
	for id, text := range map[string]string{
		"cursor": `{"mcpServers": [`, "gemini": `{"mcpServers": []}`, "zed": `{} {}`, "claude-code": `nonsense`,
		"vscode": `{"servers": {"tabrelay": "off"}}`, "windsurf": strings.Repeat("[", 1<<20), "codex": "mcp_servers = { a = { command = \"a\" } }\n",
	} {
		c, _ := Find(id)
		h := newHome(t, "linux")
		path := c.in(t, h, []byte(text))
		if _, err := c.Add(h, server); err == nil || !strings.Contains(err.Error(), "add this to it yourself:\n") || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: %v", id, err)
		}
		if data, _ := os.ReadFile(path); string(data) != text {
			t.Errorf("%s: %s", id, data)
		}
	}
}

// Of keys that are there twice the last counts.
func TestSetupOfKeysThatAreThereTwice(t *testing.T) {
	c, _ := Find("cursor")
	const before = `{"mcpServers": {"old": {}}, "mcpServers": {"tabrelay": {"command": "a"}, "tabrelay": {"command": "b", "command": "c"}, "x": {}}}`
	h, state := newHome(t, "linux"), t.TempDir()
	c.in(t, h, []byte(before))
	change, err := c.Add(h, server)
	if got, want := string(c.apply(t, change, err, state)), strings.Replace(before, `"c"`, `"/opt/tabrelay"`, 1); !strings.HasPrefix(got, want[:len(want)-20]) {
		t.Errorf("added:\n%s\nwant:\n%s", got, want)
	}
	change, err = c.Remove(h, t.TempDir()) // without the copy
	if got, want := string(c.apply(t, change, err, state)), `{"mcpServers": {"old": {}}, "mcpServers": {"x": {}}}`; got != want {
		t.Errorf("removed:\n%s", got)
	}
}

// What is no file of a bearable size is left alone, and nothing waits for it.
func TestSetupOfWhatIsNoFile(t *testing.T) {
	c, _ := Find("cursor")
	h := newHome(t, "linux")
	path := c.in(t, h, nil)
	if err := os.Truncate(path, maxFile+1); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Add(h, server); err == nil || !strings.Contains(err.Error(), "more than 64 MB") {
		t.Errorf("a huge one: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(path, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Add(h, server); err == nil {
		t.Error("a folder is taken for a file")
	}
}

// Each client's file is where its documentation says, on each system.
func TestSetupPaths(t *testing.T) {
	at := Home{Dir: "/home/me", Config: "/config", XDG: "/xdg", Environ: func(string) string { return "" }}
	for _, goos := range []string{"linux", "darwin", "windows"} {
		at.GOOS = goos
		zed := "/xdg/zed/settings.json"
		if goos == "windows" {
			zed = "/config/Zed/settings.json"
		}
		for id, want := range map[string]string{
			"claude-code": "/home/me/.claude.json", "claude-desktop": "/config/Claude/claude_desktop_config.json", "cursor": "/home/me/.cursor/mcp.json",
			"vscode": "/config/Code/User/mcp.json", "windsurf": "/home/me/.codeium/windsurf/mcp_config.json", "codex": "/home/me/.codex/config.toml",
			"gemini": "/home/me/.gemini/settings.json", "zed": zed, "vscode-insiders": "/config/Code - Insiders/User/mcp.json",
			"copilot": "/home/me/.copilot/mcp-config.json", "kiro": "/home/me/.kiro/settings/mcp.json", "lmstudio": "/home/me/.lmstudio/mcp.json",
		} {
			c, _ := Find(id)
			if got := filepath.ToSlash(c.file(at)); got != want {
				t.Errorf("%s on %s: %s", id, goos, got)
			}
		}
	}
	at.Environ = func(name string) string { return "/moved/" + name }
	for id, want := range map[string]string{"claude-code": "/moved/CLAUDE_CONFIG_DIR/.claude.json", "codex": "/moved/CODEX_HOME/config.toml"} {
		c, _ := Find(id)
		if got := filepath.ToSlash(c.file(at)); got != want {
			t.Errorf("%s: %s", id, got)
		}
	}
}

// What a link leads to is written, and the link stays; what changed meanwhile is
// not written over.
func TestSetupThroughALink(t *testing.T) {
	c, _ := Find("zed")
	h, state := newHome(t, "linux"), t.TempDir()
	path := c.in(t, h, []byte("{}\n"))
	dotfile := filepath.Join(t.TempDir(), "dotfile")
	if err := os.Rename(path, dotfile); err != nil {
		t.Fatal(err)
	}
	link(t, dotfile, path)
	change, err := c.Add(h, server)
	c.apply(t, change, err, state)
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
	if err := os.WriteFile(dotfile, []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := change.Write(state); err == nil || !strings.Contains(err.Error(), "has changed meanwhile") {
		t.Error(err)
	}
}

// The README has a block for each client, which is what setup writes.
func TestSetupInREADME(t *testing.T) {
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range Clients {
		kind := "json"
		if c.shape.toml {
			kind = "toml"
		}
		block := "<summary>" + c.Name + "</summary>"
		_, rest, ok := strings.Cut(string(text), block)
		want := "```" + kind + "\n" + c.Snippet(Server{Command: "/path/to/tabrelay"}) + "```\n"
		if rest, _, _ = strings.Cut(rest, "</details>"); !ok || !strings.Contains(rest, want) || !strings.Contains(rest, "tabrelay setup "+c.ID) {
			t.Errorf("%s: the README lacks\n%s", c.Name, want)
		}
	}
}

// link makes a symbolic link, which Windows lets not everyone do.
func link(t *testing.T, to, path string) {
	t.Helper()
	err := os.Symlink(to, path)
	if err != nil && runtime.GOOS == "windows" {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
}
