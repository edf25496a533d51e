package relay

import (
	"cmp"
	"crypto/sha256"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/gorilla/websocket"
)

// Address is a way in for CDP clients that was given out.
type Address struct {
	// ID names it; it is no secret.
	ID string
	// Name is what the person sees.
	Name string
	// Browser is the installation that it leads to.
	Browser string
	// New says that its clients see only the tabs that they open.
	New bool
	// Expires is when it ends; zero for when the server does.
	Expires time.Time
	// Port is a port of its own, or 0.
	Port int
	// Far says that its clients are on other machines: they give pages no files of
	// this one, and the tabs that they open are grouped under the name.
	Far bool
	// Quiet says that nobody keeps a history of its clients.
	Quiet bool
	// Clients counts the sockets on it.
	Clients int
	// Through serves its clients where it leads to a browser that is not behind this
	// server, whose name Browser is then; nil for one that is. The context of a
	// request ends with the address.
	Through http.Handler
}

// issued is an address with what belongs to it. Its fields are guarded by the
// server's mutex.
type issued struct {
	Address
	order   int
	sockets map[closer]bool
	timer   *time.Timer
}

// closer is a client's socket, wherever it leads.
type closer interface{ close(code int, why string) }

// way is how a request came in: what stands before its paths, and the address
// that it was given; nil for the owner's own.
type way struct {
	prefix  string
	address *issued
}

// Issue gives out an address, for a while if life is not zero. What is returned
// has its ID, and the secret that stands in its path.
func (s *Server) Issue(a Address, life time.Duration) (Address, string) {
	secret := strings.ToLower(randomID())
	s.mu.Lock()
	defer s.mu.Unlock()
	s.issues++
	a.ID, a.Clients = strings.ToLower(randomID()[:8]), 0
	if life > 0 {
		a.Expires = time.Now().Add(life)
	}
	i := &issued{Address: a, order: s.issues, sockets: map[closer]bool{}}
	if life > 0 {
		i.timer = time.AfterFunc(life, func() { s.Revoke(a.ID) })
	}
	s.issued[sha256.Sum256([]byte(secret))] = i
	s.notify()
	return a, secret
}

// Revoke ends an address, named by its ID or its name, and its clients. It
// returns those that it ended.
func (s *Server) Revoke(name string) []Address {
	s.mu.Lock()
	defer s.mu.Unlock()
	var ended []Address
	for key, i := range s.issued {
		if name == "" || i.ID != name && i.Name != name {
			continue
		}
		delete(s.issued, key)
		if i.timer != nil {
			i.timer.Stop()
		}
		for sock := range i.sockets {
			sock.close(websocket.ClosePolicyViolation, "the address was revoked")
		}
		ended = append(ended, i.Address)
	}
	if ended != nil {
		s.notify()
	}
	return ended
}

// Addresses lists those that were given out, the oldest first.
func (s *Server) Addresses() []Address {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*issued
	for _, i := range s.issued {
		all = append(all, i)
	}
	slices.SortFunc(all, func(a, b *issued) int { return cmp.Compare(a.order, b.order) })
	list := make([]Address, len(all))
	for n, i := range all {
		list[n] = i.Address
		list[n].Clients = len(i.sockets)
	}
	return list
}

// Port serves an address at the root of a port of its own, without its secret.
// A request is let in by its Host and its lack of an Origin alone.
func (s *Server) Port(id string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		switch {
		case !Loopback(r.Host):
			http.Error(w, "the Host header must be a loopback name", http.StatusForbidden)
			return
		case r.Header.Get("Origin") != "" || r.Header.Get("Sec-Fetch-Site") != "" && r.Header.Get("Sec-Fetch-Site") != "none":
			http.Error(w, "web pages may not connect here", http.StatusForbidden)
			return
		}
		s.mu.Lock()
		var found *issued
		for _, i := range s.issued {
			if i.ID == id {
				found = i
			}
		}
		s.mu.Unlock()
		if found == nil {
			http.NotFound(w, r)
			return
		}
		s.cdp(w, r, way{"", found}, strings.Trim(r.URL.Path, "/"))
	})
}

// wayOf finds what a secret opens.
func (s *Server) wayOf(secret string) (way, bool) {
	at := way{prefix: "/cdp/" + secret}
	if same(secret, s.options.ClientSecret) {
		return at, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	i := s.issued[sha256.Sum256([]byte(secret))]
	if i == nil || !i.Expires.IsZero() && time.Now().After(i.Expires) {
		return at, false
	}
	at.address = i
	return at, true
}

// browser is the installation that a request is for.
func (at way) browser(r *http.Request) string {
	if at.address != nil {
		return at.address.Browser
	}
	return r.URL.Query().Get("browser")
}

// url is a WebSocket address on the same way.
func (at way) url(r *http.Request, kind, id string) string {
	u := url.URL{Scheme: "ws", Host: r.Host, Path: at.prefix + "/devtools/" + kind + "/" + id}
	if b := at.browser(r); b != "" && at.address == nil {
		u.RawQuery = url.Values{"browser": {b}}.Encode()
	}
	return u.String()
}

// told is the address that was given out; the zero one for the owner's own.
func (at way) told() Address {
	if at.address == nil {
		return Address{}
	}
	return at.address.Address
}

// guest is what a client that comes this way is let in as.
func (at way) guest(r *http.Request, page string) guest {
	query := r.URL.Query()
	g := guest{page: page, program: r.UserAgent(), plain: query.Get("behind") == "plain", files: query.Get("files") == "allow", agent: at.address == nil && query.Has("agent")}
	if away, err := time.ParseDuration(query.Get("away")); err == nil && away > 0 {
		g.away = away
	}
	if at.address != nil {
		g.name, g.id, g.only = at.address.Name, at.address.ID, at.address.New
		g.far, g.port = at.address.Far, at.address.Port
	} else {
		g.name = query.Get("agent")
	}
	return g
}

// hold counts a socket in, unless its address has ended.
func (s *Server) hold(at way, sock closer) (release func(), ok bool) {
	if at.address == nil {
		return func() {}, true
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	there := false
	for _, i := range s.issued {
		there = there || i == at.address
	}
	if !there {
		return nil, false
	}
	at.address.sockets[sock] = true
	s.notify()
	return func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(at.address.sockets, sock)
		s.notify()
	}, true
}
