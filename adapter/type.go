package adapter

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"

	"github.com/tabrelay/tabrelay/adapter/keyboard"
)

// TypeOptions say what to type, and how.
type TypeOptions struct {
	Text   string
	Clear  bool // what the field holds is replaced
	Submit bool // Enter is pressed afterwards
	Slowly bool // key by key, for pages that listen to keys
	Only   SecretSites
}

// keyedLimit is how many characters are typed key by key at the most.
const keyedLimit = 5000

// typedText is what the page script says of a field that was typed into.
type typedText struct {
	Value     string `json:"value"`
	Told      bool   `json:"told"` // the value may be told
	Took      bool   `json:"took"`
	Rewritten bool   `json:"rewritten"`
	Kept      bool   `json:"kept"`     // what was to be replaced is still there
	Alone     bool   `json:"alone"`    // the text was to be all that the field holds
	Consumed  bool   `json:"consumed"` // the page made something else of the text, and emptied the field
	Invalid   string `json:"invalid"`
	Gone      bool   `json:"gone"`
	Stray     string `json:"stray"` // the element that it was kept from: the page gave it the focus
}

// Type types into a field or an editor, at its end; into that which has the focus
// when e is zero. The answer tells the value that it has afterwards, apart from
// passwords. It fails with ErrNotActionable where the field did not accept the
// text.
func (p *Page) Type(ctx context.Context, e Element, o TypeOptions) (Done, error) {
	if o.Submit { // the field may be emptied, and rightly so
		return p.typeInto(ctx, e, o)
	}
	w := p.Watch(ctx)
	d, err := p.typeInto(ctx, e, o)
	w.Settle(ctx)
	if err == nil {
		p.typedStill(ctx, &d, o.Text)
	}
	return d, err
}

// typedStill looks at a field again when what the text started is over: the page may
// have put another value in its place.
func (p *Page) typedStill(ctx context.Context, d *Done, text string) {
	if !d.typed {
		return
	}
	now, there, err := askHere[*string](ctx, p, d.frame, expression("typedStill"))
	if !there || err != nil || now == nil || *now == d.Value {
		return
	}
	d.Value = *now
	if !strings.HasSuffix(characters(*now), characters(text)) {
		d.turnedOut(Different, "it ended up as %q", *now)
	}
}

func (p *Page) typeInto(ctx context.Context, e Element, o TypeOptions) (Done, error) {
	return p.perform(ctx, e, "type", func(ctx context.Context, a *actor) error {
		a.clear = o.Clear
		if err := a.prepare(ctx); err != nil {
			return err
		}
		if o.Submit {
			if err := p.confirmed(ctx, a.frame, a.ready.Ref, byEnter, a.done.Target); err != nil {
				return err
			}
		}
		if a.ready.Kind == "keys" && a.ready.Role == "slider" && o.Only == nil {
			return a.slide(ctx, o.Text)
		}
		var list *Watch
		if o.Submit && a.ready.Suggests { // Enter takes what its list has by then
			list = p.Watch(ctx).standing()
		}
		err := a.enter(ctx, o)
		if list != nil {
			list.Settle(ctx)
		}
		if err != nil || !o.Submit {
			return err
		}
		enter, _ := chords("Enter")
		return a.strikeSending(ctx, enter)
	})
}

