package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// secrets are the secrets of a state folder, by where they stand.
func (d *desk) secrets() map[string]string {
	d.t.Helper()
	secrets := map[string]string{}
	for _, name := range []string{"relay.json", "daemon.json"} {
		data, err := os.ReadFile(filepath.Join(d.dir, name))
		if err != nil {
			d.t.Fatal(err)
		}
		var all map[string]any
		if err := json.Unmarshal(data, &all); err != nil {
			d.t.Fatal(err)
		}
		for key, v := range all {
			if s, ok := v.(string); ok && len(s) >= 32 && !strings.Contains(s, "/") {
				secrets[name+" "+key] = s
			}
		}
	}
	if len(secrets) < 4 {
		d.t.Fatalf("%d secrets: where are the others?", len(secrets))
	}
	return secrets
}

func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	d := newDesk(t)
	a, _ := d.front(d.managed()...)
	var said strings.Builder
	tell := func(an answer) answer { said.WriteString(an.text + "\n"); return an }
	s := newSite(t, `<h1>a page</h1><button>Save</button>`)
	tell(a.ok("browser_connect", nil))
	an := tell(a.ok("browser_tab_open", args{"url": s.URL}))
	tell(a.ok("browser_click", args{"ref": an.ref("button")}))
	tell(a.fails("browser_click", args{"ref": "e999"}))
	tell(a.fails("browser_navigate", args{"url": "http://127.0.0.1:1/"}))
	tell(a.ok("browser_tab_list", nil))
	tell(a.ok("browser_network", nil))
	tell(a.call("browser_console", nil))
	for _, with := range [][]string{{"status"}, {"status", "--json"}} {
		out, err := d.command(with...).CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %v %s", with, err, out)
		}
		said.Write(out)
	}
	logs, _ := filepath.Glob(filepath.Join(d.dir, "*.log*"))
	for _, log := range logs {
		data, err := os.ReadFile(log)
		if err != nil {
			t.Fatal(err)
		}
		said.Write(data)
	}
	lines, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil || len(lines) == 0 {
		t.Fatal("no processes", err)
	}
	for _, line := range lines {
		data, _ := os.ReadFile(line) // a process may have gone meanwhile
		said.Write(data)
		said.WriteByte('\n')
	}
	if all := said.String(); !strings.Contains(all, d.dir) {
		t.Error("the browser's command line is not among what was read")
	}
	for where, secret := range d.secrets() {
		if i := strings.Index(said.String(), secret); i >= 0 {
			t.Errorf("the secret of %s is shown in …%.200s", where, said.String()[max(0, i-100):])
		}
	}
}

// listens returns the local addresses, as /proc/net writes them, at which a
// process listens.
func listens(t *testing.T, pid int) []string {
	t.Helper()
	held := map[string]bool{}
	files, err := filepath.Glob(fmt.Sprintf("/proc/%d/fd/*", pid))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		to, _ := os.Readlink(file)
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			held[strings.TrimSuffix(inode, "]")] = true
		}
	}
	const local, state, inode = 1, 3, 9 // columns
	var addresses []string
	for _, table := range []string{"tcp", "tcp6"} {
		data, err := os.ReadFile(fmt.Sprintf("/proc/%d/net/%s", pid, table))
		if err != nil {
			t.Fatal(err)
		}
		for _, line := range strings.Split(string(data), "\n")[1:] {
			if f := strings.Fields(line); len(f) > inode && f[state] == "0A" && held[f[inode]] {
				addresses = append(addresses, f[local])
			}
		}
	}
	return addresses
}

func TestListensOnLoopbackAlone(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("reads /proc")
	}
	d := newDesk(t)
	a, _ := d.front(d.managed()...)
	a.ok("browser_connect", nil)
	for name, pid := range map[string]int{"daemon": d.daemon(), "http": own(t).cmd.Process.Pid} {
		addresses := listens(t, pid)
		if len(addresses) == 0 {
			t.Errorf("the %s process listens nowhere", name)
		}
		for _, address := range addresses {
			host, _, _ := strings.Cut(address, ":")
			if host != "0100007F" && host != "00000000000000000000000001000000" {
				t.Errorf("the %s process listens at %s", name, address)
			}
		}
	}
}
