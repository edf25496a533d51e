package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/tabrelay/tabrelay/adapter"
)

// link is a session's connection to its browser; the session's mu guards it.
type link struct {
	browser   *adapter.Browser // nil for none
	name      string           // of the browser
	called    string           // by which it is chosen among several
	how       string           // says which one it is
	elsewhere bool             // its files are on another machine
	gone      <-chan struct{}  // closed when the browser has ended
	want      *Want            // also of a connection that was lost; the next call renews it
	news      int              // the last that was heard of tabs
	downloads int              // the last that was told
	waited    int              // the last that was waited for
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
	want.Follows = s.profile.follows
	end, err := s.opts.Connect(ctx, want)
	if err != nil {
		return nil, err
	}
	b, err = adapter.Dial(ctx, end.URL, adapter.Options{
		Header: end.Header, Logger: s.opts.Logger, AllowFile: s.opts.AllowFile, Roots: s.readable(), Sites: s.opts.sites(), HideCookies: s.opts.Cookies != "all",
		ActionTimeout: s.opts.ActionTimeout, NavigationTimeout: s.opts.NavigationTimeout, WebMCP: s.profile.follows, RefuseDownloads: s.saving().Denied,
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
	name = cmp.Or(end.Name, b.Version().Product)
	s.link = link{browser: b, name: name, called: end.Called, how: end.How, elsewhere: end.Elsewhere, gone: end.Gone, want: &want}
	go func() { // ends with the connection
		select {
		case <-end.Gone:
			_ = b.Close()
		case <-b.Done():
		}
		s.opts.log(context.Background(), "warning", occurrence{Event: "disconnected", Browser: name})
	}()
	s.opts.log(context.WithoutCancel(ctx), "info", occurrence{Event: "connected", Browser: name})
	s.welcome(b)
	if s.profile.connected != nil {
		s.profile.connected(s, b)
	}
	return b, nil
}

// disconnect ends the connection and returns the browser's name.
func (s *Session) disconnect() (string, error) {
	s.mu.Lock()
	b, name := s.browser, s.name
	s.link, s.active, s.used = link{}, nil, nil
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
	unasked := *want
	unasked.Unasked = true
	return s.connect(ctx, unasked, true)
}

// lose forgets a connection that ended and returns the error that tells of it.
func (s *Session) lose(b *adapter.Browser, cause error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == b {
		if s.browser = nil; s.profile.follows { // its agent connects by itself
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
