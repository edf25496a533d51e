package tools

import (
	"context"
	"reflect"
	"slices"
)

// effect is what a tool does to a page, which decides how it is called.
type effect int

const (
	// reads looks at the page and leaves it as it is.
	reads effect = iota
	// acts changes the page: what it started is awaited, and the change is told.
	acts
	// answers works also while a dialog is open, and is awaited as acts is.
	answers
)

// String is how the manual names an effect.
func (e effect) String() string { return [...]string{"reads", "acts", "answers"}[e] }

// tool is something that an agent can call.
type tool struct {
	name   string
	doc    string
	effect effect
	kind   kind
	body   body

	opens   bool // without an open page, it opens one
	remarks bool // it says so when the page shows no change

	page *pageTool // of a tool that a page has; nil for ours
}

// kind says what a tool needs, and how long it may take when the call does not
// say.
type kind int

const (
	onSession  kind = iota // needs no page, maybe no browser
	onElement              // an action or a look at a page
	onJourney              // a navigation
	onPatience             // waits for what the page does by itself
)

// body is a tool's function with the types of its arguments and its value.
type body struct {
	args  reflect.Type
	value reflect.Type
	run   func(context.Context, *call, any) (any, error)
}

// value is what a tool returns; text is how an agent reads it: a line, or
// several where there is more to say.
type value interface{ text() string }

// filler is a value that puts itself into parts of the answer.
type filler interface{ fill(*Answer) }

// do makes a body of a function from arguments to a value. A is a struct whose
// fields carry the tags json, doc, enum and default; one without omitempty is
// required.
func do[A any, V value](f func(context.Context, *call, *A) (V, error)) body {
	return body{
		args:  reflect.TypeFor[A](),
		value: reflect.TypeFor[V](),
		run: func(ctx context.Context, c *call, args any) (any, error) {
			return f(ctx, c, args.(*A))
		},
	}
}

// all returns every tool, in the order of the manual.
func all() []tool {
	return slices.Concat(connecting, tabs, navigation, interaction, pointing, forms, inspection, reading, performance, waiting, network, state, emulation, downloads, printing)
}

// Parts that argument structs embed.

// onPage chooses the page of a call.
type onPage struct {
	PageID    string `json:"pageId,omitempty"`
	TimeoutMs int    `json:"timeoutMs,omitempty" min:"1"`
}

func (p *onPage) page() *onPage { return p }
func (p *onPage) limit() int    { return p.TimeoutMs }

// pageArgs is implemented by arguments that embed onPage.
type pageArgs interface{ page() *onPage }

// showing chooses what a call tells of the page afterwards.
type showing struct {
	Snapshot string `json:"snapshot,omitempty" enum:"diff,full,none"`
}

func (s *showing) show() string { return s.Snapshot }

// showArgs is implemented by arguments that embed showing.
type showArgs interface{ show() string }

// element names an element; exactly one of the two.
type element struct {
	Ref      string `json:"ref,omitempty"`
	Selector string `json:"selector,omitempty" doc:"CSS, text=…, role=…, xpath=…"`
}

func (e *element) check() error {
	switch {
	case e.Ref != "" && e.Selector != "":
		return invalid("ref and selector are both given: give one of them")
	case e.Ref == "" && e.Selector == "":
		return invalid(`the element is missing: give ref (from a snapshot, such as "e12") or selector`)
	}
	return nil
}

// maybeElement is an element that may be left out.
type maybeElement struct {
	Ref      string `json:"ref,omitempty"`
	Selector string `json:"selector,omitempty"`
}

func (e *maybeElement) check() error {
	if e.Ref != "" && e.Selector != "" {
		return invalid("ref and selector are both given: give one of them")
	}
	return nil
}

// checked is implemented by arguments that have rules beyond their types.
type checked interface{ check() error }
