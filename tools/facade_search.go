package tools

import (
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var searchTool = tool{
	name: "web_search", kind: onPatience, sees: true,
	openWorld: true, duringDialog: true,
	doc: "Search the web in a temporary tab.",
	body: do(func(ctx context.Context, c *call, a *facadeSearchArgs) (browserResponse, error) {
		s := c.session
		provider, template, err := s.opts.Config.Search.engine(a.Engine)
		if err != nil {
			return browserResponse{}, invalid("argument %q: %s", "search_engine_url", err)
		}
		address := strings.ReplaceAll(template, "{query}", url.QueryEscape(a.Query))
		b, err := s.connection(ctx)
		if err != nil {
			return browserResponse{}, err
		}
		c.browser = b
		p, done, err := s.aside(ctx, b)
		if err != nil {
			return browserResponse{}, err
		}
		defer done()
		most := a.MaxResults
		if most == 0 {
			most = 10
		}
		v := browserResponse{Data: map[string]any{"provider": provider, "query": a.Query, "request_url": address}}
		n, err := p.Navigate(ctx, address, adapter.DOMContentLoaded)
		if err != nil {
			return v, err
		}
		wait := resultsWait(ctx)
		if n.Status >= 400 { // what it shows is there already
			wait = 0
		}
		list, err := p.SearchResults(ctx, most, wait)
		if err != nil {
			return v, err
		}
		if len(list) == 0 && n.Status >= 400 {
			v.Error = fmt.Sprintf("%s refused the search: %d %s; try another search_engine_url, or later", provider, n.Status, n.Text)
			return v, nil
		}
		if v.found(a.Query, list); len(list) == 0 {
			v.put("saw", sawInstead(ctx, p))
		}
		return v, nil
	}),
}

// firstResult is how long a page may take to show its first result.
const firstResult = 5 * time.Second

// answerTime is how much of a call's time is left for its answer: in a background
// tab, a timer of the page may by itself be a second late.
const answerTime = 3 * time.Second

// resultsWait leaves time for the answer.
func resultsWait(ctx context.Context) time.Duration {
	until, ok := ctx.Deadline()
	if !ok {
		return firstResult
	}
	return max(0, min(firstResult, time.Until(until)-answerTime))
}

type facadeSearchArgs struct {
	Query      string  `json:"query"`
	MaxResults int     `json:"max_results,omitempty" min:"1" default:"10"`
	Engine     string  `json:"search_engine_url,omitempty" doc:"with {query}; or duckduckgo, bing, google, brave"`
	Timeout    float64 `json:"timeout,omitempty" doc:"seconds" min:"0"`
}

func (a *facadeSearchArgs) limit() int { return milliseconds(a.Timeout, 30) }

func (a *facadeSearchArgs) check() error {
	if strings.TrimSpace(a.Query) == "" {
		return invalid("argument %q is empty: say what to search for", "query")
	}
	return nil
}

// engines are the templates that have a name.
var engines = map[string]string{
	"duckduckgo": "https://html.duckduckgo.com/html/?q={query}",
	"bing":       "https://www.bing.com/search?q={query}",
	"google":     "https://www.google.com/search?q={query}",
	"brave":      "https://search.brave.com/search?q={query}",
}

// engine returns the name and the template of the engine that is asked for, by
// its name or its template; the configuration's own, or DuckDuckGo, for "".
func (c *searchConfig) engine(wanted string) (provider, template string, err error) {
	wanted = cmp.Or(cmp.Or(wanted, c.Engine), "duckduckgo")
	if template, ok := c.Engines[wanted]; ok {
		return wanted, template, nil
	}
	if template, ok := engines[strings.ToLower(wanted)]; ok {
		return strings.ToLower(wanted), template, nil
	}
	provider, err = searchTemplate(wanted)
	if err != nil {
		return "", "", fmt.Errorf("%w; or one of %s", err, strings.Join(c.names(), ", "))
	}
	return provider, wanted, nil
}

// searchTemplate returns the host of an engine's address.
func searchTemplate(template string) (host string, err error) {
	u, err := url.Parse(strings.ReplaceAll(template, "{query}", "q"))
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || !strings.Contains(template, "{query}") {
		return "", fmt.Errorf("%q must be an http address with {query} in it", template)
	}
	return u.Hostname(), nil
}

// searchResult is a result as agents read it.
type searchResult struct {
	Rank    int    `json:"rank"`
	Title   string `json:"title"`
	URL     string `json:"url"`
	Snippet string `json:"snippet,omitempty"`
}

// found puts results into an answer, and their summary.
func (v *browserResponse) found(query string, list []adapter.SearchResult) {
	results := make([]searchResult, len(list))
	var b strings.Builder
	fmt.Fprintf(&b, "%s for %q", lines.Amount(len(list), "result"), query)
	for i, r := range list {
		results[i] = searchResult{Rank: i + 1, Title: r.Title, URL: r.URL, Snippet: r.Snippet}
		fmt.Fprintf(&b, "\n%d. %s\n   %s", i+1, r.Title, r.URL)
		if r.Snippet != "" {
			b.WriteString("\n   " + r.Snippet)
		}
	}
	text := b.String()
	v.Text, v.Result = &text, map[string]any{"results": results}
	if len(list) == 0 {
		v.put("note", "the page shows no results; it may show a CAPTCHA: open request_url with browser_navigate to see")
	}
}

// sawInstead is what a page without results shows: its title and how it begins.
func sawInstead(ctx context.Context, p *adapter.Page) map[string]any {
	saw := map[string]any{"url": p.URL()}
	if v, err := p.Content(ctx, adapter.ContentOptions{Format: "text"}); err == nil {
		saw["title"], saw["text"] = lines.Short(v.Title, titleLength), lines.Short(v.Text, sawLength)
	}
	return saw
}

// sawLength is how many characters of such a page are told.
const sawLength = 300

// asideLimit bounds the closing of a tab that was opened aside.
const asideLimit = 2 * time.Second

// aside opens a tab in the background that no list tells and that is no active
// page; done closes it.
func (s *Session) aside(ctx context.Context, b *adapter.Browser) (_ *adapter.Page, done func(), _ error) {
	opened := s.opts.Claims.open(s)
	defer opened()
	p, err := b.Open(ctx, false, "")
	if err != nil {
		return nil, nil, err
	}
	s.mu.Lock()
	s.opts.Claims.claim(p.ID(), s)
	t := s.tab(adapter.Tab{ID: p.ID()})
	t.mine, t.closed = true, true // no news, and nowhere to fall back to
	s.mu.Unlock()
	return p, func() {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), asideLimit)
		defer cancel()
		_ = closeTab(ctx, b, p.ID())
		s.opts.Claims.forget(p.ID())
	}, nil
}
