package adapter

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// OfferValue is what a field got.
type OfferValue struct {
	Name  string
	Value string // what it holds now; "" for a password
	Err   error  // why it has not the value; nil where it has
}

// offerInput is a field as it is filled.
type offerInput struct {
	Name    string `json:"name"`
	Label   string `json:"label"`
	Ref     string `json:"ref"`
	How     string `json:"how"`
	Choices []struct {
		Name string `json:"name"`
		Ref  string `json:"ref"`
	} `json:"choices"`
}

// fillOffered gives a field its value. The error is of the page as a whole.
func (p *Page) fillOffered(ctx context.Context, in offerInput, of OfferField, value any, last bool) (OfferValue, []string, error) {
	v := OfferValue{Name: in.Name}
	var notes []string
	var chosen bool
	fill := func(ref, value string) string {
		d, err := p.fillOne(ctx, Field{Element: Element{Ref: ref}, Value: value}, last)
		v.Err = cmp.Or(v.Err, err)
		notes, chosen = append(notes, d.told()...), d.chosen
		return d.Value
	}
	switch in.How {
	case "radio":
		ref, err := in.choice(text(value))
		if v.Err = err; err == nil {
			fill(ref, "true")
			v.Value = text(value)
		}
	case "checks":
		wanted := strings.Split(text(value), "\n")
		refs := map[string]bool{}
		for _, w := range wanted {
			if w == "" {
				continue
			}
			ref, err := in.choice(w)
			v.Err = cmp.Or(v.Err, err)
			refs[ref] = true
		}
		if v.Err != nil {
			break
		}
		for _, c := range in.Choices {
			fill(c.Ref, strconv.FormatBool(refs[c.Ref]))
		}
		v.Value = strings.Join(wanted, ", ")
	case "suggest":
		v.Value = fill(in.Ref, text(value))
		if v.Err == nil && text(value) != "" && !chosen {
			d, err := p.takeSuggestion(ctx, in.Ref, text(value))
			v.Err, v.Value = err, cmp.Or(d.Value, v.Value)
			notes = append(notes, d.told()...)
		}
	default:
		v.Value = fill(in.Ref, text(value))
		if of.Format == "password" {
			v.Value = ""
		}
	}
	if cause := context.Cause(ctx); cause != nil {
		return v, notes, cause
	}
	if errors.Is(v.Err, ErrUnconfirmed) {
		return v, notes, v.Err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return v, notes, p.hindrance()
}

// choice returns the ref of a choice, which is named without regard to case.
func (in offerInput) choice(name string) (string, error) {
	var names []string
	for _, c := range in.Choices {
		if c.Name == name {
			return c.Ref, nil
		}
		names = append(names, strconv.Quote(c.Name))
	}
	for _, c := range in.Choices {
		if strings.EqualFold(c.Name, strings.TrimSpace(name)) {
			return c.Ref, nil
		}
	}
	return "", &objection{Code: objectsNoOption, Who: in.Label, About: name, List: names}
}

// takeSuggestion chooses what a field suggests for a text, when it suggests
// something soon; what was typed stands where it does not.
func (p *Page) takeSuggestion(ctx context.Context, ref, value string) (Done, error) {
	return p.perform(ctx, Element{Ref: ref}, "select", func(ctx context.Context, a *actor) error {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		a.loose = true
		o, err := a.pick(ctx, func(ctx context.Context) (widgetOption, error) { return a.optionSoon(ctx, value) })
		if o.Ref != "" {
			a.done.Value, a.done.HasValue = o.Name, true
		}
		return err
	})
}

// sendable fails where the page itself would refuse to send the fields.
func (p *Page) sendable(ctx context.Context, f *frame, t offerTaking) error {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	refs := []string{}
	for _, in := range t.Fields {
		if in.How != "submit" && in.How != "send" {
			refs = append(refs, in.Ref)
		}
	}
	list, err := ask[[]struct {
		Ref     string `json:"ref"`
		Label   string `json:"label"`
		Problem string `json:"problem"`
	}](ctx, p, f, expression("invalidFields", refs))
	if err != nil {
		return p.reason(err)
	}
	var texts []string
	for _, bad := range list {
		name := bad.Label
		if i := slices.IndexFunc(t.Fields, func(in offerInput) bool { return in.Ref == bad.Ref }); i >= 0 {
			name = t.Fields[i].Name
		}
		texts = append(texts, name+": "+cmp.Or(bad.Problem, "is invalid"))
	}
	if texts == nil {
		return nil
	}
	return fail(ErrInvalid, "give values it accepts", "nothing was sent: %s", strings.Join(texts, "; "))
}

// text is a JSON value as fields take it: a line for each of several.
func text(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return v
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []string:
		return strings.Join(v, "\n")
	case []any:
		list := make([]string, len(v))
		for i, one := range v {
			list[i] = text(one)
		}
		return strings.Join(list, "\n")
	}
	return fmt.Sprint(value)
}
