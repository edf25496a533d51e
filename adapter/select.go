package adapter

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/input"
)

// Select chooses options of a list, or of a list that the page has made itself,
// by value, label or index (#2, or 2 when no value or label is so). It fails
// with ErrInvalid, and the options that there are, when one is unknown.
func (p *Page) Select(ctx context.Context, e Element, values []string) (Done, error) {
	return p.SelectBy(ctx, e, ByAny, values)
}

// OptionKey says what an option is named by.
type OptionKey string

// The ways to name an option. A value that no option has is looked for among the
// labels, too, and a label among the values; an index is nothing else.
const (
	ByAny   OptionKey = ""
	ByValue OptionKey = "value"
	ByLabel OptionKey = "label"
	ByIndex OptionKey = "index" // in decimal, from 0
)

// SelectBy chooses options as Select does, by what they are named by.
func (p *Page) SelectBy(ctx context.Context, e Element, by OptionKey, values []string) (Done, error) {
	return p.perform(ctx, e, "select", func(ctx context.Context, a *actor) error {
		a.by = by
		if err := a.prepare(ctx); err != nil {
			return err
		}
		if a.ready.Kind == "select" || a.ready.Kind == "listbox" {
			return a.choose(ctx, values)
		}
		if len(values) == 0 {
			return fail(ErrInvalid, "", "no value is given")
		}
		return a.chooseAll(ctx, values)
	})
}

// choose sets the options of a select element.
func (a *actor) choose(ctx context.Context, values []string) error {
	if values == nil {
		values = []string{}
	}
	a.sent = true
	chosen, err := ask[struct {
		Wanted []string `json:"wanted"`
		Chosen []string `json:"chosen"`
	}](ctx, a.page, a.frame, expression("choose", map[string]any{"ref": a.ready.Ref, "values": values, "by": a.by}))
	if err != nil {
		return a.objects(err)
	}
	a.done.Value, a.done.HasValue = strings.Join(chosen.Chosen, ", "), true
	if !slices.Equal(chosen.Wanted, chosen.Chosen) {
		a.done.turnedOut(Different, "the page changed the choice of %s", listed(chosen.Wanted, 0))
	}
	return nil
}

func listed(options []string, more int) string {
	text := strings.Join(options, ", ")
	if more > 0 {
		text += fmt.Sprintf(" and %d more", more)
	}
	if text == "" {
		return "no options: the list is empty"
	}
	return text
}

// chooseAll chooses options of a list of the page's own making.
func (a *actor) chooseAll(ctx context.Context, values []string) error {
	chosen := slices.Clone(values)
	for i, v := range values {
		o, err := a.pick(ctx, func(ctx context.Context) (widgetOption, error) { return a.offered(ctx, v) })
		if err != nil {
			return err
		}
		if a.by == ByIndex {
			chosen[i] = o.Name
		}
		if a.done.Outcome != "" {
			return nil
		}
	}
	a.done.Value, a.done.HasValue = strings.Join(chosen, ", "), true
	return nil
}

// offered finds an option of a list of the page's own making, which it opens first
// if it must.
func (a *actor) offered(ctx context.Context, value string) (widgetOption, error) {
	o, err := a.option(ctx, value)
	if err != nil {
		return o, err
	}
	if o.Ref == "" && !o.Open {
		if _, err := a.clickOn(ctx, Element{Ref: a.ready.Ref}); err != nil {
			return o, err
		}
		if o, err = a.optionSoon(ctx, value); err != nil {
			return o, err
		}
	}
	if o.Ref == "" && a.by != ByIndex && (a.ready.Kind == "field" || a.ready.Kind == "proxy") { // a field that suggests
		if o, err = a.suggested(ctx, value); err != nil {
			return o, err
		}
	}
	switch {
	case o.Ref == "" && !o.Open:
		return o, advise(ErrUnsupported, AdviceOpenList, "%s shows no options", a.done.Target)
	case o.Ref == "":
		return o, &objection{Code: objectsNoOption, Who: a.done.Target, About: value, List: o.Options}
	}
	return o, nil
}

// opens clicks a field that takes text only while its list is open.
func (a *actor) opens(ctx context.Context) error {
	if _, err := a.clickAt(ctx, input.MouseButtonLeft, 1, 1, 0); err != nil {
		return err
	}
	return a.prepare(ctx)
}

