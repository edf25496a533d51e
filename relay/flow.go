package relay

import (
	"context"
	"sync"
	"time"
)

const (
	// maxFlow is how many bytes of one sender may wait before it is no longer read.
	maxFlow = 8 << 20
	// maxUnanswered is how many commands of one sender may be without an answer
	// before it is no longer read: small commands may want large answers, and whoever
	// asks after them waits for them all.
	maxUnanswered = 512
	// overhead is what a frame costs besides its bytes.
	overhead = 1 << 10
	// stallWait is how long a sender is held up for answers while none comes, at the
	// least: what hangs may wait for the sender's next command.
	stallWait = time.Second
	// flowWait is how long a sender may wait to be read again; what it sent
	// fails before that, by the default CommandTimeout.
	flowWait = 2 * time.Minute
)

// flow is what one sender has on its way to the browser: bytes that wait for the
// extension's socket, or for the extension, and commands without an answer.
type flow struct {
	name string // the sender's, as the person sees it; static after construction

	mu sync.Mutex
	// mu guards the following.
	bytes      int
	unanswered int // of this round
	round      int
	stalled    bool          // no answer has come since stall was asked last
	drained    chan struct{} // closed when it may send on; nil when it may now
}

// begin counts a command in, and returns its round. On nil it does nothing.
func (f *flow) begin() (round int) {
	if f == nil {
		return 0
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.unanswered++
	f.hold()
	return f.round
}

// end counts a command of a round out. On nil it does nothing.
func (f *flow) end(round int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.stalled = false
	if round == f.round {
		f.unanswered--
		f.hold()
	}
}

// stall begins a new round if nothing was answered since it was called last: what
// hangs no longer counts.
func (f *flow) stall() {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.stalled {
		f.round++
		f.unanswered = 0
		f.hold()
	}
	f.stalled = true
}

// hold holds the sender up, or lets it go on. f.mu is held.
func (f *flow) hold() {
	much := f.bytes > maxFlow || f.unanswered > maxUnanswered
	switch {
	case much && f.drained == nil:
		f.drained = make(chan struct{})
	case !much && f.drained != nil:
		close(f.drained)
		f.drained = nil
	}
}

// add counts n bytes in, or out where n is negative. On nil it does nothing.
func (f *flow) add(n int) {
	if f == nil {
		return
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.bytes += n
	f.hold()
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
	stalls := time.NewTicker(s.stallWait)
	defer stalls.Stop()
	for {
		select {
		case <-drained:
			return
		case <-stalls.C:
			f.stall()
		case <-ctx.Done(): // on a socket that has ended, closing does nothing
			sock.close(closeFlood, "you are sending more than the browser accepts: wait for answers before sending more")
			return
		}
	}
}
