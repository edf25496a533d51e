package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// TestB101OwnBrowserElsewhere holds that what a person decides in their own browser
// holds for an agent of another machine as for one of theirs, which is told the same;
// and that they see whose it is.
func TestB101OwnBrowserElsewhere(t *testing.T) {
	t.Parallel()
	nats := newNATS(t).ClientURL()
	s := newSite(t, "")
	s.handle("/page", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, "<!doctype html><title>Title</title><p>Words of %s</p>", r.Host)
	})
	host, local, p := newOwn(t)
	guest := newDesk(t)
	pair(host, guest, "attic", "cellar")
	name := host.offer(nats, "--machine", "attic")
	remote, _ := guest.front("--fleet", nats)
	remote.ok("browser_connect", args{"browser": name}).has("another machine, attic")
	d := p.decides()
	at := func(host string) string {
		u, _ := url.Parse(s.URL)
		return "http://" + host + ".localhost:" + u.Port() + "/page"
	}
	// each has both agents do the same at sites of their own, and holds that they are
	// told the same, but for each other's tabs.
	each := func(do func(a *agent, site string) answer) {
		t.Helper()
		said := map[*agent]string{}
		for whose, a := range map[string]*agent{"ours": local, "theirs": remote} {
			for line := range strings.Lines(do(a, whose).text) {
				if !strings.HasPrefix(line, "tab opened:") && !strings.HasPrefix(line, "tab closed:") {
					said[a] += strings.ReplaceAll(pagePattern.ReplaceAllString(line, "tN"), whose, "WHOSE")
				}
			}
		}
		if strings.TrimSpace(said[local]) != strings.TrimSpace(said[remote]) {
			t.Errorf("the agent here is told\n%s\nand the one elsewhere\n%s", said[local], said[remote])
		}
	}
	each(func(a *agent, site string) answer {
		an := d.asked(a, "browser_tab_open", args{"url": at("once-" + site)}, "http://once-"+site+".localhost", "once")
		return an.has("Words of once-" + site)
	})
	each(func(a *agent, site string) answer {
		an := d.asked(a, "browser_navigate", args{"url": at("no-" + site)}, "http://no-"+site+".localhost", "no")
		return an.has("error: the person does not let agents use http://no-" + site + ".localhost")
	})
	d.eval(`until(v => v.actors.some(a => a.name === "e2e@cellar" && a.tabs.length > 0))`)

	d.eval(`(port.postMessage({ ask: "pause", who: "e2e@cellar" }), until(v => v.actors.some(a => a.name === "e2e@cellar" && a.paused)))`)
	remote.fails("browser_snapshot", nil).has("the person paused", "Resume")
	local.ok("browser_snapshot", nil)
	d.eval(`(port.postMessage({ ask: "resume", who: "e2e@cellar" }), until(v => !v.actors.some(a => a.paused)))`)
	d.eval(`(port.postMessage({ ask: "pause" }), until(v => v.paused))`)
	each(func(a *agent, _ string) answer { return a.fails("browser_snapshot", nil).has("the person paused") })
	d.eval(`(port.postMessage({ ask: "resume" }), until(v => !v.paused))`)
	remote.ok("browser_snapshot", nil)

	e := p.extensionPage()
	each(func(a *agent, site string) answer {
		a.ok("browser_navigate", args{"url": at("once-" + site)})
		e.wish(at("once-"+site), "stop", false)
		return a.fails("browser_snapshot", nil).has("the person took this tab back")
	})

	address := given{}
	cmd := guest.command("cdp", "--json", "--name", "script", "--fleet", nats, "--browser", name)
	if out, err := cmd.Output(); err != nil || json.Unmarshal(out, &address) != nil || address.Browser != name {
		t.Fatal(err, string(out), cmd.Stderr)
	}
	socket := discovered(t, address.URL)
	c := &client{t: t, socket: socket}
	c.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, nil)
	d.eval(`until(v => v.actors.some(a => a.name === "script@cellar"))`)
	if out, err := guest.command("cdp", "--revoke", "script").CombinedOutput(); err != nil || !strings.Contains(string(out), "ended script") {
		t.Error(err, string(out))
	}
	_ = socket.SetReadDeadline(time.Now().Add(callLimit))
	for {
		if _, _, err := socket.ReadMessage(); err != nil {
			var closed *websocket.CloseError
			if !errors.As(err, &closed) || closed.Text != "the address was revoked" {
				t.Error(err)
			}
			break
		}
	}
	d.eval(`until(v => !v.actors.some(a => a.name === "script@cellar"))`)
	if _, r, err := websocket.DefaultDialer.Dial(address.WS, nil); err == nil || r == nil || r.StatusCode != http.StatusNotFound {
		t.Error("a revoked address is answered:", r, err)
	}

	e.disconnect()
	for _, a := range []*agent{local, remote} {
		an := a.call("browser_evaluate", args{"script": "1"})
		for !an.failed { // the word is still on its way
			an = a.call("browser_evaluate", args{"script": "1"})
		}
		an.has("the person disconnected this browser")
	}
}

// discovered connects to an address as CDP clients do that are given one of HTTP.
func discovered(t testing.TB, address string) *websocket.Conn {
	t.Helper()
	r, err := http.Get(address + "/json/version")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	var version given
	if err := json.NewDecoder(r.Body).Decode(&version); err != nil {
		t.Fatal(r.Status, err)
	}
	socket, _, err := websocket.DefaultDialer.Dial(version.WS, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { socket.Close() })
	return socket
}
