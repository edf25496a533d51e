package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var network = []tool{
	{
		name: "browser_network", kind: onElement,
		openWorld: true, duringDialog: true,
		doc: "List the page's requests since its last navigation.",
		body: do(func(ctx context.Context, c *call, a *networkArgs) (requests, error) {
			f := adapter.RequestFilter{Text: a.Filter, Static: a.Static, Failed: a.Failed}
			list, hidden, dropped, err := c.page.Requests(ctx, f)
			if err != nil {
				return requests{}, err
			}
			v := requests{Requests: []request{}, Hidden: hidden, Dropped: dropped}
			for _, r := range list {
				v.Requests = append(v.Requests, requestOf(r))
			}
			v.cut()
			if a.HAR != "" {
				if v.HAR, v.Entries, err = c.archive(ctx, a.HAR, f); err != nil {
					return requests{}, err
				}
			}
			if a.Clear {
				c.page.ClearRequests()
			}
			return v, nil
		}),
	},
	{
		name: "browser_request", kind: onElement,
		openWorld: true, duringDialog: true,
		doc: "Show one request: headers and bodies.",
		body: do(func(ctx context.Context, c *call, a *requestArgs) (exchange, error) {
			r, err := c.page.Request(a.ID)
			if err != nil {
				return exchange{}, err
			}
			if a.File != "" {
				return c.saveBody(ctx, a, r)
			}
			return c.exchange(ctx, cmp.Or(a.Part, "all"), r)
		}),
	},
	{
		name: "browser_route", kind: onElement,
		destructive: true, openWorld: true,
		doc: "Answer, change or block requests by address.",
		body: do(func(ctx context.Context, c *call, a *routeArgs) (routes, error) {
			v := routes{Action: a.Action}
			var err error
			switch a.Action {
			case "add":
				r := adapter.Route{Pattern: a.Pattern, Block: a.Block, Status: a.Status, Headers: a.Headers}
				if a.Body != nil {
					r.Body = *a.Body
				}
				r, err = c.page.AddRoute(ctx, r, a.Body != nil)
				v.Added = r.String()
			case "remove":
				v.Removed, err = c.page.RemoveRoutes(ctx, a.Pattern)
			}
			for _, r := range c.page.Routes() {
				v.Routes = append(v.Routes, r.String())
			}
			return v, err
		}),
	},
}

const (
	// listLimit is how many bytes of requests an answer lists, and bodyLimit how
	// many of a body it shows.
	listLimit = 20_000
	bodyLimit = 20_000
	// addressLimit is how many bytes of an address a list shows.
	addressLimit = 200
)

type networkArgs struct {
	Filter string `json:"filter,omitempty" doc:"part of a line, or /regexp/"`
	Static bool   `json:"static,omitempty" doc:"also images and scripts"`
	Failed bool   `json:"failed,omitempty"`
	HAR    string `json:"har,omitempty" doc:"write them to this file"`
	Clear  bool   `json:"clear,omitempty"`
	onPage
}

type request struct {
	ID     string `json:"id"`
	Method string `json:"method"`
	URL    string `json:"url"`
	Status int    `json:"status,omitempty"`
	State  string `json:"state,omitempty"` // pending, or why it failed
	Type   string `json:"type"`
	Size   int64  `json:"size,omitempty"`
	Ms     int64  `json:"ms,omitempty"`
}

func requestOf(r adapter.Request) request {
	v := request{ID: r.ID, Method: r.Method, URL: r.URL, Status: r.Status, Type: r.Kind, Size: r.Size, Ms: r.Took.Milliseconds(), State: r.Failure}
	switch {
	case r.Failure != "":
		v.State = "failed: " + r.Failure
	case r.Pending && r.Kind == "websocket" && r.Status != 0:
		v.State = "open"
	case r.Pending:
		v.State = "pending"
	case r.Cached:
		v.State = "cached"
	}
	return v
}

func (r request) line() string {
	parts := []string{r.ID, r.Method, lines.Clip(r.URL, addressLimit)}
	if r.Status != 0 {
		parts = append(parts, fmt.Sprint(r.Status))
	}
	parts = append(parts, r.Type)
	if r.State != "" {
		parts = append(parts, r.State)
	}
	if r.Size > 0 {
		parts = append(parts, size(r.Size))
	}
	if r.Ms > 0 {
		parts = append(parts, fmt.Sprintf("%d ms", r.Ms))
	}
	return strings.Join(parts, " ")
}

func size(n int64) string {
	switch {
	case n >= 1<<20:
		return fmt.Sprintf("%.1f MB", float64(n)/(1<<20))
	case n >= 1<<10:
		return fmt.Sprintf("%.1f kB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%d B", n)
}

type requests struct {
	Requests []request `json:"requests"`
	Hidden   int       `json:"hidden,omitempty"`  // static ones
	Dropped  int       `json:"dropped,omitempty"` // older ones that are forgotten
	LeftOut  int       `json:"leftOut,omitempty"` // older ones that do not fit
	HAR      string    `json:"har,omitempty"`
	Entries  int       `json:"entries,omitempty"` // of the archive
}

// cut drops the oldest requests until the rest fits into an answer.
func (v *requests) cut() {
	n := 0
	for i := len(v.Requests) - 1; i >= 0; i-- {
		if n += len(v.Requests[i].line()) + 1; n > listLimit {
			v.LeftOut, v.Requests = i+1, v.Requests[i+1:]
			return
		}
	}
}

func (v requests) files() []string { return written(v.HAR) }

func (v requests) text() string {
	var b strings.Builder
	if v.HAR != "" {
		fmt.Fprintf(&b, "written to %s (%s)", v.HAR, lines.Amount(v.Entries, "request"))
		return b.String()
	}
	if v.LeftOut > 0 {
		fmt.Fprintf(&b, "(%s left out: give filter, or har for a file)\n", lines.Amount(v.LeftOut, "older request"))
	}
	if v.Dropped > 0 {
		fmt.Fprintf(&b, "(%s forgotten)\n", lines.Amount(v.Dropped, "older request"))
	}
	for _, r := range v.Requests {
		b.WriteString(oneLine(r.line()) + "\n")
	}
	if len(v.Requests) == 0 {
		b.WriteString("no matching requests since the page's last navigation or first use\n")
	}
	if v.Hidden > 0 {
		fmt.Fprintf(&b, "(%s hidden: static)\n", lines.Amount(v.Hidden, "static request"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// archive writes requests to a file as an HTTP Archive.
func (c *call) archive(ctx context.Context, file string, f adapter.RequestFilter) (string, int, error) {
	if _, err := c.session.place(file); err != nil {
		return "", 0, err
	}
	f.Static = true
	data, n, err := c.page.HAR(ctx, f, cmp.Or(c.session.opts.Version, "dev"))
	if err != nil {
		return "", 0, err
	}
	path, err := c.session.write(file, data)
	return path, n, err
}
