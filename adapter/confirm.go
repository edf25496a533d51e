package adapter

import (
	"cmp"
	"context"
	"slices"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

type askFirstKey struct{}

// AskFirst makes whatever is done with the context fail with ErrUnconfirmed, before it
// sends a form with a field for a password, a one-time code or a payment; the error says
// what it would do.
func AskFirst(ctx context.Context) context.Context {
	return context.WithValue(ctx, askFirstKey{}, true)
}

// The ways in which a form is sent.
const (
	byPress = "press"
	byEnter = "enter"
	byAny   = "any" // it is not known on what
)

// submitQuestion is what the page script is asked of an input.
type submitQuestion struct {
	Ref    string `json:"ref,omitzero"`
	How    string `json:"how"`
	Framed string `json:"framed,omitzero"`
}

// confirmed fails where an input on an element of a frame is to be asked for first; who
// is the element as it is told.
func (p *Page) confirmed(ctx context.Context, f *frame, ref, how, who string) error {
	if ctx.Value(askFirstKey{}) == nil {
		return nil
	}
	framed := ""
	p.mu.Lock()
	main := p.mainFrame()
	p.mu.Unlock()
	if f == main {
		others := p.otherFrames(main)
		found := make([]string, len(others))
		eachOf(others, func(i int, f *frame) {
			within, done := p.reading(ctx, f)
			found[i], _ = ask[string](within, p, f, expression("submits", submitQuestion{How: byAny}))
			done(nil)
		})
		framed = cmp.Or(found...)
	}
	what, err := ask[string](ctx, p, f, expression("submits", submitQuestion{Ref: ref, How: how, Framed: framed}))
	if err != nil || what == "" {
		return err
	}
	return fail(ErrUnconfirmed, "", "sends a form with a %s field: %s", what, who)
}

// confirmedKeys is confirmed for keys on the element that was prepared, or without one
// on that which has the focus.
func (a *actor) confirmedKeys(ctx context.Context, list []keyboard.Chord) error {
	if ctx.Value(askFirstKey{}) == nil {
		return nil
	}
	at := slices.IndexFunc(list, func(c keyboard.Chord) bool { return sends(c) != "" })
	if at < 0 {
		return nil
	}
	f, ref, how := a.frame, a.ready.Ref, sends(list[at])
	if a.element.zero() {
		if f, ref, _ = a.page.focusedIn(ctx); f == nil {
			f = a.main()
		}
		if err := context.Cause(ctx); err != nil {
			return err
		}
	}
	if at > 0 { // the keys before it may lead elsewhere
		how = byAny
	}
	return a.page.confirmed(ctx, f, ref, how, cmp.Or(a.done.Target, "the focused element"))
}

// sends is how a key may send a form, or "".
func sends(c keyboard.Chord) string {
	switch c.Key.Key.Key {
	case "Enter":
		return byEnter
	case " ":
		return byPress
	}
	return ""
}
