package relay

import (
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// patient is a listener whose connections report how long they are to wait for a
// frame.
type patient struct {
	net.Listener
	deadlines chan time.Duration
}

func (p patient) Accept() (net.Conn, error) {
	c, err := p.Listener.Accept()
	return patientConn{c, p.deadlines}, err
}

type patientConn struct {
	net.Conn
	deadlines chan time.Duration
}

func (c patientConn) SetReadDeadline(at time.Time) error {
	if !at.IsZero() {
		select {
		case c.deadlines <- time.Until(at):
		default:
		}
	}
	return c.Conn.SetReadDeadline(at)
}

// Nobody waits for an extension that says nothing: not before the proof, not before
// hello, not later. Each frame extends the wait.
func TestExtensionIsNotWaitedForInSilence(t *testing.T) {
	d := &desk{t: t, server: NewServer(Options{ExtensionOrigin: origin, ExtensionID: "ext-id", ExtensionKey: testKey, ClientSecret: "cdp-secret"})}
	d.http = httptest.NewUnstartedServer(d.server)
	deadlines := make(chan time.Duration, 64)
	d.http.Listener = patient{d.http.Listener, deadlines}
	d.http.Start()
	t.Cleanup(func() {
		_ = d.server.Close()
		d.http.Close()
	})
	// until waits for a deadline about as far away.
	until := func(want time.Duration, when string) {
		t.Helper()
		late := time.After(20 * time.Second)
		for {
			select {
			case in := <-deadlines:
				if in > want-5*time.Second && in <= want {
					return
				}
			case <-late:
				t.Fatalf("%s there is no deadline in %s", when, want)
			}
		}
	}
	c := d.proven()
	until(helloWait, "before the proof")
	say(t, c, greeting("i"))
	until(silence, "with hello")
	for range 3 {
		say(t, c, `{"method":"keepalive","params":{}}`)
		until(silence, "with a frame")
	}
	d.proxy(nil)
	until(helloWait, "before the proxy's handshake")
}

// Before the proof nobody can make the relay read much.
func TestB88LargeFramesComeAfterTheProof(t *testing.T) {
	d := newDesk(t, Options{})
	c := d.unproven()
	beginProof(t, c, testKey, "")
	readProving(t, c)
	say(t, c, string(make([]byte, maxUnproven+1)))
	if code, why := closeCode(c); code != websocket.CloseMessageTooBig {
		t.Error(code, why)
	}
}

// What the person did is known by the close frame that the extension sends then.
func TestBrowsersThatThePersonDisconnected(t *testing.T) {
	for _, c := range []struct {
		code   int
		why    string
		parted bool
	}{
		{websocket.CloseNormalClosure, "disconnected in the browser", true},
		{websocket.CloseGoingAway, "disconnected in the browser", false},
		{websocket.CloseNormalClosure, "", false},
	} {
		d := newDesk(t, Options{})
		ext := d.extension("i")
		_ = ext.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(c.code, c.why), time.Now().Add(20*time.Second))
		waitGone(t, d.server, "i")
		list := d.server.Parted()
		if got := len(list) == 1 && list[0].InstallID == "i" && list[0].Name == "Chromium"; got != c.parted || len(list) > 0 != c.parted {
			t.Errorf("%d %q: parted are %+v", c.code, c.why, list)
		}
		d.extension("i")
		if list := d.server.Parted(); len(list) > 0 {
			t.Errorf("it is back, and parted are %+v", list)
		}
	}
}

// A socket that was replaced says nothing of its browser any more.
func TestAReplacedSocketDisconnectsNobody(t *testing.T) {
	log := make(lineLog, 64)
	d := newDesk(t, Options{Logger: slog.New(slog.NewTextHandler(log, nil))})
	old := d.introduced("i")
	old.SetCloseHandler(func(int, string) error {
		return old.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(websocket.CloseNormalClosure, "disconnected in the browser"), time.Now().Add(20*time.Second))
	})
	d.extension("i")
	_, _ = closeCode(old)
	late := time.After(20 * time.Second)
	for ended := false; !ended; {
		select {
		case line := <-log:
			ended = strings.Contains(line, "browser connection ended")
		case <-late:
			t.Fatal("the old socket does not end")
		}
	}
	for { // it is told after the line
		changed := d.server.Changed()
		list := d.server.Parted()
		if len(list) == 0 {
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatalf("parted are %+v", list)
		}
	}
}

// lineLog takes the lines of a log, as many as it has room for.
type lineLog chan string

