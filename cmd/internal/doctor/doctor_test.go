package doctor

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/e2e/freeport"
)

// clinic is a machine on which all is well, until a case breaks something.
type clinic struct {
	*testing.T
	Machine
	state *state.State
}

func newClinic(t *testing.T) *clinic {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "state")
	s, err := state.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.UsePort(freeport.Next(t)); err != nil {
		t.Fatal(err)
	}
	if err := browser.WriteOwn(io.Discard, s, "", nil); err != nil {
		t.Fatal(err)
	}
	return &clinic{T: t, state: s, Machine: Machine{Dir: dir, Program: release.Build{Version: "v2.0.0"}, Display: true,
		Installed: func() []browser.Installed {
			return []browser.Installed{{Kind: "chrome", Channel: "stable", Path: "/opt/chrome"}}
		},
		Sandbox: func() error { return nil }, Free: func(string) (uint64, bool) { return 1 << 40, true }}}
}

func (c *clinic) write(name, text string) {
	c.Helper()
	if err := os.WriteFile(filepath.Join(c.Dir, name), []byte(text), 0o600); err != nil {
		c.Fatal(err)
	}
}

// runs lets a daemon run that says a status. Asked to stop, it is gone.
func (c *clinic) runs(version string, now daemon.Status) {
	c.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		c.Fatal(err)
	}
	c.Cleanup(func() { _ = l.Close() })
	contact := daemon.Contact{PID: 4711, Version: version, Protocol: daemon.WireProtocol, Network: "tcp", Address: l.Addr().String(), Port: c.state.Port, Started: time.Now()}
	if err := contact.Write(c.Dir); err != nil {
		c.Fatal(err)
	}
	go func() { // ends with the listener
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			line, _ := bufio.NewReader(conn).ReadString('\n')
			if strings.Contains(line, daemon.AskStatus) {
				_ = daemon.WriteLine(conn, now)
			}
			_ = conn.Close()
		}
	}()
}

// connected is a person's browser that answers.
func connected() daemon.BrowserStatus {
	return daemon.BrowserStatus{Called: "chrome-1", Name: "Chrome 156", Connected: true, Extension: browser.ExtensionVersion(), Answer: 1.5}
}

func browsers(list ...daemon.BrowserStatus) daemon.Status {
	return daemon.Status{Running: true, Browsers: list}
}

