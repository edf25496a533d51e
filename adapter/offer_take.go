package adapter

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// OfferTaken is what became of an offer that was taken.
type OfferTaken struct {
	Offer  Offer        // as it was found when it was taken
	Fields []OfferValue // those that were given a value, in the offer's order
	Item   string       // of a list: the item that was meant
	Target string       // what was pressed or opened, as a snapshot shows it; "" where nothing was
	Ref    string       // its ref
	Text   string       // of a table: the rows that were read
	Notes  []string     // what is worth knowing beyond success
}

// offerTaking is an offer as the page script finds it when it is taken.
type offerTaking struct {
	Offer  *Offer       `json:"offer"`
	Fields []offerInput `json:"fields"`
	Submit string       `json:"submit"` // the ref of what sends it
	Enter  string       `json:"enter"`  // the ref of the field in which Enter sends it
	Press  string       `json:"press"`  // the ref of what is pressed
	Open   string       `json:"open"`   // the ref of what is pressed before there are its fields
	Item   string       `json:"item"`
	Next   int          `json:"next"`
}

// TakeOffer does what an offer lets a person do: it fills the fields that args
// name and submits them, presses the control, or opens the item. An index means
// the item that Offers last told there, wherever that is now. Nothing is
// pressed when a value is not taken; the error then names the field, and
// OfferTaken tells what the others hold. An offer that is gone fails with
// ErrNotFound.
func (p *Page) TakeOffer(ctx context.Context, key string, args map[string]any) (OfferTaken, error) {
	if _, ok := ctx.Deadline(); !ok {
		limited, cancel := context.WithTimeout(ctx, p.browser.opts.ActionTimeout+answerTime)
		defer cancel()
		ctx = limited
	}
	if err := p.draw(ctx, key); err != nil {
		return OfferTaken{}, err
	}
	f, t, err := p.findOffer(ctx, key, args)
	if err != nil {
		return OfferTaken{}, err
	}
	taken := OfferTaken{Offer: *t.Offer, Item: t.Item}
	if err := t.check(args); err != nil {
		return taken, err
	}
	if done, err := p.takeTable(ctx, f, *t.Offer, args, &taken); done {
		return taken, err
	}
	if err := p.confirmedOffer(ctx, f, t, args); err != nil {
		return taken, err
	}
	done, err := p.openFields(ctx, t, args)
	taken.Target, taken.Ref = done.Target, done.Ref
	taken.Notes = append(taken.Notes, done.told()...)
	if err != nil {
		return taken, err
	}
	submit := t.Submit
	for i, field := range t.Fields {
		value, given := args[field.Name]
		if !given || value == nil || field.How == "send" {
			continue
		}
		if field.How == "submit" {
			ref, err := field.choice(text(value))
			if err != nil {
				return taken, err
			}
			submit = ref
			continue
		}
		v, notes, err := p.fillOffered(ctx, field, t.field(field.Name), value, i == len(t.Fields)-1)
		taken.Fields = append(taken.Fields, v)
		taken.Notes = append(taken.Notes, notes...)
		if err != nil {
			return taken, err
		}
	}
	if err := taken.refused(); err != nil || t.held(args) {
		return taken, err
	}
	if t.Open != "" && len(taken.Fields) == 0 {
		submit = "" // it was only to be shown
	}
	if submit != "" {
		if err := p.sendable(ctx, f, t); err != nil {
			return taken, err
		}
	}
	switch press := cmp.Or(t.Press, submit); {
	case press != "":
		done, err = p.Click(ctx, Element{Ref: press}, ClickOptions{})
	case t.Enter != "":
		done, err = p.Press(ctx, "Enter", Element{Ref: t.Enter})
	case t.Open != "":
		return taken, nil
	case len(taken.Fields) == 0:
		return taken, fail(ErrInvalid, "give "+strings.Join(t.names(), ", "), "no value was given for %q", t.Offer.Name)
	}
	taken.Target, taken.Ref = done.Target, done.Ref
	taken.Notes = append(taken.Notes, done.told()...)
	return taken, err
}

// confirmedOffer is confirmed for what taking an offer presses.
func (p *Page) confirmedOffer(ctx context.Context, f *frame, t offerTaking, args map[string]any) error {
	if t.held(args) {
		return nil
	}
	if t.Open != "" && !slices.ContainsFunc(t.Fields, func(in offerInput) bool { return args[in.Name] != nil }) {
		return nil // nothing is sent, and what opens it asks for itself
	}
	who := "“" + lines.Short(t.Offer.Name, 80) + "”"
	if ref := cmp.Or(t.Press, t.Submit); ref != "" {
		return p.confirmed(ctx, f, ref, byPress, who)
	}
	if t.Enter != "" {
		return p.confirmed(ctx, f, t.Enter, byEnter, who)
	}
	return nil
}

// held reports whether a form is filled in and not sent.
func (t offerTaking) held(args map[string]any) bool {
	return slices.ContainsFunc(t.Fields, func(in offerInput) bool { return in.How == "send" && args[in.Name] == false })
}

// openingWait is how long a form may take to be shown.
const openingWait = 3 * time.Second

