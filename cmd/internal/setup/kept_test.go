package setup

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// What a person wrote around the server stays when that is taken out.
func TestSetupKeepsComments(t *testing.T) {
	for before, after := range map[string]string{
		`{"servers": {
  "tabrelay": {"command": "t"},
  // about b
  "b": {}
}}`: `{"servers": {
  // about b
  "b": {}
}}`,
		`{"servers": {
  "a": {}, // about a
  // about tabrelay
  "tabrelay": {"command": "t"} /* its end */
}}`: `{"servers": {
  "a": {} // about a
  // about tabrelay
  /* its end */
}}`,
		`{"servers": {
  // nobody
  "tabrelay": {"command": "t"},
}}`: `{"servers": {
  // nobody
}}`,
		`{"servers": {"a": {}, "tabrelay": {}, "b": {}}}`:   `{"servers": {"a": {}, "b": {}}}`,
		`{"servers": { "a": {}, "tabrelay": {} }}`:          `{"servers": { "a": {} }}`,
		`{"servers": { "tabrelay": {} /* , */ , "b": {} }}`: `{"servers": { /* , */  "b": {} }}`,
		"{\"servers\": {\r\n\t\"tabrelay\": {}\r\n}}":       `{"servers": {}}`,
	} {
		got, err := dropMember([]byte(before), "servers")
		if err != nil || string(got) != after {
			t.Errorf("%v, of\n%s\nis left\n%s", err, before, got)
		}
		if _, err := whole(got); err != nil {
			t.Errorf("%v:\n%s", err, got)
		}
	}
	got, err := setMember([]byte(`{"servers": {"a": {} /* about a */ }}`), "servers", entry{Command: "t"})
	if err != nil || !bytes.Contains(got, []byte(`"a": {}, /* about a */`)) {
		t.Errorf("%v: %s", err, got)
	}
}

// TOML is read as it is written: brackets in lists and comments are no tables, and a
// server that stands otherwise is not written twice.
func TestSetupOfOddTOML(t *testing.T) {
	text := "a = [\n  [\"x\"],\n  [\"mcp_servers.tabrelay\"], # don't\n]\nb = '''\n[mcp_servers.tabrelay]\n'''\n" +
		"[mcp_servers.tabrelay]\nargs = [ # don't, [\n  \"x\",\n] # these\ncommand = \"\"\"old\"\"\"  # mine\n[[z]]\n"
	got, err := setTable([]byte(text), "mcp_servers", Server{Command: "new", Args: []string{"y"}})
	want := strings.NewReplacer(`"""old"""`, `"new"`, "[ # don't, [\n  \"x\",\n]", `["y"]`).Replace(text)
	if err != nil || string(got) != want {
		t.Errorf("%v:\n%s", err, got)
	}
	before, _, _ := strings.Cut(text, "[mcp_servers.tabrelay]\nargs")
	if got := dropTable([]byte(text), "mcp_servers"); string(got) != before+"[[z]]\n" {
		t.Errorf("taken out:\n%s", got)
	}
	for _, text := range []string{"[mcp_servers]\ntabrelay = { command = \"t\" }\n", "[mcp_servers]\n\"tabrelay\".command = \"t\"\n", "mcp_servers.tabrelay.command = \"t\"\n"} {
		if got, err := setTable([]byte(text), "mcp_servers", server); err == nil {
			t.Errorf("written twice:\n%s", got)
		}
	}
	if _, err := setTable([]byte("[mcp_servers]\na = { command = \"a\" }\n[other]\ntabrelay = 1\n"), "mcp_servers", server); err != nil {
		t.Error(err)
	}
}

// Taking it out twice does not put it back, and no copy of the file is left.
func TestSetupUndoneTwice(t *testing.T) {
	for _, c := range Clients {
		h, state := newHome(t, "linux"), t.TempDir()
		text, later := []byte("{}\n"), []byte("// later\n")
		if c.shape.toml {
			text, later = []byte("a = 1\n"), []byte("# later\n")
		}
		path := c.in(t, h, text)
		change, err := c.Add(h, server)
		after := c.apply(t, change, err, state)
		if err := os.WriteFile(path, append(after, later...), 0o600); err != nil {
			t.Fatal(err)
		}
		if mode := modeOf(t, c.backupFile(state)); mode != 0o600 && runtime.GOOS != "windows" {
			t.Errorf("%s: the copy has mode %v", c.ID, mode)
		}
		change, err = c.Remove(h, state)
		once := c.apply(t, change, err, state)
		if change, err = c.Remove(h, state); err != nil || !change.Empty() || bytes.Contains(once, []byte("tabrelay")) {
			t.Errorf("%s: %v\n%s", c.ID, err, change.Diff())
		}
		if _, err := os.Stat(c.backupFile(state)); err == nil {
			t.Errorf("%s: a copy of the file is left", c.ID)
		}
	}
}

// A link to what is not there, and a file of another user, stay as they are.
func TestSetupOfOthersFiles(t *testing.T) {
	c, _ := Find("cursor")
	h, state := newHome(t, "linux"), t.TempDir()
	path := c.in(t, h, []byte("{}"))
	if os.Geteuid() == 0 {
		change, err := c.Add(h, server)
		if err != nil || os.Chown(path, 4711, -1) != nil {
			t.Fatal(err)
		}
		if err := change.Write(state); err == nil || !strings.Contains(err.Error(), "belongs to another user") {
			t.Error(err)
		}
	}
	_ = os.Remove(path)
	link(t, filepath.Join(h.Dir, "nowhere"), path)
	if _, err := c.Add(h, server); err == nil || !strings.Contains(err.Error(), "is a link to "+filepath.Join(h.Dir, "nowhere")) {
		t.Error(err)
	}
	if info, err := os.Lstat(path); err != nil || info.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone", err)
	}
}
