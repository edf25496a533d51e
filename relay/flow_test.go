package relay

import (
	"context"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// watching is a log that signals when a line comes.
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

// gatedDesk returns a desk with a gated extension, its gate, and what signals that a
// client is slowed.
func gatedDesk(t *testing.T) (d *desk, gate, slowed chan struct{}) {
	t.Helper()
	gate, slowed = make(chan struct{}), make(chan struct{}, 1)
	d = newDesk(t, Options{Logger: slog.New(watching{line: "client is not read for now", came: slowed})})
	d.gated(gate)
	return d, gate, slowed
}

func TestClientThatFloodsIsSlowed(t *testing.T) {
	d, gate, slowed := gatedDesk(t)
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
	d, gate, slowed := gatedDesk(t)
	d.server.flowWait = time.Millisecond
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

// A client whose small commands are not answered is slowed, too; not for ever, since
// its next command may be what they wait for.
func TestClientWithoutAnswersIsSlowed(t *testing.T) {
	d, gate, slowed := gatedDesk(t)
	d.server.stallWait = time.Millisecond
	loud := d.client()
	session := attachTab1(t, loud)
	for range maxUnanswered + 2 {
		say(t, loud, `{"id":50,"method":"Runtime.evaluate","params":{"expression":"0"},"sessionId":"`+session+`"}`)
	}
	select {
	case <-slowed:
	case <-time.After(45 * time.Second):
		t.Fatal("it is not slowed")
	}
	say(t, loud, `{"id":51,"method":"Browser.getVersion"}`)
	hear(t, loud, "51")
	close(gate)
	for range maxUnanswered + 2 {
		if f := hear(t, loud, "50"); f.err != nil {
			t.Fatal(string(f.err))
		}
	}
}

// Answers let a sender go on, and what nothing answers stops counting.
func TestFlowOfUnanswered(t *testing.T) {
	var f flow
	held := func() bool { _, drained := f.waiting(); return drained != nil }
	for range maxUnanswered {
		f.begin()
	}
	if held() {
		t.Error("it is held up too early")
	}
	round := f.begin()
	f.stall()
	if !held() {
		t.Error("it is not held up")
	}
	f.end(round)
	if held() {
		t.Error("it is held up after an answer")
	}
	f.begin()
	f.stall() // there was an answer before it
	if !held() {
		t.Error("it is let go though it is answered")
	}
	f.stall()
	if held() {
		t.Error("what hangs holds it up")
	}
	f.end(round) // of a round before
	for range maxUnanswered + 1 {
		f.begin()
	}
	if !held() {
		t.Error("the second round has no bound")
	}
}

// Neither a client that is not read nor a browser that does not read holds up the
// server's end.
func TestServerEndsWhileAClientIsSlowed(t *testing.T) {
	d, gate, slowed := gatedDesk(t)
	d.server.partWait = time.Millisecond
	loud := d.client()
	sent := flood(t, d, loud, 12<<20, slowed)
	closed := make(chan error, 1)
	go func() { closed <- d.server.Close() }()
	t.Cleanup(func() {
		close(gate)
		loud.Close()
		<-sent
	})
	select {
	case err := <-closed:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(15 * time.Second): // before a write that nobody reads fails
		t.Fatal("it waits")
	}
}

// A sender is read again as soon as no more waits than may.
func TestFlowDrains(t *testing.T) {
	var f flow
	f.add(maxFlow)
	if _, drained := f.waiting(); drained != nil {
		t.Error("it is held up too early")
	}
	f.add(1)
	n, drained := f.waiting()
	if n != maxFlow+1 || drained == nil {
		t.Fatal("it is not held up")
	}
	f.add(overhead)
	f.add(-overhead - 1)
	select {
	case <-drained:
	default:
		t.Error("it is held up for too long")
	}
	if _, drained := f.waiting(); drained != nil {
		t.Error("it is held up still")
	}
}

// What a socket did not write waits no longer once it has ended.
func TestFlowOfASocketThatEnds(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	sock := newSocket(d.client())
	var f flow
	sock.sendFor(&f, make([]byte, 1000))
	if n, _ := f.waiting(); n != 1000+overhead {
		t.Errorf("%d bytes wait", n)
	}
	sock.abort()
	if n, _ := f.waiting(); n != 0 {
		t.Errorf("%d bytes wait for a socket that has ended", n)
	}
	sock.sendFor(&f, make([]byte, 1000))
	if n, _ := f.waiting(); n != 0 {
		t.Errorf("%d bytes wait for a socket that ended before", n)
	}
	sock.write()

	sock = newSocket(d.client())
	sock.sendFor(&f, make([]byte, 1000))
	sock.sendFor(&f, make([]byte, 1000))
	sock.conn.Close()
	sock.write() // which fails
	if n, _ := f.waiting(); n != 0 {
		t.Errorf("%d bytes wait that could not be written", n)
	}
}

// A client that goes while it is not read is not waited for.
func TestClientThatGoesWhileItIsSlowed(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	sock := newSocket(d.client())
	var f flow
	f.add(maxFlow + 1)
	over := make(chan struct{})
	go func() {
		d.server.slow(sock, &f)
		close(over)
	}()
	sock.abort()
	select {
	case <-over:
	case <-time.After(30 * time.Second):
		t.Fatal("it is held up")
	}
}

// While the extension is away the commands of one client wait, up to a bound.
func TestCommandsThatWaitAreBounded(t *testing.T) {
	tk := newTalk()
	for _, line := range []string{"ext connects", "ext> " + greeting("i"), "client1 connects", "client2 connects", "ext closes"} {
		name, rest, _ := strings.Cut(line, " ")
		if err := tk.play(name, rest); err != nil {
			t.Fatal(err)
		}
	}
	create := func(client, id string) (said string) {
		tk.out = nil
		if err := tk.play(client+">", `{"id":`+id+`,"method":"Target.createTarget","params":{"url":"about:blank"}}`); err != nil {
			t.Fatal(err)
		}
		return strings.Join(tk.out, "\n")
	}
	kept := &tk.clients["client1"].client.flow.bytes
	if said := create("client1", "1"); said != "" || *kept == 0 {
		t.Fatalf("%d bytes wait: %s", *kept, said)
	}
	one := *kept
	*kept = maxKept - one
	if said := create("client1", "2"); said != "" {
		t.Errorf("what fits fails: %s", said)
	}
	if said := create("client1", "3"); !strings.Contains(said, `"id":3,"error"`) || !strings.Contains(said, "too many commands") {
		t.Errorf("what does not fit: %s", said)
	}
	if *kept != maxKept {
		t.Errorf("%d bytes wait, of what failed too", *kept)
	}
	if said := create("client2", "1"); said != "" {
		t.Errorf("another client hears %s", said)
	}
	*kept = 2 * one // what was made up goes
	if err := tk.play("advance", "1m"); err != nil {
		t.Fatal(err)
	}
	if *kept != 0 {
		t.Errorf("%d bytes wait in the end", *kept)
	}
}
