package adapter

import (
	"context"
	"encoding/json"
	"net/url"
	"time"

	"github.com/chromedp/cdproto/har"
)

// HAR returns the requests that a filter chooses as an HTTP Archive 1.2, and how
// many they are. Bodies are not in it.
func (p *Page) HAR(ctx context.Context, f RequestFilter, creator string) ([]byte, int, error) {
	list, _, _, err := p.Requests(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	log := harLog{
		Log: har.Log{
			Version: "1.2", Creator: &har.Creator{Name: "tabrelay", Version: creator},
			Browser: &har.Creator{Name: "Chromium", Version: p.browser.version.Product},
		},
		Pages: []har.Page{}, Entries: []harEntry{},
	}
	p.mu.Lock()
	for _, r := range list {
		if e, err := p.exchange(r.ID); err == nil {
			log.Entries = append(log.Entries, e.har()...)
		}
	}
	p.mu.Unlock()
	progress(ctx, float64(len(log.Entries)), float64(len(log.Entries)), "requests")
	data, err := json.MarshalIndent(map[string]harLog{"log": log}, "", " ")
	return data, len(log.Entries), err
}

// harLog is the log with what browsers add to it.
type harLog struct {
	har.Log
	Pages   []har.Page `json:"pages"` // asked for by readers, even when there are none
	Entries []harEntry `json:"entries"`
}

type harEntry struct {
	har.Entry
	Response harResponse `json:"response"`
	Kind     string      `json:"_resourceType"`
	Failure  string      `json:"_error,omitempty"`
}

type harResponse struct {
	har.Response
	Transfer int64 `json:"_transferSize"`
}

// har returns an entry for each hop of a request.
func (e *exchange) har() []harEntry {
	r := e.whole()
	entries := make([]harEntry, len(e.hops))
	for i, h := range e.hops {
		last := i == len(e.hops)-1
		sent, received, end := r.Sent, r.Received, e.ended.Float64()
		if !last {
			sent, received, end = r.Redirects[i].Sent, r.Redirects[i].Received, h.at.Float64()
		}
		begun := r.Began.Add(seconds(h.begun.Float64() - e.hops[0].begun.Float64()))
		entry := harEntry{
			Entry: har.Entry{
				StartedDateTime: begun.UTC().Format(time.RFC3339Nano), Cache: &har.Cache{},
				Request: &har.Request{Method: h.method, URL: h.url, Cookies: []*har.Cookie{}, Headers: pairs(sent), QueryString: query(h.url), HeadersSize: -1, BodySize: -1},
			},
			Response: harResponse{
				Response: har.Response{Cookies: []*har.Cookie{}, Headers: pairs(received), Content: &har.Content{MimeType: "x-unknown"}, HeadersSize: -1, BodySize: -1},
				Transfer: -1,
			},
			Kind: e.kind,
		}
		if !h.posted {
			entry.Request.BodySize = 0
		}
		if a := h.answer; a != nil {
			entry.Request.HTTPVersion, entry.Response.HTTPVersion = a.Protocol, a.Protocol
			entry.Response.Status, entry.Response.StatusText = a.Status, a.StatusText
			entry.Response.Content.MimeType, entry.ServerIPAddress = a.MimeType, a.RemoteIPAddress
		}
		if last {
			entry.Failure = e.failed
			entry.Response.Transfer = int64(e.size)
			if e.body > 0 {
				entry.Response.BodySize, entry.Response.Content.Size = int64(e.body), int64(e.body)
			}
		} else {
			entry.Response.RedirectURL = e.hops[i+1].url
		}
		entry.times(h, end)
		entries[i] = entry
	}
	return entries
}

// times fills in the timings of a hop that ended at a time, in seconds.
func (t *harEntry) times(h *hop, end float64) {
	start := h.begun.Float64()
	if end > start && start > 0 {
		t.Time = (end - start) * 1000
	}
	if h.answer == nil || h.answer.Timing == nil {
		t.Timings = &har.Timings{Blocked: new(-1.0), DNS: new(-1.0), Connect: new(-1.0), Ssl: new(-1.0), Wait: t.Time}
		return
	}
	g := h.answer.Timing
	span := func(from, to float64) *float64 { // -1 says that it does not apply
		if from < 0 || to < from {
			return new(-1.0)
		}
		return new(to - from)
	}
	first := g.SendStart
	for _, v := range []float64{g.DNSStart, g.ConnectStart} {
		if v >= 0 && v < first {
			first = v
		}
	}
	t.Timings = &har.Timings{
		Blocked: new(max(0, (g.RequestTime-start)*1000) + max(0, first)),
		DNS:     span(g.DNSStart, g.DNSEnd), Connect: span(g.ConnectStart, g.ConnectEnd), Ssl: span(g.SslStart, g.SslEnd),
		Send: max(0, g.SendEnd-g.SendStart), Wait: max(0, g.ReceiveHeadersEnd-g.SendEnd),
		Receive: max(0, (end-g.RequestTime)*1000-g.ReceiveHeadersEnd),
	}
	t.Time = *t.Timings.Blocked + max(0, *t.Timings.DNS) + max(0, *t.Timings.Connect) + t.Timings.Send + t.Timings.Wait + t.Timings.Receive
}

func pairs(list []Header) []*har.NameValuePair {
	out := make([]*har.NameValuePair, len(list))
	for i, h := range list {
		out[i] = &har.NameValuePair{Name: h.Name, Value: h.Value}
	}
	return out
}

func query(address string) []*har.NameValuePair {
	out := []*har.NameValuePair{}
	if u, err := url.Parse(address); err == nil {
		for name, values := range u.Query() {
			for _, v := range values {
				out = append(out, &har.NameValuePair{Name: name, Value: v})
			}
		}
	}
	return out
}
