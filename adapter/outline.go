package adapter

import (
	"context"
)

// OutlineOptions say which elements are told, and how much of them.
type OutlineOptions struct {
	Element        // the zero value is the whole page
	Text      bool // lines of text instead of HTML
	Depth     int  // levels below the element; -1 for all
	Collapse  int  // the level from which elements are told in a few words; -1 for none
	Ellipsis  int  // characters of a text; 0 for all
	TagNames  bool // lines begin with tag, id and classes, such as "h1#title: "
	Invisible bool // text that nobody sees is told too
}

// Outline is what the page script tells of a part of the page.
type Outline struct {
	Text  string
	Cut   bool // the page has more than can be told
	Count int  // of the elements that the selector matches
	// Frames are those of the page whose content is not told: of a whole page's.
	Frames int
}

// Outline tells elements as HTML, or the text that they show, a line for each.
// What is not in the main document is looked for in the frames, which are told
// as empty elements themselves. It fails with ErrNotFound where the selector
// matches nothing.
func (p *Page) Outline(ctx context.Context, o OutlineOptions) (Outline, error) {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return Outline{}, err
	}
	defer stop()
	named := o.Element
	frames, e, err := p.framesFor(ctx, named)
	if err != nil {
		return Outline{}, p.reason(err)
	}
	o.Element = e
	whole := o.zero()
	for i, f := range frames {
		out, found, err := p.outline(ctx, f, o)
		switch {
		case err == nil && !found && !whole && i+1 < len(frames):
			continue
		case err != nil && i > 0 && context.Cause(ctx) == nil:
			continue // it went away
		case err != nil:
			return Outline{}, p.reason(err)
		case !found:
			return Outline{}, named.missing()
		}
		if whole {
			out.Frames = len(frames) - 1
		}
		return out, nil
	}
	return Outline{}, named.missing()
}

// outline tells elements of one frame, and whether there are any.
func (p *Page) outline(ctx context.Context, f *frame, o OutlineOptions) (_ Outline, found bool, _ error) {
	format := "html"
	if o.Text {
		format = "text"
	}
	p.mu.Lock()
	q := map[string]any{"prefix": p.prefix(f), "next": f.next, "ref": o.Ref, "selector": o.Selector, "format": format,
		"depth": o.Depth, "collapse": o.Collapse, "ellipsis": o.Ellipsis, "tags": o.TagNames, "hidden": o.Invisible}
	p.mu.Unlock()
	res, err := ask[struct {
		Text  string `json:"text"`
		Cut   bool   `json:"cut"`
		Count int    `json:"count"`
		Next  int    `json:"next"`
	}](ctx, p, f, expression("outline", q))
	if err != nil {
		return Outline{}, false, err
	}
	p.numbered(f, res.Next)
	return Outline{Text: res.Text, Cut: res.Cut, Count: res.Count}, res.Count > 0, nil
}
