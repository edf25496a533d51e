package adapter

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"regexp"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Route says what becomes of the requests of a page whose address matches.
type Route struct {
	ID      string // such as route2; given by AddRoute
	Pattern string // the whole address, where * stands for anything; may begin at the path
	Block   bool   // the request fails
	Status  int    // answered without asking the server; 200 if a body is given
	Body    string // with this
	Headers map[string]string

	answers bool // without the server; else Headers change its answer
	matches *regexp.Regexp
}

const (
	// routeLimit is how many routes a page may have.
	routeLimit = 100
	// routeBodyLimit is how many bytes a route may answer with.
	routeBodyLimit = 4 << 20
)

// String says what the route does, in a line.
func (r Route) String() string {
	does := "the server's answer"
	switch {
	case r.Block:
		return r.ID + " " + r.Pattern + " → blocked"
	case r.answers:
		does = fmt.Sprintf("%d, %d bytes", r.Status, len(r.Body))
	}
	if n := len(r.Headers); n > 0 {
		does += fmt.Sprintf(" with %d header", n)
		if n > 1 {
			does += "s"
		}
	}
	return r.ID + " " + r.Pattern + " → " + does
}

// AddRoute adds a route, which goes before those that were added earlier, and
// takes the place of one with the same pattern. With a status or a body the
// server is not asked; with headers alone its answer gets them, and loses those
// that are given as "". hasBody tells an empty body from none.
func (p *Page) AddRoute(ctx context.Context, r Route, hasBody bool) (Route, error) {
	r.answers = hasBody || r.Status != 0
	switch {
	case strings.TrimSpace(r.Pattern) == "":
		return Route{}, fail(ErrInvalid, `give an address with *, such as "/api/*"`, "pattern is missing")
	case r.Block && (r.answers || len(r.Headers) > 0):
		return Route{}, fail(ErrInvalid, "give block alone, or leave it out", "a blocked request has no answer: status, body and headers cannot be combined with block")
	case !r.Block && !r.answers && len(r.Headers) == 0:
		return Route{}, fail(ErrInvalid, "give status, body, headers or block", "the route does nothing")
	case r.answers && r.Status != 0 && (r.Status < 200 || r.Status > 599):
		return Route{}, fail(ErrInvalid, "give 200 to 599", "status %d is out of range", r.Status)
	case len(r.Body) > routeBodyLimit:
		return Route{}, fail(ErrInvalid, "give a shorter body", "body has %d bytes; the maximum is %d", len(r.Body), routeBodyLimit)
	}
	for name, value := range r.Headers {
		if err := checkHeader(name, value); err != nil {
			return Route{}, err
		}
	}
	if r.answers && r.Status == 0 {
		r.Status = http.StatusOK
	}
	r.matches = regexp.MustCompile("^" + strings.ReplaceAll(regexp.QuoteMeta(whole(r.Pattern)), `\*`, ".*") + "$")
	var err error
	changed := p.change(ctx, func(t *settings) []order {
		routes := slices.DeleteFunc(slices.Clone(t.routes), func(old Route) bool { return old.Pattern == r.Pattern })
		if len(routes) >= routeLimit {
			err = fail(ErrInvalid, "remove some first", "there are already %d routes", routeLimit)
			return nil
		}
		t.routed++
		r.ID = fmt.Sprintf("route%d", t.routed)
		t.routes = append(routes, r)
		return t.routeOrders()
	})
	if err == nil {
		err = changed
	}
	return r, err
}

// whole makes a pattern one of whole addresses.
func whole(pattern string) string {
	if !strings.Contains(pattern, "://") && !strings.HasPrefix(pattern, "*") {
		return "*" + pattern
	}
	return pattern
}

// Routes lists the routes of the page, oldest first.
func (p *Page) Routes() []Route {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.settings.routes)
}

// RemoveRoutes removes the routes with a pattern or an id, or all for "", and
// returns how many there were.
func (p *Page) RemoveRoutes(ctx context.Context, which string) (int, error) {
	n := 0
	err := p.change(ctx, func(t *settings) []order {
		routes := slices.DeleteFunc(slices.Clone(t.routes), func(r Route) bool {
			return which == "" || r.Pattern == which || r.ID == which
		})
		if n = len(t.routes) - len(routes); n == 0 {
			return nil
		}
		t.routes = routes
		return t.routeOrders()
	})
	if err == nil && n == 0 && which != "" {
		err = fail(ErrNotFound, "list shows the routes", "there is no route %q", lines.Clip(which, 80))
	}
	return n, err
}

