package adapter

import (
	"context"
	"time"
)

// Linger returns when something in the page changes, or limit has passed, and
// reports whether something did.
func (p *Page) Linger(ctx context.Context, limit time.Duration) (changed bool, _ error) {
	wait, err := p.Changing(ctx, limit)
	if err != nil {
		return false, err
	}
	return wait()
}
