package adapter

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"
)

// The kinds of offers.
const (
	OfferForm   = "form"   // fields and what submits them
	OfferSearch = "search" // a form whose main field is a query
	OfferAction = "action" // a button or link; with a field "index", one that every item of a list has
	OfferList   = "list"   // items, one of which is opened by the field "item", what it is called, or "index", 0 the first
	OfferRead   = "read"   // rows of a table, by "from", "count", "filter" and "columns"
	OfferSort   = "sort"   // a table, "by" a column and "descending" or not
	OfferSelect = "select" // "rows" of a table
	OfferPage   = "page"   // of a list: "page" is a number, next, previous, first or last
)

// Offer is something that a page lets a person do, found in the page itself.
// All words in it are the page's and nothing to trust.
type Offer struct {
	Kind   string       `json:"kind"`   // one of those above
	Name   string       `json:"name"`   // what a person reads: "Search flights"; of a list, what it is of: "Inbox", "Results"
	About  string       `json:"about"`  // more of what the page says of it; of an item's action, the list
	Key    string       `json:"key"`    // the same for the same thing after a reload
	Fields []OfferField `json:"fields"` // what it takes
	Items  []string     `json:"items"`  // of a list, and of its items' actions: what each is called, in order, the first 50
	Rank   float64      `json:"rank"`   // the higher, the more useful
	// Undrawn is whether a table draws some of its rows only when they are scrolled to.
	Undrawn bool   `json:"undrawn"`
	Table   bool   `json:"table"` // its items are rows of a table, which can be read
	How     string `json:"how"`   // "set" of fields that nothing sends; of a button that shows the form of its fields, "fill", or "send" where that is sent, too; else ""
	Frame   string `json:"-"`     // the address of the frame it is in; "" in the main one
	Ref     string `json:"ref"`   // of the form, the control or the list, now
	Behind  bool   `json:"-"`     // a dialog is in front of it: it can be taken afterwards
}

// OfferField is a value that an offer takes.
type OfferField struct {
	Name        string   `json:"name"`                 // the argument's: letters, digits and _; unique in the offer
	Label       string   `json:"label"`                // what a person reads
	Type        string   `json:"type"`                 // of JSON schema: string, number, integer, boolean or array (of strings)
	Format      string   `json:"format,omitzero"`      // of JSON schema: date, time, date-time, email, uri, password and such, or ""
	Default     string   `json:"default,omitzero"`     // what it holds now, a line each of several; never a password's
	Description string   `json:"description,omitzero"` // what the page says of it: a hint, a placeholder
	Required    bool     `json:"required,omitzero"`    // the page wants a value and the field holds none
	Multiple    bool     `json:"multiple,omitzero"`    // it takes several values: Type is array
	Options     []string `json:"options,omitzero"`     // what can be chosen, if it is to be chosen
	Min         *float64 `json:"min,omitzero"`
	Max         *float64 `json:"max,omitzero"`
	Step        *float64 `json:"step,omitzero"`
	MinLength   int      `json:"minLength,omitzero"` // 0: none
	MaxLength   int      `json:"maxLength,omitzero"` // 0: none
	Pattern     string   `json:"pattern,omitzero"`   // of the whole value, in JavaScript's words
	Ref         string   `json:"ref"`                // of the field, now
}

// The fields of what is done to an item of a list: one of them.
const (
	offerIndex = "index"
	OfferItem  = "item" // what it is called
)

const (
	offersMost      = 40
	offerFrames     = 6                      // frames that are asked, beside the main one
	offerFramesTime = time.Second            // they have for an answer
	closingLooks    = 5                      // at a dialog that is about to go, each when the page has changed
	closingPause    = 300 * time.Millisecond // at the most between them: one may go without a change
)

// toldOffer is what a caller was told of an offer, by which it means an item.
type toldOffer struct {
	name    string
	items   []string
	undrawn bool
}

// Offers finds what the page lets a person do, most useful first. Their number
// and their texts are bounded.
func (p *Page) Offers(ctx context.Context) ([]Offer, error) {
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	list, closing, err := p.findOffers(ctx)
	if err != nil || !closing {
		return list, p.reason(err)
	}
	// A tab behind draws no frames, in which a dialog would fade away.
	if err := p.wake(ctx, s); err != nil {
		return nil, p.reason(err)
	}
	for range closingLooks {
		p.mu.Lock()
		main := p.mainFrame()
		p.mu.Unlock()
		if _, err := ask[bool](ctx, p, main, expression("change", closingPause.Milliseconds())); err != nil {
			return nil, p.reason(err)
		}
		if list, closing, err = p.findOffers(ctx); err != nil || !closing {
			break
		}
	}
	return list, p.reason(err)
}

