package relay

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

func TestAddressesEnd(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	a, secret := d.server.Issue(Address{Name: "one", Browser: "i"}, 0)
	c, _, err := d.dial("/cdp/"+secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	say(t, c, `{"id":1,"method":"Browser.getVersion"}`)
	hear(t, c, "1")
	if list := d.server.Addresses(); len(list) != 1 || list[0].ID != a.ID || list[0].Clients != 1 {
		t.Fatalf("%+v", list)
	}
	_, late := d.server.Issue(Address{Browser: "i"}, time.Nanosecond)
	if _, _, err := d.dial("/cdp/"+late, nil); err == nil {
		t.Error("an address outlives its time")
	}
	if ended := d.server.Revoke("one"); len(ended) != 1 {
		t.Fatalf("%+v", ended)
	}
	if code, why := closeCode(c); code != websocket.ClosePolicyViolation {
		t.Error(code, why)
	}
	if _, _, err := d.dial("/cdp/"+secret, nil); err == nil {
		t.Error("a revoked address lets clients in")
	}
	// Without a name an address is known by its ID alone.
	nameless, _ := d.server.Issue(Address{Browser: "i"}, 0)
	if ended := d.server.Revoke(""); ended != nil {
		t.Errorf("%+v", ended)
	}
	if ended := d.server.Revoke(nameless.ID); len(ended) != 1 || ended[0].ID != nameless.ID {
		t.Errorf("%+v", ended)
	}
}

func TestAddressesEndByThemselves(t *testing.T) {
	d := newDesk(t, Options{})
	d.server.Issue(Address{Browser: "i"}, time.Nanosecond)
	late := time.After(20 * time.Second)
	for {
		changed := d.server.Changed()
		if len(d.server.Addresses()) == 0 {
			break
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("left is %+v", d.server.Addresses())
		}
	}
	// One whose time is over is none, even where nobody has cleared it away yet.
	_, secret := d.server.Issue(Address{Browser: "i"}, time.Hour)
	d.server.mu.Lock()
	for _, i := range d.server.issued {
		i.Expires = time.Now().Add(-time.Second)
	}
	d.server.mu.Unlock()
	if _, ok := d.server.wayOf(secret); ok {
		t.Error("it opens something")
	}
}

func TestAddressLeadsToOneBrowser(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("a")
	d.extension("b")
	d.server.Issue(Address{Name: "first", Browser: "b"}, 0)
	_, secret := d.server.Issue(Address{Name: "second", Browser: "a"}, 0)
	if list := d.server.Addresses(); len(list) != 2 || list[0].Name != "first" || list[1].Name != "second" {
		t.Errorf("%+v", list)
	}
	way, ok := d.server.wayOf(secret)
	if !ok {
		t.Fatal("it opens nothing")
	}
	r := httptest.NewRequest(http.MethodGet, "/cdp/"+secret+"/json/list?browser=b&files=allow&behind=plain", nil)
	if b := way.browser(r); b != "a" {
		t.Errorf("it leads to %s", b)
	}
	if got, want := way.url(r, "page", "T"), "ws://example.com/cdp/"+secret+"/devtools/page/T"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if g := way.guest(r, "T"); g.page != "T" || !g.files || !g.plain || g.only || g.name != "second" {
		t.Errorf("%+v", g)
	}
	if g := way.guest(httptest.NewRequest(http.MethodGet, "/?files=no&behind=front", nil), ""); g.files || g.plain {
		t.Errorf("%+v", g)
	}
	own, ok := d.server.wayOf("cdp-secret")
	if !ok || own.browser(r) != "b" || own.url(r, "page", "T") != "ws://example.com/cdp/cdp-secret/devtools/page/T?browser=b" {
		t.Error(own.url(r, "page", "T"))
	}
}

// Who sees the tabs that it opens alone cannot name another one either.
func TestAddressForNewTabsAlone(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	_, secret := d.server.Issue(Address{Browser: "i", New: true}, 0)
	resp, err := http.Get(d.http.URL + "/cdp/" + secret + "/json/list")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	if body, _ := io.ReadAll(resp.Body); strings.TrimSpace(string(body)) != "[]" {
		t.Errorf("the list is %s", body)
	}
	if _, resp, err := d.dial("/cdp/"+secret+"/devtools/page/TAB1", nil); err == nil || resp.StatusCode != http.StatusNotFound {
		t.Error("it is let in to a tab that is not its own")
	}
	c, _, err := d.dial("/cdp/"+secret, nil)
	if err != nil {
		t.Fatal(err)
	}
	say(t, c, `{"id":1,"method":"Target.getTargets"}`)
	if f := hear(t, c, "1"); string(f.result) != `{"targetInfos":[]}` {
		t.Errorf("it sees %s", f.result)
	}
	say(t, c, `{"id":2,"method":"Target.attachToTarget","params":{"targetId":"TAB1","flatten":true}}`)
	if f := hear(t, c, "2"); f.err == nil {
		t.Error("it is attached to a tab that is not its own")
	}
	say(t, c, `{"id":3,"method":"Storage.getCookies"}`)
	if f := hear(t, c, "3"); !strings.Contains(string(f.err), "no tab is shared") {
		t.Errorf("cookies go through a tab that is not its own: %s", f.err)
	}
}

// The socket that an address was revoked under is not let in, and one that has ended
// is not counted.
func TestAddressHoldsItsSockets(t *testing.T) {
	s := NewServer(Options{})
	a, secret := s.Issue(Address{Browser: "i"}, 0)
	way, _ := s.wayOf(secret)
	sock := &socket{}
	release, ok := s.hold(way, sock)
	if !ok || s.Addresses()[0].Clients != 1 {
		t.Fatal("it is not held")
	}
	release()
	if n := s.Addresses()[0].Clients; n != 0 {
		t.Errorf("%d clients are left", n)
	}
	s.Revoke(a.ID)
	if _, ok := s.hold(way, sock); ok {
		t.Error("it is held by an address that has ended")
	}
}

func TestPortOfAnAddress(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	a, _ := d.server.Issue(Address{Browser: "i"}, 0)
	for _, c := range []struct {
		id, host, path string
		header         []string
		want           int
	}{
		{a.ID, "localhost:1", "/json/version", nil, http.StatusOK},
		{a.ID, "127.0.0.1:1", "/json/list/", []string{"Sec-Fetch-Site", "none"}, http.StatusOK},
		{a.ID, "evil.test", "/json/version", nil, http.StatusForbidden},
		{a.ID, "localhost:1", "/json/version", []string{"Origin", "http://localhost:1"}, http.StatusForbidden},
		{a.ID, "localhost:1", "/json/version", []string{"Origin", "null"}, http.StatusForbidden},
		{a.ID, "localhost:1", "/json/version", []string{"Sec-Fetch-Site", "same-origin"}, http.StatusForbidden},
		{a.ID, "localhost:1", "/json/version", []string{"Sec-Fetch-Site", "cross-site"}, http.StatusForbidden},
		{"other", "localhost:1", "/json/version", nil, http.StatusNotFound},
		{"", "localhost:1", "/json/version", nil, http.StatusNotFound},
		{a.ID, "localhost:1", "/cdp/cdp-secret", nil, http.StatusNotFound},
	} {
		r := httptest.NewRequest(http.MethodGet, c.path, nil)
		r.Host = c.host
		for i := 0; i < len(c.header); i += 2 {
			r.Header.Set(c.header[i], c.header[i+1])
		}
		w := httptest.NewRecorder()
		d.server.Port(c.id).ServeHTTP(w, r)
		if w.Code != c.want {
			t.Errorf("%+v: %d", c, w.Code)
		}
	}
}