// openFields presses what shows the fields, where something does, and waits for
// those that are given.
func (p *Page) openFields(ctx context.Context, t offerTaking, args map[string]any) (Done, error) {
	if t.Open == "" {
		return Done{}, nil
	}
	done, err := p.Click(ctx, Element{Ref: t.Open}, ClickOptions{})
	if err != nil {
		return done, err
	}
	limited, cancel := context.WithTimeout(ctx, openingWait)
	defer cancel()
	for _, field := range t.Fields {
		if value, given := args[field.Name]; !given || value == nil {
			continue
		}
		if err := p.AwaitElement(limited, Element{Ref: field.Ref}, ElementVisible); err != nil && ctx.Err() == nil {
			return done, fail(ErrNotFound, "look at the page: what it shows now may take them", "%q was pressed, and %s is not shown: nothing was filled in", t.Offer.Name, field.Name)
		} else if err != nil {
			return done, err
		}
	}
	return done, nil
}

// findOffer finds the offer of a key and the item that is meant, with what it
// takes to do it.
func (p *Page) findOffer(ctx context.Context, key string, args map[string]any) (*frame, offerTaking, error) {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return nil, offerTaking{}, err
	}
	defer stop()
	p.mu.Lock()
	told := p.told[key]
	p.mu.Unlock()
	frames, inner := p.framesOffering(key)
	q := map[string]any{"key": inner, "item": text(args[OfferItem])}
	if at, ok := args[offerIndex]; ok {
		index, err := itemIndex(at)
		if err != nil {
			return nil, offerTaking{}, err
		}
		q["index"] = index
		if index >= 0 && index < len(told.items) {
			q["expected"] = told.items[index]
		}
	}
	for _, f := range frames {
		p.mu.Lock()
		q["prefix"], q["next"] = p.prefix(f), f.next
		p.mu.Unlock()
		t, err := askSoon[offerTaking](ctx, p, f, expression("takeOffer", q))
		if _, objected := errors.AsType[*objection](err); err != nil && !objected && len(frames) > 1 && context.Cause(ctx) == nil {
			continue // it went away
		}
		if err != nil {
			return nil, t, p.reason(err)
		}
		p.numbered(f, t.Next)
		if t.Offer != nil {
			return f, t, nil
		}
	}
	_, name, _ := strings.Cut(inner, ":")
	p.mu.Lock()
	modal := p.modal
	p.mu.Unlock()
	if modal {
		return nil, offerTaking{}, fail(ErrNotActionable, "finish or cancel the dialog first", "a dialog of the page is in front of %q", cmp.Or(told.name, name))
	}
	return nil, offerTaking{}, advise(ErrNotFound, AdviceOffers, "the page no longer offers %q", cmp.Or(told.name, strings.ReplaceAll(name, "-", " ")))
}

func (t offerTaking) field(name string) OfferField {
	i := slices.IndexFunc(t.Offer.Fields, func(f OfferField) bool { return f.Name == name })
	if i < 0 {
		return OfferField{Name: name}
	}
	return t.Offer.Fields[i]
}

func (t offerTaking) names() []string {
	var names []string
	for _, f := range t.Offer.Fields {
		names = append(names, f.Name)
	}
	return names
}

// check refuses arguments that the offer has no field for, and asks for those
// that the page wants.
func (t offerTaking) check(args map[string]any) error {
	names := t.names()
	for name := range args {
		if !slices.Contains(names, name) {
			takes := "it takes nothing"
			if len(names) > 0 {
				takes = "it takes " + strings.Join(names, ", ")
			}
			return fail(ErrInvalid, takes, "%q has no field %q", t.Offer.Name, name)
		}
	}
	var missing []string
	for _, f := range t.Offer.Fields {
		if v, ok := args[f.Name]; f.Required && (!ok || v == nil) {
			missing = append(missing, f.Name)
		}
	}
	if len(missing) > 0 {
		return fail(ErrInvalid, "give them too", "%q needs %s", t.Offer.Name, strings.Join(missing, ", "))
	}
	return nil
}

// refused tells which fields did not take their values, and which hold theirs now.
func (t OfferTaken) refused() error {
	var texts, held []string
	first := Error{Kind: ErrNotActionable}
	for _, v := range t.Fields {
		if v.Err == nil {
			held = append(held, v.Name)
			continue
		}
		texts = append(texts, v.Name+": "+v.Err.Error())
		if e, ok := errors.AsType[*Error](v.Err); ok && len(texts) == 1 {
			first = *e
		}
	}
	if texts == nil {
		return nil
	}
	first.Text = "nothing was sent: " + strings.Join(texts, "; ")
	if held != nil {
		first.Text += "; filled in and still there: " + strings.Join(held, ", ")
	}
	return &first
}

// itemIndex reads a whole number of a JSON value.
func itemIndex(value any) (int, error) {
	switch v := value.(type) {
	case int:
		return v, nil
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1e9 {
			return int(v), nil
		}
	case json.Number, string:
		if n, err := strconv.Atoi(fmt.Sprint(v)); err == nil {
			return n, nil
		}
	}
	return 0, fail(ErrInvalid, "give an item's number, counting from 0", "index is %v, not a whole number", value)
}
