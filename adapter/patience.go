package adapter

import "context"

// patience is what goes on while a page is waited for.
type patience struct {
	page   *Page
	waited bool   // something had to be waited for
	stop   func() // ends what goes on; nil before that
}

// begin says that something has to be waited for. A page behind is made to draw
// meanwhile: much of what pages do comes at the end of an animation.
func (w *patience) begin(ctx context.Context) {
	w.waited = true
	if w.stop != nil {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	over := make(chan struct{})
	go func() { // ends with ctx
		defer close(over)
		w.page.keepDrawing(ctx)
	}()
	w.stop = func() {
		cancel()
		<-over
	}
}

// end ends the wait.
func (w *patience) end() {
	if w.stop != nil {
		w.stop()
	}
}

// keepDrawing has a page behind draw until ctx ends.
func (p *Page) keepDrawing(ctx context.Context) {
	p.mu.Lock()
	s, main, seen := p.session, p.mainFrame(), p.emulated
	p.mu.Unlock()
	if s == nil {
		return
	}
	if !seen {
		v, err := ask[view](ctx, p, main, expression("viewState"))
		if err != nil || !v.Hidden || p.emulate(ctx, s) != nil {
			return
		}
		defer p.Rest(ctx)
	}
	defer draws(s)()
	<-ctx.Done()
}
