package adapter

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/network"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Request is one exchange of a page with a server, up to its end or up to now.
type Request struct {
	ID       string // such as r12
	Method   string
	URL      string // where redirects led
	Kind     string // document, xhr, fetch, script, image, websocket and so on
	Status   int    // 0 before the answer
	Text     string // of the status
	MIME     string
	Protocol string
	Address  string // of the server, with its port
	Pending  bool
	Failure  string // why there is no answer, or ""
	Cached   bool
	Static   bool // an image, a font, a stylesheet, a script or the like
	Began    time.Time
	Took     time.Duration // 0 while it is pending
	Size     int64         // bytes that came over the network
	Posted   bool          // it has a body

	// The following are left out of lists.

	Sent      []Header // as they went over the network, where that is known
	Received  []Header
	Redirects []Redirect
	Frames    []SocketFrame // the last ones of a WebSocket
	Messages  int           // of a WebSocket, all there ever were
}

// Header is a line of a request's or an answer's head.
type Header struct{ Name, Value string }

// Redirect is an answer that led elsewhere.
type Redirect struct {
	Method, URL    string
	Status         int
	Sent, Received []Header
}

// RequestFilter chooses requests; the zero value chooses those since the
// navigation that are not static.
type RequestFilter struct {
	Text   string // part of "METHOD address kind status", or /regexp/
	Static bool   // also static ones
	Failed bool   // only those without an answer, or with one of 400 and more
}

// static are the kinds of request that only dress a page up.
var static = []string{"image", "font", "stylesheet", "script", "media", "texttrack", "manifest", "prefetch"}

// Requests lists the requests since the last navigation, oldest first, and tells
// how many static ones the filter hid and how many older ones are forgotten. A
// page that was not attached yet is, so that its requests are seen from now on.
func (p *Page) Requests(ctx context.Context, f RequestFilter) (list []Request, hidden, dropped int, _ error) {
	matches, err := requestTest(f.Text)
	if err != nil {
		return nil, 0, 0, err
	}
	if _, err := p.attached(ctx); err != nil {
		return nil, 0, 0, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, e := range p.exchanges.list {
		if !e.fresh {
			continue
		}
		r := e.brief()
		if e.outside(p.browser.opts.Sites) != nil {
			r.URL = e.hops[0].url // what the page asked for; the rest is the site's
		}
		if !matches(fmt.Sprintf("%s %s %s %d", r.Method, r.URL, r.Kind, r.Status)) || f.Failed && r.Failure == "" && r.Status < 400 {
			continue
		}
		failed := (r.Failure != "" || r.Status >= 400) && !r.icon()
		if r.Static && !f.Static && !failed {
			hidden++
			continue
		}
		list = append(list, r)
	}
	return list, hidden, p.exchanges.dropped, nil
}

// requestTest makes a test of a part, or of a regular expression between slashes.
func requestTest(text string) (func(string) bool, error) {
	if len(text) > 2 && text[0] == '/' && text[len(text)-1] == '/' && regexp.QuoteMeta(text) != text {
		re, err := regexp.Compile(text[1 : len(text)-1])
		if err != nil {
			return nil, fail(ErrInvalid, "give a part of the address, or a regular expression between slashes", "filter: %v", err)
		}
		return re.MatchString, nil
	}
	return func(s string) bool { return strings.Contains(s, text) }, nil
}

// ClearRequests forgets the requests that have ended.
func (p *Page) ClearRequests() {
	p.mu.Lock()
	defer p.mu.Unlock()
	x := &p.exchanges
	x.list = slices.DeleteFunc(x.list, func(e *exchange) bool {
		if e.ended == 0 {
			return false
		}
		if x.index[e.key] == e {
			delete(x.index, e.key)
		}
		return true
	})
	x.dropped = 0
}

// Request returns all that is known of a request. It fails with ErrNotFound when
// there is none with that id, or no more.
func (p *Page) Request(id string) (Request, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	e, err := p.exchange(id)
	if err != nil {
		return Request{}, err
	}
	return e.whole(), nil
}

// exchange finds a request by its id, unless its site is kept out; mu is held.
func (p *Page) exchange(id string) (*exchange, error) {
	for _, e := range p.exchanges.list {
		if e.id() == id {
			return e, e.outside(p.browser.opts.Sites)
		}
	}
	return nil, advise(ErrNotFound, AdviceRequests, "there is no request %q", lines.Clip(id, 40))
}

// outside returns an error where any answer on the way came from a site that is
// kept out.
func (e *exchange) outside(s Sites) error {
	for _, h := range e.hops {
		if err := s.outside(h.url); err != nil {
			return err
		}
	}
	return nil
}

// icon reports whether the browser asked for it by itself, and many sites have none.
func (r *Request) icon() bool { return strings.HasSuffix(r.URL, "/favicon.ico") }

func (e *exchange) id() string { return fmt.Sprintf("r%d", e.number) }

// brief is a request without what lists leave out.
func (e *exchange) brief() Request {
	h := e.last()
	r := Request{
		ID: e.id(), Method: h.method, URL: h.url, Kind: e.kind, Posted: h.posted, Cached: e.cached, Failure: e.failed,
		Pending: e.ended == 0, Size: int64(e.size), Began: time.UnixMicro(int64(e.begun.Float64() * 1e6)),
		Static: slices.Contains(static, e.kind) || strings.HasPrefix(h.url, "data:"),
	}
	r.Static = r.Static || r.icon()
	if first := e.hops[0].begun; e.ended > first && first > 0 {
		r.Took = seconds(e.ended.Float64() - first.Float64())
	}
	if a := h.answer; a != nil {
		r.Status, r.Text, r.MIME, r.Protocol = int(a.Status), a.StatusText, a.MimeType, a.Protocol
		if a.RemoteIPAddress != "" {
			r.Address = fmt.Sprintf("%s:%d", a.RemoteIPAddress, a.RemotePort)
		}
	}
	return r
}

// whole is a request with all of it.
func (e *exchange) whole() Request {
	r := e.brief()
	sent, received := e.extras.sent, e.extras.received
	next := func(list *[]network.Headers, has bool, otherwise network.Headers) []Header {
		if has && len(*list) > 0 {
			otherwise, *list = (*list)[0], (*list)[1:]
		}
		return headersOf(otherwise)
	}
	for i, h := range e.hops {
		has := h.extra || h.answer == nil || e.socket != nil
		var answered network.Headers
		if h.answer != nil {
			answered = h.answer.Headers
		}
		s, a := next(&sent, has, h.headers), next(&received, has, answered)
		if i == len(e.hops)-1 {
			r.Sent, r.Received = s, a
			break
		}
		r.Redirects = append(r.Redirects, Redirect{Method: h.method, URL: h.url, Status: int(h.answer.Status), Sent: s, Received: a})
	}
	if e.socket != nil {
		r.Frames, r.Messages = slices.Clone(e.socket.frames), e.socket.sent+e.socket.received
	}
	return r
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// headersOf lists headers by name; a name that came several times has a line
// for each.
func headersOf(h network.Headers) []Header {
	list := make([]Header, 0, len(h))
	for name, v := range h {
		for line := range strings.SplitSeq(fmt.Sprint(v), "\n") {
			list = append(list, Header{name, line})
		}
	}
	slices.SortStableFunc(list, func(a, b Header) int { return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name)) })
	return list
}

