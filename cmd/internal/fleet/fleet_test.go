package fleet

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/gorilla/websocket"
	"github.com/nats-io/nats-server/v2/server"
)

// waitLimit bounds each wait of a test.
const waitLimit = 30 * time.Second

// newNATS starts a NATS server on this machine.
func newNATS(t testing.TB, change ...func(*server.Options)) *server.Server {
	t.Helper()
	o := &server.Options{Host: "127.0.0.1", Port: server.RANDOM_PORT, JetStream: true, StoreDir: t.TempDir(), NoLog: true, NoSigs: true}
	for _, c := range change {
		c(o)
	}
	s, err := server.NewServer(o)
	if err != nil {
		t.Fatal(err)
	}
	s.Start()
	t.Cleanup(func() { s.Shutdown(); s.WaitForShutdown() })
	if !s.ReadyForConnections(waitLimit) {
		t.Fatal("the NATS server does not start")
	}
	return s
}

// echo is a browser that says what it hears, after it was noted.
func echo(t testing.TB, note ...func([]byte)) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := upgrader.Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		for {
			_, m, err := ws.ReadMessage()
			if err != nil {
				return
			}
			for _, heard := range note {
				heard(m)
			}
			if ws.WriteMessage(websocket.TextMessage, m) != nil {
				return
			}
		}
	}))
	t.Cleanup(s.Close)
	return "ws" + strings.TrimPrefix(s.URL, "http")
}

// newHost offers the browser `work` at an address, on the machine `attic`.
func newHost(t testing.TB, url, browser string, change ...func(*Offer)) *Host {
	t.Helper()
	o := Offer{Options: Options{URL: url, Name: "host"}, Dir: t.TempDir(), Machine: "attic", Labels: []string{"eu"}, Capacity: 4, Log: slog.New(slog.DiscardHandler),
		Dial: func(context.Context, string, string) (string, func(), error) { return browser, func() {}, nil }}
	for _, c := range change {
		c(&o)
	}
	h, err := NewHost(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- h.Run(ctx) }()
	t.Cleanup(func() {
		stop()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	h.Set(ctx, []Browser{{Name: "work", Kind: "chromium", Version: "156.0"}})
	return h
}

// newClient is a machine that was invited to a host.
func newClient(t testing.TB, url string, hosts ...*Host) *Client {
	t.Helper()
	dir := t.TempDir()
	for _, h := range hosts {
		text, err := NewInvite(h.Dir, h.Machine, "cellar")
		if err == nil {
			_, err = Accept(dir, text)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	c, err := Join(Options{URL: url, Name: "agents"}, dir, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

// begin opens a session in the first browser of a name.
func (c *Client) begin(t testing.TB, name string) *Link {
	t.Helper()
	list, err := c.Find(t.Context(), name)
	if err != nil {
		t.Fatal(err)
	}
	l, err := c.open(t.Context(), list[0], "claude")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close(1000, "") })
	return l
}

// says sends a message and holds that it comes back.
func (l *Link) says(t testing.TB, message string) {
	t.Helper()
	if err := l.Write([]byte(message)); err != nil {
		t.Fatal(err)
	}
	if got, err := l.Read(); err != nil || string(got) != message {
		t.Fatalf("%d bytes came back, %v", len(got), err)
	}
}

func TestMessagesComeBack(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	c := newClient(t, url, newHost(t, url, echo(t)))
	for _, name := range []string{"work@attic", "label:eu", "label:chromium"} {
		l := c.begin(t, name)
		l.says(t, "")
		l.says(t, `{"id":1}`)
		l.says(t, strings.Repeat("large ", 1<<18))
	}
	var says *Error
	if _, err := c.Find(t.Context(), "other@attic"); !errors.As(err, &says) || !strings.Contains(says.Text, "no browser other@attic") {
		t.Error(err)
	}
}

// moody is a server's judgement of who may connect: it refuses some, and then none.
type moody struct{ refuse atomic.Int32 }

func (m *moody) Check(server.ClientAuthentication) bool { return m.refuse.Add(-1) < 0 }

// TestRefusedConnectionComesBack holds that a server that refuses credentials for a
// while costs nothing but that while.
func TestRefusedConnectionComesBack(t *testing.T) {
	t.Parallel()
	var mood moody
	url := newNATS(t, func(o *server.Options) { o.CustomClientAuthentication = &mood }).ClientURL()
	c := newClient(t, url, newHost(t, url, echo(t)))
	l := c.begin(t, "work@attic")
	l.says(t, "before")
	mood.refuse.Store(4)
	if err := c.wire.nc.ForceReconnect(); err != nil {
		t.Fatal(err)
	}
	l.says(t, "after")
	if mood.refuse.Load() >= 0 {
		t.Error("nothing was refused")
	}
}

// TestServerMustCarryGreetings holds that a server that carries next to nothing at
// once is not used.
func TestServerMustCarryGreetings(t *testing.T) {
	t.Parallel()
	url := newNATS(t, func(o *server.Options) { o.MaxPayload = 64 }).ClientURL()
	if _, err := Join(Options{URL: url}, t.TempDir(), 0); err == nil || !strings.Contains(err.Error(), "max_payload") {
		t.Error(err)
	}
}

// TestAddressIsForOneClient holds that an address leads its first client to the
// browser, and nobody else anywhere.
func TestAddressIsForOneClient(t *testing.T) {
	t.Parallel()
	url := newNATS(t).ClientURL()
	h := newHost(t, url, echo(t))
	c := newClient(t, url, h)
	var bridge Bridge
	s := httptest.NewServer(&bridge)
	t.Cleanup(s.Close)
	_, path, err := bridge.Open(t.Context(), c, "work@attic", "claude")
	if err != nil {
		t.Fatal(err)
	}
	address := "ws" + strings.TrimPrefix(s.URL, "http") + path
	ws, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	if _, r, err := websocket.DefaultDialer.Dial(address, nil); err == nil || r == nil || r.StatusCode != http.StatusNotFound {
		t.Error("a second client:", r, err)
	}
	if err := ws.WriteMessage(websocket.TextMessage, []byte("hello")); err != nil {
		t.Fatal(err)
	}
	if _, m, err := ws.ReadMessage(); err != nil || string(m) != "hello" {
		t.Error(string(m), err)
	}
	if sessions, _ := h.count(); sessions != 1 {
		t.Errorf("%d sessions", sessions)
	}
}
