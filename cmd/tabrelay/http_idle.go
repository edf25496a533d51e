package main

import (
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// presentSession is a session of the protocol, as far as its requests go: it ends
// when there was none for a while. A stream that its client holds open is one.
type presentSession struct {
	requests int // under way
	silence  *time.Timer
}

// watch ends a session when its client has gone without a word.
func (f *router) watch(s *mcp.ServerSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.present[s.ID()] = &presentSession{silence: time.AfterFunc(f.idle, func() { _ = s.Close() })}
}

func (f *router) unwatch(s *mcp.ServerSession) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if p := f.present[s.ID()]; p != nil {
		p.silence.Stop()
		delete(f.present, s.ID())
	}
}

// attend notes a request of a session; the caller calls what it returns at the
// request's end.
func (f *router) attend(id string) (done func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.present[id]
	if p == nil {
		return func() {}
	}
	p.requests++
	p.silence.Stop()
	return func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		if p.requests--; p.requests == 0 && f.present[id] == p {
			p.silence.Reset(f.idle)
		}
	}
}