func (l lineLog) Write(line []byte) (int, error) {
	select {
	case l <- string(line):
	default:
	}
	return len(line), nil
}

// An extension that finds the relay too new or too old says so by its close frame.
func TestExtensionRefusesTheRelay(t *testing.T) {
	d := newDesk(t, Options{})
	c := d.unproven()
	_ = c.WriteMessage(websocket.CloseMessage, websocket.FormatCloseMessage(closeUpdate, "another protocol"))
	late := time.After(20 * time.Second)
	for { // the close frame is answered before the refusal is noted
		changed := d.server.Changed()
		if r := d.server.Refused(); r != nil {
			if r.Why != errUpdate.Error() {
				t.Errorf("told as %+v", r)
			}
			return
		}
		select {
		case <-changed:
		case <-late:
			t.Fatal("nobody is told")
		}
	}
}

// A client that names no browser gets the one that is connected, of two the one used last.
func TestBrowserThatAClientMeans(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("a")
	ext := d.extension("b")
	use := func(install string) {
		t.Helper()
		c, _, err := d.dial("/cdp/cdp-secret?browser="+install, nil)
		if err != nil {
			t.Fatal(err)
		}
		fine(t, c, attachTab1(t, c))
	}
	means := func(want string) {
		t.Helper()
		if got := d.server.pick("").about().InstallID; got != want {
			t.Errorf("a client gets %s, want %s", got, want)
		}
		if got := d.server.Browsers()[0].InstallID; got != want {
			t.Errorf("the first of the list is %s, want %s", got, want)
		}
	}
	means("b") // it came last
	use("a")
	means("a")
	use("b")
	means("b")
	use("a")
	means("a")
	use("b")
	ext.Close()
	waitGone(t, d.server, "b")
	if got := d.server.pick("").about().InstallID; got != "a" {
		t.Errorf("a client gets %s, which is away", got)
	}
	if d.server.pick("b") == nil {
		t.Error("by its name it may come back")
	}
	if _, resp, err := d.dial("/cdp/cdp-secret?browser=c", nil); err == nil || resp.StatusCode != http.StatusServiceUnavailable {
		t.Error("another gets one that it did not name")
	}
}

// A browser that has gone for good takes nobody in: its place is given to another.
func TestRetiredBrowserTakesNobodyIn(t *testing.T) {
	tk := newTalk()
	if !tk.hub.retire() {
		t.Fatal("it does not retire")
	}
	v, err := parseHello([]byte(greeting("i")))
	if err != nil {
		t.Fatal(err)
	}
	if ext := (&mute{name: "ext", talk: tk}); tk.hub.greet(ext, v) {
		t.Error("it takes an extension")
	}
	if _, ok := tk.hub.connect(&mute{name: "client1", talk: tk}, guest{}); ok {
		t.Error("it takes a client")
	}
}

func TestContextsOfAClientAreBounded(t *testing.T) {
	tk := newTalk()
	for n, line := range []string{"ext connects", "ext> " + greeting("i"), "client1 connects", "client2 connects"} {
		name, rest, _ := strings.Cut(line, " ")
		if err := tk.play(name, rest); err != nil {
			t.Fatal(n, err)
		}
	}
	create := func(client string) string {
		tk.out = nil
		if err := tk.play(client+">", `{"id":1,"method":"Target.createBrowserContext"}`); err != nil {
			t.Fatal(err)
		}
		return strings.Join(tk.out, "\n")
	}
	for range maxContexts {
		if said := create("client1"); !strings.Contains(said, "browserContextId") {
			t.Fatal(said)
		}
	}
	if said := create("client1"); !strings.Contains(said, "dispose") {
		t.Error(said)
	}
	if said := create("client2"); !strings.Contains(said, "browserContextId") {
		t.Error("another client hears", said)
	}
}

// A peer that does not read is closed, however small its frames are.
func TestSocketWithManyFramesIsClosed(t *testing.T) {
	d := newDesk(t, Options{})
	d.extension("i")
	sock := newSocket(d.client())
	for range maxFrames {
		sock.send([]byte("{}"))
	}
	if sock.over() {
		t.Fatal("it is closed too early")
	}
	var f flow
	sock.sendFor(&f, make([]byte, 1000)) // of a client, which is bounded elsewhere
	if sock.over() {
		t.Error("a client closes it")
	}
	sock.send([]byte("{}"))
	if !sock.over() {
		t.Error("it is not closed")
	}
	sock.write()
}
