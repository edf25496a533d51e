package adapter

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
)

// keysLimit is how many keys one call may press.
const keysLimit = 100

// Press presses keys, such as "Enter", "Control+A" or "Escape Escape", on an
// element, or where the focus is when e is zero.
func (p *Page) Press(ctx context.Context, keys string, e Element) (Done, error) {
	list, err := chords(keys)
	if err != nil {
		return Done{}, err
	}
	if len(list) > keysLimit {
		return Done{}, advise(ErrInvalid, AdviceType, "%d keys in one call; %d are the most", len(list), keysLimit)
	}
	return p.perform(ctx, e, "press", func(ctx context.Context, a *actor) error {
		if e.zero() {
			if err := a.awaken(ctx); err != nil {
				return err
			}
		} else if err := a.prepare(ctx); err != nil {
			return err
		}
		a.sent = true
		return a.strike(ctx, list)
	})
}

// awaken makes a page that has not the focus take keys.
func (a *actor) awaken(ctx context.Context) error {
	view, err := a.view(ctx)
	if err != nil {
		return err
	}
	return a.wake(ctx, ready{Hidden: view.Hidden, Focus: view.Focus}, a.main())
}

// strike sends the events of keys, all at once, and awaits their answers.
func (a *actor) strike(ctx context.Context, list []chord) error {
	var answers []func() (cdp.Empty, error)
	send := func(kind input.DispatchKeyEventType, k key, modifiers int64, text string, commands []string) {
		answers = append(answers, start(ctx, a.session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Modifiers: modifiers, Key: k.key, Code: k.code, Location: k.location, Text: text, UnmodifiedText: text,
			WindowsVirtualKeyCode: k.number, NativeVirtualKeyCode: k.number, Commands: commands,
		}))
	}
	for _, c := range list {
		var bits int64
		for _, k := range c.held {
			bits |= k.modifier
			send(input.DispatchKeyEventTypeRawKeyDown, k, bits, "", nil)
		}
		if c.key.shift {
			bits |= modifierShift
		}
		kind, text := input.DispatchKeyEventTypeRawKeyDown, c.key.text
		if bits&(modifierControl|modifierMeta) != 0 || bits&modifierAlt != 0 {
			text = "" // a shortcut types nothing
		}
		if text != "" {
			kind = input.DispatchKeyEventTypeKeyDown
		}
		send(kind, c.key, bits|c.key.modifier, text, c.editing())
		send(input.DispatchKeyEventTypeKeyUp, c.key, bits, "", nil)
		for i := len(c.held) - 1; i >= 0; i-- {
			bits &^= c.held[i].modifier
			send(input.DispatchKeyEventTypeKeyUp, c.held[i], bits, "", nil)
		}
	}
	for _, answer := range answers {
		if _, err := answer(); err != nil {
			return err
		}
	}
	return nil
}
