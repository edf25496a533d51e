package relay

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"time"
)

// proxy is the other way in: clients that name a tab once, with connect,
// and from then on speak to it by a connection id. The tabs are those of
// the hubs' browsers, or of a foreign extension that speaks the same
// protocol and registered itself.
//
// A hub may be locked while the proxy is asked for, never the other way
// round.
type proxy struct {
	// Static after construction.
	hubs    func() []*hub
	newID   func() string
	after   func(time.Duration, func()) (stop func() bool)
	timeout time.Duration
	plain   bool // clients' tabs stay behind as they are

	mu sync.Mutex
	// mu guards the following.
	extensions  []*foreign
	gone        []string // ids of the foreign extensions that left last
	connections map[string]*connection
	made        int // connections so far
}

func newProxy(timeout time.Duration, hubs func() []*hub, newID func() string, after func(time.Duration, func()) func() bool) *proxy {
	return &proxy{hubs: hubs, newID: newID, after: after, timeout: timeout, connections: map[string]*connection{}}
}

// party is one socket of the proxy. What it is, its first frame says.
type party struct {
	peer    carrier
	outside bool // an extension's socket, which can be no client
	flow    flow // what it has on its way to browsers

	// proxy.mu guards the following.
	client  bool
	foreign *foreign
	gone    bool
	open    int // connections, also those under way
}

// connection joins a client with one tab.
type connection struct {
	// Static after construction.
	id     string
	proxy  *proxy
	client *party
	hub    *hub     // of one of our browsers
	far    *foreign // or a foreign extension
	order  int

	// proxy.mu guards the following.
	tab     *int64 // nil until a foreign extension says which one it made
	ours    *client
	spoke   uint64 // a foreign extension's number for its first command
	lastID  uint64
	waiting map[uint64]string // a hub's number for a command to the client's id
	over    bool
}

const (
	maxConnections = 256 // of one client
	maxPending     = 1 << 14
	maxName        = 200 // bytes of a name that a stranger gives
	rememberGone   = 64
	extensionGone  = "Extension disconnected"
)

// hear takes one frame of a socket. data may be reused afterwards. It
// reports whether the socket has said what it is.
func (x *proxy) hear(p *party, data []byte) (known bool) {
	f, err := scanProxy(data)
	if err != nil {
		p.peer.send(proxyError("", "", fmt.Sprintf("the frame cannot be read: %v", err)))
		return x.known(p)
	}
	if method := string(text(f.method)); method == "extension_handshake" || method == "mcp_handshake" {
		x.handshake(p, method, f)
		return x.known(p)
	}
	x.mu.Lock()
	client, far := p.client, p.foreign
	x.mu.Unlock()
	switch {
	case far != nil:
		x.fromForeign(far, f)
	case client:
		x.fromClient(p, f)
	default:
		p.peer.send(proxyError(f.replyID(), "", "send mcp_handshake or extension_handshake first"))
	}
	return client || far != nil
}

func (x *proxy) known(p *party) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	return p.client || p.foreign != nil
}

// handshake notes what a socket is. Neither kind is answered.
func (x *proxy) handshake(p *party, method string, f proxyFrame) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case p.client || p.foreign != nil:
		p.peer.send(proxyError(f.replyID(), "", "this socket has already completed its handshake"))
	case method == "extension_handshake":
		name := clip(string(text(member(f.params, "name"))))
		if name == "" {
			name = "extension"
		}
		p.foreign = &foreign{id: "ext-" + x.newID(), name: name, party: p, calls: map[uint64]*farCall{}}
		x.extensions = append(x.extensions, p.foreign)
	case method == "mcp_handshake" && p.outside:
		p.peer.send(proxyError(f.replyID(), "", "an extension cannot be a client here: send extension_handshake"))
	default:
		p.client = true
	}
}

// leave forgets a socket that has ended, and ends its connections.
func (x *proxy) leave(p *party) {
	x.mu.Lock()
	p.gone = true
	var ours []*connection
	for _, c := range x.sorted() {
		if c.client != p {
			continue
		}
		x.forget(c)
		if c.ours != nil {
			ours = append(ours, c)
		}
	}
	if p.foreign != nil {
		x.lose(p.foreign)
	}
	x.mu.Unlock()
	for _, c := range ours {
		c.hub.disconnect(c.ours)
	}
}

// add gives a connection its id. mu is held.
func (x *proxy) add(c *connection) {
	x.made++
	c.id, c.order = "conn-"+x.newID(), x.made
	x.connections[c.id] = c
}

// sorted lists the connections, the oldest first. mu is held.
func (x *proxy) sorted() []*connection {
	return slices.SortedFunc(maps.Values(x.connections), func(a, b *connection) int { return a.order - b.order })
}

// forget takes a connection out. mu is held.
func (x *proxy) forget(c *connection) {
	if c.over {
		return
	}
	c.over = true
	c.client.open--
	delete(x.connections, c.id)
	if c.far != nil {
		c.far.dropCalls(c)
	}
}

// end tells a client that its connection is over. mu is held.
func (x *proxy) end(c *connection, why string) {
	if c.over {
		return
	}
	x.forget(c)
	c.client.peer.send(proxyError("", c.id, why))
}

func clip(name string) string {
	if len(name) > maxName {
		name = name[:maxName]
	}
	return strings.ToValidUTF8(name, "")
}

func quote(s string) string { return fmt.Sprintf("%q", clip(s)) }
