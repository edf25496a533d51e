package e2e

import (
	"bufio"
	"strings"
	"testing"

	nats "github.com/nats-io/nats-server/v2/server"
)

// newNATS starts a NATS server on this machine.
func newNATS(t testing.TB) *nats.Server {
	t.Helper()
	s, err := nats.NewServer(&nats.Options{Host: "127.0.0.1", Port: nats.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true})
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(callLimit) {
		t.Fatal("the NATS server does not start")
	}
	return s
}

// offer offers the desk's browsers to a fleet, and returns when they can be had, with
// the name of the first.
func (d *desk) offer(url string, args ...string) (name string) {
	d.t.Helper()
	cmd := d.command(append([]string{"fleet", "offer", "--nats", url}, args...)...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		d.t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	var said []string
	for lines.Scan() {
		if said = append(said, lines.Text()); strings.Contains(lines.Text(), "can be used") {
			go func() { // ends with the process
				for lines.Scan() {
					d.t.Log(lines.Text())
				}
			}()
			name, _, _ = strings.Cut(lines.Text(), " can be used")
			return name
		}
	}
	d.t.Fatalf("the offer ended: %s", strings.Join(said, "\n"))
	return ""
}

// pair invites one desk's agents to another's browsers.
func pair(host, guest *desk, machine, name string) {
	host.t.Helper()
	invite, err := host.command("fleet", "invite", "--machine", machine, name).Output()
	if err != nil {
		host.t.Fatal(err)
	}
	accept := guest.command("fleet", "accept")
	accept.Stdin = strings.NewReader(string(invite))
	if out, err := accept.CombinedOutput(); err != nil {
		host.t.Fatalf("%v: %s", err, out)
	}
}

// TestB101RemoteAgent holds that an agent of one daemon works in a browser of
// another, over NATS.
func TestB101RemoteAgent(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	site := newSite(t, clicks)
	host, guest := newDesk(t), newDesk(t)
	pair(host, guest, "attic", "cellar")
	host.offer(url, "--machine", "attic", "--browsers", "managed", "--browser-path", host.path, "--browser", "chromium", "--headless", "--no-sandbox", "--labels", "eu")
	a, _ := guest.front("--fleet", url)
	a.ok("browser_connect", args{"browser": "managed@attic"}).has("another machine, attic")
	a.open(site.URL).has("Click")
	a.ok("browser_click", args{"selector": "button"}).has("Clicked 1")
	if out, err := host.command("status").Output(); err != nil || !strings.Contains(string(out), "e2e@cellar") {
		t.Errorf("the host does not show whose agent is there: %v\n%s", err, out)
	}
	a.ok("browser_disconnect", nil)
	a.fails("browser_connect", args{"browser": "managed@garage"}).has("no browser managed@garage is in the fleet")
	a.ok("browser_connect", args{"browser": "label:eu"}).has("another machine, attic")
}
