package adapter

import (
	"context"
	"fmt"
	"time"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

// TypePaced types as Type does with Slowly, with a pause after each key.
func (p *Page) TypePaced(ctx context.Context, e Element, o TypeOptions, pause time.Duration) (Done, error) {
	if n := utf8.RuneCountInString(o.Text); n > keyedLimit {
		return Done{}, fail(ErrInvalid, "type it without a delay", "%d characters key by key; the maximum is %d", n, keyedLimit)
	}
	return p.perform(ctx, e, "type", func(ctx context.Context, a *actor) error {
		a.clear = o.Clear
		if err := a.prepare(ctx); err != nil {
			return err
		}
		switch a.ready.Kind {
		case "field", "editor", "keys", "proxy", "click":
		default:
			return a.enter(ctx, o) // no keys go there
		}
		begun := a.done
		o.Slowly = true
		if err := a.enter(ctx, TypeOptions{Clear: o.Clear}); err != nil {
			return err
		}
		a.done = begun // what it says of no text is no news
		timer := time.NewTicker(max(pause, time.Millisecond))
		defer timer.Stop()
		for i, r := range []rune(o.Text) {
			if i > 0 {
				select {
				case <-timer.C:
				case <-ctx.Done():
					return fmt.Errorf("after %d characters: %w", i, context.Cause(ctx))
				}
			}
			if err := a.strike(ctx, []keyboard.Chord{keyboard.Typing(r)}); err != nil {
				return err
			}
		}
		t, err := a.typed(ctx, o)
		if err != nil {
			return err
		}
		return a.report(t, o)
	})
}
