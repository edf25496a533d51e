package adapter

import (
	"context"
	"fmt"
	"strconv"
	"strings"
)

// mostPages is how many pages of a list are gone through on the way to one.
const mostPages = 100

// takeTable does what concerns a table as a whole, or its pages; done is false
// for every other offer.
func (p *Page) takeTable(ctx context.Context, f *frame, o Offer, args map[string]any, taken *OfferTaken) (done bool, err error) {
	switch o.Kind {
	case OfferRead:
		taken.Text, err = p.readTable(ctx, f, o.Key, args)
	case OfferSort:
		err = p.sortTable(ctx, f, o.Key, text(args["by"]), args["descending"] == true, taken)
	case OfferSelect:
		err = p.selectRows(ctx, f, o.Key, args, taken)
	case OfferPage:
		err = p.goToPage(ctx, f, o.Key, text(args["page"]), taken)
	default:
		return false, nil
	}
	return true, err
}

// draw makes a page behind draw where a table of its has to be scrolled through.
func (p *Page) draw(ctx context.Context, key string) error {
	p.mu.Lock()
	undrawn := p.told[key].undrawn
	p.mu.Unlock()
	if !undrawn {
		return nil
	}
	s, err := p.attached(ctx)
	if err == nil {
		err = p.wake(ctx, s)
	}
	return p.reason(err)
}

// askTable asks the page script for something of a table, within the time of
// the call.
func askTable[T any](ctx context.Context, p *Page, f *frame, name string, q map[string]any) (T, error) {
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		var none T
		return none, err
	}
	defer stop()
	p.mu.Lock()
	q["prefix"], q["next"] = p.prefix(f), f.next
	p.mu.Unlock()
	v, err := askSoon[T](ctx, p, f, expression(name, q))
	return v, p.reason(err)
}

// readTable tells rows of a table, a line each, below the names of the columns.
func (p *Page) readTable(ctx context.Context, f *frame, key string, args map[string]any) (string, error) {
	q := map[string]any{"key": key}
	for _, name := range []string{"from", "count", "filter", "columns"} {
		if v := args[name]; v != nil {
			q[name] = v
		}
	}
	v, err := askTable[struct {
		Columns []string `json:"columns"`
		Rows    []struct {
			Index  int      `json:"index"`
			Values []string `json:"values"`
		} `json:"rows"`
		Total int  `json:"total"`
		More  bool `json:"more"`
	}](ctx, p, f, "readTable", q)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d of %d rows: index | %s\n", len(v.Rows), v.Total, strings.Join(v.Columns, " | "))
	for _, row := range v.Rows {
		fmt.Fprintf(&b, "%d | %s\n", row.Index, strings.Join(row.Values, " | "))
	}
	if v.More && len(v.Rows) > 0 {
		fmt.Fprintf(&b, "… more: continue with from=%d", v.Rows[len(v.Rows)-1].Index+1)
	}
	return strings.TrimSpace(b.String()), nil
}

// pressed clicks an element and waits for what that starts.
func (p *Page) pressed(ctx context.Context, ref string) (Done, error) {
	w := p.Watch(ctx)
	d, err := p.Click(ctx, Element{Ref: ref}, ClickOptions{})
	w.Settle(ctx)
	return d, err
}

// sortTable presses the header of a column until the table says that it is
// sorted so. One that says nothing is pressed once.
func (p *Page) sortTable(ctx context.Context, f *frame, key, by string, descending bool, taken *OfferTaken) error {
	want := "ascending"
	if descending {
		want = "descending"
	}
	for presses := 0; ; presses++ {
		v, err := askTable[struct {
			Ref   string `json:"ref"`
			Order string `json:"order"`
			Next  int    `json:"next"`
		}](ctx, p, f, "sorting", map[string]any{"key": key, "by": by})
		if err != nil {
			return err
		}
		p.numbered(f, v.Next)
		switch {
		case v.Order == want:
			taken.Notes = append(taken.Notes, "sorted by "+by+", "+want)
			return nil
		case presses > 0 && v.Order == "":
			taken.Notes = append(taken.Notes, "the page does not say in which order it is sorted now: read the rows")
			return nil
		case presses == 3:
			return fail(ErrNotActionable, "read the rows", "%s was pressed 3 times, and the table is sorted %s", by, v.Order)
		}
		d, err := p.pressed(ctx, v.Ref)
		if err != nil {
			return err
		}
		taken.Target, taken.Ref = d.Target, d.Ref
	}
}

// selectRows selects the rows that are meant.
func (p *Page) selectRows(ctx context.Context, f *frame, key string, args map[string]any, taken *OfferTaken) error {
	only := args["only"] == true
	for row := range strings.SplitSeq(text(args["rows"]), "\n") {
		v, err := askTable[struct {
			Set []struct {
				Ref  string `json:"ref"`
				On   bool   `json:"on"`
				Item string `json:"item"`
			} `json:"set"`
			Next int `json:"next"`
		}](ctx, p, f, "selecting", map[string]any{"key": key, "row": row, "only": only})
		if err != nil {
			return err
		}
		only = false
		p.numbered(f, v.Next)
		for _, box := range v.Set {
			d, err := p.fillOne(ctx, Field{Element: Element{Ref: box.Ref}, Value: strconv.FormatBool(box.On)}, false)
			if err != nil {
				return err
			}
			word := "selected: "
			if !box.On {
				word = "no longer selected: "
			}
			taken.Notes = append(append(taken.Notes, word+box.Item), d.told()...)
		}
	}
	return nil
}

// goToPage goes to a page of a list, through others where it must.
func (p *Page) goToPage(ctx context.Context, f *frame, key, page string, taken *OfferTaken) error {
	before := -1
	for range mostPages {
		v, err := askTable[struct {
			Ref     string `json:"ref"`
			Fill    string `json:"fill"`
			Enter   bool   `json:"enter"`
			There   bool   `json:"there"`
			Whole   bool   `json:"whole"`
			Current int    `json:"current"`
			Next    int    `json:"next"`
		}](ctx, p, f, "paging", map[string]any{"key": key, "page": page})
		if err != nil {
			return err
		}
		p.numbered(f, v.Next)
		if v.There {
			taken.Notes = append(taken.Notes, fmt.Sprintf("page %d is shown", v.Current))
			return nil
		}
		if v.Current < 0 && before > 0 && !v.Whole {
			taken.Notes = append(taken.Notes, "the last page is shown, and it does not say its number")
			return nil
		}
		if v.Current == before {
			return fail(ErrNotActionable, "read the rows", "page %d is still shown", v.Current)
		}
		before = v.Current
		if v.Fill != "" {
			if d, err := p.fillOne(ctx, Field{Element: Element{Ref: v.Ref}, Value: v.Fill}, true); err != nil || !v.Enter {
				taken.Target, taken.Ref = d.Target, d.Ref
				return err
			}
			d, err := p.Press(ctx, "Enter", Element{Ref: v.Ref})
			taken.Target, taken.Ref = d.Target, d.Ref
			return err
		}
		d, err := p.pressed(ctx, v.Ref)
		taken.Target, taken.Ref = d.Target, d.Ref
		if err != nil || v.Whole {
			return err
		}
	}
	return fail(ErrNotActionable, "call again to go on", "page %s is further than %d pages away", page, mostPages)
}
