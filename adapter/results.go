package adapter

import (
	"context"
	"time"
)

// SearchResult is a result on a page of a search engine.
type SearchResult struct {
	Title   string `json:"title"`
	URL     string `json:"url"` // where it leads, without the engine's redirect
	Snippet string `json:"snippet"`
}

// SearchResults reads the results of a search engine's page, at most limit,
// whatever the engine. While there is none it waits as long as wait for the first.
func (p *Page) SearchResults(ctx context.Context, limit int, wait time.Duration) ([]SearchResult, error) {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	p.mu.Lock()
	f := p.mainFrame()
	p.mu.Unlock()
	list, err := ask[[]SearchResult](ctx, p, f, expression("searchResults", map[string]any{"limit": limit, "wait": wait.Milliseconds()}))
	return list, p.reason(err)
}
