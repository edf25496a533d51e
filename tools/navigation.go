package tools

import (
	"cmp"
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var navigation = []tool{
	{
		name: "browser_navigate", kind: onJourney, sees: true, opens: true,
		destructive: true, openWorld: true, settles: true,
		doc: "Go to an address.",
		body: do(func(ctx context.Context, c *call, a *navigateArgs) (journey, error) {
			n, err := c.page.Navigate(ctx, a.URL, c.until(a.WaitUntil))
			return journeyOf(n), err
		}),
	},
	{
		name: "browser_back", kind: onJourney, sees: true,
		destructive: true, openWorld: true, settles: true,
		doc:  "Go back in the page's history.",
		body: going((*adapter.Page).Back),
	},
	{
		name: "browser_forward", kind: onJourney, sees: true,
		destructive: true, openWorld: true, settles: true,
		doc:  "Go forward in the page's history.",
		body: going((*adapter.Page).Forward),
	},
	{
		name: "browser_reload", kind: onJourney,
		destructive: true, openWorld: true, settles: true,
		doc:  "Reload the page; revives a crashed one.",
		body: going((*adapter.Page).Reload),
	},
}

// going makes the body of a tool that goes to another document.
func going(where func(*adapter.Page, context.Context, adapter.LoadState) (adapter.Navigation, error)) body {
	return do(func(ctx context.Context, c *call, a *journeyArgs) (journey, error) {
		n, err := where(c.page, ctx, c.until(a.WaitUntil))
		return journeyOf(n), err
	})
}

type navigateArgs struct {
	URL       string `json:"url" doc:"a missing scheme is added"`
	WaitUntil string `json:"waitUntil,omitempty" enum:"commit,domcontentloaded,load,networkidle" default:"domcontentloaded"`
	showing
	onSlowPage
}

type journeyArgs struct {
	WaitUntil string `json:"waitUntil,omitempty" enum:"commit,domcontentloaded,load,networkidle" default:"domcontentloaded" list:"-"`
	showing
	onPage
}

// until returns the load state that is waited for. Who asks only for the commit
// does not want to wait for more.
func (c *call) until(name string) adapter.LoadState {
	state := adapter.LoadState(cmp.Or(name, string(adapter.DOMContentLoaded)))
	c.settled = state == adapter.Committed
	return state
}

// journey is where a navigation came to; the address is told with every answer.
type journey struct {
	Status   int    `json:"status,omitempty"` // of an answer that is not a success
	Reason   string `json:"reason,omitempty"`
	Loading  bool   `json:"loading,omitempty"`
	Download bool   `json:"download,omitempty"`
	Revived  bool   `json:"revived,omitempty"` // the page hung
}

func journeyOf(n adapter.Navigation) journey {
	return journey{Status: n.Status, Reason: n.Text, Loading: n.Loading, Download: n.Download, Revived: n.Revived}
}

const arrived = "loaded"

func (v journey) text() string {
	s := arrived
	switch {
	case v.Download:
		return "the address is a download; the page stays as it was"
	case v.Loading:
		s = "opened, and still loading"
	}
	if v.Revived {
		s += "; the previous page hung, so its process was ended"
	}
	if v.Status != 0 {
		s += fmt.Sprintf("\nstatus: %d", v.Status)
		if v.Reason != "" {
			s += " " + lines.Short(v.Reason, titleLength)
		}
	}
	return s
}
