package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	dp "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	"github.com/gorilla/websocket"
)

// TestThePersonLetsClientsIn holds that each program that comes to a person's browser
// through a port without a secret waits until they let it in.
func TestThePersonLetsClientsIn(t *testing.T) {
	t.Parallel()
	d, _, p := newOwn(t)
	person := p.decides()
	cmd := d.command("cdp", "--json", "--listen", "0")
	var complaints strings.Builder
	cmd.Stderr = &complaints
	out, err := cmd.Output()
	var at struct {
		given
		Asks bool
	}
	if err != nil || json.Unmarshal(out, &at) != nil || at.Port == 0 || !at.Asks {
		t.Fatalf("%v %s %s", err, out, complaints.String())
	}
	get := func(path string) string {
		t.Helper()
		resp, err := http.Get(at.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		body, _ := io.ReadAll(resp.Body)
		return string(body)
	}
	if body := get("/json/list"); strings.TrimSpace(body) != "[]" {
		t.Errorf("who is not let in is told of %s", body)
	}
	if body := get("/json/version"); !strings.Contains(body, "/devtools/browser/") {
		t.Errorf("the version is %s", body)
	}
	dial := func() *client {
		t.Helper()
		socket, _, err := websocket.DefaultDialer.Dial(at.WS, http.Header{"User-Agent": {"Program/1.0 \u201cold\u201d"}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { socket.Close() })
		_ = socket.SetReadDeadline(time.Now().Add(45 * time.Second))
		return &client{t: t, socket: socket}
	}
	asked := func() string {
		t.Helper()
		return person.eval(`until(v => v.questions.length > 0).then(v => v.questions.map(q => q.agent + " at " + q.port).join())`)
	}
	answer := func(choice string) {
		t.Helper()
		person.eval(`until(v => v.questions.length > 0).then(v => (port.postMessage({ ask: "answer", id: v.questions[0].id, choice: "` + choice + `" }), until(v => v.questions.length === 0)))`)
	}
	list := func() string {
		out, _ := d.command("status").Output()
		return string(out)
	}

	// One waits, is let in, and goes on from what it said first.
	first := dial()
	id := first.send("", "Browser.getVersion", nil)
	if got, want := asked(), `"Program/1.0 old at `; !strings.HasPrefix(got, want) {
		t.Errorf("the person is asked for %s", got)
	}
	answer("once")
	first.until(func(m message) bool { return m.ID == id && m.Error == nil })
	if out := list(); !strings.Contains(out, "you are asked about each client") {
		t.Errorf("status says\n%s", out)
	}

	// Nobody is asked for one that has gone.
	gone := dial()
	asked()
	gone.socket.Close()
	person.eval(`until(v => v.questions.length === 0)`)

	// The worker may end meanwhile.
	again := dial()
	asked()
	p.killWorker()
	person = p.decides()
	asked()
	id = again.send("", "Browser.getVersion", nil)
	answer("once")
	again.until(func(m message) bool { return m.ID == id && m.Error == nil })

	// Another is refused, with an error that it shows, and the first does not notice.
	bound, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	allocator, cancel := remote.NewAllocator(bound, at.URL+"/")
	defer cancel()
	tab, cancel := dp.NewContext(allocator)
	defer cancel()
	said := make(chan error, 1)
	go func() { // ends with the connection
		_, err := dp.Run(tab, dp.Evaluate[int](`6 * 7`))
		said <- err
	}()
	answer("no")
	if err := <-said; err == nil || !strings.Contains(err.Error(), "the person does not let this program use the browser") {
		t.Errorf("who is refused is told %v", err)
	}
	if _, _, err := dial().socket.ReadMessage(); err == nil || !strings.Contains(err.Error(), "the person refused a program at this port") {
		t.Errorf("who comes next is told %v", err)
	}
	_ = first.socket.SetReadDeadline(time.Now().Add(45 * time.Second))
	first.call("", "Target.getTargets", nil, nil)

	// The panel shows the address with those on it, without a secret, and ends it with them.
	shown := person.eval(`until(v => v.addresses.length === 1 && v.addresses[0].clients === 2).then(v => JSON.stringify(v.addresses[0]))`)
	for _, want := range []string{at.ID, fmt.Sprint(at.Port), `asks\":true`, `tabs\":\"shared`, `expires`} {
		if !strings.Contains(shown, want) {
			t.Errorf("the panel is shown %s, without %s", shown, want)
		}
	}
	person.eval(`(port.postMessage({ ask: "endAddress", id: "` + at.ID + `" }), until(v => v.addresses.length === 0))`)
	for _, c := range []*client{first, again} {
		for err = nil; err == nil; {
			_, _, err = c.socket.ReadMessage()
		}
		if !websocket.IsCloseError(err, websocket.ClosePolicyViolation) || !strings.Contains(err.Error(), "revoked") {
			t.Errorf("a client of an address that the person ended is told %v", err)
		}
	}
	if out := list(); strings.Contains(out, at.ID) {
		t.Errorf("status says\n%s", out)
	}
}
