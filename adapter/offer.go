package adapter

import "context"

// The kinds of offers.
const (
	OfferForm   = "form"   // fields and what submits them
	OfferSearch = "search" // a form whose main field is a query
	OfferAction = "action" // a button or link; with a field "index", one that every item of a list has
	OfferList   = "list"   // items, one of which is opened by the field "index", 0 the first
)

// Offer is something that a page lets a person do, found in the page itself.
// All words in it are the page's and nothing to trust.
type Offer struct {
	Kind   string       // OfferForm, OfferSearch, OfferAction or OfferList
	Name   string       // what a person reads: "Search flights"; of a list, what it is of: "Inbox", "Results"
	About  string       // more of what the page says of it, such as the area it is in
	Key    string       // the same for the same thing after a reload
	Fields []OfferField // what it takes
	Items  []string     // of a list: what each is called, in order
	Frame  string       // the address of the frame it is in; "" in the main one
	Ref    string       // of the form, the control or the list, now
}

// OfferField is a value that an offer takes.
type OfferField struct {
	Name        string   // the argument's: letters, digits and _; unique in the offer
	Label       string   // what a person reads
	Type        string   // of JSON schema: string, number, integer, boolean or array (of strings)
	Format      string   // of JSON schema: date, time, date-time, email, uri, password and such, or ""
	Default     string   // what it holds now; never a password's
	Description string   // what the page says of it: a hint, a placeholder
	Required    bool     // the page wants a value and the field holds none
	Multiple    bool     // it takes several values: Type is array
	Options     []string // what can be chosen, if it is to be chosen
	Min, Max    *float64
	Step        *float64
	MinLength   int // 0: none
	MaxLength   int // 0: none
	Pattern     string
	Ref         string // of the field, now
}

// OfferTaken is what became of an offer that was taken.
type OfferTaken struct {
	Offer  Offer        // as it was found when it was taken
	Fields []OfferValue // those that were given a value, in the offer's order
	Target string       // what was pressed or opened, as a snapshot shows it; "" where nothing was
	Notes  []string     // what is worth knowing beyond success
}

// OfferValue is what a field got.
type OfferValue struct {
	Name  string
	Value string // what it holds now, unless it is a password; of an index, the item
	Err   error  // why it has not the value; nil where it has
}

// Offers finds what the page lets a person do, most useful first. Their number
// and their texts are bounded.
func (p *Page) Offers(ctx context.Context) ([]Offer, error) {
	return nil, fail(ErrUnsupported, "", "not yet")
}

// TakeOffer does what an offer lets a person do: it fills the fields that args
// name and submits them, presses the control, or opens the item. Nothing is
// pressed when a value is not taken; the error then names the field, and
// OfferTaken tells what the others hold. An offer that is gone fails with
// ErrNotFound.
func (p *Page) TakeOffer(ctx context.Context, key string, args map[string]any) (OfferTaken, error) {
	return OfferTaken{}, fail(ErrUnsupported, "", "not yet")
}
