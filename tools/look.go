package tools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/textdiff"
)

// look adds to an answer what there is to tell beyond its result.
func (c *call) look(ctx context.Context, a *Answer) {
	limit := lookLimit
	if a.Error != nil {
		limit = failedLookLimit
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	if c.page != nil && c.page.Allowed(ctx) == nil {
		c.lookAtPage(ctx, a)
	}
	if b := c.browser; b != nil && b.Err() == nil {
		c.session.lookAtTabs(b, a)
	}
	if c.tool.remarks && c.looked && a.quiet() {
		c.linger(ctx, a)
	}
}

const (
	// lingerLimit bounds the wait for what may yet change a page that did not
	// change, and lingerLooks how often it is looked at meanwhile.
	lingerLimit = time.Second
	lingerLooks = 6
	// lingerFrame is what the end of an animation may take to be told.
	lingerFrame = 100 * time.Millisecond
)

// linger looks again at a page that shows no change, as long as timers or
// animations that the action started are running, and says so when nothing
// came of it.
func (c *call) linger(ctx context.Context, a *Answer) {
	begin, later := time.Now(), min(c.after.Later(), lingerLimit)
	if later > 0 {
		later += lingerFrame
	}
	for range lingerLooks {
		left := later - time.Since(begin)
		if left <= 0 {
			break
		}
		if _, err := c.page.Linger(ctx, left); err != nil {
			break
		}
		console := a.Console
		if c.lookAtPage(ctx, a); a.Console == nil {
			a.Console = console // it is told once
		}
		if !a.quiet() {
			return
		}
	}
	a.Remark = "no visible change"
	if busy := underWay(c.after, time.Since(begin)); busy != "" {
		a.Remark += " yet; still pending: " + busy
	}
}

// underWay names what was still going on some time after an action had settled.
func underWay(s adapter.Settled, since time.Duration) string {
	var parts []string
	if s.Loading {
		parts = append(parts, "a navigation")
	}
	if s.Pending > 0 {
		parts = append(parts, lines.Amount(s.Pending, "request"))
	}
	if left := s.Timer - since; left > 0 {
		parts = append(parts, fmt.Sprintf("a timer (%d ms)", left.Milliseconds()))
	}
	if left := s.Animation - since; left > 0 {
		parts = append(parts, fmt.Sprintf("an animation (%d ms)", left.Milliseconds()))
	}
	return strings.Join(parts, ", ")
}

// lookAtPage tells of the call's page: where it is, what it shows, its dialog
// and its console.
func (c *call) lookAtPage(ctx context.Context, a *Answer) {
	t, p := c.tab, c.page
	if c.show != "none" && p.Dialog() == nil && !c.cancelled {
		snap, err := c.snapshot(ctx)
		if err == nil {
			snap, err = c.ready(ctx, snap, a)
		}
		switch {
		case err == nil:
			c.looked = true
			c.told(a, snap)
		case a.Error == nil && !errors.Is(err, adapter.ErrPageNotFound) && p.Dialog() == nil && c.open():
			a.Snapshot = "could not be taken: " + err.Error()
		}
	}
	if d := p.Dialog(); d != nil {
		a.Dialog = &dialog{Type: d.Type, Message: bounded(d.Message, wordsLength), Default: bounded(d.Default, wordsLength)}
	}
	if w := p.Chooser(); w != nil {
		a.Chooser = &chooser{Multiple: w.Multiple}
	}
	if url := p.URL(); url != "" && (url != t.url || c.tool.kind == onJourney && a.Error == nil) {
		t.url, a.URL = url, lines.Short(url, addressLength)
		if a.Title == "" {
			a.Title = c.session.entry(c.browser, t).Title
		}
	}
	a.Console = a.Console.plus(t.news(p))
}

// open reports whether the call's tab is still there.
func (c *call) open() bool {
	_, err := c.browser.Page(c.tab.target)
	return err == nil
}

// changeShare is how much of a snapshot a change may be, in percent, before the
// snapshot itself is the shorter thing to read.
const changeShare = 60

// told puts a snapshot into the answer, in full or as the change since the
// agent saw the page last, and remembers it.
func (c *call) told(a *Answer, snap *adapter.Snapshot) {
	t := c.tab
	a.Title = lines.Short(snap.Title, titleLength)
	w := c.session.writer()
	text := w.Text(snap.Lines)
	before, shown := t.seen, t.shown
	t.saw(c.session, snap)
	did := a.deed()
	if did.Ref != "" {
		t.acted = did.Ref
	}
	did.Ref = t.acted
	if c.show == "diff" && shown && (c.tool.kind != onJourney || a.Error != nil) {
		change := textdiff.Between(w, before, snap.Lines, did)
		if len(change)*100 <= len(text)*changeShare {
			a.Changes = change
			return
		}
	}
	if a.Error != nil && shown && c.show == "diff" && w.Text(before) == text {
		return
	}
	a.Snapshot = withMore(text, snap.More)
}

// writer writes the lines of pages; the dynamic set has no use for refs.
func (s *Session) writer() lines.Writer { return lines.Writer{NoRefs: s.profile.follows} }

// consoleTexts is how many messages of the console go with their count, where a
// set has no tool to read them, and consoleText how many characters of each.
const (
	consoleTexts = 5
	consoleText  = 200
)

// news counts the warnings and errors that the page wrote since the last call.
func (t *tab) news(p *adapter.Page) *consoleCount {
	list, _, last := p.Console(t.console)
	t.console = last
	n := consoleCount{}
	for _, m := range list {
		switch m.Level {
		case adapter.LevelError:
			n.Errors++
		case adapter.LevelWarning:
			n.Warnings++
		default:
			continue
		}
		if len(n.texts) == consoleTexts {
			n.texts = n.texts[1:]
		}
		n.texts = append(n.texts, lines.Clip(m.Text, consoleText))
	}
	if n.Errors+n.Warnings == 0 {
		return nil
	}
	return &n
}

// lookAtTabs tells of tabs that came or went, and of downloads.
func (s *Session) lookAtTabs(b *adapter.Browser, a *Answer) {
	open := b.Tabs()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.follow(b)
	for _, n := range s.untold {
		if n.closed {
			closed := tabClosed{ID: n.tab.id}
			if s.active != nil {
				closed.Active = s.active.id
			}
			a.TabsClosed = append(a.TabsClosed, closed)
			continue
		}
		a.TabsOpened = append(a.TabsOpened, s.describe(open, n.tab))
	}
	s.untold = nil
	list, last := b.Downloads(s.downloads)
	s.downloads = last
	result, _ := a.Result.(fetched)
	for _, d := range list {
		if told := downloadOf(d); !slices.Contains(result.Downloads, told) {
			a.Downloads = append(a.Downloads, told)
		}
	}
}

// stateOf names a download's state in words.
func stateOf(s string) string {
	switch s {
	case "inProgress":
		return "in progress"
	case "completed":
		return "complete"
	case "canceled":
		return "interrupted"
	}
	return s
}