// enter brings the text into the element.
func (a *actor) enter(ctx context.Context, o TypeOptions) error {
	if o.Only != nil {
		return a.enterSecret(ctx, o)
	}
	switch kind := a.ready.Kind; kind {
	case "select", "listbox", "option":
		return advise(ErrInvalid, AdviceSelect, "%s is a list to choose from", a.done.Target)
	case "check", "button":
		return advise(ErrInvalid, AdviceClick, "%s takes no text", a.done.Target)
	case "file":
		return advise(ErrInvalid, AdviceUpload, "%s takes files", a.done.Target)
	case "opens":
		if err := a.opens(ctx); err != nil {
			return err
		}
		if a.ready.Kind == "opens" {
			return a.chooseAll(ctx, []string{o.Text})
		}
	case "shaped":
		return a.setShaped(ctx, o.Text)
	case "click":
		if _, err := a.clickAt(ctx, input.MouseButtonLeft, 1, 1, 0); err != nil {
			return err
		}
		taker, err := ask[string](ctx, a.page, a.frame, expression("focusedTaker", o.Clear))
		if err != nil {
			return err
		}
		if a.ready.Kind = taker; taker == "" {
			return advise(ErrNotActionable, AdviceLook, "%s takes no text: a click on it focused no field", a.done.Target)
		}
	}
	a.sent = true
	if o.Clear && (a.ready.Kind == "keys" || a.ready.Kind == "proxy") {
		if err := a.selectAll(ctx); err != nil {
			return err
		}
	}
	if a.ready.Kind == "editor" && a.ready.Fresh {
		if err := a.keepCaret(ctx, &o.Clear); err != nil {
			return err
		}
	}
	return a.deliver(ctx, o)
}

// deliver sends the text to what has the focus, in another way where nothing came of
// the first, and tells what became of it.
func (a *actor) deliver(ctx context.Context, o TypeOptions) error {
	plain := a.ready.Kind == "field"
	o.Slowly = o.Slowly || a.ready.Kind == "keys"
	if err := a.insert(ctx, o); err != nil {
		return err
	}
	t, err := a.typed(ctx, o)
	if err != nil {
		return err
	}
	if t.Stray != "" {
		done := a.done
		if err := a.prepare(ctx); err != nil {
			return err
		}
		a.done = done
		if err := a.insert(ctx, o); err != nil {
			return err
		}
		if t, err = a.typed(ctx, o); err != nil {
			return err
		}
	}
	if t.Kept && !o.Slowly { // an editor that put its own selection in place of ours
		if err := a.selectAll(ctx); err != nil {
			return err
		}
		if err := a.insert(ctx, o); err != nil {
			return err
		}
		if t, err = a.typed(ctx, o); err != nil {
			return err
		}
	}
	lost := plain && t.Alone && !t.Consumed && t.Stray == "" && t.Told && !strings.Contains(characters(t.Value), characters(o.Text)) // a mask that follows keys
	if lost && !o.Slowly {
		if err := a.selectAll(ctx); err != nil {
			return err
		}
	}
	if !o.Slowly && (lost || !plain && !t.Gone && !t.Took && o.Text != "") {
		// Nothing came of it: an editor that only listens to keys.
		o.Slowly = true
		if err := a.insert(ctx, o); err != nil {
			return err
		}
		a.done.note("typed key by key")
		if t, err = a.typed(ctx, o); err != nil {
			return err
		}
	}
	return a.report(t, o)
}

// keepCaret waits until an editor that has just got the focus has put its own
// selection in place, and puts the caret back to where the text goes: over all of
// it or at its end; nil leaves it.
func (a *actor) keepCaret(ctx context.Context, all *bool) error {
	_, err := ask[jsonv2.Value](ctx, a.page, a.frame, expression("keepCaret", all))
	return err
}

// selectAll selects what the focused element holds as a person would.
func (a *actor) selectAll(ctx context.Context) error {
	list, _ := chords("ControlOrMeta+A")
	if err := a.strike(ctx, list); err != nil {
		return err
	}
	a.handled(ctx)
	return nil
}

