package adapter

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
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

// strike presses keys one after the other, each when the page has handled the
// one before it: an editor may follow the selection, which it is told of after a
// key that moves it and not with it.
func (a *actor) strike(ctx context.Context, list []chord) error {
	for i, c := range list {
		if err := a.tap(ctx, c); err != nil {
			return err
		}
		a.page.mu.Lock()
		hidden := a.page.emulated // it does nothing more once the action is over
		a.page.mu.Unlock()
		if (i < len(list)-1 || hidden) && !c.types() {
			a.handled(ctx)
		}
	}
	return nil
}

// handled returns when every process of the page has run what its last input
// left to be done, such as the selectionchange event.
func (a *actor) handled(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	a.page.mu.Lock()
	sessions := a.page.processes(a.session)
	a.page.mu.Unlock()
	var answers []func() (runtime.EvaluateResult, error)
	for _, s := range sessions {
		answers = append(answers, start(ctx, s, runtime.Evaluate, runtime.EvaluateParams{Expression: breath, AwaitPromise: new(true), Silent: new(true)}))
	}
	for _, answer := range answers {
		_, _ = answer() // a document that went has nothing left to do
	}
}

// tap sends the events of one key, all at once, and awaits their answers.
func (a *actor) tap(ctx context.Context, c chord) error {
	var answers []func() (cdp.Empty, error)
	send := func(kind input.DispatchKeyEventType, k key, modifiers int64, text string, commands []string) {
		answers = append(answers, start(ctx, a.session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Modifiers: modifiers, Key: k.key, Code: k.code, Location: k.location, Text: text, UnmodifiedText: text,
			WindowsVirtualKeyCode: k.number, NativeVirtualKeyCode: k.number, Commands: commands,
		}))
	}
	var bits int64
	for _, k := range c.held {
		bits |= k.modifier
		send(input.DispatchKeyEventTypeRawKeyDown, k, bits, "", nil)
	}
	if c.key.shift {
		bits |= modifierShift
	}
	kind, text := input.DispatchKeyEventTypeRawKeyDown, c.key.text
	if bits&(modifierControl|modifierMeta|modifierAlt) != 0 {
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
	for _, answer := range answers {
		if _, err := answer(); err != nil {
			return err
		}
	}
	return nil
}
