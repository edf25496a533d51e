package fleet

import (
	"context"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

// doorLimit is how long an address waits for its client.
const doorLimit = time.Minute

// Bridge serves browsers of a fleet as CDP addresses, under /fleet/, each to its
// first client. The zero value is ready. Who may reach it at all is not its matter;
// each address is a secret.
type Bridge struct {
	// mu guards the following.
	mu    sync.Mutex
	doors map[string]*Link // by the secret of the address that waits for its client
}

var upgrader = websocket.Upgrader{ReadBufferSize: 4 << 10, WriteBufferSize: 4 << 10, WriteBufferPool: &sync.Pool{}}

// Open opens a session in the first browser that a name means and that takes one, as
// an agent of a name; it returns the browser, and the path of the address that leads
// to it.
func (b *Bridge) Open(ctx context.Context, c *Client, name, agent string) (Browser, string, error) {
	list, err := c.Find(ctx, name)
	if err != nil {
		return Browser{}, "", err
	}
	to, link, err := c.enter(ctx, name, list, agent)
	if err != nil {
		return Browser{}, "", err
	}
	secret := newToken()
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.doors == nil {
		b.doors = map[string]*Link{}
	}
	b.doors[secret] = link
	time.AfterFunc(doorLimit, func() {
		if l := b.take(secret); l != nil {
			l.Close(websocket.ClosePolicyViolation, "the address has ended")
		}
	})
	return to, "/fleet/" + secret, nil
}

// take returns the session of an address, which ends with that; nil if there is no
// such address.
func (b *Bridge) take(secret string) *Link {
	b.mu.Lock()
	defer b.mu.Unlock()
	l := b.doors[secret]
	delete(b.doors, secret)
	return l
}

// ServeHTTP serves an address to its client, until the request's context ends.
func (b *Bridge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var link *Link
	if websocket.IsWebSocketUpgrade(r) {
		link = b.take(strings.TrimPrefix(r.URL.Path, "/fleet/"))
	}
	if link == nil {
		http.NotFound(w, r)
		return
	}
	ws, err := upgrader.Upgrade(w, r, nil)
	if err != nil {
		link.Close(websocket.CloseGoingAway, "the client is gone")
		return
	}
	defer context.AfterFunc(r.Context(), func() {
		code, why := closing(context.Cause(r.Context()))
		link.Close(code, why)
	})()
	pump(link, ws)
}
