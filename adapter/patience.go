package adapter

import "context"

// patience is what goes on while a page is waited for.
type patience struct {
	page   *Page
	waited bool // something had to be waited for
	woken  bool // the page was, or need not be
}

// begin says that something has to be waited for. A page behind is woken: much of
// what pages do comes at the end of an animation.
func (w *patience) begin(ctx context.Context) {
	w.waited = true
	if !w.woken {
		w.woken = true
		go w.page.wakeBehind(ctx) // ends with ctx
	}
}

// wakeBehind wakes the page if it is behind.
func (p *Page) wakeBehind(ctx context.Context) {
	p.mu.Lock()
	s, main, on := p.session, p.mainFrame(), p.awake.on
	p.mu.Unlock()
	if s == nil || on {
		return
	}
	if v, err := ask[view](ctx, p, main, expression("viewState")); err == nil && v.Hidden {
		_ = p.wake(ctx, s)
	}
}
