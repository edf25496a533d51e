package tools

import (
	"context"
	"errors"

	"github.com/tabrelay/tabrelay/adapter"
)

var tabs = []tool{
	{
		name: "browser_tab_open", kind: onJourney, sees: true, opens: true,
		openWorld: true, settles: true,
		doc: "Open a tab and make it the active page.",
		body: do(func(ctx context.Context, c *call, a *tabOpenArgs) (opened, error) {
			if err := c.connect(ctx); err != nil {
				return opened{}, err
			}
			s, b := c.session, c.browser
			if a.URL != "" {
				if err := b.Check(a.URL); err != nil { // before there is a tab
					return opened{}, err
				}
			}
			if c.page == nil { // else the person has just allowed the site, and the tab is there
				t, p, err := s.open(ctx, b, a.Front, a.URL)
				if err != nil {
					return opened{}, err
				}
				if err := c.adopt(ctx, t, p); err != nil {
					return opened{}, err
				}
				c.opened = true
			}
			v := opened{ID: c.tab.id}
			if a.URL == "" {
				c.show = "none"
				return v, nil
			}
			c.watch = c.page.Watch(ctx)
			n, err := c.page.Navigate(ctx, a.URL, adapter.DOMContentLoaded)
			v.journey = journeyOf(n)
			return v, err
		}),
	},
	{
		name: "browser_tab_list", kind: onSession,
		readOnly: true, duringDialog: true, repeatable: true,
		doc: "List the open pages and their ids.",
		body: do(func(ctx context.Context, c *call, _ *struct{}) (pageEntries, error) {
			if err := c.connect(ctx); err != nil {
				return pageEntries{}, err
			}
			return pageEntries{c.session.pages(c.browser)}, nil
		}),
	},
	{
		name: "browser_tab_focus", kind: onSession, sees: true,
		idempotent: true, duringDialog: true,
		doc: "Make a page active, for this agent only.",
		body: do(func(ctx context.Context, c *call, a *tabFocusArgs) (focused, error) {
			if err := c.connect(ctx); err != nil {
				return focused{}, err
			}
			s, b := c.session, c.browser
			t, _, err := s.resolve(b, a.PageID)
			if err != nil {
				return focused{}, err
			}
			s.mu.Lock()
			s.activate(t)
			s.mu.Unlock()
			if a.Front {
				err = b.Front(ctx, t.target)
			}
			return focused{s.entry(b, t)}, err
		}),
	},
	{
		name: "browser_tab_close", kind: onSession, deed: closes,
		destructive: true, duringDialog: true,
		doc: "Close a page.",
		body: do(func(ctx context.Context, c *call, a *tabCloseArgs) (closed, error) {
			if err := c.connect(ctx); err != nil {
				return closed{}, err
			}
			s, b := c.session, c.browser
			t, p, err := s.resolve(b, a.PageID)
			if err != nil {
				return closed{}, err
			}
			if err := closeTab(ctx, b, t.target); err != nil {
				if p.Dialog() == nil {
					return closed{}, err
				}
				return closed{ID: t.id, Asks: true}, c.adopt(ctx, t, p)
			}
			return closed{ID: t.id}, nil
		}),
	},
}

// timed bounds a call that is not about one page.
type timed struct {
	TimeoutMs int `json:"timeoutMs,omitempty" min:"1" list:"-"`
}

func (t *timed) limit() int { return t.TimeoutMs }

type tabOpenArgs struct {
	URL   string `json:"url,omitempty"`
	Front bool   `json:"front,omitempty" doc:"bring it to the front"`
	showing
	timed
}

type tabFocusArgs struct {
	PageID string `json:"pageId"`
	Front  bool   `json:"front,omitempty" doc:"bring it to the front"`
}

type tabCloseArgs struct {
	PageID string `json:"pageId,omitempty"`
	timed
}

// opened is a new page.
type opened struct {
	ID string `json:"id"`
	journey
}

func (v opened) text() string {
	s := "opened " + v.ID + " (active)"
	if t := v.journey.text(); t != "" && t != arrived {
		s += "\n" + t
	}
	return s
}

type pageEntries struct {
	Pages []pageEntry `json:"pages"`
}

func (v pageEntries) text() string { return pageList(v.Pages) }

type focused struct {
	Page pageEntry `json:"page"`
}

func (v focused) text() string { return v.Page.line() }

type closed struct {
	ID   string `json:"id"`
	Asks bool   `json:"asks,omitempty"` // the page asks whether it may
}

func (v closed) text() string {
	if v.Asks {
		return v.ID + " asks for confirmation before closing"
	}
	return "" // what else there is to tell says so
}

// closeTab closes a tab. The end of its attachment may be told before its own.
func closeTab(ctx context.Context, b *adapter.Browser, target string) error {
	err := b.CloseTab(ctx, target)
	if errors.Is(err, adapter.ErrConnectionLost) && b.Err() == nil {
		err = b.CloseTab(ctx, target)
	}
	if errors.Is(err, adapter.ErrPageNotFound) {
		return nil
	}
	return err
}

// abandon closes a tab that could not be opened, as if it had never been.
func (s *Session) abandon(ctx context.Context, b *adapter.Browser, t *tab) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), restLimit)
	defer cancel()
	_ = closeTab(ctx, b, t.target)
}

// connected describes a new connection.
func (s *Session) connected(b *adapter.Browser) connected {
	list := s.pages(b)
	s.mu.Lock()
	defer s.mu.Unlock()
	return connected{Browser: s.name, How: s.how, Pages: list}
}

// pages lists the open pages by their ids.
func (s *Session) pages(b *adapter.Browser) []pageEntry {
	open := b.Tabs()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow(b)
	for _, o := range open { // also those that another agent has left
		if s.sees(o) && !s.opts.Claims.unsure(s) {
			s.tab(o)
		}
	}
	list := []pageEntry{}
	for _, t := range s.tabs {
		if !t.closed && s.sees(adapter.Tab{ID: t.target, Opener: t.opener}) {
			list = append(list, s.describe(open, t))
		}
	}
	return list
}

func (s *Session) entry(b *adapter.Browser, t *tab) pageEntry {
	for _, p := range s.pages(b) {
		if p.ID == t.id {
			return p
		}
	}
	return pageEntry{ID: t.id}
}
