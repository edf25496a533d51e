package tools

import (
	"context"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// readyLimit bounds the wait for a page that says it is busy, and readyQuiet the
	// wait for one that shows nothing new meanwhile.
	readyLimit = 3 * time.Second
	readyQuiet = time.Second
	// readyIdle bounds the wait for a page that shows something, waits for no answer and
	// shows nothing new: many have something that turns for as long as they are open.
	readyIdle = 500 * time.Millisecond
	// readyAgain bounds the wait for what a page of the same site went on with before.
	readyAgain = 300 * time.Millisecond
	// readyBare is how long the text of a page is that shows as good as nothing.
	readyBare = 300
	// readyLooks is how often the page is looked at in that time, at most.
	readyLooks = 60
	// endlessLimit is how many things that go on a tab remembers.
	endlessLimit = 50
)

// ready returns a snapshot of the page once it is no longer busy with what the call
// started: a page that shows a progress bar, or says that it is loading, is not yet
// what the agent went to. The answer says so if the page is busy for longer.
func (c *call) ready(ctx context.Context, snap *adapter.Snapshot, a *Answer) (*adapter.Snapshot, error) {
	t, known := c.tab, c.tab.busy
	if c.tool.kind == onJourney || c.after.Navigated {
		known = ""
	}
	text := lines.Writer{}.Text(snap.Lines)
	limit, quiet := readyLimit, readyQuiet
	switch bare := len(text) < readyBare; {
	case bare:
	case t.endless[endlessKey(snap)]:
		limit = readyAgain
	case c.after.Pending == 0 && c.after.Later() == 0:
		quiet = readyIdle
	}
	until := time.Now().Add(limit)
	still := time.Now().Add(quiet)
	for range readyLooks {
		left := min(time.Until(until), time.Until(still))
		if snap.Busy == "" || snap.Busy == known || a.Error != nil || left <= 0 {
			break
		}
		if _, err := c.page.Linger(ctx, left); err != nil {
			break
		}
		var err error
		if snap, err = c.snapshot(ctx); err != nil { // also if nothing changed: it may have before the wait
			return nil, err
		}
		if now := (lines.Writer{}).Text(snap.Lines); now != text {
			text, still = now, time.Now().Add(quiet)
		}
	}
	if snap.Busy != "" && snap.Busy != known && a.Error == nil {
		a.Remark = "the page is still busy: " + snap.Busy
		if len(t.endless) >= endlessLimit {
			t.endless = nil
		}
		if t.endless == nil {
			t.endless = map[string]bool{}
		}
		t.endless[endlessKey(snap)] = true
	}
	if c.tool.kind == onJourney && a.Remark == "" && c.after.Pending > 0 {
		a.Remark = "still loading: " + lines.Amount(c.after.Pending, "request")
	}
	t.busy = snap.Busy
	return snap, nil
}

// endlessKey is what a page of a site is busy with, whatever its ref.
func endlessKey(s *adapter.Snapshot) string {
	what := s.Busy
	if i := strings.LastIndex(what, " ["); i >= 0 && strings.HasSuffix(what, "]") {
		what = what[:i]
	}
	return adapter.Origin(s.URL) + " " + what
}
