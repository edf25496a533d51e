package tools

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// tab is a page as a session knows it.
type tab struct {
	// Static after construction.
	id     string        // t1, t2 and so on, in the order of first sight
	target string        // the adapter's id
	opener string        // the target id of the tab that opened it, or ""
	turn   chan struct{} // holds one token; who has it may work in the page

	taken atomic.Bool // whoever wants to know that the session has it was told

	// The session's mu guards the following.
	closed  bool
	mine    bool   // this session opened it, so it is no news
	title   string // of the page at address, which the browser may tell late
	address string

	// Who has the turn may use the following.
	seen    []lines.Line    // the snapshot that the agent saw last
	shown   bool            // it saw one
	busy    string          // what the page was busy with then
	endless map[string]bool // what pages of a site went on with for longer than was waited
	acted   string          // the ref of the element that was acted on last
	url     string          // that the agent was told last
	console int             // the last console message that was counted
	listed  *pageElements   // what the four tools saw of the page last
}

func newTab(id, target, opener string) *tab {
	t := &tab{id: id, target: target, opener: opener, turn: make(chan struct{}, 1)}
	t.turn <- struct{}{}
	return t
}

// renew forgets what belonged to an earlier connection.
func (t *tab) renew() { t.seen, t.shown, t.console, t.listed = nil, false, 0, nil }

// take waits for the turn; the caller calls release.
func (t *tab) take(ctx context.Context) error {
	select {
	case <-t.turn:
		return nil
	case <-ctx.Done():
		if ctx.Err() == context.Canceled {
			return context.Cause(ctx)
		}
		return &Error{Kind: adapter.ErrTimeout, Text: "another call is still running in " + t.id,
			Hint: "wait for its answer, or use another page meanwhile"}
	}
}

func (t *tab) release() { t.turn <- struct{}{} }

// tabSet holds the tabs that a session knows; the session's mu guards it.
type tabSet struct {
	tabs   []*tab
	count  int // of the page ids that were given
	active *tab
	used   []*tab // least recently used first
	untold []arrival
}

// tab returns a tab, made at first sight.
func (k *tabSet) tab(o adapter.Tab) *tab {
	if i := slices.IndexFunc(k.tabs, func(t *tab) bool { return t.target == o.ID }); i >= 0 {
		return k.tabs[i]
	}
	k.count++
	t := newTab(fmt.Sprintf("t%d", k.count), o.ID, o.Opener)
	k.tabs = append(k.tabs, t)
	return t
}

func (k *tabSet) knows(target string) bool {
	return slices.ContainsFunc(k.tabs, func(t *tab) bool { return t.target == target })
}

// activate makes a tab the active one.
func (k *tabSet) activate(t *tab) {
	k.active = t
	k.used = append(slices.DeleteFunc(k.used, func(u *tab) bool { return u == t }), t)
}

// markClosed notes that a tab is gone.
func (k *tabSet) markClosed(t *tab) {
	t.closed = true
	k.used = slices.DeleteFunc(k.used, func(u *tab) bool { return u == t })
	k.untold = append(k.untold, arrival{tab: t, closed: true})
}

// arrival is a tab that came or went since the agent was last told.
type arrival struct {
	tab    *tab
	closed bool
}

// saw remembers a snapshot that the agent is shown.
func (t *tab) saw(s *Session, snap *adapter.Snapshot) {
	t.seen, t.shown = snap.Lines, true
	s.mu.Lock()
	t.title, t.address = snap.Title, snap.URL
	s.mu.Unlock()
}
