package tools

import (
	"context"
	"errors"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

// Use is a call that ended, without anything that a page said or that was typed.
type Use struct {
	Tool    string // its name; that of a page's own tool is the page's, and "page tool" stands for it
	Page    string // a page id
	Site    string // scheme and host where it was called
	To      string // where the page is by then, if elsewhere
	Outcome string // done, different, nothing, unknown, stopped, cancelled or error
	Why     string // the kind of an error
	Took    time.Duration
}

// used reports a call that ended to whoever keeps a history, and to the client's log.
func (c *call) used(ctx context.Context, began time.Time, a *Answer) {
	u := Use{Tool: "unknown tool", Site: c.came, Took: time.Since(began)}
	if c.tool != nil {
		u.Tool = c.tool.told()
	}
	if c.tab != nil {
		u.Page = c.tab.id
		if u.To = adapter.Origin(c.page.URL()); u.Site == "" {
			u.Site = u.To
		}
		if u.To == u.Site {
			u.To = ""
		}
	}
	u.Outcome = a.came()
	if a.Error != nil {
		u.Outcome, u.Why = "error", a.Error.Kind
	}
	if errors.Is(context.Cause(ctx), context.Canceled) {
		u.Outcome = "cancelled"
	}
	if c.session.opts.Used != nil {
		c.session.opts.Used(u)
	}
	c.session.opts.log(ctx, u.severity(), u.occurred())
}

// told is a tool's name where a history is kept.
func (t *tool) told() string {
	if t.page != nil && !t.page.untold {
		return "page tool"
	}
	return t.name
}

// came is what came of a call that did not fail.
func (a *Answer) came() string {
	switch r := a.Result.(type) {
	case done:
		return r.Outcome
	case stopped:
		return "stopped"
	case browserResponse:
		if o, ok := r.Data["outcome"].(adapter.Outcome); ok {
			return string(o)
		}
	case interacted:
		if !r.Success {
			return string(adapter.Different)
		}
	}
	return string(adapter.Happened)
}
