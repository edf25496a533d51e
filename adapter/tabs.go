package adapter

import (
	"context"
	"slices"

	"github.com/chromedp/cdproto/target"
)

// Tab is a tab as the browser lists it, attached or not.
type Tab struct {
	ID     string // CDP target id
	Title  string
	URL    string
	Opener string // the ID of the tab that opened it, or ""
}

// TabEvent tells that a tab came or went.
type TabEvent struct {
	Seq    int // counts up from 1 over the connection's life
	Tab    Tab
	Closed bool
}

// newsLimit is how many tab events are kept; older ones are forgotten.
const newsLimit = 256

// Tabs returns the open tabs in the order in which they appeared.
func (b *Browser) Tabs() []Tab {
	b.mu.Lock()
	defer b.mu.Unlock()
	tabs := make([]Tab, len(b.tabs))
	for i, t := range b.tabs {
		tabs[i] = *t
	}
	return tabs
}

// News returns the tab events after the one numbered since, oldest first, and
// the number of the last.
func (b *Browser) News(since int) ([]TabEvent, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	i, _ := slices.BinarySearchFunc(b.news, since+1, func(e TabEvent, n int) int { return e.Seq - n })
	return slices.Clone(b.news[i:]), b.seq
}

// Changed returns a channel that is closed when the tabs change.
func (b *Browser) Changed() <-chan struct{} {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.changed
}

// index returns the place of a tab, or -1; mu is held.
func (b *Browser) index(id string) int {
	return slices.IndexFunc(b.tabs, func(t *Tab) bool { return t.ID == id })
}

// wait returns when ok, which is called under mu, holds.
func (b *Browser) wait(ctx context.Context, ok func() bool) error {
	return b.conn.watch(ctx, func() (bool, <-chan struct{}) {
		b.mu.Lock()
		defer b.mu.Unlock()
		return ok(), b.changed
	})
}

func (b *Browser) tabInfo(info *target.Info) {
	if info.Type != "page" || info.Subtype == "prerender" {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	defer b.broadcast()
	t := Tab{ID: string(info.TargetID), Title: info.Title, URL: info.URL, Opener: string(info.OpenerID)}
	if sites := b.opts.Sites; sites.refusal(t.URL) != "" || !sites.zero() && t.Opener != "" && !sited(t.URL) {
		t.Title = "" // the site's words, or those of a tab that writes into it
	}
	if i := b.index(t.ID); i >= 0 {
		*b.tabs[i] = t
		if opener := b.pages[t.Opener]; opener != nil && !blank(t.URL) {
			opener.tabNamed(t.ID)
		}
		return
	}
	b.tabs = append(b.tabs, &t)
	b.report(t, false)
	for id, p := range b.pages {
		p.tabArrived(t.ID, id == t.Opener && blank(t.URL))
	}
}

// blank reports whether a tab shows nothing yet.
func blank(url string) bool { return url == "" || url == "about:blank" }

func (b *Browser) tabGone(id string) {
	b.mu.Lock()
	i := b.index(id)
	if i < 0 {
		b.mu.Unlock()
		return
	}
	t := *b.tabs[i]
	b.tabs = slices.Delete(b.tabs, i, i+1)
	p := b.pages[id]
	delete(b.pages, id)
	delete(b.kept, id)
	if opener := b.pages[t.Opener]; opener != nil {
		opener.tabNamed(id)
	}
	b.report(t, true)
	b.broadcast()
	b.mu.Unlock()
	if p != nil {
		p.end(advise(ErrPageNotFound, AdviceListPages, "the tab was closed"))
	}
}

// report adds to the news; mu is held.
func (b *Browser) report(t Tab, closed bool) {
	b.seq++
	b.news = append(b.news, TabEvent{Seq: b.seq, Tab: t, Closed: closed})
	if len(b.news) > newsLimit {
		b.news = slices.Delete(b.news, 0, len(b.news)-newsLimit)
	}
}

// broadcast wakes who waits for the tabs; mu is held.
func (b *Browser) broadcast() {
	close(b.changed)
	b.changed = make(chan struct{})
}
