package adapter

import (
	"context"
	"strings"
)

// Selectors may be chained: `iframe#pay >> #card` is what #card matches within
// what iframe#pay matches, which may be a frame. What stays within a document
// is the page script's; here frames are entered.
const chain = ">>"

// mostEntered is how many frames a chain enters, one within the other.
const mostEntered = 10

// framesFor returns the frames in which an element may be, the main one first,
// and what names it there.
func (p *Page) framesFor(ctx context.Context, e Element) ([]*frame, Element, error) {
	if e.Ref != "" {
		f, err := p.frameOfRef(e.Ref)
		return []*frame{f}, e, err
	}
	frames, _ := p.documents()
	for range mostEntered {
		if !strings.Contains(e.Selector, chain) {
			break
		}
		inner, rest, err := p.entered(ctx, frames, e.Selector)
		if err != nil {
			return nil, e, err
		}
		if len(inner) == 0 { // the chain enters no frame, or none that is there
			break
		}
		frames, e.Selector = inner, rest
	}
	return frames, e, nil
}

// entered returns the frames into which the first of some documents leads that
// has any, and what of the selector is meant within them.
func (p *Page) entered(ctx context.Context, documents []*frame, selector string) (inner []*frame, rest string, _ error) {
	for i, f := range documents {
		within, done := p.reading(ctx, f)
		p.mu.Lock()
		q := map[string]any{"prefix": p.prefix(f), "next": f.next, "selector": selector}
		p.mu.Unlock()
		res, err := ask[struct {
			Refs []string `json:"refs"`
			Rest string   `json:"rest"`
			Next int      `json:"next"`
		}](within, p, f, expression("entrances", q))
		if done(err); err != nil && i > 0 && context.Cause(ctx) == nil {
			continue // it went away, or hangs
		}
		if err != nil {
			return nil, "", err
		}
		p.numbered(f, res.Next)
		for _, ref := range res.Refs {
			child, err := p.childFrame(ctx, f, ref)
			if err != nil && context.Cause(ctx) != nil {
				return nil, "", err
			}
			if err == nil && child != nil {
				inner = append(inner, child)
			}
		}
		if len(inner) > 0 {
			return inner, res.Rest, nil
		}
	}
	return nil, "", nil
}
