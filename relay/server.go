package relay

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// ErrClosed is what Wait answers once the server is closed.
var ErrClosed = errors.New("relay: closed")

// Server is the http.Handler for /extension/…, /cdp/… and /proxy/…. It owns its
// sockets, which Close ends.
type Server struct {
	// Static after construction.
	options   Options
	upgrader  websocket.Upgrader
	proxy     *proxy
	silence   time.Duration
	flowWait  time.Duration
	stallWait time.Duration
	partWait  time.Duration // for what is written at the end

	mu sync.Mutex
	// mu guards the following.
	hubs    map[string]*hub // by install id
	timers  map[*hub]*time.Timer
	sockets map[*socket]bool
	changed chan struct{} // closed and made anew when a browser or an address comes or goes
	issued  map[[32]byte]*issued
	issues  int
	refused *Refusal           // the last one
	parted  map[string]Browser // by install id, those that the person disconnected
	closed  bool
	running sync.WaitGroup // sockets
}

// NewServer makes a server. It starts nothing by itself.
func NewServer(o Options) *Server {
	s := &Server{
		options: o.withDefaults(), silence: silence, flowWait: flowWait, stallWait: stallWait, partWait: 2 * closeWait,
		upgrader: websocket.Upgrader{
			ReadBufferSize: 32 << 10, WriteBufferSize: 32 << 10,
			WriteBufferPool: &sync.Pool{},
			CheckOrigin:     func(*http.Request) bool { return true }, // the gate did
		},
		hubs: map[string]*hub{}, parted: map[string]Browser{}, issued: map[[32]byte]*issued{}, timers: map[*hub]*time.Timer{}, sockets: map[*socket]bool{},
		changed: make(chan struct{}),
	}
	s.proxy = newProxy(s.options.CommandTimeout, s.byUse, randomID,
		func(d time.Duration, f func()) func() bool { return time.AfterFunc(d, f).Stop })
	return s
}

// Browsers lists the browsers that are connected or may come back, the
// one used last first.
func (s *Server) Browsers() []Browser {
	var list []Browser
	for _, h := range s.all() {
		list = append(list, h.about())
	}
	slices.SortStableFunc(list, func(a, b Browser) int { return b.LastUsed.Compare(a.LastUsed) })
	return list
}

// Tab is a tab that a browser shares.
type Tab struct {
	ID, Title, URL string
}

// Tabs lists the shared tabs of a browser; none of one that is not known.
func (s *Server) Tabs(installID string) []Tab {
	h := s.pick(installID)
	if h == nil {
		return nil
	}
	var list []Tab
	for _, t := range h.list() {
		list = append(list, Tab{t.ID, t.Title, t.URL})
	}
	return list
}

// Wait returns the first connected browser that matches. It returns the
// context's error when that ends first, ErrClosed when the server does.
func (s *Server) Wait(ctx context.Context, match func(Browser) bool) (Browser, error) {
	for {
		s.mu.Lock()
		changed, closed := s.changed, s.closed
		s.mu.Unlock()
		if closed {
			return Browser{}, ErrClosed
		}
		for _, b := range s.Browsers() {
			if b.Connected && match(b) {
				return b, nil
			}
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return Browser{}, ctx.Err()
		}
	}
}

// Changed is closed when a browser comes or goes, or the server is closed. It is
// asked for before looking at Browsers.
func (s *Server) Changed() <-chan struct{} {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.changed
}

// Close ends every socket and returns when their goroutines have ended.
// It does not close listeners.
func (s *Server) Close() error {
	s.mu.Lock()
	s.closed = true
	s.notify()
	for sock := range s.sockets {
		sock.close(websocket.CloseGoingAway, "tabrelay ends")
		// A peer that does not read cannot hold up the end.
		defer time.AfterFunc(s.partWait, sock.abort).Stop()
	}
	for _, t := range s.timers {
		t.Stop()
	}
	for _, i := range s.issued {
		if i.timer != nil {
			i.timer.Stop()
		}
	}
	s.mu.Unlock()
	s.running.Wait()
	return nil
}

// notify wakes those who wait for a browser. s.mu is held.
func (s *Server) notify() {
	close(s.changed)
	s.changed = make(chan struct{})
}

func (s *Server) all() []*hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	list := make([]*hub, 0, len(s.hubs))
	for _, h := range s.hubs {
		list = append(list, h)
	}
	return list
}