// Each broken set-up is named by its cause, with what mends it, and nothing else is
// blamed.
func TestBrokenSetUps(t *testing.T) {
	for name, c := range map[string]struct {
		breaks func(*clinic)
		level  string
		says   string // of the one finding that is no OK
		mend   string
		fixed  bool // --fix mends it
	}{
		"all is well":               {func(c *clinic) { c.runs("v2.0.0", browsers(connected())) }, "", "", "", false},
		"no browser":                {func(c *clinic) { c.Installed = func() []browser.Installed { return nil } }, Failure, "no Chrome, Brave, Edge or Chromium was found", "TABRELAY_BROWSER_PATH", false},
		"browser that is not there": {func(c *clinic) { c.Choice.Browser = "brave-beta" }, Failure, "brave-beta is not installed", "choose chrome with --browser or TABRELAY_BROWSER", false},
		"path to nothing":           {func(c *clinic) { c.Choice.BrowserPath = "/nowhere/chrome" }, Failure, "/nowhere/chrome", "unset TABRELAY_BROWSER_PATH", false},
		"root without a sandbox":    {func(c *clinic) { c.Sandbox = func() error { return errors.New("root") } }, Failure, "root has no sandbox", "TABRELAY_NO_SANDBOX=1", false},
		"no display":                {func(c *clinic) { c.Display = false }, Note, "no window can be opened", "", false},
		"configuration file": {func(c *clinic) {
			c.write("config.yaml", "mcp: {tool_limits: {nonsense: 1}}\n")
			c.Config = filepath.Join(c.Dir, "config.yaml")
		}, Failure, "nonsense", "unset TABRELAY_CONFIG", false},
		"state folder is a file": {func(c *clinic) {
			c.write("file", "")
			c.Dir = filepath.Join(c.Dir, "file")
		}, Failure, "is not a folder", "TABRELAY_STATE", false},
		"state folder of another": {func(c *clinic) {
			if os.Geteuid() != 0 || os.Chown(c.Dir, 4711, 4711) != nil {
				c.Skip("only root can give a folder away")
			}
		}, Failure, "belongs to user 4711", "chown", false},
		"state folder open to all": {func(c *clinic) { _ = os.Chmod(c.Dir, 0o755) }, Warning, "can be read by others (mode 0755)", "chmod 700", true},
		"secrets open to all":      {func(c *clinic) { _ = os.Chmod(c.state.File(), 0o644) }, Warning, "relay.json can be read by others", "chmod 600", true},
		"broken relay.json":        {func(c *clinic) { c.write("relay.json", "{") }, Failure, "relay.json cannot be used", "rm ", false},
		"full disk":                {func(c *clinic) { c.Free = func(string) (uint64, bool) { return 3 << 20, true } }, Failure, "only 3 MB are free", "free some space", false},
		"killed daemon": {func(c *clinic) {
			c.write("daemon.json", `{"pid":4711,"network":"tcp","address":"127.0.0.1:1","protocol":2}`)
		}, Warning, "left from one (pid 4711) that was killed", "rm ", true},
		"daemon.json of nobody": {func(c *clinic) { _ = os.Mkdir(filepath.Join(c.Dir, "daemon.json"), 0o700) }, Failure, "daemon.json", "rm ", false},
		"older daemon":          {func(c *clinic) { c.runs("v1.0.0", browsers(connected())) }, Warning, "v1.0.0 (pid 4711), older than this v2.0.0", "tabrelay stop", true},
		"older daemon in use": {func(c *clinic) {
			s := browsers(connected())
			s.Agents = []daemon.AgentStatus{{Name: "shell"}}
			c.runs("v1.0.0", s)
		}, Warning, "older than this v2.0.0", "tabrelay stop", false},
		"port taken": {func(c *clinic) {
			l, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				c.Fatal(err)
			}
			c.Cleanup(func() { _ = l.Close() })
			c.state.Port = l.Addr().(*net.TCPAddr).Port
			data, _ := json.Marshal(c.state)
			c.write("relay.json", string(data))
			_ = browser.WriteOwn(io.Discard, c.state, "", nil)
		}, Failure, "is taken by", "tabrelay extension --port", false},
		"extension of another version": {func(c *clinic) { c.write("extension/manifest.json", `{"version":"0.0.1"}`) }, Warning, "is version 0.0.1", "tabrelay extension", false},
		"extension with an old file":   {func(c *clinic) { c.write("extension/background.js", "old") }, Warning, "this program has another", "tabrelay extension", true},
		"extension of another port": {func(c *clinic) {
			data, _ := os.ReadFile(filepath.Join(c.Dir, "extension", "pairing.json"))
			c.write("extension/pairing.json", strings.Replace(string(data), `"port": `, `"port": 1`, 1))
		}, Failure, "another port or key", "tabrelay extension", true},
		"no extension":            {func(c *clinic) { _ = os.RemoveAll(filepath.Join(c.Dir, "extension")) }, Note, "not written yet", "tabrelay extension", false},
		"extension is not loaded": {func(c *clinic) { c.runs("v2.0.0", browsers()) }, Warning, "no browser of yours is connected", "Load unpacked", false},
		"extension was refused": {func(c *clinic) {
			s := browsers(connected())
			s.Refused = &daemon.RefusedStatus{At: time.Now(), Why: "its key is another"}
			c.runs("v2.0.0", s)
		}, Failure, "its key is another", "tabrelay extension", false},
		"loaded extension is old": {func(c *clinic) {
			b := connected()
			b.Extension = "0.0.1"
			c.runs("v2.0.0", browsers(b))
		}, Warning, "with version 0.0.1 of the extension", "reload it", false},
		"browser is away": {func(c *clinic) {
			b := connected()
			b.Connected = false
			c.runs("v2.0.0", browsers(b))
		}, Warning, "was connected and is away", "Connect in the Tabrelay popup", false},
		"extension is silent": {func(c *clinic) {
			b := connected()
			b.Silent = "its extension does not answer"
			c.runs("v2.0.0", browsers(b))
		}, Failure, "its extension does not answer", "reload the extension", false},
	} {
		t.Run(name, func(t *testing.T) {
			desk := newClinic(t)
			c.breaks(desk)
			found := Examine(t.Context(), desk.Machine)
			var wrong []Finding
			for _, f := range found {
				if f.Level != OK && !(f.Check == "daemon" && f.Level == Note) {
					wrong = append(wrong, f)
				}
			}
			var text bytes.Buffer
			_ = Print(&text, found)
			switch {
			case c.says == "":
				if len(wrong) > 0 || Broken(found) {
					t.Fatalf("blamed:\n%s", &text)
				}
				return
			case len(wrong) != 1 || wrong[0].Level != c.level || !strings.Contains(wrong[0].Text, c.says) || !strings.Contains(wrong[0].Mend, c.mend):
				t.Fatalf("want %s %q, mended with %q:\n%s", c.level, c.says, c.mend, &text)
			case Broken(found) != (c.level == Failure):
				t.Errorf("broken: %v", Broken(found))
			}
			Mend(context.Background(), found)
			for _, f := range found {
				if f.Level != OK && f.Fixed != c.fixed && f.Check == wrong[0].Check && f.Text == wrong[0].Text {
					t.Errorf("fixed: %v: %s", f.Fixed, f.Text)
				}
			}
			if c.fixed && c.level != Warning || c.fixed && name != "older daemon" {
				for _, f := range Examine(t.Context(), desk.Machine) {
					if f.Text == wrong[0].Text {
						t.Errorf("it is as it was: %s", f.Text)
					}
				}
			}
		})
	}
}

// A daemon that takes calls and says nothing is named with its process.
func TestHungDaemon(t *testing.T) {
	desk := newClinic(t)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = l.Close() })
	go func() { // ends with the listener
		for {
			conn, err := l.Accept()
			if err != nil {
				return
			}
			t.Cleanup(func() { _ = conn.Close() })
		}
	}()
	c := daemon.Contact{PID: 4711, Version: "v2.0.0", Protocol: daemon.WireProtocol, Network: "tcp", Address: l.Addr().String(), Port: desk.state.Port}
	if err := c.Write(desk.Dir); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // its limit is over
	for _, f := range Examine(ctx, desk.Machine) {
		if f.Check == "daemon" && (f.Level != Failure || !strings.Contains(f.Text, "(pid 4711) does not respond") || f.Mend != "kill 4711") {
			t.Errorf("%+v", f)
		}
	}
}
