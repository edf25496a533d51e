package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
	"github.com/tabrelay/tabrelay/extension"
	"github.com/tabrelay/tabrelay/relay"
)

// host owns what agents share: the listener, the relay behind it, and the
// browsers that were started for them. Who serves an agent knows only connect.
type host struct {
	// Static after construction.
	state  *state.State // with the port that is really listened on
	moved  int          // the usual port, if it was taken and another had to do; else 0
	log    *slog.Logger
	relay  *relay.Server
	routes *http.ServeMux
	server *http.Server
	served chan struct{} // closed when the server has ended
	first  time.Duration // how long a person's browser is waited for that has not been seen yet
	grace  time.Duration // of TABRELAY_GRACE; 0 for the usual

	// mu guards the following.
	mu       sync.Mutex
	closed   bool
	browsers map[managedKey]*managedBrowser

	pool   pool        // of instances; has its own mutex
	owning sync.Mutex  // guards own.json
	missed atomic.Bool // a person's browser was last waited for in vain
	fleets fleets      // has its own mutex
}

// hostOptions are the settings of a host.
type hostOptions struct {
	Port    int  // 0 for the one in the state
	AnyPort bool // a free one, whatever the state says
	Strict  bool // no other than that port, since agents know its address
	Log     *slog.Logger
	Clients func(http.Handler) http.Handler // wraps what serves CDP clients; nil for nothing
	Visit   func(relay.Address, bool)       // hears of CDP clients; nil for nobody
	Wish    func(string, relay.Wish)        // hears what persons ask for in their browsers; nil for nobody
}

// openHost listens and serves the relay; the caller closes it. A port that was
// asked for must be free; else a free one is taken when the usual one is not,
// which managed browsers are told and a person's own cannot know.
func openHost(o hostOptions) (*host, error) {
	s, err := state.Open("")
	if err != nil {
		return nil, err
	}
	listener, err := listen(s, o)
	if err != nil {
		return nil, err
	}
	// How long a browser's connection may be away is not a setting for people: tests
	// allow slow machines more. Zero is the relay's default.
	grace, err := time.ParseDuration(cmp.Or(os.Getenv("TABRELAY_GRACE"), "0s"))
	if err != nil {
		listener.Close()
		return nil, fmt.Errorf("TABRELAY_GRACE: %w", err)
	}
	moved := 0
	if port := listener.Addr().(*net.TCPAddr).Port; port != s.Port {
		if o.Port == 0 && !o.AnyPort {
			moved = s.Port
		}
		s.Port = port // not saved: it is for this process
	}
	h := &host{
		state: s, moved: moved, log: o.Log, first: max(firstLimit, grace), grace: grace,
		relay: relay.NewServer(relay.Options{
			ExtensionOrigin: "chrome-extension://" + extension.ID,
			ExtensionID:     s.ExtensionID,
			ExtensionKey:    s.Key(),
			ClientSecret:    s.ClientSecret,
			Policy:          extension.Policy(),
			Private:         privateFolders(),
			Grace:           grace,
			Visit:           o.Visit,
			Wish:            o.Wish,
			Logger:          o.Log,
		}),
		routes:   http.NewServeMux(),
		served:   make(chan struct{}),
		browsers: map[managedKey]*managedBrowser{},
	}
	h.routes.Handle("/extension/", h.relay)
	clients := http.Handler(h.relay)
	if o.Clients != nil {
		clients = o.Clients(h.relay)
	}
	h.routes.Handle("/cdp/", clients)
	h.routes.Handle("/proxy/", clients)
	h.routes.Handle("/fleet/", h.fleets.door(o.Clients))
	h.server = &http.Server{Handler: h.brief(), ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute,
		ErrorLog: slog.NewLogLogger(o.Log.Handler(), slog.LevelDebug)}
	go func() { // ends with close
		defer close(h.served)
		_ = h.server.Serve(listener)
	}()
	return h, nil
}

// brief keeps no connection open after an answer but those to agents, which the
// door of their address lets in; a socket is none.
func (h *host) brief() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Connection", "close")
		h.routes.ServeHTTP(w, r)
	})
}

// listen opens the listener of a host.
func listen(s *state.State, o hostOptions) (net.Listener, error) {
	at := func(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
	if o.AnyPort {
		return net.Listen("tcp", at(0))
	}
	port := s.Port
	if o.Port != 0 {
		port = o.Port
	}
	listener, err := net.Listen("tcp", at(port))
	switch {
	case err == nil:
		return listener, nil
	case !errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("listen: %w; choose another port with --port", err)
	case o.Port != 0 || o.Strict:
		if c, e := daemon.ReadContact(s.Dir); e == nil && c.Port == port {
			return nil, fmt.Errorf("port %d is taken by the tabrelay daemon (pid %d): end it with `tabrelay stop`, or choose another port with --port", port, c.PID)
		}
		return nil, fmt.Errorf("port %d is taken, perhaps by another tabrelay: end that program, or choose another port with --port", port)
	}
	listener, err = net.Listen("tcp", at(0))
	if err != nil {
		return nil, fmt.Errorf("listen: %w", err)
	}
	o.Log.Warn(daemon.PortTaken(port), "instead", listener.Addr().(*net.TCPAddr).Port)
	return listener, nil
}

// address is where the host listens, as host:port.
func (h *host) address() string {
	return net.JoinHostPort("127.0.0.1", strconv.Itoa(h.state.Port))
}

// close ends the managed browsers, every connection and the listener.
func (h *host) close() {
	h.mu.Lock()
	h.closed = true
	var list []*managedBrowser
	for _, b := range h.browsers {
		list = append(list, b)
	}
	h.mu.Unlock()
	var wg sync.WaitGroup
	for _, b := range list {
		wg.Go(b.close)
	}
	wg.Wait()
	h.fleets.close()
	_ = h.relay.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if h.server.Shutdown(ctx) != nil {
		_ = h.server.Close()
	}
	<-h.served
}

// privateFolders are those that hold secrets of the owner's: the state folder, and
// where programs keep what is theirs, such as the profiles of browsers.
func privateFolders() []string {
	list := []string{state.Folder()}
	if dir, err := os.UserConfigDir(); err == nil {
		list = append(list, dir)
	}
	if dir := os.Getenv("LOCALAPPDATA"); dir != "" {
		list = append(list, dir)
	}
	return list
}
