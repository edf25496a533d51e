package tools

import (
	"cmp"
	"context"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabrelay/tabrelay/tools/secret"
)

// Want is the browser that an agent asks for; the zero value takes any.
type Want struct {
	Browser  string // chrome, brave, edge, chromium, or the name of a connected one
	Headless *bool  // nil leaves it to the settings
	Profile  string // of a managed browser
	Running  bool   // none is started; ErrBrowserNotAvailable where none runs
	Follows  bool   // the end of the browser is to be heard of soon
	Unasked  bool   // the agent asked for no browser and is not told which it gets: none stands in for the person's own
}

// Endpoint is where a browser is spoken to.
type Endpoint struct {
	URL    string      // ws://…; secret, never told to an agent
	Header http.Header // goes with the WebSocket request
	Name   string      // such as Chromium 156
	Called string      // by which it is chosen among several; may be empty
	How    string      // says which one it is, and how to connect one's own
	// Elsewhere is that it runs on another machine: paths of its files mean nothing here.
	Elsewhere bool

	// Gone is closed when the browser has ended, which the other side of the
	// address may notice late; nil where nobody knows.
	Gone <-chan struct{}
}

// Options are the settings of a session. Connect is required.
type Options struct {
	Settings

	// Connect finds or starts a browser. Its errors reach the agent.
	Connect func(context.Context, Want) (Endpoint, error)
	// Launch starts a browser for this session alone; nil where none can be had.
	Launch func(context.Context, LaunchWant) (Launched, error)
	// Filters narrow the set further: a tool is offered that passes all of them.
	Filters []Filter
	// ActionTimeout bounds an action when the call does not say; 5 s if zero.
	ActionTimeout time.Duration
	// NavigationTimeout bounds a navigation when the call does not say; 30 s if zero.
	NavigationTimeout time.Duration
	// ConnectTimeout bounds the search for a browser; 45 s if zero.
	ConnectTimeout time.Duration
	// AnswerTimeout bounds the wait for what the person says to a question about a
	// call; 50 s if zero, since many clients give a call up after a minute.
	AnswerTimeout time.Duration
	// Has is told of each tab that the session opens, or takes of those that nobody
	// has; it must not wait. Nil for nobody.
	Has func(target string, taken bool)
	// Used is told of each call that ended; it must not wait. Nil for nobody.
	Used func(Use)
	// Using is told of each call that begins, and again when its page is known; it must
	// not wait. Nil for nobody.
	Using func(Use)
	// Claims are shared by the sessions of one process; nil for a session alone.
	Claims *Claims
	// Logger receives what is worth knowing; never content of a page.
	Logger *slog.Logger
	// Version is told to clients.
	Version string

	publish func(path string)                                        // is told of each file that was written
	log     func(ctx context.Context, level string, what occurrence) // tells the client's log
}

// Session is one agent's use of a browser. It may be called concurrently.
type Session struct {
	// Static after construction.
	opts       Options
	profile    *profile
	mask       *secret.Mask  // nil without secrets
	connecting chan struct{} // holds one token; who has it may connect
	agent      atomic.Value  // a string: what other agents are told of this one
	instances  *instances    // of the set whose sessions may have several browsers; else nil
	dynamic    *dynamic      // of the set whose tools follow the state; else nil
	paused     pause         // has its own mutex
	rounds     rounds        // has its own mutex

	// mu guards the following.
	mu        sync.Mutex
	closed    bool
	resources []string              // URIs of the files that can be read, the oldest first
	copies    map[string]*savedCopy // of downloads, by their GUID
	link
	tabSet
}

func newSession(o Options) *Session {
	o.ActionTimeout = cmp.Or(o.ActionTimeout, 5*time.Second)
	o.NavigationTimeout = cmp.Or(o.NavigationTimeout, 30*time.Second)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 45*time.Second)
	o.AnswerTimeout = cmp.Or(o.AnswerTimeout, 50*time.Second)
	o.Snapshot = cmp.Or(o.Snapshot, "diff")
	o.Config.complete()
	o.Filters = slices.Concat([]Filter{o.Filter(), o.Bound.filter()}, o.Filters)
	if o.publish == nil {
		o.publish = func(string) {}
	}
	if o.log == nil {
		o.log = func(context.Context, string, occurrence) {}
	}
	if o.Claims == nil {
		o.Claims = &Claims{}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Session{opts: o, profile: profileNamed(o.Tools), mask: o.Vault.mask(), connecting: make(chan struct{}, 1)}
	s.connecting <- struct{}{}
	if s.profile.begin != nil {
		s.profile.begin(s)
	}
	return s
}

// Close ends the connection to the browser; its tabs stay. The session is of no
// use afterwards.
func (s *Session) Close() error {
	if s.profile.end != nil {
		defer s.profile.end(s)
	}
	s.mu.Lock()
	b := s.browser
	s.link, s.closed = link{}, true
	s.mu.Unlock()
	s.rounds.close()
	s.opts.Claims.release(s)
	if b == nil {
		return nil
	}
	return b.Close()
}
