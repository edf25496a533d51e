package main

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// unusedLimit is how long a port without a secret stays open for nobody.
const unusedLimit = 10 * time.Minute

// address answers who asks for an address of CDP clients.
func (d *service) address(conn net.Conn, q daemon.Ask) {
	var said daemon.AddressAnswer
	d.mu.Lock()
	leaving := d.leaving
	d.mu.Unlock()
	defer d.hold()() // while a browser starts
	switch {
	case leaving:
		return
	case q.Address == nil:
		said.Error = "no address was asked for"
	case q.Address.Revoke != "":
		for _, a := range d.host.relay.Revoke(q.Address.Revoke) {
			said.Ended = append(said.Ended, d.host.told(a))
		}
		if said.Ended == nil {
			said.Error = fmt.Sprintf("no address %q: `tabrelay status` lists them", q.Address.Revoke)
		}
	default:
		a, err := d.issue(q)
		var failed *tools.Error
		switch {
		case errors.As(err, &failed):
			said.Error, said.Hint = failed.Text, failed.Help()
		case err != nil:
			said.Error = err.Error()
		default:
			said.Address = &a
		}
	}
	_ = conn.SetWriteDeadline(time.Now().Add(greetLimit))
	_ = daemon.WriteLine(conn, said)
	if said.Address != nil && q.Address.Far {
		_, _ = conn.Read(make([]byte, 1))
		d.host.relay.Revoke(said.Address.ID)
	}
}

// issue finds a browser as for an agent and gives out an address that leads to it.
func (d *service) issue(q daemon.Ask) (daemon.Address, error) {
	var none daemon.Address
	ask := q.Address
	var listener net.Listener
	if ask.Listen != nil {
		var err error
		if listener, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(*ask.Listen))); err != nil {
			return none, fmt.Errorf("--listen %d: %w", *ask.Listen, err)
		}
	}
	want, leave, err := d.want(q)
	if err != nil {
		if listener != nil {
			_ = listener.Close()
		}
		return none, err
	}
	if listener != nil {
		want.Port = listener.Addr().(*net.TCPAddr).Port
	}
	issued, secret := d.host.relay.Issue(want, ask.Life)
	if leave != nil {
		d.conns.Go(func() { d.outlive(issued); leave() })
	}
	a := d.host.told(issued)
	at := d.host.address() + "/cdp/" + secret
	if listener != nil {
		at = listener.Addr().String()
		d.port(listener, issued)
	}
	a.URL, a.WS = "http://"+at, "ws://"+at
	if listener != nil {
		a.WS += "/devtools/browser/tabrelay"
	}
	return a, nil
}

// want finds what an address leads to; leave, if there is any, ends what is for it
// alone.
func (d *service) want(q daemon.Ask) (want relay.Address, leave func(), err error) {
	ask := q.Address
	want = relay.Address{Name: plain(ask.Name), New: ask.New, Quiet: !q.Agent.History, Far: ask.Far}
	s := d.host.seeker(q.Agent)
	if name := q.Agent.Browser; !ask.Far && s.isElsewhere(name) {
		if ask.Listen != nil || ask.New {
			return want, nil, errors.New("--listen and --tabs new are for browsers of this machine: leave them out")
		}
		s.called = func() string { return cmp.Or(want.Name, "cdp") }
		want.Browser = name
		want.Through, err = s.through(d.ctx, name)
		return want, nil, err
	}
	end, leave, err := d.seek(s, q)
	if u, fault := url.Parse(end.URL); fault == nil {
		want.Browser = u.Query().Get("browser")
	}
	return want, leave, err
}

// seek finds a browser for an address; leave, if there is any, ends one that is for
// the address alone.
func (d *service) seek(s *seeker, q daemon.Ask) (end tools.Endpoint, leave func(), err error) {
	if !q.Address.Alone {
		end, err = s.connect(d.ctx, tools.Want{})
		return end, nil, err
	}
	launched, err := s.launch(d.ctx, tools.LaunchWant{Headless: q.Agent.Headless || !browser.HasDisplay(q.Agent.Display)})
	return launched.Endpoint, launched.Close, err
}

// outlive waits until an address has ended, or the service leaves.
func (d *service) outlive(a relay.Address) {
	for d.ctx.Err() == nil {
		changed := d.host.relay.Changed()
		if !slices.ContainsFunc(d.host.relay.Addresses(), func(other relay.Address) bool { return other.ID == a.ID }) {
			return
		}
		select {
		case <-changed:
		case <-d.ctx.Done():
		}
	}
}

// told describes an address, without its secret.
func (h *host) told(a relay.Address) daemon.Address {
	t := daemon.Address{ID: a.ID, Name: a.Name, Tabs: "shared", Port: a.Port, Expires: a.Expires, Clients: a.Clients}
	if a.Through != nil {
		t.Browser = a.Browser
	}
	if a.New {
		t.Tabs = "new"
	}
	for _, b := range h.relay.Browsers() {
		if b.InstallID == a.Browser {
			t.Browser, t.Asks = h.nameOf(b), a.Port != 0 && b.Launch == ""
		}
	}
	return t
}

// port serves an address at a listener, until it is revoked, nobody used it for a
// while, or the service leaves.
func (d *service) port(l net.Listener, a relay.Address) {
	var mu sync.Mutex
	using := 0
	unused := time.AfterFunc(unusedLimit, func() { d.host.relay.Revoke(a.ID) })
	use := func(n int) {
		mu.Lock()
		defer mu.Unlock()
		if using += n; using > 0 {
			unused.Stop()
		} else {
			unused.Reset(unusedLimit)
		}
	}
	inner := d.counted(d.host.relay.Port(a.ID))
	server := &http.Server{ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
		Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			use(1)
			defer use(-1)
			inner.ServeHTTP(w, r)
		})}
	d.conns.Go(func() { _ = server.Serve(l) }) // ends with the address, below
	d.conns.Go(func() {
		defer unused.Stop()
		defer server.Close()
		d.outlive(a)
	})
}