// hub returns the hub of an installation, new if it must be.
func (s *Server) hub(installID string) *hub {
	s.mu.Lock()
	defer s.mu.Unlock()
	if h := s.hubs[installID]; h != nil {
		return h
	}
	var h *hub
	h = newHub(s.options, time.Now, randomID, func(at time.Time) { s.schedule(h, at) })
	s.hubs[installID] = h
	return h
}

// schedule makes a hub tick. The hub's mutex is held, and s.mu is never
// held while a hub's is asked for.
func (s *Server) schedule(h *hub, at time.Time) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if t := s.timers[h]; t != nil {
		t.Reset(time.Until(at))
		return
	}
	s.timers[h] = time.AfterFunc(time.Until(at), func() {
		h.tick()
		if h.retire() {
			s.remove(h)
		}
	})
}

// remove forgets a hub that has retired.
func (s *Server) remove(h *hub) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, other := range s.hubs {
		if other == h {
			delete(s.hubs, id)
		}
	}
	if t := s.timers[h]; t != nil {
		t.Stop()
		delete(s.timers, h)
	}
	s.notify()
}

// retire ends a hub whose browser did not come back. From then on it
// takes nobody in.
func (h *hub) retire() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.extension == nil && h.graceEnds.IsZero() && len(h.clients) == 0 {
		h.retired = true
	}
	return h.retired
}

// pick finds the browser that a client means: the named one, or the one
// used last. A connected one goes before one that may come back.
func (s *Server) pick(installID string) *hub {
	if installID != "" {
		s.mu.Lock()
		h := s.hubs[installID]
		s.mu.Unlock()
		if h == nil || !h.admits() {
			return nil
		}
		return h
	}
	var best *hub
	var about Browser
	for _, h := range s.all() {
		b := h.about()
		if !h.admits() {
			continue
		}
		if best == nil || b.Connected && !about.Connected ||
			b.Connected == about.Connected && b.LastUsed.After(about.LastUsed) {
			best, about = h, b
		}
	}
	return best
}

// about is the browser as others see it.
func (h *hub) about() Browser {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.info
}

// admits reports whether clients may come: the extension is there, or within
// its grace time.
func (h *hub) admits() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.extension != nil || h.graceEnds.After(h.clock())
}

func randomID() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails
	return strings.ToUpper(hex.EncodeToString(b[:]))
}

// serve runs a socket: it returns when the socket has ended and its
// writer too.
func (s *Server) serve(w http.ResponseWriter, r *http.Request, run func(*socket)) {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		http.Error(w, "tabrelay is shutting down", http.StatusServiceUnavailable)
		return
	}
	s.running.Add(1)
	s.mu.Unlock()
	defer s.running.Done()

	w, r, odd := anyKey(w, r)
	conn, err := s.upgrader.Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	sock := newSocket(conn)
	sock.blunt = odd
	s.mu.Lock()
	s.sockets[sock] = true
	closed := s.closed
	s.mu.Unlock()
	if closed {
		sock.abort()
	}
	written := make(chan struct{})
	go func() { // ends with the socket
		defer close(written)
		sock.write()
	}()
	run(sock)
	sock.abort()
	<-written
	s.mu.Lock()
	delete(s.sockets, sock)
	s.mu.Unlock()
}

func (s *Server) client(w http.ResponseWriter, r *http.Request, at way, page string) {
	h := s.pick(at.browser(r))
	if h == nil {
		http.Error(w, noBrowser, http.StatusServiceUnavailable)
		return
	}
	g := at.guest(r, page)
	if !g.agent {
		g.visit = func(came bool) { s.options.Visit(at.told(), came) }
	}
	if page != "" && (g.only || !h.has(page)) {
		http.Error(w, "No such target id: "+page, http.StatusNotFound)
		return
	}
	s.serve(w, r, func(sock *socket) {
		release, ok := s.hold(at, sock)
		if !ok {
			return // revoked meanwhile
		}
		defer release()
		c, ok := h.connect(sock, g)
		if !ok {
			sock.close(websocket.CloseGoingAway, "the tab was closed, or its browser")
			_ = sock.read(func([]byte) error { return nil })
			return
		}
		s.options.Logger.Info("client connected")
		err := sock.read(func(data []byte) error {
			if sock.over() {
				return nil // until the close frame is answered
			}
			h.receive(c, data)
			s.slow(sock, c.flow)
			return nil
		})
		h.disconnect(c)
		s.options.Logger.Info("client gone", "why", err)
	})
}

func (h *hub) has(page string) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.tabs[page] != nil
}

const noBrowser = "no browser is connected: start one whose tabrelay extension is paired, or let tabrelay start one, then try again"
