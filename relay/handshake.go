package relay

import (
	"bufio"
	"bytes"
	"crypto/sha1" // as the protocol of WebSockets has it
	"encoding/base64"
	"net"
	"net/http"
)

// anyKey lets in clients whose Sec-WebSocket-Key is not the 16 bytes that it
// ought to be, as Chrome's own endpoint does: rod says "nil". The upgrader is
// given another key, and the client the answer to its own. odd reports such a
// client; rod also takes a close frame for a message, and panics.
func anyKey(w http.ResponseWriter, r *http.Request) (_ http.ResponseWriter, _ *http.Request, odd bool) {
	key := r.Header.Get("Sec-WebSocket-Key")
	if raw, err := base64.StdEncoding.DecodeString(key); err == nil && len(raw) == 16 || key == "" {
		return w, r, false
	}
	const given = "AAAAAAAAAAAAAAAAAAAAAA=="
	r = r.Clone(r.Context())
	r.Header.Set("Sec-WebSocket-Key", given)
	return &keyWriter{w, acceptOf(given), acceptOf(key)}, r, true
}

func acceptOf(key string) []byte {
	sum := sha1.Sum([]byte(key + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"))
	return []byte(base64.StdEncoding.EncodeToString(sum[:]))
}

type keyWriter struct {
	http.ResponseWriter
	said, meant []byte
}

func (w *keyWriter) Hijack() (net.Conn, *bufio.ReadWriter, error) {
	conn, rw, err := http.NewResponseController(w.ResponseWriter).Hijack()
	return &keyConn{Conn: conn, said: w.said, meant: w.meant}, rw, err
}

// keyConn is a connection whose first write is the answer to a handshake.
type keyConn struct {
	net.Conn
	said, meant []byte
	answered    bool
}

func (c *keyConn) Write(p []byte) (int, error) {
	if !c.answered {
		c.answered = true
		p = bytes.Replace(p, c.said, c.meant, 1) // of the same length
	}
	return c.Conn.Write(p)
}
