package relay

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// watching is a log that tells when a line comes.
type watching struct {
	slog.Handler
	line string
	came chan struct{}
}

func (w watching) Enabled(context.Context, slog.Level) bool { return true }
func (w watching) Handle(_ context.Context, r slog.Record) error {
	if r.Message == w.line {
		select {
		case w.came <- struct{}{}:
		default:
		}
	}
	return nil
}

// flood begins to send four commands of a size, which nobody reads yet, and returns
// when the relay is not reading their sender any more.
func flood(t *testing.T, d *desk, client *websocket.Conn, size int, slowed <-chan struct{}) (sent chan error) {
	t.Helper()
	session := attachTab1(t, client)
	message, err := websocket.NewPreparedMessage(websocket.TextMessage, []byte(`{"id":50,"method":"Runtime.evaluate","params":{"expression":"0","objectGroup":"`+strings.Repeat("x", size)+
		`"},"sessionId":"`+session+`"}`))
	if err != nil {
		t.Fatal(err)
	}
	sent = make(chan error, 1)
	go func() { // ends with the socket
		var err error
		for i := 0; i < 4 && err == nil; i++ {
			err = client.WritePreparedMessage(message)
		}
		sent <- err
	}()
	gone, cancel := context.WithTimeout(t.Context(), 45*time.Second)
	defer cancel()
	for {
		changed := d.server.Changed()
		if !d.server.Browsers()[0].Connected {
			t.Fatal("the extension's socket was closed")
		}
		select {
		case <-slowed:
			return sent
		case <-changed:
		case <-gone.Done():
			t.Fatal("nobody was slowed")
		}
	}
}

// gated connects an extension that answers one command, and the others once its
// gate is open.
func (d *desk) gated(gate <-chan struct{}) {
	d.t.Helper()
	c := d.proven()
	_ = c.SetReadDeadline(time.Time{})
	say(d.t, c, greeting("i"))
	ended := make(chan struct{})
	go func() { // ends with the socket
		defer close(ended)
		for first := true; ; first = false {
			_, data, err := c.ReadMessage()
			if err != nil {
				return
			}
			id, _, _ := strings.Cut(strings.TrimPrefix(string(data[:min(len(data), 40)]), `{"id":`), ",")
			if c.WriteMessage(websocket.TextMessage, []byte(`{"id":`+id+`,"result":{"value":"xxx"}}`)) != nil {
				return
			}
			if first {
				<-gate
			}
		}
	}()
	d.t.Cleanup(func() {
		c.Close()
		<-ended
	})
	ctx, cancel := context.WithTimeout(d.t.Context(), 20*time.Second)
	defer cancel()
	if _, err := d.server.Wait(ctx, func(Browser) bool { return true }); err != nil {
		d.t.Fatal(err)
	}
}

func TestClientThatFloodsIsSlowed(t *testing.T) {
	slowed := make(chan struct{}, 1)
	d := newDesk(t, Options{Logger: slog.New(watching{line: "client is not read for now", came: slowed})})
	gate := make(chan struct{})
	d.gated(gate)
	fast := d.client()
	session := attachTab1(t, fast)
	say(t, fast, `{"id":2,"method":"Runtime.enable","sessionId":"`+session+`"}`)

	loud := d.client()
	sent := flood(t, d, loud, 12<<20, slowed)
	say(t, fast, `{"id":3,"method":"Browser.getVersion"}`)
	hear(t, fast, "3") // the relay answers by itself meanwhile
	close(gate)
	hear(t, fast, "2")
	for range 20 {
		fine(t, fast, session)
	}
	for range 4 {
		if f := hear(t, loud, "50"); f.err != nil {
			t.Fatal(string(f.err))
		}
	}
	if err := <-sent; err != nil {
		t.Fatal(err)
	}
	if list := d.server.Browsers(); !list[0].Connected {
		t.Fatal(list)
	}
}

func TestClientThatGoesOnIsClosedAlone(t *testing.T) {
	slowed := make(chan struct{}, 1)
	d := newDesk(t, Options{Logger: slog.New(watching{line: "client is not read for now", came: slowed})})
	d.server.flowWait = time.Millisecond
	gate := make(chan struct{})
	d.gated(gate)
	fast := d.client()
	session := attachTab1(t, fast)
	loud := d.client()
	sent := flood(t, d, loud, 12<<20, slowed)
	if code, why := closeCode(loud); code != closeFlood {
		t.Fatal(code, why)
	}
	loud.Close()
	<-sent
	close(gate)
	fine(t, fast, session)
}
