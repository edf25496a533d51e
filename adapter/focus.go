package adapter

import "context"

// focused returns the element that has the focus, in whichever frame.
func (p *Page) focused(ctx context.Context) (Element, error) {
	_, ref, err := p.focusedIn(ctx)
	if err == nil && ref == "" {
		err = fail(ErrInvalid, "give the ref of a field, or click it first", "no field has focus, and no element was given")
	}
	return Element{Ref: ref}, err
}

// focusedIn returns the frame that has the focus and the ref of its element, which is
// empty where none has; nil for a frame that Chrome did not tell of.
func (p *Page) focusedIn(ctx context.Context) (*frame, string, error) {
	p.mu.Lock()
	f := p.mainFrame()
	p.mu.Unlock()
	for f != nil {
		p.mu.Lock()
		q := prepareRequest{Prefix: p.prefix(f), Next: f.next}
		p.mu.Unlock()
		at, err := ask[struct {
			Ref   string `json:"ref"`
			Frame bool   `json:"frame"`
			Next  int    `json:"next"`
		}](ctx, p, f, expression("focusedRef", q))
		if err != nil {
			return nil, "", err
		}
		p.numbered(f, at.Next)
		if !at.Frame {
			return f, at.Ref, nil
		}
		if f, err = p.frameAt(ctx, f, at.Ref); err != nil {
			return nil, "", err
		}
	}
	return nil, "", nil
}

// frameAt returns the frame within another that an element of it holds; nil when
// there is none.
func (p *Page) frameAt(ctx context.Context, parent *frame, ref string) (*frame, error) {
	for _, f := range p.otherFrames(parent) {
		p.mu.Lock()
		within := f.parent == parent.id
		p.mu.Unlock()
		if !within {
			continue
		}
		if _, owner, err := p.ownerOf(ctx, f); err != nil || owner == ref {
			return f, err
		}
	}
	return nil, nil
}
