package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

// Want is the browser that an agent asks for; the zero value takes any.
type Want struct {
	Browser  string // chrome, brave, edge, chromium, or the name of a connected one
	Headless *bool  // nil leaves it to the settings
	Profile  string // of a managed browser
	Running  bool   // none is started; ErrBrowserNotAvailable where none runs
}

// Endpoint is where a browser is spoken to.
type Endpoint struct {
	URL    string      // ws://…; secret, never told to an agent
	Header http.Header // goes with the WebSocket request
	Name   string      // such as Chromium 156
	Called string      // by which it is chosen among several; may be empty
	How    string      // says which one it is, and how to connect one's own

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
	// Opened is told of each tab that the session opens; it must not wait. Nil for
	// nobody.
	Opened func(target string)
	// Claims are shared by the sessions of one process; nil for a session alone.
	Claims *Claims
	// Logger receives what is worth knowing; never content of a page.
	Logger *slog.Logger
	// Version is told to clients.
	Version string
}

// Session is one agent's use of a browser. It may be called concurrently.
type Session struct {
	// Static after construction.
	opts       Options
	profile    *profile
	connecting chan struct{} // holds one token; who has it may connect
	agent      atomic.Value  // a string: what other agents are told of this one
	instances  *instances    // of a set whose sessions may have several browsers; else nil
	dynamic    *dynamic      // of the set whose tools follow the state; else nil

	// mu guards the following.
	mu        sync.Mutex
	closed    bool
	browser   *adapter.Browser
	name      string
	called    string
	how       string
	gone      <-chan struct{}
	want      *Want // of a connection that was lost; the next call renews it
	tabs      []*tab
	count     int // of the page ids that were given
	active    *tab
	used      []*tab // least recently used first
	untold    []arrival
	news      int
	downloads int
	waited    await
}

func newSession(o Options) *Session {
	o.ActionTimeout = cmp.Or(o.ActionTimeout, 5*time.Second)
	o.NavigationTimeout = cmp.Or(o.NavigationTimeout, 30*time.Second)
	o.ConnectTimeout = cmp.Or(o.ConnectTimeout, 45*time.Second)
	o.Snapshot = cmp.Or(o.Snapshot, "diff")
	o.Config.complete()
	o.Filters = slices.Concat([]Filter{o.Filter()}, o.Filters)
	if o.Claims == nil {
		o.Claims = &Claims{}
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	s := &Session{opts: o, profile: profileNamed(o.Tools), connecting: make(chan struct{}, 1)}
	s.connecting <- struct{}{}
	if s.profile.instances {
		s.instances = &instances{home: s}
	}
	if s.profile.follows {
		s.dynamic = newDynamic(s)
	}
	return s
}

// Close ends the connection to the browser; its tabs stay. The session is of no
// use afterwards.
func (s *Session) Close() error {
	defer s.closeInstances()
	s.mu.Lock()
	b := s.browser
	s.browser, s.want, s.closed = nil, nil, true
	s.mu.Unlock()
	s.opts.Claims.release(s)
	if b == nil {
		return nil
	}
	return b.Close()
}

// connect connects to the browser that is wanted; renewing says that an earlier
// connection is renewed, which whoever comes second finds done.
func (s *Session) connect(ctx context.Context, want Want, renewing bool) (*adapter.Browser, error) {
	select {
	case <-s.connecting:
		defer func() { s.connecting <- struct{}{} }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	s.mu.Lock()
	b, name, closed := s.browser, s.name, s.closed
	s.mu.Unlock()
	switch {
	case closed:
		return nil, &Error{Kind: ErrNotConnected, Text: "the session is closed"}
	case b != nil && b.Err() == nil && renewing:
		return b, nil
	case b != nil && b.Err() == nil:
		return nil, &Error{Kind: ErrAlreadyConnected, Text: "already connected to " + name,
			Advice: adviceDisconnect}
	}
	end, err := s.opts.Connect(ctx, want)
	if err != nil {
		return nil, err
	}
	b, err = adapter.Dial(ctx, end.URL, adapter.Options{
		Header: end.Header, Logger: s.opts.Logger, AllowFile: s.opts.AllowFile, Roots: s.readable(), Sites: s.opts.sites(),
		ActionTimeout: s.opts.ActionTimeout, NavigationTimeout: s.opts.NavigationTimeout, WebMCP: s.dynamic != nil,
	})
	if err != nil {
		return nil, &Error{Kind: adapter.ErrConnectionLost, Text: fmt.Sprintf("%s does not answer: %v", cmp.Or(end.Name, "the browser"), err),
			Hint: "try again"}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		_ = b.Close()
		return nil, &Error{Kind: ErrNotConnected, Text: "the session is closed"}
	}
	s.browser, s.name, s.called, s.how, s.gone, s.want = b, cmp.Or(end.Name, b.Version().Product), end.Called, end.How, end.Gone, &want
	go func() { // ends with the connection
		select {
		case <-end.Gone:
			_ = b.Close()
		case <-b.Done():
		}
	}()
	s.welcome(b)
	if s.dynamic != nil {
		go s.dynamic.follow(b) // ends with the connection
	}
	return b, nil
}

// disconnect ends the connection and returns the browser's name.
func (s *Session) disconnect() (string, error) {
	s.mu.Lock()
	b, name := s.browser, s.name
	s.browser, s.want, s.active, s.used = nil, nil, nil, nil
	s.mu.Unlock()
	if b == nil {
		return "", errNotConnected()
	}
	s.opts.Claims.release(s)
	return name, b.Close()
}

func errNotConnected() error {
	return &Error{Kind: ErrNotConnected, Text: "no browser is connected", Advice: adapter.AdviceConnect}
}

// connection returns the browser. One that was lost is told once, as an error;
// the call after that renews it.
func (s *Session) connection(ctx context.Context) (*adapter.Browser, error) {
	s.mu.Lock()
	b, want := s.browser, s.want
	s.mu.Unlock()
	if b != nil {
		if err := b.Err(); err != nil {
			return nil, s.lose(b, err)
		}
		return b, nil
	}
	if want == nil {
		if !s.connects() {
			return nil, errNotConnected()
		}
		want = &Want{}
	}
	ctx, cancel := context.WithTimeout(ctx, s.opts.ConnectTimeout)
	defer cancel()
	return s.connect(ctx, *want, true)
}

// lose forgets a connection that ended and returns the error that tells of it.
func (s *Session) lose(b *adapter.Browser, cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == b {
		s.browser = nil
		if s.dynamic != nil { // its agent connects by itself
			s.want = nil
		}
	}
	reason := cause.Error()
	if e, ok := errors.AsType[*adapter.Error](cause); ok {
		reason = e.Text
	}
	select {
	case <-s.gone:
		reason = "the browser ended"
	default:
	}
	return &Error{Kind: adapter.ErrConnectionLost, Text: "the connection to the browser is lost: " + reason,
		Advice: adviceAnew}
}

// welcome takes stock of a new connection; mu is held.
func (s *Session) welcome(b *adapter.Browser) {
	known := s.tabs
	open := b.Tabs()
	_, s.news = b.News(0)
	_, s.downloads = b.Downloads(0)
	for _, t := range known {
		t.closed = !slices.ContainsFunc(open, func(o adapter.Tab) bool { return o.ID == t.target })
		t.renew()
	}
	for _, o := range open {
		if s.sees(o) {
			s.tab(o)
		}
	}
	s.used = slices.DeleteFunc(s.used, func(t *tab) bool { return t.closed })
	if s.active == nil || s.active.closed {
		s.active = nil
		s.fall(nil)
	}
}
