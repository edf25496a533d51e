package tools

import (
	"context"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

const (
	// readyLimit bounds the wait for a page that says it is busy, and readyQuiet the
	// wait for one in which nothing changes.
	readyLimit = 3 * time.Second
	readyQuiet = time.Second
	// readyLooks is how often the page is looked at in that time, at most.
	readyLooks = 60
)

// ready returns a snapshot of the page once it is no longer busy with what the call
// started: a page that shows a progress bar, or says that it is loading, is not yet
// what the agent went to. The answer says so if the page is busy for longer.
func (c *call) ready(ctx context.Context, snap *adapter.Snapshot, a *Answer) (*adapter.Snapshot, error) {
	known := c.tab.busy
	if c.tool.kind == onJourney || c.after.Navigated {
		known = ""
	}
	until := time.Now().Add(readyLimit)
	changed := true
	for range readyLooks {
		left := min(time.Until(until), readyQuiet)
		if snap.Busy == "" || snap.Busy == known || a.Error != nil || !changed || left <= 0 {
			break
		}
		var err error
		if changed, err = c.page.Linger(ctx, left); err != nil {
			break
		}
		if snap, err = c.snapshot(ctx); err != nil { // also if nothing changed: it may have before the wait
			return nil, err
		}
	}
	if snap.Busy != "" && snap.Busy != known {
		a.Remark = "the page is still busy: " + snap.Busy
	}
	c.tab.busy = snap.Busy
	return snap, nil
}
