package adapter

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Field is a field of a form and the value that it is to have.
type Field struct {
	Element
	// Value is the text; the value, label or index of an option (several a line
	// each); true or false for what is checked; a date, time, color or number as
	// HTML writes them.
	Value string
	Only  SecretSites
}

// Filled is what became of a field.
type Filled struct {
	Done
	Err error // why it has not the value; nil where it has
}

// fieldPatience is how long a field that is not ready may keep the others
// waiting; what is then done with it takes the time of an action.
const fieldPatience = 1500 * time.Millisecond

// Fill gives each field its value, whatever its sort, and goes on where one
// fails. In the end it reads all of them again: one may change another, or clear
// what was not chosen when it loses the focus. The error is of the page as a whole, such as a dialog that opened,
// or ErrUnconfirmed; what had not been tried then is missing in the list.
func (p *Page) Fill(ctx context.Context, fields []Field) ([]Filled, error) {
	w := p.Watch(ctx)
	list, err := p.fillEach(ctx, fields)
	w.Settle(ctx)
	if err == nil {
		p.readAgain(ctx, list)
	}
	return list, err
}

func (p *Page) fillEach(ctx context.Context, fields []Field) ([]Filled, error) {
	list := make([]Filled, 0, len(fields))
	for i, f := range fields {
		d, err := p.fillOne(ctx, f, i == len(fields)-1)
		if cause := context.Cause(ctx); cause != nil {
			return list, cause
		}
		if errors.Is(err, ErrUnconfirmed) {
			return list, err
		}
		list = append(list, Filled{Done: d, Err: err})
		p.mu.Lock()
		hindrance := p.hindrance()
		p.mu.Unlock()
		if hindrance != nil {
			return list, hindrance
		}
		progress(ctx, float64(i+1), float64(len(fields)), "fields filled")
	}
	return list, nil
}

// readAgain looks whether the fields still hold what they held when they were
// filled.
func (p *Page) readAgain(ctx context.Context, list []Filled) {
	within := map[*frame][]int{}
	for i, f := range list {
		if f.Err == nil && f.HasValue && f.ref != "" {
			within[f.frame] = append(within[f.frame], i)
		}
	}
	for f, indexes := range within {
		refs := make([]string, len(indexes))
		for n, i := range indexes {
			refs[n] = list[i].ref
		}
		held, err := ask[[]*string](ctx, p, f, expression("heldNow", refs))
		if err != nil || len(held) != len(indexes) {
			continue // the document went away
		}
		for n, i := range indexes {
			if held[n] != nil {
				list[i].holds(*held[n])
			}
		}
	}
}

// holds notes what a field holds when all are filled.
func (f *Filled) holds(now string) {
	was := f.Value
	if f.held != nil {
		was = *f.held
	}
	switch {
	case now == was:
	case now == "":
		f.Err = fail(ErrNotActionable, "choose one of its options, or give another value", "%s did not keep %q: it is now empty", f.Target, was)
		if f.Why != "" {
			f.Err = fail(ErrNotActionable, "give one of its options", "%s did not keep %q: %s", f.Target, was, f.Why)
		}
	default:
		f.Value = now
		f.turnedOut(Different, "it ended up as %q", now)
	}
}

func (p *Page) fillOne(ctx context.Context, f Field, last bool) (Done, error) {
	limit, patience := p.browser.opts.ActionTimeout, fieldPatience
	if d, ok := ctx.Deadline(); ok {
		if left := time.Until(d) - answerTime; last || left < limit {
			limit = left
		}
		if last {
			patience = limit
		}
	}
	ctx, cancel := context.WithTimeout(ctx, max(limit, 100*time.Millisecond))
	defer cancel()
	return p.perform(ctx, f.Element, "type", func(ctx context.Context, a *actor) error {
		a.clear = true
		until, limit := a.until, a.limit
		if soon := time.Now().Add(patience); soon.Before(until) {
			a.until, a.limit = soon, patience
		}
		if err := a.prepare(ctx); err != nil {
			return err
		}
		a.until, a.limit = until, limit // what its value takes, such as a list that opens, has all the time
		if f.Only != nil {
			return a.enterSecret(ctx, TypeOptions{Text: f.Value, Clear: true, Only: f.Only})
		}
		switch role := a.ready.Role; {
		case a.ready.Kind == "select" || a.ready.Kind == "listbox":
			return a.choose(ctx, strings.Split(f.Value, "\n"))
		case a.ready.Kind == "check" || role == "checkbox" || role == "radio" || role == "switch":
			return a.check(ctx, f.Value)
		case role == "slider" && a.ready.Kind != "shaped":
			return a.slide(ctx, f.Value)
		case a.ready.Suggests && (a.ready.Kind == "field" || a.ready.Kind == "proxy" || a.ready.Kind == "opens"):
			return a.fillSuggesting(ctx, f.Value)
		case a.ready.Kind != "field" && (role == "combobox" || role == "listbox"):
			return a.chooseAll(ctx, strings.Split(f.Value, "\n"))
		}
		return a.enter(ctx, TypeOptions{Text: f.Value, Clear: true})
	})
}

// check makes something that can be checked be so, or not, with a click where
// it must.
func (a *actor) check(ctx context.Context, value string) error {
	var want string
	switch strings.ToLower(strings.TrimSpace(value)) {
	case "true", "on", "yes", "1", "checked":
		want = "true"
	case "false", "off", "no", "0", "unchecked", "":
		want = "false"
	default:
		return fail(ErrInvalid, "give true or false", "%s takes true or false, not %q", a.done.Target, value)
	}
	for tried := false; ; tried = true {
		now, err := ask[struct {
			Role   string `json:"role"`
			State  string `json:"state"`
			Hidden bool   `json:"hidden"`
		}](ctx, a.page, a.frame, expression("checkable", a.ready.Ref))
		if err != nil {
			return err
		}
		a.done.Value, a.done.HasValue = now.State, true
		switch {
		case now.State == want:
			return nil
		case now.State == "":
			return advise(ErrNotActionable, AdviceLookAgain, "%s cannot be checked", a.done.Target)
		case now.Role == "radio" && want == "false":
			return fail(ErrInvalid, "set another one in its group to true", "%s cannot be turned off directly", a.done.Target)
		case tried:
			return advise(ErrNotActionable, AdviceLook, "%s did not change: it is still %s", a.done.Target, checkedWord(now.State))
		}
		if now.Hidden {
			if err := a.page.confirmed(ctx, a.frame, a.ready.Ref, byPress, a.done.Target); err != nil {
				return err
			}
			a.sent = true
			a.done.note("it is hidden, so a script checked it")
			_, err = ask[any](ctx, a.page, a.frame, expression("checkHidden", a.ready.Ref))
		} else {
			_, err = a.clickOn(ctx, Element{Ref: a.ready.Ref}) // the state is read again
		}
		if err != nil {
			return err
		}
		if _, err := ask[bool](ctx, a.page, a.frame, fmt.Sprintf("%s.state === %q || %s.then(() => true)", expression("checkable", a.ready.Ref), want, expression("change", 150))); err != nil {
			return err
		}
	}
}

func checkedWord(state string) string {
	switch state {
	case "true":
		return "checked"
	case "mixed":
		return "mixed"
	}
	return "not checked"
}