// suggested types into a field that suggests, waits for what comes of it, and
// looks for the option.
func (a *actor) suggested(ctx context.Context, value string) (widgetOption, error) {
	b := &actor{page: a.page, session: a.session, element: Element{Ref: a.ready.Ref}, act: "type", clear: true, until: a.until, limit: a.limit}
	if err := b.prepare(ctx); err != nil {
		return widgetOption{}, err
	}
	w := a.page.Watch(ctx).standing()
	err := b.enter(ctx, TypeOptions{Text: value, Clear: true})
	w.Settle(ctx)
	if err != nil {
		return widgetOption{}, err
	}
	a.sent, a.done.Value, a.done.HasValue = true, b.done.Value, b.done.HasValue
	return a.optionSoon(ctx, value)
}

// fillSuggesting gives a field that suggests its value, and chooses the option
// that is so. A list without such an option leaves what was typed, which the page
// may clear: that is told, with the options.
func (a *actor) fillSuggesting(ctx context.Context, value string) error {
	if value == "" {
		return a.enter(ctx, TypeOptions{Clear: true})
	}
	if a.ready.Kind == "opens" {
		if err := a.opens(ctx); err != nil {
			return err
		}
		if a.ready.Kind == "opens" {
			return a.chooseAll(ctx, []string{value})
		}
	}
	o, err := a.pick(ctx, func(ctx context.Context) (widgetOption, error) { return a.suggested(ctx, value) })
	switch {
	case err != nil || a.done.Outcome != "" || o.Ref == "" && !o.Open: // there is no list for it
		return err
	case o.Ref == "":
		a.done.turnedOut(Unknown, "typed, but no option was chosen; the options are %s", listed(o.Options, 0))
		return nil
	}
	a.done.Value, a.done.HasValue, a.done.chosen = o.Name, true, true
	a.handled(ctx)
	if held, err := ask[[]*string](ctx, a.page, a.frame, expression("heldNow", []string{a.ready.Ref})); err == nil && len(held) == 1 {
		a.done.held = held[0]
	}
	if !strings.EqualFold(o.Name, strings.TrimSpace(value)) {
		a.done.turnedOut(Different, "the only option with this text was chosen")
	}
	return nil
}

// widgetOption is an option of a list of the page's own making.
type widgetOption struct {
	Open     bool     `json:"open"` // there are options to be seen
	Ref      string   `json:"ref"`  // of the one that is wanted
	Name     string   `json:"name"`
	Selected bool     `json:"selected"`
	Options  []string `json:"options"`
	Next     int      `json:"next"`
}

// option looks for an option of the list.
func (a *actor) option(ctx context.Context, value string) (widgetOption, error) {
	p := a.page
	p.mu.Lock()
	q := map[string]any{"ref": a.ready.Ref, "value": value, "by": a.by, "typed": a.ready.Kind == "field" || a.ready.Kind == "proxy", "loose": a.loose, "prefix": p.prefix(a.frame), "next": a.frame.next}
	p.mu.Unlock()
	o, err := ask[widgetOption](ctx, p, a.frame, expression("widgetOption", q))
	p.numbered(a.frame, o.Next)
	return o, err
}

// optionWait is how long a list may take to show its options.
const optionWait = 700 * time.Millisecond

// optionSoon looks for an option that may be about to come.
func (a *actor) optionSoon(ctx context.Context, value string) (widgetOption, error) {
	until := time.Now().Add(optionWait)
	for {
		o, err := a.option(ctx, value)
		left := time.Until(until).Milliseconds()
		if err != nil || o.Ref != "" || left <= 0 {
			return o, err
		}
		if _, err := ask[jsonv2.Value](ctx, a.page, a.frame, expression("change", left)); err != nil {
			return o, err
		}
	}
}

// clickOn clicks another element as a part of this action.
func (a *actor) clickOn(ctx context.Context, e Element) (landing, error) {
	b := &actor{page: a.page, session: a.session, element: e, act: "click", until: a.until, limit: a.limit}
	if err := b.prepare(ctx); err != nil {
		return landing{}, err
	}
	a.sent = true
	return b.clickAt(ctx, input.MouseButtonLeft, 1, 1, 0)
}
