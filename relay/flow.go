package relay

import (
	"context"
	"sync"
	"time"
)

const (
	// maxFlow is how many bytes of one sender may wait before it is no longer read.
	maxFlow = 8 << 20
	// overhead is what a frame costs besides its bytes: an answer may be large, and
	// whoever asks after 500 of them waits for them all.
	overhead = 16 << 10
	// flowWait is how long a sender may wait to be read again; what it sent
	// fails before that, by the default CommandTimeout.
	flowWait = 2 * time.Minute
)

// flow is what one sender has on its way to the browser: bytes that wait for the
// extension's socket, or for the extension.
type flow struct {
	mu sync.Mutex
	// mu guards the following.
	bytes   int
	drained chan struct{} // closed when it may send on; nil when it may now
}

// add counts n bytes in, or out where n is negative. On nil it does nothing.
func (f *flow) add(n int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes += n
	switch {
	case f.bytes > maxFlow && f.drained == nil:
		f.drained = make(chan struct{})
	case f.bytes <= maxFlow && f.drained != nil:
		close(f.drained)
		f.drained = nil
	}
}

// full reports whether more waits than any sender that is slowed can have.
func (f *flow) full() bool {
	if f == nil {
		return false
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytes > maxKept
}

// waiting returns how many bytes wait, and a channel that is closed when the sender
// may send on, nil when it may now.
func (f *flow) waiting() (int, <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.bytes, f.drained
}

// slow holds up the reader of a socket until what it sent has drained. If that
// takes too long the socket is told to close.
func (s *Server) slow(sock *socket, f *flow) {
	bytes, drained := f.waiting()
	if drained == nil {
		return
	}
	s.options.Logger.Debug("client is not read for now", "waiting", bytes)
	ctx, cancel := context.WithTimeout(sock.ctx, s.flowWait)
	defer cancel()
	select {
	case <-drained:
	case <-ctx.Done(): // on a socket that has ended, closing does nothing
		sock.close(closeFlood, "you are sending more than the browser accepts: wait for answers before sending more")
	}
}
