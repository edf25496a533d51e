package adapter

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/runtime"
)

// objection is why the page script does not do what it was asked to do. As an
// error it is the *Error that the table has for its code.
type objection struct {
	Code    string   `json:"code"`
	Who     string   `json:"who"`     // the element or the offer that was asked for
	About   string   `json:"about"`   // a selector, a text, an option, another element
	Why     string   `json:"why"`     // in the browser's words
	List    []string `json:"list"`    // a few of those in question
	Count   int      `json:"count"`   // all of them
	Index   int      `json:"index"`   // of an item
	Passing bool     `json:"passing"` // it may be over in a moment

	waited string // how long it was waited for, if it was
}

// The codes that the adapter asks for; objections has them all.
const (
	objectsNone     = "none"
	objectsMany     = "many"
	objectsGone     = "gone"
	objectsNoOption = "no-option"
	objectsSizeless = "sizeless"
)

const (
	optionHint = "choose among {options}"
	itemsHint  = "look at the list's current items"
	otherHint  = "choose another item"
)

// objections hold what to tell for each code that the page script knows.
var objections = map[string]Error{
	objectsNone:  {Kind: ErrNotFound, Advice: AdviceLook, Text: "nothing matches {who}{closest}"},
	objectsMany:  {Kind: ErrAmbiguous, Advice: AdviceGiveRef, Text: "{count} elements match {who}: {list}"},
	objectsGone:  {Kind: ErrStaleRef, Advice: AdviceLookAgain, Text: "{who} is not in this document"},
	"gone-known": {Kind: ErrStaleRef, Advice: AdviceLookAgain, Text: "{who} ({about}) is gone"},
	"gone-alike": {Kind: ErrStaleRef, Advice: AdviceLookAgain, Text: "{who} ({about}) is gone, and several elements look like it"},

	"selector-empty": badSelector("the selector is empty"),
	"selector-css":   badSelector("{quoted} is not a CSS selector"),
	"selector-xpath": badSelector("{quoted} is not an XPath expression"),
	"selector-role":  badSelector(`a role selector looks like role=button[name="Save"]`),
	"selector-text":  badSelector("text= needs a text"),
	"selector-regex": badSelector("{why}"),
	"search-regex":   {Kind: ErrInvalid, Hint: `use JavaScript's syntax, such as /order \d+/i, or give text`, Text: "the regex is invalid: {why}"},

	"hidden":        {Kind: ErrNotActionable, Advice: AdviceUncover, Text: "{who}: not visible"},
	"never":         {Kind: ErrNotActionable, Advice: AdviceLook, Text: "{who}: a hidden field, which the page alone sets"},
	"replaced":      {Kind: ErrNotActionable, Hint: "use that instead", Text: "{who}: not visible; {about} is shown in its place"},
	"clipped":       {Kind: ErrNotActionable, Advice: AdviceUncover, Text: "{who}: not visible: something around it cuts it off"},
	"outside":       {Kind: ErrNotActionable, Advice: AdviceLook, Text: "{who}: outside the viewport"},
	objectsSizeless: {Kind: ErrNotActionable, Hint: "click what shows it, or press Enter on it", Text: "{who}: it has no size"},
	"covered":       {Kind: ErrNotActionable, Hint: "close or move what covers it first, or scroll", Text: "{who}: covered by {about}"},
	"transparent":   {Kind: ErrNotActionable, Advice: AdviceLook, Text: "{who}: it lets the pointer through (pointer-events: none)"},
	"moving":        {Kind: ErrNotActionable, Advice: AdviceLook, Text: "{who}: moving"},
	"disabled":      {Kind: ErrNotActionable, Hint: "something else must be filled in or selected first", Text: "{who}: disabled"},
	"readonly":      {Kind: ErrNotActionable, Hint: "its value is set elsewhere, such as by a picker or a button next to it", Text: "{who}: readonly"},
	"inert":         {Kind: ErrNotActionable, Advice: AdviceLook, Text: "{who}: inert, behind an open dialog or by attribute"},

	objectsNoOption:   {Kind: ErrInvalid, Hint: optionHint, Text: "{who}: no option {quoted}"},
	"option-disabled": {Kind: ErrInvalid, Hint: optionHint, Text: "{who}: the option {quoted} is disabled"},
	"one-option":      {Kind: ErrInvalid, Hint: optionHint, Text: "{who} takes only one value"},

	"not-date":     misshapen("a date such as 2026-01-31"),
	"not-datetime": misshapen("a date and time such as 2026-01-31T18:30"),
	"not-month":    misshapen("a month such as 2026-01"),
	"not-week":     misshapen("a week such as 2026-W05"),
	"not-time":     misshapen("a time such as 18:30"),
	"not-color":    misshapen("a color such as #ff8800"),
	"not-number":   misshapen("a number"),

	"index-missing": {Kind: ErrInvalid, Hint: "give what an item is called, or its number, counting from 0", Text: "{who} needs an item"},
	"item-many":     {Kind: ErrAmbiguous, Hint: "give the index of one", Text: "{count} items are called {quoted}: {list}"},
	"item-unknown":  {Kind: ErrNotFound, Hint: itemsHint, Text: "no item of {count} is called {quoted}"},
	"page-none":     {Kind: ErrNotFound, Hint: "the list has no such page, or this is its end", Text: "there is no way to page {quoted} from here"},
	"item-none":     {Kind: ErrInvalid, Hint: itemsHint, Text: "there is no item {index}: {who} has {count}, counting from 0"},
	"item-moved":    {Kind: ErrNotFound, Hint: itemsHint, Text: "item {index} was {quoted} and is no longer in the list"},
	"item-without":  {Kind: ErrNotActionable, Hint: otherHint, Text: "item {index} ({about}) has no {who}"},
	"item-closed":   {Kind: ErrNotActionable, Hint: otherHint, Text: "item {index} ({about}) cannot be opened"},
}

