package tools

import (
	"fmt"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// fall makes another tab the active one, when that is gone: its opener, or else
// the one used last, or the first that is open; mu is held.
func (s *Session) fall(gone *tab) {
	s.active = nil
	open := func(t *tab) bool { return !t.closed }
	if gone != nil && gone.opener != "" {
		if i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.target == gone.opener && open(t) }); i >= 0 {
			s.activate(s.tabs[i])
			return
		}
	}
	for _, t := range slices.Backward(s.used) {
		if open(t) {
			s.activate(t)
			return
		}
	}
	for _, t := range s.tabs {
		if open(t) && s.sees(adapter.Tab{ID: t.target, Opener: t.opener}) {
			s.activate(t)
			return
		}
	}
}

// sees reports whether a tab is the session's own, or nobody's.
func (s *Session) sees(o adapter.Tab) bool {
	h := s.opts.Claims.holder(o)
	return h == nil || h == s
}

// resolve returns the tab of an id, or the active one for "", which is the
// session's from then on.
func (s *Session) resolve(b *adapter.Browser, id string) (*tab, *adapter.Page, error) {
	t, p, err := s.find(b, id)
	if err == nil && s.opts.Has != nil && t.taken.CompareAndSwap(false, true) {
		s.opts.Has(t.target, true)
	}
	return t, p, err
}

func (s *Session) find(b *adapter.Browser, id string) (*tab, *adapter.Page, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow(b)
	if t := s.active; t != nil && !s.sees(adapter.Tab{ID: t.target, Opener: t.opener}) {
		s.fall(nil) // another agent took it before this one used it
	}
	t := s.active
	if id != "" {
		i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == id })
		if n, err := strconv.Atoi(strings.TrimPrefix(id, "t")); i < 0 && err == nil && 0 < n && n <= s.count {
			return nil, nil, s.noPage("the %s was closed", id) // while another daemon served
		} else if i < 0 {
			return nil, nil, s.noPage("there is no %s", id)
		}
		t = s.tabs[i]
	}
	switch {
	case t == nil:
		return nil, nil, &Error{Kind: adapter.ErrPageNotFound, Text: "no page is open", Advice: adviceOpen}
	case t.closed:
		return nil, nil, s.noPage("the %s was closed", t.id)
	}
	p, err := b.Page(t.target)
	if err != nil {
		return nil, nil, s.noPage("the %s was closed", t.id)
	}
	if !s.opts.Claims.claim(t.target, s) {
		return nil, nil, s.noPage("the %s is used by another agent"+s.holderName(t), t.id)
	}
	s.activateIfNone(t)
	return t, p, nil
}

// holderName tells which other agent has a tab.
func (s *Session) holderName(t *tab) string {
	h := s.opts.Claims.holder(adapter.Tab{ID: t.target, Opener: t.opener})
	if h == nil {
		return ""
	}
	if name, _ := h.agent.Load().(string); name != "" {
		return ", " + strings.ReplaceAll(name, "%", "%%")
	}
	return ""
}

// Named tells a session what its agent is called, for others who come upon a tab
// that it holds.
func (s *Session) Named(name string) { s.agent.Store(name) }

func (s *Session) activateIfNone(t *tab) {
	if s.active == nil {
		s.activate(t)
	}
}

// noPage is the error of a page id that leads nowhere; mu is held.
func (s *Session) noPage(format, id string) error {
	var open []string
	for _, t := range s.tabs {
		if !t.closed && s.sees(adapter.Tab{ID: t.target, Opener: t.opener}) {
			open = append(open, t.id)
		}
	}
	e := &Error{Kind: adapter.ErrPageNotFound, Text: fmt.Sprintf(format, "page "+id), Advice: adviceOpen}
	switch {
	case s.profile.follows:
		e.Text, e.Advice = fmt.Sprintf(format, "tab "+strings.TrimPrefix(id, "t")), adapter.AdviceListPages
	case len(open) > 0:
		e.Advice, e.Hint = "", "open pages: "+strings.Join(open, ", ")
	}
	return e
}

// follow brings the tabs up to date with the browser's news, and keeps what is
// to be told of it; mu is held.
func (s *Session) follow(b *adapter.Browser) {
	events, _ := b.News(s.news)
	for _, e := range events {
		if !e.Closed && e.Tab.Opener == "" && s.sees(e.Tab) && s.opts.Claims.unsure(s) {
			return // whose it is will be known in a moment
		}
		s.news = e.Seq
		if !e.Closed && !s.sees(e.Tab) || e.Closed && !s.knows(e.Tab.ID) {
			continue
		}
		if !e.Closed && !s.knows(e.Tab.Opener) && s.opts.Claims.went(e.Tab.ID) {
			continue // it came and went in another's hands
		}
		t := s.tab(e.Tab)
		switch {
		case !e.Closed && !t.mine && !t.closed:
			if e.Tab.Opener != "" && s.opts.Claims.holder(e.Tab) == s {
				s.opts.Claims.claim(e.Tab.ID, s)
			}
			s.untold = append(s.untold, arrival{tab: t})
		case e.Closed && !t.closed:
			s.opts.Claims.forget(t.target)
			if s.markClosed(t); s.active == t {
				s.fall(t)
			}
		}
	}
}

// describe returns a tab as agents are told of it; mu is held.
func (s *Session) describe(open []adapter.Tab, t *tab) pageEntry {
	e := pageEntry{ID: t.id, Active: t == s.active}
	if i := slices.IndexFunc(open, func(o adapter.Tab) bool { return o.ID == t.target }); i >= 0 {
		title, address := open[i].Title, open[i].URL
		if t.address == address {
			title = t.title
		}
		if untitled(title, address) {
			title = ""
		}
		e.Title, e.URL = lines.Short(title, titleLength), lines.Short(address, addressLength)
	}
	return e
}

// untitled reports whether a title is none: then Chrome shows the address, from
// the host on, or the name of a file.
func untitled(title, address string) bool {
	u, err := url.Parse(address)
	if err != nil || !strings.HasSuffix(strings.TrimSuffix(address, "/"), strings.TrimSuffix(title, "/")) {
		return false
	}
	begin := strings.TrimPrefix(u.Host, "www.")
	if u.Host == "" {
		begin = path.Base(u.Path)
	}
	return title == "" || title == address || strings.HasPrefix(title, begin)
}

// own makes a tab that the session opened its active one.
func (s *Session) own(target string) *tab {
	if s.opts.Has != nil {
		s.opts.Has(target, false)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.tab(adapter.Tab{ID: target})
	t.mine = true
	t.taken.Store(true)
	s.opts.Claims.claim(target, s)
	s.untold = slices.DeleteFunc(s.untold, func(a arrival) bool { return a.tab == t })
	s.activate(t)
	return t
}