// insert sends the text, at once or key by key. The last character of what goes into
// a field at once is a key all the same, since many pages listen to nothing else.
func (a *actor) insert(ctx context.Context, o TypeOptions) error {
	text := o.Text
	if text == "" {
		if !o.Clear {
			return nil
		}
		list, _ := chords("Delete")
		return a.strike(ctx, list)
	}
	if !o.Slowly {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		last, n := utf8.DecodeLastRuneInString(text)
		if a.ready.Kind != "field" || !unicode.IsPrint(last) {
			_, err := call(ctx, a.session, input.InsertText, input.InsertTextParams{Text: text})
			return err
		}
		inserted := func() (cdp.Empty, error) { return cdp.Empty{}, nil }
		if n < len(text) {
			inserted = start(ctx, a.session, input.InsertText, input.InsertTextParams{Text: text[:len(text)-n]})
		}
		err := a.tap(ctx, keyboard.Typing(last))
		_, failed := inserted()
		return cmp.Or(failed, err)
	}
	if n := utf8.RuneCountInString(text); n > keyedLimit {
		return fail(ErrInvalid, "type it in one go, without slowly", "%d characters key by key; the maximum is %d", n, keyedLimit)
	}
	var list []keyboard.Chord
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		list = append(list, keyboard.Typing(r))
	}
	if slices.ContainsFunc(list, func(c keyboard.Chord) bool { return sends(c) == byEnter }) {
		if err := a.page.confirmed(ctx, a.frame, a.ready.Ref, byEnter, a.done.Target); err != nil {
			return err
		}
	}
	return a.strike(ctx, list)
}

func (a *actor) typed(ctx context.Context, o TypeOptions) (typedText, error) {
	return ask[typedText](ctx, a.page, a.frame, expression("typed", map[string]any{"text": o.Text, "clear": o.Clear, "keyed": o.Slowly}))
}

// report tells what became of the text.
func (a *actor) report(t typedText, o TypeOptions) error {
	if t.Gone {
		a.done.turnedOut(Unknown, "it is gone from the page")
		return nil
	}
	if t.Told {
		a.done.Value, a.done.HasValue, a.done.typed = t.Value, true, true
	}
	value := fmt.Sprintf("its value is still %q", t.Value)
	if !t.Told {
		value = "its value did not change"
	}
	switch {
	case t.Consumed:
		a.done.note("the page took the text out of the field")
	case t.Stray != "":
		return fail(ErrNotActionable, "type into that, or close what it belongs to first", "%s did not keep the focus: the page gave it to %s", a.done.Target, t.Stray)
	case !t.Took && (a.ready.Kind == "keys" || a.ready.Kind == "proxy"):
		a.done.turnedOut(Unknown, "keys were sent, but its text did not change")
	case !t.Took && t.Invalid != "":
		return fail(ErrNotActionable, "give a value it accepts", "%s did not accept the text: %s", a.done.Target, t.Invalid)
	case !t.Took:
		return fail(ErrNotActionable, "give a value it accepts, or type it with slowly", "%s did not accept the text: %s", a.done.Target, value)
	case t.Rewritten && t.Told && strings.HasSuffix(characters(t.Value), characters(o.Text)):
		// A mask put something between, or changed the case: the value shows it.
	case t.Rewritten && t.Told:
		a.done.turnedOut(Different, "the field contains different text")
	case t.Rewritten:
		a.done.turnedOut(Different, "it accepted only part of the text")
	}
	if t.Invalid != "" && t.Took {
		a.done.note("it says: %s", t.Invalid)
	}
	return nil
}

// characters are the letters and digits of a text, in lower case.
func characters(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, s)
}

// setShaped sets a date, a color and the like, which keys would enter in an
// order that depends on the language.
func (a *actor) setShaped(ctx context.Context, text string) error {
	a.sent = true
	res, err := ask[struct {
		Value   string `json:"value"`
		Invalid string `json:"invalid"`
	}](ctx, a.page, a.frame, expression("setShaped", map[string]any{"ref": a.ready.Ref, "text": text}))
	if err != nil {
		return a.objects(err)
	}
	a.done.Value, a.done.HasValue = res.Value, true
	if res.Value != strings.TrimSpace(text) {
		a.done.turnedOut(Different, "it uses the nearest value it allows")
	}
	if res.Invalid != "" {
		a.done.note("it says: %s", res.Invalid)
	}
	return nil
}
