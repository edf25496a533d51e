package adapter

import "context"

// Hover moves the pointer onto an element, which stays there.
func (p *Page) Hover(ctx context.Context, e Element) (Done, error) {
	return p.perform(ctx, e, "hover", func(ctx context.Context, a *actor) error {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		_, _, over, err := a.pointTo(ctx, 0, 1)
		a.sent = true
		if err == nil && !over {
			a.done.turnedOut(Unknown, "it is moving, or its frame did not report the pointer")
		}
		return err
	})
}
