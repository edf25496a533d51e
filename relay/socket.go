package relay

import (
	"bytes"
	"sync"
	"time"

	"github.com/gorilla/websocket"
)

const (
	maxFrame   = 64 << 20 // bytes in one frame, on both sides
	maxQueued  = 96 << 20 // bytes that wait for one peer
	maxFrames  = 1 << 15  // frames that wait for one peer
	keepBuffer = 1 << 20  // a read buffer above this is not kept
	writeWait  = 20 * time.Second
	closeWait  = time.Second
)

// socket is one WebSocket with a bounded queue and one writer. The
// writer ends when the socket is closed or its reader returns.
type socket struct {
	conn *websocket.Conn
	wake chan struct{}

	blunt bool // it takes a close frame for a message; static after construction

	mu sync.Mutex
	// mu guards the following.
	queue  [][]byte
	bytes  int
	closed bool
	code   int // of the close frame; 0 when there is none to send
	reason string
}

func newSocket(conn *websocket.Conn) *socket {
	conn.SetReadLimit(maxFrame)
	return &socket{conn: conn, wake: make(chan struct{}, 1)}
}

func (s *socket) send(frame []byte) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	if len(s.queue) > 0 && (len(s.queue) >= maxFrames || s.bytes+len(frame) > maxQueued) {
		// It does not read. A close frame would not get through either.
		s.closed, s.queue = true, nil
		s.conn.Close()
		s.poke()
		return
	}
	s.queue = append(s.queue, frame)
	s.bytes += len(frame)
	s.poke()
}

func (s *socket) close(code int, reason string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed, s.code, s.reason = true, code, reason
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
	var batch [][]byte
	for range s.wake {
		s.mu.Lock()
		batch, s.queue = s.queue, batch[:0]
		s.bytes = 0
		closed, code, reason := s.closed, s.code, s.reason
		s.mu.Unlock()
		for i, frame := range batch {
			_ = s.conn.SetWriteDeadline(time.Now().Add(writeWait))
			if err := s.conn.WriteMessage(websocket.TextMessage, frame); err != nil {
				s.abort()
				return
			}
			batch[i] = nil
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
	s.closed, s.queue = true, nil
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
		_, r, err := s.conn.NextReader()
		if err != nil {
			return err
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
