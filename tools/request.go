package tools

import (
	"context"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

type requestArgs struct {
	ID   string `json:"id" doc:"such as r12"`
	Part string `json:"part,omitempty" enum:"headers,request,response,all" default:"all"`
	File string `json:"file,omitempty" doc:"write the body to this file"`
	onPage
}

// exchange is a request as an agent reads it.
type exchange struct {
	request
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"`
}

func (v exchange) files() []string { return written(v.File) }

func (v exchange) text() string {
	if v.File != "" {
		return "body written to " + v.File + " (" + size(v.Size) + ")"
	}
	return oneLine(v.line()) + "\n" + v.Text
}

// saveBody writes the body of a request, or of its answer, to a file.
func (c *call) saveBody(ctx context.Context, a *requestArgs, r adapter.Request) (exchange, error) {
	v := exchange{request: requestOf(r)}
	if _, err := c.session.place(a.File); err != nil {
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
			fmt.Fprintf(&b, "  %s: %s\n", lines.Short(h.Name, titleLength), oneLine(bounded(h.Value, 2000)))
		}
	}
	if heads {
		for _, hop := range r.Redirects {
			fmt.Fprintf(&b, "redirected: %s %s %d\n", lines.Short(hop.Method, 20), lines.Short(hop.URL, addressLength), hop.Status)
			if part == "headers" {
				head("redirect's response headers", hop.Received)
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
			fmt.Fprintf(&b, "  %s %s (%s)\n", arrow, oneLine(f.Text), size(int64(f.Size)))
		}
	case r.Failure != "" && r.Status == 0:
		b.WriteString("no response: " + r.Failure + "\n")
	case r.Pending:
		b.WriteString("response body: still loading\n")
	default:
		body, err := c.page.ResponseBody(ctx, r.ID)
		if err != nil && part == "response" {
			return exchange{}, err
		}
		b.WriteString(bodyText("response body", body, err))
	}
	return exchange{request: requestOf(r), Text: bounded(strings.TrimSuffix(b.String(), "\n"), 4*bodyLimit)}, nil
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
		return title + ":\n" + block(bounded(string(body), bodyLimit)) + "\n(give file to get all of it)\n"
	}
	return title + ":\n" + block(string(body)) + "\n"
}
