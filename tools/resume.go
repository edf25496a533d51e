package tools

import (
	"cmp"
	"context"
	"slices"

	"github.com/tabrelay/tabrelay/adapter"
)

// Record is what a session needs to go on in another process: which browser it
// wants, which tab each page id means, and what becomes of downloads. It holds no
// content of a page.
type Record struct {
	Want   *Want          `json:"want,omitempty"` // nil when no browser is connected
	Count  int            `json:"count,omitempty"`
	Active string         `json:"active,omitempty"` // a page id
	Tabs   []RecordedPage `json:"tabs,omitempty"`
	Saving Saving         `json:"saving,omitzero"`
}

// RecordedPage is a page of a Record.
type RecordedPage struct {
	ID     string `json:"id"`
	Target string `json:"target"`
	Opener string `json:"opener,omitempty"`
	Mine   bool   `json:"mine,omitempty"` // the session opened it
	Held   bool   `json:"held,omitempty"` // no other agent may have it
}

// Record returns what another session needs to go on in this one's place.
func (s *Session) Record() Record {
	s.mu.Lock()
	defer s.mu.Unlock()
	r := Record{Want: s.want, Count: s.count, Saving: s.saving()}
	if s.active != nil {
		r.Active = s.active.id
	}
	for _, t := range s.tabs {
		if !t.closed {
			r.Tabs = append(r.Tabs, RecordedPage{ID: t.id, Target: t.target, Opener: t.opener, Mine: t.mine, Held: s.opts.Claims.has(t.target, s)})
		}
	}
	return r
}

// Resume makes a new session go on where a record ends. Page ids mean the same
// tabs as before and none is given twice; the browser is connected by the next
// call that needs it. Refs are gone: snapshots give new ones.
func (s *Session) Resume(r Record) {
	if s.profile.resumed != nil {
		defer s.profile.resumed(s) // when mu is free again
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.want, s.count = r.Want, r.Count
	if i := s.instances; i != nil {
		i.mu.Lock()
		i.saving = r.Saving
		i.mu.Unlock()
	}
	for _, p := range r.Tabs {
		t := newTab(p.ID, p.Target, p.Opener)
		t.mine = p.Mine
		s.tabs = append(s.tabs, t)
		if p.Held {
			s.opts.Claims.claim(p.Target, s)
		}
		if p.ID == r.Active {
			s.activate(t)
		}
	}
}

// Holding is what a session has in hand, for a person who asks.
type Holding struct {
	Browser string     // what it is called, or which one it is; empty when none is connected
	Pages   []HeldPage // those that no other agent may have
}

// HeldPage is a page of a Holding.
type HeldPage struct {
	ID, Target, Title, URL string
	Active                 bool
}

// Holding returns what the session has in hand.
func (s *Session) Holding() Holding {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.browser == nil || s.browser.Err() != nil {
		return Holding{}
	}
	h := Holding{Browser: cmp.Or(s.called, s.name)}
	open := s.browser.Tabs()
	for _, t := range s.tabs {
		if i := slices.IndexFunc(open, func(o adapter.Tab) bool { return o.ID == t.target }); i >= 0 && s.opts.Claims.has(t.target, s) {
			h.Pages = append(h.Pages, HeldPage{ID: t.id, Target: t.target, Title: open[i].Title, URL: open[i].URL, Active: t == s.active})
		}
	}
	return h
}

// Unused reports whether the session has no browser: none that it is connected to,
// and none that it launched.
func (s *Session) Unused() bool {
	s.mu.Lock()
	none := s.browser == nil
	s.mu.Unlock()
	if !none || s.instances == nil {
		return none
	}
	s.instances.mu.Lock()
	defer s.instances.mu.Unlock()
	return len(s.instances.launched) == 0
}

// CloseTabs closes the tabs that the session opened and those that they opened
// in turn. A page that asks before it closes stays.
func (s *Session) CloseTabs(ctx context.Context) {
	s.mu.Lock()
	b := s.browser
	var targets []string
	for _, t := range s.tabs {
		if t.mine || slices.Contains(targets, t.opener) {
			targets = append(targets, t.target)
		}
	}
	s.mu.Unlock()
	if b == nil || b.Err() != nil {
		return
	}
	for _, target := range targets {
		if slices.ContainsFunc(b.Tabs(), func(o adapter.Tab) bool { return o.ID == target }) {
			if closeTab(ctx, b, target) == nil {
				s.opts.Claims.forget(target)
			}
		}
	}
}

// Repeatable returns the tools of a set whose calls may be made a second time
// when nobody knows how far the first one came: they only look, or connect.
func Repeatable(set string) (names []string) {
	for _, t := range profileNamed(set).tools {
		if t.repeatable {
			names = append(names, t.name)
		}
	}
	return names
}

// has reports whether a tab is claimed by the session itself.
func (c *Claims) has(target string, s *Session) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.holders[target] == s
}
