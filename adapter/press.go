package adapter

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

// keyPause is how long, in ms, the timers that a key starts may keep the next key
// waiting.
const keyPause = 60

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
		return Done{}, advise(ErrInvalid, AdviceType, "%d keys in one call; the maximum is %d", len(list), keysLimit)
	}
	return p.perform(ctx, e, "press", func(ctx context.Context, a *actor) error {
		if e.zero() {
			if err := a.awaken(ctx); err != nil {
				return err
			}
		} else if err := a.prepare(ctx); err != nil {
			return err
		}
		if err := a.confirmedKeys(ctx, list); err != nil {
			return err
		}
		a.sent = true
		if a.ready.Kind == "editor" && a.ready.Fresh {
			if err := a.keepCaret(ctx, nil); err != nil {
				return err
			}
		}
		return a.strikeSending(ctx, list)
	})
}

// awaken makes a page that has not the focus take keys.
func (a *actor) awaken(ctx context.Context) error {
	view, err := a.view(ctx)
	if err != nil {
		return err
	}
	return a.wakeForInput(ctx, ready{Hidden: view.Hidden, Focus: view.Focus}, a.main())
}

// strike presses keys one after the other, each when the page has handled the
// one before it: an editor may follow the selection, which it is told of after a
// key that moves it and not with it, and what a key starts may listen a moment
// later. The last one too: the next call may press another, and a hidden page does
// nothing more once the action is over.
func (a *actor) strike(ctx context.Context, list []keyboard.Chord) error {
	for i, c := range list {
		if err := a.mayType(ctx); err != nil { // a key may have led there
			return err
		}
		last := i == len(list)-1
		if c.Moves() {
			if err := a.move(ctx, c); err != nil {
				return err
			}
			continue
		}
		if last || c.Types() && list[i+1].Types() { // within a word nothing is waited for
			if err := a.tap(ctx, c); err != nil {
				return err
			}
			if !c.Types() {
				a.handled(ctx)
			}
			continue
		}
		if err := a.tapAndWait(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// tapAndWait presses a key and returns when the page has handled it, and the timers
// are over that it started.
func (a *actor) tapAndWait(ctx context.Context, c keyboard.Chord) error {
	w := a.page.Watch(ctx).standing()
	err := a.tap(ctx, c)
	a.handled(ctx)
	w.pause(ctx, keyPause)
	return err
}

// move presses Home, and again where an editor put its own selection back: some take a
// caret that comes to the beginning soon after the focus for one that the browser put
// there. Where the caret had nowhere to go, the second press does no harm.
func (a *actor) move(ctx context.Context, c keyboard.Chord) error {
	f := a.frame
	if f == nil { // no element was given
		f, _, _ = a.page.focusedIn(ctx)
	}
	if f == nil {
		return a.tapAndWait(ctx, c)
	}
	marked, _ := ask[bool](ctx, a.page, f, expression("markCaret")) // else it is pressed as anywhere
	err := a.tapAndWait(ctx, c)
	if err != nil || !marked {
		return err
	}
	if stayed, err := ask[bool](ctx, a.page, f, expression("caretStayed")); err != nil || !stayed {
		return nil
	}
	return a.tapAndWait(ctx, c)
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

// chords reads keys as agents write them.
func chords(keys string) ([]keyboard.Chord, error) {
	list, err := keyboard.Parse(keys)
	switch {
	case err != nil:
		return nil, &Error{Kind: ErrInvalid, Text: err.Error(), Advice: AdviceType, Hint: "use keys such as Enter, Escape, Tab, ArrowDown, F5, a or Control+A"}
	case len(list) == 0:
		return nil, fail(ErrInvalid, "give keys such as Enter, Control+A or Escape", "keys is empty")
	}
	return list, nil
}

// modifierBits returns the bits of modifiers by name.
func modifierBits(names []string) (int64, error) {
	var bits int64
	for _, name := range names {
		bit, ok := keyboard.Modifier(name)
		if !ok {
			return 0, fail(ErrInvalid, "use Control, Shift, Alt, Meta or ControlOrMeta", "%q is not a modifier", name)
		}
		bits |= bit
	}
	return bits, nil
}

// tap sends the events of one key, all at once, and awaits their answers.
func (a *actor) tap(ctx context.Context, c keyboard.Chord) error {
	var answers []func() (cdp.Empty, error)
	send := func(kind input.DispatchKeyEventType, k keyboard.Key, modifiers int64, text string, commands []string) {
		answers = append(answers, start(ctx, a.session, input.DispatchKeyEvent, input.DispatchKeyEventParams{
			Type: kind, Modifiers: modifiers, Key: k.Key.Key, Code: k.Code, Location: k.Location, Text: text, UnmodifiedText: text,
			WindowsVirtualKeyCode: k.Windows, NativeVirtualKeyCode: k.Windows, Commands: commands,
		}))
	}
	var bits int64
	for _, k := range c.Held {
		bits |= k.Modifier
		send(input.DispatchKeyEventTypeRawKeyDown, k, bits, "", nil)
	}
	if c.Key.Shift {
		bits |= keyboard.Shift
	}
	kind, text := input.DispatchKeyEventTypeRawKeyDown, c.Key.Text
	if bits&(keyboard.Control|keyboard.Meta|keyboard.Alt) != 0 {
		text = "" // a shortcut types nothing
	}
	if text != "" {
		kind = input.DispatchKeyEventTypeKeyDown
	}
	send(kind, c.Key, bits|c.Key.Modifier, text, c.Editing())
	send(input.DispatchKeyEventTypeKeyUp, c.Key, bits, "", nil)
	for i := len(c.Held) - 1; i >= 0; i-- {
		bits &^= c.Held[i].Modifier
		send(input.DispatchKeyEventTypeKeyUp, c.Held[i], bits, "", nil)
	}
	for _, answer := range answers {
		if _, err := answer(); err != nil {
			return err
		}
	}
	return nil
}
