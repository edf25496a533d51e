package adapter

import (
	"context"
	"encoding/json"
	"net/url"
	"time"
)

// HAR returns the requests that a filter chooses as an HTTP Archive 1.2, and how
// many they are. Bodies are not in it.
func (p *Page) HAR(ctx context.Context, f RequestFilter, creator string) ([]byte, int, error) {
	list, _, _, err := p.Requests(ctx, f)
	if err != nil {
		return nil, 0, err
	}
	var log harLog
	log.Log.Version = "1.2"
	log.Log.Creator = harNamed{"tabrelay", creator}
	log.Log.Browser = &harNamed{"Chromium", p.browser.version.Product}
	log.Log.Pages = []any{}
	log.Log.Entries = []harEntry{}
	p.mu.Lock()
	for _, r := range list {
		if e, err := p.exchange(r.ID); err == nil {
			log.Log.Entries = append(log.Log.Entries, e.har()...)
		}
	}
	p.mu.Unlock()
	progress(ctx, float64(len(log.Log.Entries)), float64(len(log.Log.Entries)), "requests")
	data, err := json.MarshalIndent(log, "", " ")
	return data, len(log.Log.Entries), err
}

type harLog struct {
	Log struct {
		Version string     `json:"version"`
		Creator harNamed   `json:"creator"`
		Browser *harNamed  `json:"browser,omitempty"`
		Pages   []any      `json:"pages"`
		Entries []harEntry `json:"entries"`
	} `json:"log"`
}

type harNamed struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

type harPair struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type harEntry struct {
	Started  string      `json:"startedDateTime"`
	Time     float64     `json:"time"` // ms
	Request  harRequest  `json:"request"`
	Response harResponse `json:"response"`
	Cache    struct{}    `json:"cache"`
	Timings  harTimings  `json:"timings"`
	Server   string      `json:"serverIPAddress,omitempty"`
	Kind     string      `json:"_resourceType"`
	Failure  string      `json:"_error,omitempty"`
}

type harRequest struct {
	Method      string    `json:"method"`
	URL         string    `json:"url"`
	HTTPVersion string    `json:"httpVersion"`
	Cookies     []any     `json:"cookies"`
	Headers     []harPair `json:"headers"`
	Query       []harPair `json:"queryString"`
	HeadersSize int       `json:"headersSize"`
	BodySize    int       `json:"bodySize"`
}

type harResponse struct {
	Status      int        `json:"status"`
	StatusText  string     `json:"statusText"`
	HTTPVersion string     `json:"httpVersion"`
	Cookies     []any      `json:"cookies"`
	Headers     []harPair  `json:"headers"`
	Content     harContent `json:"content"`
	RedirectURL string     `json:"redirectURL"`
	HeadersSize int        `json:"headersSize"`
	BodySize    int64      `json:"bodySize"`
	Transfer    int64      `json:"_transferSize"`
}

type harContent struct {
	Size int64  `json:"size"`
	MIME string `json:"mimeType"`
}

// harTimings are in milliseconds; -1 says that it does not apply.
type harTimings struct {
	Blocked float64 `json:"blocked"`
	DNS     float64 `json:"dns"`
	Connect float64 `json:"connect"`
	SSL     float64 `json:"ssl"`
	Send    float64 `json:"send"`
	Wait    float64 `json:"wait"`
	Receive float64 `json:"receive"`
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
			Started: begun.UTC().Format(time.RFC3339Nano), Kind: e.kind,
			Request: harRequest{Method: h.method, URL: h.url, Cookies: []any{}, Headers: pairs(sent), Query: query(h.url), HeadersSize: -1, BodySize: -1},
			Response: harResponse{Cookies: []any{}, Headers: pairs(received), HeadersSize: -1, BodySize: -1, Transfer: -1,
				Content: harContent{MIME: "x-unknown"}},
			Timings: harTimings{Blocked: -1, DNS: -1, Connect: -1, SSL: -1},
		}
		if !h.posted {
			entry.Request.BodySize = 0
		}
		if a := h.answer; a != nil {
			entry.Request.HTTPVersion, entry.Response.HTTPVersion = a.Protocol, a.Protocol
			entry.Response.Status, entry.Response.StatusText = int(a.Status), a.StatusText
			entry.Response.Content.MIME, entry.Server = a.MimeType, a.RemoteIPAddress
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
		t.Timings.Wait = t.Time
		return
	}
	g := h.answer.Timing
	span := func(from, to float64) float64 {
		if from < 0 || to < from {
			return -1
		}
		return to - from
	}
	first := g.SendStart
	for _, v := range []float64{g.DNSStart, g.ConnectStart} {
		if v >= 0 && v < first {
			first = v
		}
	}
	t.Timings = harTimings{
		Blocked: max(0, (g.RequestTime-start)*1000) + max(0, first),
		DNS:     span(g.DNSStart, g.DNSEnd), Connect: span(g.ConnectStart, g.ConnectEnd), SSL: span(g.SslStart, g.SslEnd),
		Send: max(0, g.SendEnd-g.SendStart), Wait: max(0, g.ReceiveHeadersEnd-g.SendEnd),
		Receive: max(0, (end-g.RequestTime)*1000-g.ReceiveHeadersEnd),
	}
	t.Time = max(0, t.Timings.Blocked) + max(0, t.Timings.DNS) + max(0, t.Timings.Connect) + t.Timings.Send + t.Timings.Wait + t.Timings.Receive
}

func pairs(list []Header) []harPair {
	out := make([]harPair, len(list))
	for i, h := range list {
		out[i] = harPair(h)
	}
	return out
}

func query(address string) []harPair {
	out := []harPair{}
	if u, err := url.Parse(address); err == nil {
		for name, values := range u.Query() {
			for _, v := range values {
				out = append(out, harPair{name, v})
			}
		}
	}
	return out
}