// findOffers looks once; closing is while a dialog is about to go.
func (p *Page) findOffers(ctx context.Context) (_ []Offer, closing bool, _ error) {
	frames, _ := p.documents()
	frames = frames[:min(len(frames), 1+offerFrames)]
	type answer struct {
		Offers  []Offer `json:"offers"`
		Modal   bool    `json:"modal"`
		Closing bool    `json:"closing"`
		Alone   bool    `json:"alone"`
		Next    int     `json:"next"`
	}
	answers := make([]answer, len(frames))
	errs := make([]error, len(frames))
	var wg sync.WaitGroup
	for i, f := range frames {
		wg.Go(func() {
			ctx := ctx
			if i > 0 {
				limited, cancel := context.WithTimeout(ctx, offerFramesTime)
				defer cancel()
				ctx = limited
			}
			p.mu.Lock()
			q := map[string]any{"prefix": p.prefix(f), "next": f.next}
			p.mu.Unlock()
			answers[i], errs[i] = askSoon[answer](ctx, p, f, expression("offers", q))
			if errs[i] == nil {
				p.numbered(f, answers[i].Next)
			}
		})
	}
	wg.Wait()
	if errs[0] != nil { // a frame that does not answer offers nothing
		return nil, false, errs[0]
	}
	list := answers[0].Offers
	for i, f := range frames {
		if i == 0 || errs[i] != nil || answers[0].Alone {
			continue
		}
		p.mu.Lock()
		address := f.url
		p.mu.Unlock()
		for _, o := range answers[i].Offers {
			o.Frame = cmp.Or(address, "about:blank")
			o.Key = frameKey(address) + o.Key
			if !slices.ContainsFunc(list, func(other Offer) bool { return other.Key == o.Key }) {
				list = append(list, o)
			}
		}
	}
	slices.SortStableFunc(list, func(a, b Offer) int { return cmp.Compare(b.Rank, a.Rank) })
	list = p.withBehind(list[:min(len(list), offersMost)], answers[0].Modal)
	told := make(map[string]toldOffer, len(list))
	for _, o := range list {
		told[o.Key] = toldOffer{name: o.Name, items: o.Items, undrawn: o.Undrawn}
	}
	p.mu.Lock()
	p.told = told
	p.mu.Unlock()
	return list, answers[0].Closing, nil
}

// withBehind adds what the document offered before a dialog of its came to the
// front; without one it notes what there is.
func (p *Page) withBehind(list []Offer, modal bool) []Offer {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.modal = modal; !modal {
		p.offered, p.offeredBy = list, p.loading.loader
		return list
	}
	return append(list, p.behind(list)...)
}

// behind returns what the document offered before, without what list has; mu is
// held.
func (p *Page) behind(list []Offer) []Offer {
	if p.offeredBy != p.loading.loader {
		return nil
	}
	var more []Offer
	for _, o := range p.offered {
		if !slices.ContainsFunc(list, func(other Offer) bool { return other.Key == o.Key }) {
			o.Behind = true
			more = append(more, o)
		}
	}
	return more
}

// Behind returns what the document offered before a dialog opened.
func (p *Page) Behind() []Offer {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.behind(nil)
}

// askSoon is ask for a frame whose next document may be about to come.
func askSoon[T any](ctx context.Context, p *Page, f *frame, expression string) (T, error) {
	v, err := ask[T](ctx, p, f, expression)
	if err == nil || !contextGone(err) && !errors.Is(err, ErrStaleRef) {
		return v, err
	}
	if p.await(ctx, func() bool { return f.main.id != 0 && f.session != nil }) != nil {
		return v, err
	}
	return ask[T](ctx, p, f, expression)
}

// frameKey is what the keys of a frame's offers begin with.
func frameKey(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Host == "" {
		return "frame|"
	}
	return strings.ReplaceAll(u.Host+u.Path, "|", "") + "|"
}

// framesOffering returns the frames in which a key may be found, and the key
// there.
func (p *Page) framesOffering(key string) ([]*frame, string) {
	frames, _ := p.documents()
	prefix, inner, ok := strings.Cut(key, "|")
	if !ok {
		return frames[:1], key
	}
	var list []*frame
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range frames[1:] {
		if frameKey(f.url) == prefix+"|" {
			list = append(list, f)
		}
	}
	return list, inner
}