func (t *settings) routeOrders() []order {
	if len(t.routes) == 0 {
		return []order{ordered(fetch.Disable, cdp.Empty{})} // lets go what is paused
	}
	escape := strings.NewReplacer(`\`, `\\`, `?`, `\?`)
	var patterns []*fetch.RequestPattern
	for _, r := range t.routes {
		stage := fetch.RequestStageRequest
		if !r.Block && !r.answers {
			stage = fetch.RequestStageResponse
		}
		patterns = append(patterns, &fetch.RequestPattern{URLPattern: escape.Replace(whole(r.Pattern)), RequestStage: stage})
	}
	return []order{ordered(fetch.Enable, fetch.EnableParams{Patterns: patterns})}
}

// requestPaused answers a request that a route may be for. It only posts.
func (at source) requestPaused(e *fetch.EventRequestPaused) {
	p, s := at.page, at.session
	p.mu.Lock()
	routes := p.settings.routes
	p.mu.Unlock()
	address, _, _ := strings.Cut(e.Request.URL, "#")
	var route *Route
	for i := range routes {
		if routes[i].matches.MatchString(address) {
			route = &routes[i] // the last one counts
		}
	}
	answered := e.ResponseStatusCode != 0 || e.ResponseErrorReason != ""
	switch {
	case route == nil || answered && e.ResponseErrorReason != "":
		post(s, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID})
	case route.Block:
		post(s, fetch.FailRequest, fetch.FailRequestParams{RequestID: e.RequestID, ErrorReason: network.ErrorReasonBlockedByClient})
	case route.answers:
		post(s, fetch.FulfillRequest, fetch.FulfillRequestParams{
			RequestID: e.RequestID, ResponseCode: int64(route.Status), ResponsePhrase: phrase(route.Status),
			ResponseHeaders: route.headers(e.Request), Body: []byte(route.Body),
		})
	case !answered:
		post(s, fetch.ContinueRequest, fetch.ContinueRequestParams{RequestID: e.RequestID, InterceptResponse: new(true)})
	default:
		post(s, fetch.ContinueResponse, fetch.ContinueResponseParams{
			RequestID: e.RequestID, ResponseCode: e.ResponseStatusCode, ResponsePhrase: phrase(int(e.ResponseStatusCode)),
			ResponseHeaders: route.over(e.ResponseHeaders),
		})
	}
}

// phrase is the words of a status; Chrome refuses to go without for some.
func phrase(status int) string {
	if text := http.StatusText(status); text != "" {
		return text
	}
	return "Unknown"
}

// headers are those of an answer that the server never gave: of the type that
// the body looks like, and open to scripts of other sites, unless it says
// otherwise.
func (r *Route) headers(asked *network.Request) []*fetch.HeaderEntry {
	kind := "text/plain; charset=utf-8"
	switch body := strings.TrimSpace(r.Body); {
	case strings.HasPrefix(body, "{") || strings.HasPrefix(body, "["):
		kind = "application/json; charset=utf-8"
	case strings.HasPrefix(body, "<"):
		kind = "text/html; charset=utf-8"
	}
	origin := "*"
	for name, v := range asked.Headers {
		if s, ok := v.(string); ok && strings.EqualFold(name, "Origin") {
			origin = s
		}
	}
	first := []*fetch.HeaderEntry{{Name: "Content-Type", Value: kind}, {Name: "Access-Control-Allow-Origin", Value: origin}}
	if origin != "*" {
		first = append(first, &fetch.HeaderEntry{Name: "Access-Control-Allow-Credentials", Value: "true"})
	}
	return r.over(first)
}

// over puts the route's headers over others.
func (r *Route) over(list []*fetch.HeaderEntry) []*fetch.HeaderEntry {
	var out []*fetch.HeaderEntry
	names := slices.Sorted(maps.Keys(r.Headers))
	for _, h := range list {
		if !slices.ContainsFunc(names, func(name string) bool { return strings.EqualFold(name, h.Name) }) {
			out = append(out, h)
		}
	}
	for _, name := range names {
		if v := r.Headers[name]; v != "" {
			out = append(out, &fetch.HeaderEntry{Name: name, Value: v})
		}
	}
	return out
}
