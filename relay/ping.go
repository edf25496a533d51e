package relay

import (
	"context"
	"errors"
	"time"
)

// Ping asks an installation's extension something that changes nothing, and returns
// how long its answer took.
func (s *Server) Ping(ctx context.Context, installID string) (time.Duration, error) {
	s.mu.Lock()
	h := s.hubs[installID]
	s.mu.Unlock()
	if h == nil {
		return 0, errors.New("this browser is gone")
	}
	begin := time.Now()
	answered := make(chan error, 1)
	if !h.ping(answered) {
		return 0, errors.New("its extension is not connected")
	}
	select {
	case err := <-answered:
		return time.Since(begin), err
	case <-ctx.Done():
		return 0, errors.New("its extension does not answer")
	}
}

// ping asks the extension, and reports whether there is one to ask.
func (h *hub) ping(answered chan<- error) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.extension == nil {
		return false
	}
	h.wire("listTabs", []byte("{}"), nil, func(_ []byte, f *fault) {
		if f != nil {
			answered <- errors.New(f.message)
			return
		}
		answered <- nil
	})
	h.reschedule()
	return true
}
