package relay

import (
	"bytes"
	"context"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	maxFrame   = 64 << 20 // bytes in one frame, on both sides
	maxQueued  = 96 << 20 // bytes that wait for one peer, without those of a flow
	maxFrames  = 1 << 15  // frames of the same
	keepBuffer = 1 << 20  // a read buffer above this is not kept
	writeWait  = 20 * time.Second
	closeWait  = time.Second
)

// socket is one WebSocket with a bounded queue and one writer. The
// writer ends when the socket is closed or its reader returns.
type socket struct {
	conn *websocket.Conn
	wake chan struct{}
	ctx  context.Context // ends when the socket is told to close, or has ended
	end  context.CancelFunc

	blunt bool // it takes a close frame for a message; static after construction

	mu sync.Mutex
	// mu guards the following.
	queue  []queued
	frames int // of the queue, without those of a flow
	bytes  int // of those
	closed bool
	code   int // of the close frame; 0 when there is none to send
	reason string
}

// queued is a frame that waits to be written.
type queued struct {
	frame []byte
	from  *flow // whose bytes these are; nil for the relay's own
}

func (q queued) cost() int { return len(q.frame) + overhead }

func newSocket(conn *websocket.Conn) *socket {
	conn.SetReadLimit(maxFrame)
	s := &socket{conn: conn, wake: make(chan struct{}, 1)}
	s.ctx, s.end = context.WithCancel(context.Background())
	return s
}

func (s *socket) send(frame []byte) { s.sendFor(nil, frame) }

// sendFor is send for a frame of a flow, which bounds it: it never closes the
// socket.
func (s *socket) sendFor(from *flow, frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	q := queued{frame, from}
	if from == nil {
		if s.frames > 0 && (s.frames >= maxFrames || s.bytes+len(frame) > maxQueued) {
			// It does not read. A close frame would not get through either.
			s.drop()
			return
		}
		s.frames++
		s.bytes += len(frame)
	}
	from.add(q.cost())
	s.queue = append(s.queue, q)
	s.poke()
}

func (s *socket) close(code int, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed, s.code, s.reason = true, code, reason
	s.end()
	s.poke()
}

func (s *socket) poke() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// write sends the queue until the socket is closed.
func (s *socket) write() {
	var batch []queued
	defer func() {
		for _, q := range batch {
			q.from.add(-q.cost()) // they were not written
		}
	}()
	for range s.wake {
		s.mu.Lock()
		batch, s.queue = s.queue, batch[:0]
		s.frames, s.bytes = 0, 0
		closed, code, reason := s.closed, s.code, s.reason
		s.mu.Unlock()
		for i, q := range batch {
			_ = s.conn.SetWriteDeadline(time.Now().Add(writeWait))
			if err := s.conn.WriteMessage(websocket.TextMessage, q.frame); err != nil {
				s.abort()
				return
			}
			q.from.add(-q.cost())
			batch[i] = queued{}
		}
		if closed {
			if code != 0 && !s.blunt {
				_ = s.conn.WriteControl(websocket.CloseMessage,
					websocket.FormatCloseMessage(code, cut(reason)), time.Now().Add(closeWait))
				// The reader waits for the echo, so that the frame arrives.
				_ = s.conn.SetReadDeadline(time.Now().Add(closeWait))
				return
			}
			s.conn.Close()
			return
		}
	}
}

// abort ends the socket without a word.
func (s *socket) abort() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.drop()
}

// drop forgets what is queued and closes the connection. s.mu is held.
func (s *socket) drop() {
	for _, q := range s.queue {
		q.from.add(-q.cost())
	}
	s.closed, s.queue = true, nil
	s.end()
	s.conn.Close()
	s.poke()
}

// cut bounds a close reason to what fits in a control frame.
func cut(reason string) string {
	for len(reason) > 120 {
		reason = reason[:120]
		for len(reason) > 0 && reason[len(reason)-1]&0xC0 == 0x80 {
			reason = reason[:len(reason)-1]
		}
	}
	return reason
}

// read hands each frame to take until the socket ends. The bytes are
// only good during the call.
func (s *socket) read(take func(data []byte) error) error {
	var buf bytes.Buffer
	for {
		kind, r, err := s.conn.NextReader()
		if err != nil {
			return err
		}
		if kind != websocket.TextMessage {
			s.close(websocket.CloseUnsupportedData, "messages are frames of text, not binary ones")
			// What else comes is not read, but for the close frame's answer.
			take = func([]byte) error { return nil }
		}
		if buf.Cap() > keepBuffer {
			buf = bytes.Buffer{}
		}
		buf.Reset()
		if _, err := buf.ReadFrom(r); err != nil {
			return err
		}
		if err := take(buf.Bytes()); err != nil {
			return err
		}
	}
}

// over reports whether the socket was told to close.
func (s *socket) over() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}
