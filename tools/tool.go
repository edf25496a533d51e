package tools

import (
	"context"
	"reflect"
	"slices"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// tool is something that an agent can call.
type tool struct {
	name string
	doc  string
	kind kind
	body body

	// What it does, whatever its arguments are. Clients are told of the first four.
	readOnly    bool // it changes nothing: no page, no file
	destructive bool // it may undo or overwrite what was there
	idempotent  bool // the same call once more changes nothing further
	openWorld   bool // it reaches websites
	// How it is called.
	settles      bool // what it starts in the page is awaited
	duringDialog bool // it works also while a dialog stops the page
	repeatable   bool // it may run again when nobody knows how far it came
	opens        bool // without an open page or a browser, it opens one
	sees         bool // agents that may only see have it, though it is not read-only: it does nothing to a page
	remarks      bool // it says so when the page shows no change
	deed         deed // what it does, with some arguments at least, that a policy may have the person asked for

	page *pageTool // of a tool that a page has; nil for ours
}

// acts reports whether a tool may start something in the page, so that a dialog
// or the page's end cuts it short and does not fail it.
func (t *tool) acts() bool { return t.settles || t.destructive }

// title is a tool's name for people; empty where the name itself does.
func (t *tool) title() string {
	words, ok := strings.CutPrefix(t.name, "browser_")
	if !ok {
		return ""
	}
	words = strings.ReplaceAll(words, "_", " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

// annotations are what clients are told of a tool's doings, where that differs
// from what the protocol has them assume; else nil.
func (t *tool) annotations() *mcp.ToolAnnotations {
	if !t.readOnly && t.destructive && !t.idempotent && t.openWorld {
		return nil
	}
	a := &mcp.ToolAnnotations{ReadOnlyHint: t.readOnly, IdempotentHint: t.readOnly || t.idempotent}
	if !t.readOnly && !t.destructive {
		a.DestructiveHint = new(false)
	}
	if !t.openWorld {
		a.OpenWorldHint = new(false)
	}
	return a
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

// body is a tool's function, with what it takes and returns.
type body struct {
	args  func() any // a pointer to new arguments
	takes func() *schema.Schema
	value any // the zero value of what it returns
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
	var none V
	return body{
		args:  func() any { return new(A) },
		takes: sync.OnceValue(func() *schema.Schema { return schema.Of(reflect.TypeFor[A]()) }),
		value: none,
		run: func(ctx context.Context, c *call, args any) (any, error) {
			return f(ctx, c, args.(*A))
		},
	}
}

// all returns every tool, in the order of the manual.
func all() []tool {
	return slices.Concat(connecting, tabs, navigation, interaction, pointing, forms, inspection, reading, performance, waiting, network, state, emulation, downloads, printing, batching)
}

// Parts that argument structs embed.

// onPage chooses the page of a call. A limit is understood, but not worth
// listing with each tool.
type onPage struct {
	PageID    string `json:"pageId,omitempty"`
	TimeoutMs int    `json:"timeoutMs,omitempty" min:"1" list:"-"`
}

func (p *onPage) pageID() string { return p.PageID }
func (p *onPage) limit() int     { return p.TimeoutMs }

// onSlowPage is onPage for what may take long, whose limit is listed.
type onSlowPage struct {
	PageID    string `json:"pageId,omitempty"`
	TimeoutMs int    `json:"timeoutMs,omitempty" min:"1"`
}

func (p *onSlowPage) pageID() string { return p.PageID }
func (p *onSlowPage) limit() int     { return p.TimeoutMs }

// pageArgs is implemented by the arguments of tools that work in a page; an
// empty id is the active one.
type pageArgs interface{ pageID() string }

// showing chooses what a call tells of the page afterwards; like the limit, the
// instructions tell of it once for all tools.
type showing struct {
	Snapshot string `json:"snapshot,omitempty" enum:"diff,full,none" list:"-"`
}

func (s *showing) show() string { return s.Snapshot }

// showArgs is implemented by arguments that embed showing.
type showArgs interface{ show() string }

// element names an element; exactly one of the two.
type element struct {
	Ref      string `json:"ref,omitempty"`
	Selector string `json:"selector,omitempty"`
}

func (e *element) check() error {
	switch {
	case e.Ref != "" && e.Selector != "":
		return invalid("ref and selector are both given: give one of them")
	case e.Ref == "" && e.Selector == "":
		return invalid(`the element is missing: give ref, such as "e12", or selector`)
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