// ResponseBody returns the body of the answer to a request, decoded. Chrome
// keeps bodies until the next navigation, and only some megabytes of them.
func (p *Page) ResponseBody(ctx context.Context, id string) ([]byte, error) {
	return p.bodyOf(ctx, id, func(ctx context.Context, e exchange) ([]byte, error) {
		res, err := call(ctx, e.session, network.GetResponseBody, network.GetResponseBodyParams{RequestID: e.key})
		return res.Body, err
	})
}

// RequestBody returns the body that a request was sent with; empty if it had
// none. Files in it are left out by Chrome.
func (p *Page) RequestBody(ctx context.Context, id string) ([]byte, error) {
	return p.bodyOf(ctx, id, func(ctx context.Context, e exchange) ([]byte, error) {
		if !e.last().posted {
			return nil, nil
		}
		res, err := call(ctx, e.session, network.GetRequestPostData, network.GetRequestPostDataParams{RequestID: e.key})
		return res.PostData, err
	})
}

func (p *Page) bodyOf(ctx context.Context, id string, get func(context.Context, exchange) ([]byte, error)) ([]byte, error) {
	p.mu.Lock()
	e, err := p.exchange(id)
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	p.mu.Lock()
	now := *e
	p.mu.Unlock()
	body, err := get(ctx, now)
	var refused *cdproto.Error
	if errors.As(err, &refused) || errors.Is(err, ErrStaleRef) {
		reason := "the frame is gone"
		if refused != nil {
			reason = refused.Message
		}
		return nil, fail(ErrNotFound, "the browser keeps bodies only for a while: read them before the next navigation, or repeat the request",
			"the browser has no body for %s: %s", id, reason)
	}
	return body, err
}
