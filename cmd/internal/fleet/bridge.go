package fleet

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// doorLimit is how long an address that was made for one agent waits for it.
const doorLimit = time.Minute

// Bridge serves browsers of a fleet as CDP addresses, under /fleet/. The zero value
// is ready. Who may reach it at all is not its matter; each address is a secret.
type Bridge struct {
	// mu guards the following.
	mu    sync.Mutex
	doors map[string]*door
}

// door is one address.
type door struct {
	client  *Client
	browser Browser
	agent   string
	alone   bool // it is for its first client

	// The bridge's mu guards the following.
	first *Link // was opened with the address; nil once it is used
	timer *time.Timer
	ended bool
	uses  map[*Link]struct{}
}

var upgrader = websocket.Upgrader{ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10, WriteBufferPool: &sync.Pool{}}

// Open opens a session in a browser, as an agent of a name, and returns the path of
// the address that leads to it. With a life the address serves any number of
// clients for as long, or until Shut if that is negative; else the first alone.
func (b *Bridge) Open(ctx context.Context, c *Client, to Browser, agent string, life time.Duration) (string, error) {
	link, err := c.open(ctx, to, agent, "")
	if err != nil {
		return "", err
	}
	secret := newToken()
	d := &door{client: c, browser: to, agent: agent, alone: life == 0, first: link, uses: map[*Link]struct{}{link: {}}}
	wait := life
	if life == 0 {
		wait = doorLimit
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.doors == nil {
		b.doors = map[string]*door{}
	}
	b.doors[secret] = d
	if wait > 0 {
		d.timer = time.AfterFunc(wait, func() { b.Shut(secret) })
	}
	return "/fleet/" + secret, nil
}

// Shut ends an address and its sessions, by its path or its secret.
func (b *Bridge) Shut(path string) {
	secret := strings.TrimPrefix(path, "/fleet/")
	b.mu.Lock()
	d := b.doors[secret]
	delete(b.doors, secret)
	var links []*Link
	if d != nil {
		d.ended = true
		if d.timer != nil {
			d.timer.Stop()
		}
		for l := range d.uses {
			links = append(links, l)
		}
	}
	b.mu.Unlock()
	for _, l := range links {
		l.Close(websocket.ClosePolicyViolation, "the address has ended")
	}
}

// ServeHTTP serves the addresses: as a WebSocket, or as JSON that says where that is.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	secret, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/fleet/"), "/")
	b.mu.Lock()
	d := b.doors[secret]
	b.mu.Unlock()
	if d == nil {
		http.NotFound(w, r)
		return
	}
	rest = strings.Trim(rest, "/")
	switch {
	case websocket.IsWebSocketUpgrade(r):
		b.socket(w, r, secret, d, rest)
	case rest == "json/version":
		w.Header().Set("Content-Type", "application/json; charset=UTF-8")
		_ = json.NewEncoder(w).Encode(map[string]string{
			"Browser": "Chrome/" + d.browser.Version, "Protocol-Version": "1.3",
			"webSocketDebuggerUrl": (&url.URL{Scheme: "ws", Host: r.Host, Path: "/fleet/" + secret + "/devtools/browser/" + secret[:8]}).String(),
		})
	default:
		http.NotFound(w, r)
	}
}

// socket serves one client.
func (b *Bridge) socket(w http.ResponseWriter, r *http.Request, secret string, d *door, rest string) {
	path := ""
	if strings.HasPrefix(rest, "devtools/page/") {
		path = rest
	}
	link, err := b.link(r.Context(), d, path)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer b.leave(d, link)
	if d.alone {
		defer b.Shut(secret)
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		link.Close(websocket.CloseGoingAway, "the client is gone")
		return
	}
	pump(link, ws)
}

// link returns a session for a client: the one that was opened with the address, or
// another.
func (b *Bridge) link(ctx context.Context, d *door, path string) (*Link, error) {
	b.mu.Lock()
	l := d.first
	if path == "" && l != nil && l.ctx.Err() == nil {
		d.first = nil
		if d.alone {
			d.timer.Stop()
		}
		b.mu.Unlock()
		return l, nil
	}
	b.mu.Unlock()
	l, err := d.client.open(ctx, d.browser, d.agent, path)
	if err != nil {
		return nil, err
	}
	b.mu.Lock()
	over := d.ended
	d.uses[l] = struct{}{}
	b.mu.Unlock()
	if over {
		l.Close(websocket.ClosePolicyViolation, "the address has ended")
	}
	return l, nil
}

func (b *Bridge) leave(d *door, l *Link) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(d.uses, l)
}