func badSelector(text string) Error {
	return Error{Kind: ErrInvalid, Hint: `use CSS, text=…, role=button[name="Save"], or xpath=…`, Text: text}
}

func misshapen(takes string) Error {
	return Error{Kind: ErrNotActionable, Hint: "give a value in that format", Text: "{who} did not accept the value: it takes " + takes + ", not {quoted}"}
}

func (o *objection) is(code string) bool { return o != nil && o.Code == code }

// passes reports whether it may be over in a moment.
func (o *objection) passes() bool { return o != nil && o.Passing }

// Error returns what to tell.
func (o *objection) Error() string { return o.told().Text }

// Unwrap returns the *Error that it is.
func (o *objection) Unwrap() error { return o.told() }

func (o *objection) told() *Error {
	e, ok := objections[o.Code]
	if !ok {
		return &Error{Kind: ErrScript, Text: fmt.Sprintf("the page script refused with the unknown code %q", o.Code)}
	}
	closest := ""
	if len(o.List) > 0 {
		closest = "; closest matches: " + strings.Join(o.List[:min(len(o.List), 3)], ", ")
	}
	list := strings.Join(o.List, ", ")
	if o.Count > len(o.List) {
		list += ", …"
	}
	words := strings.NewReplacer("{who}", cmp.Or(o.Who, "it"), "{about}", o.About, "{quoted}", strconv.Quote(o.About), "{why}", o.Why, "{closest}", closest,
		"{list}", list, "{options}", listed(o.List, o.Count-len(o.List)), "{count}", strconv.Itoa(o.Count), "{index}", strconv.Itoa(o.Index))
	e.Text, e.Hint = words.Replace(e.Text), words.Replace(e.Hint)
	if o.waited != "" {
		e.Text += " (waited " + o.waited + ")"
	}
	return &e
}

// objectionIn returns what the page script threw, if that is an objection.
func objectionIn(thrown *runtime.ExceptionDetails) (*objection, bool) {
	if thrown == nil || thrown.Exception == nil || thrown.Exception.Type != runtime.RemoteObjectTypeString {
		return nil, false
	}
	var text string
	var o objection
	if jsonv2.Unmarshal(thrown.Exception.Value, &text) != nil || json.Unmarshal([]byte(text), &o) != nil || o.Code == "" {
		return nil, false
	}
	return &o, true
}

// objects returns an error of the page script as one of the element.
func (a *actor) objects(err error) error {
	if o, ok := errors.AsType[*objection](err); ok {
		o.Who = a.done.Target
	}
	return err
}

// objected returns why the element is not ready as an error, or nil where it is.
func (a *actor) objected(r ready) error {
	if r.Objection == nil {
		return nil
	}
	o := *r.Objection
	o.Who = a.element.said()
	if o.Passing {
		o.Who, o.waited = cmp.Or(r.Target, o.Who), a.limit.String()
	}
	return &o
}

// missing returns the error of an element that no frame has, or nil for the page
// as a whole, which may be empty.
func (e Element) missing() error {
	switch {
	case e.Ref != "":
		return &objection{Code: objectsGone, Who: e.said()}
	case e.Selector != "":
		return &objection{Code: objectsNone, Who: e.said()}
	}
	return nil
}
