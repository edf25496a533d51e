package adapter

import (
	"context"
	"slices"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

// unsentForm says why the browser, which shows it to the person alone, sent no form.
const unsentForm = "the form was not sent: %s"

// strikeSending strikes keys, and says what kept the form from being sent that they
// should have sent.
func (a *actor) strikeSending(ctx context.Context, list []keyboard.Chord) error {
	if !slices.ContainsFunc(list, func(c keyboard.Chord) bool { return sends(c) != "" }) {
		return a.strike(ctx, list)
	}
	p, f := a.page, a.frame
	if f == nil { // no element was given
		f, _, _ = p.focusedIn(ctx)
	}
	if err := a.strike(ctx, list); err != nil || f == nil {
		return err
	}
	p.mu.Lock()
	elsewhere := p.loading.starting || p.hindrance() != nil
	q := prepareRequest{Prefix: p.prefix(f), Next: f.next}
	p.mu.Unlock()
	if elsewhere {
		return nil
	}
	said, there, err := askHere[struct {
		Said string `json:"said"`
		Next int    `json:"next"`
	}](ctx, p, f, expression("unsent", q))
	if !there || err != nil {
		return nil // it came to something
	}
	p.numbered(f, said.Next)
	if said.Said != "" {
		a.done.turnedOut(Different, unsentForm, said.Said)
	}
	return nil
}
