package adapter

import (
	"context"
	"time"
)

// Linger returns when something in the page changes, or limit has passed, and
// reports whether something did. A hidden page that an action made believe itself
// visible draws meanwhile, so that its animations come to their end.
func (p *Page) Linger(ctx context.Context, limit time.Duration) (changed bool, _ error) {
	p.mu.Lock()
	s, hidden := p.session, p.emulated
	p.mu.Unlock()
	if hidden && s != nil {
		defer draws(s)()
	}
	wait, err := p.Changing(ctx, limit)
	if err != nil {
		return false, err
	}
	return wait()
}
