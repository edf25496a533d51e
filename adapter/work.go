package adapter

import "context"

// work prepares for commands to the page: it attaches it where it is not, bounds
// ctx by the action timeout where that has no deadline, and ends it when the
// page can go on no longer. The caller calls stop.
func (p *Page) work(ctx context.Context) (_ context.Context, _ *session, stop func(), _ error) {
	ctx, _, cancel := limited(ctx, p.browser.opts.ActionTimeout)
	s, err := p.attached(ctx)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	ctx, done, err := p.running(ctx)
	if err != nil {
		cancel()
		return nil, nil, nil, err
	}
	return ctx, s, func() { done(); cancel() }, nil
}

// others returns the sessions of the page's frames in other processes; mu is
// held.
func (p *Page) others() []*session {
	var list []*session
	seen := map[*session]bool{p.session: true, nil: true}
	for _, f := range p.tree.frames {
		if !seen[f.session] {
			seen[f.session] = true
			list = append(list, f.session)
		}
	}
	return list
}
