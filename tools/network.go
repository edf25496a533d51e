package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter"
)

var network = []tool{
	{
		name: "browser_network", kind: onElement, effect: answers,
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
		name: "browser_request", kind: onElement, effect: answers,
		doc: "Show one request of browser_network: headers and bodies.",
		body: do(func(ctx context.Context, c *call, a *requestArgs) (exchange, error) {
			r, err := c.page.Request(a.ID)
			if err != nil {
				return exchange{}, err
			}
			if a.File != "" {
				return c.saveBody(ctx, a, r)
			}
			return c.exchange(ctx, orElse(a.Part, "all"), r)
		}),
	},
	{
		name: "browser_route", kind: onElement, effect: acts,
		doc: "Answer, change or block the page's requests by address, without the server's help.",
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
	Filter string `json:"filter,omitempty" doc:"part of method, address, type or status, or /regexp/"`
	Static bool   `json:"static,omitempty" doc:"also images, scripts and the like"`
	Failed bool   `json:"failed,omitempty" doc:"only those"`
	HAR    string `json:"har,omitempty" doc:"write them to this file"`
	Clear  bool   `json:"clear,omitempty"`
	instant
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
	address := r.URL
	if len(address) > addressLimit {
		address = strings.ToValidUTF8(address[:addressLimit], "") + "…"
	}
	parts := []string{r.ID, r.Method, address}
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

func (v requests) text() string {
	var b strings.Builder
	if v.HAR != "" {
		fmt.Fprintf(&b, "written to %s (%s)", v.HAR, counted(v.Entries, "request"))
		return b.String()
	}
	if v.LeftOut > 0 {
		fmt.Fprintf(&b, "(%s left out: give filter, or har for a file)\n", counted(v.LeftOut, "older request"))
	}
	if v.Dropped > 0 {
		fmt.Fprintf(&b, "(%s forgotten)\n", counted(v.Dropped, "older request"))
	}
	for _, r := range v.Requests {
		b.WriteString(r.line() + "\n")
	}
	if len(v.Requests) == 0 {
		b.WriteString("no requests\n")
	}
	if v.Hidden > 0 {
		fmt.Fprintf(&b, "(%s hidden: static)\n", counted(v.Hidden, "static request"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// archive writes requests to a file as an HTTP Archive.
func (c *call) archive(ctx context.Context, file string, f adapter.RequestFilter) (string, int, error) {
	if _, _, err := c.session.place(file); err != nil {
		return "", 0, err
	}
	f.Static = true
	data, n, err := c.page.HAR(ctx, f, orElse(c.session.opts.Version, "dev"))
	if err != nil {
		return "", 0, err
	}
	path, err := c.session.write(file, data)
	return path, n, err
}

type requestArgs struct {
	ID   string `json:"id" doc:"such as r12"`
	Part string `json:"part,omitempty" enum:"headers,request,response,all" default:"all"`
	File string `json:"file,omitempty" doc:"write the body there"`
	instant
}

// exchange is a request as an agent reads it.
type exchange struct {
	request
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"`
}

func (v exchange) text() string {
	if v.File != "" {
		return "body written to " + v.File + " (" + size(v.Size) + ")"
	}
	return v.line() + "\n" + v.Text
}

// saveBody writes the body of a request, or of its answer, to a file.
func (c *call) saveBody(ctx context.Context, a *requestArgs, r adapter.Request) (exchange, error) {
	v := exchange{request: requestOf(r)}
	if _, _, err := c.session.place(a.File); err != nil {
		return v, err
	}
	get := c.page.ResponseBody
	if a.Part == "request" {
		get = c.page.RequestBody
	}
	body, err := get(ctx, r.ID)
	if err != nil {
		return v, err
	}
	v.Size = int64(len(body))
	v.File, err = c.session.write(a.File, body)
	return v, err
}

// exchange renders the parts of a request that are asked for.
func (c *call) exchange(ctx context.Context, part string, r adapter.Request) (exchange, error) {
	var b strings.Builder
	heads := part == "all" || part == "headers"
	head := func(title string, list []adapter.Header) {
		fmt.Fprintf(&b, "%s:\n", title)
		for _, h := range list {
			fmt.Fprintf(&b, "  %s: %s\n", h.Name, bounded(h.Value, 2000))
		}
	}
	if heads {
		for _, hop := range r.Redirects {
			fmt.Fprintf(&b, "redirected: %s %s %d\n", hop.Method, hop.URL, hop.Status)
			if part == "headers" {
				head("redirect's answer headers", hop.Received)
			}
		}
		if r.Address != "" {
			fmt.Fprintf(&b, "server: %s %s\n", r.Address, r.Protocol)
		}
		fmt.Fprintf(&b, "began: %s\n", r.Began.UTC().Format(time.RFC3339))
		head("request headers", r.Sent)
	}
	if part != "headers" && part != "response" && r.Posted {
		body, err := c.page.RequestBody(ctx, r.ID)
		b.WriteString(bodyText("request body", body, err))
	}
	if heads && r.Status != 0 {
		head("response headers", r.Received)
	}
	switch {
	case part == "headers" || part == "request":
	case r.Kind == "websocket":
		fmt.Fprintf(&b, "messages: %d, the last %d:\n", r.Messages, len(r.Frames))
		for _, f := range r.Frames {
			arrow := "←"
			if f.Sent {
				arrow = "→"
			}
			fmt.Fprintf(&b, "  %s %s (%s)\n", arrow, f.Text, size(int64(f.Size)))
		}
	case r.Failure != "" && r.Status == 0:
		b.WriteString("no response: " + r.Failure + "\n")
	case r.Pending:
		b.WriteString("response body: still under way\n")
	default:
		body, err := c.page.ResponseBody(ctx, r.ID)
		if err != nil && part == "response" {
			return exchange{}, err
		}
		b.WriteString(bodyText("response body", body, err))
	}
	return exchange{request: requestOf(r), Text: bounded(strings.TrimSuffix(b.String(), "\n"), 2*bodyLimit)}, nil
}

// bodyText shows a body that is text, and says what another one is.
func bodyText(title string, body []byte, err error) string {
	switch {
	case err != nil:
		return title + ": " + err.Error() + "\n"
	case len(body) == 0:
		return title + ": empty\n"
	case !utf8.Valid(body) || strings.ContainsRune(string(body), 0):
		return title + ": binary, " + size(int64(len(body))) + "; give file to write it\n"
	case len(body) > bodyLimit:
		return title + ":\n" + bounded(string(body), bodyLimit) + "; give file for the whole\n"
	}
	return title + ":\n" + string(body) + "\n"
}

type routeArgs struct {
	Action  string            `json:"action" enum:"add,list,remove"`
	Pattern string            `json:"pattern,omitempty" doc:"address with *, such as /api/*; remove: or an id, none for all"`
	Status  int               `json:"status,omitempty" min:"200"`
	Body    *string           `json:"body,omitempty"`
	Headers map[string]string `json:"headers,omitempty" doc:"alone: put over the server's answer"`
	Block   bool              `json:"block,omitempty"`
	instant
}

func (a *routeArgs) check() error {
	if a.Action == "add" && a.Pattern == "" {
		return invalid(`argument "pattern" is missing: give an address with *, such as "/api/*"`)
	}
	return nil
}

type routes struct {
	Action  string   `json:"action"`
	Added   string   `json:"added,omitempty"`
	Removed int      `json:"removed,omitempty"`
	Routes  []string `json:"routes"`
}

func (v routes) text() string {
	switch v.Action {
	case "add":
		return "added " + v.Added
	case "remove":
		return fmt.Sprintf("removed %s; %d left", counted(v.Removed, "route"), len(v.Routes))
	}
	if len(v.Routes) == 0 {
		return "no routes"
	}
	return "routes, the last that matches counts:\n" + strings.Join(v.Routes, "\n")
}
