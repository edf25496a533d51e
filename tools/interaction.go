package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/tools/textdiff"
)

var interaction = []tool{
	{
		name: "browser_click", kind: onElement, remarks: true,
		destructive: true, openWorld: true, settles: true,
		doc: "Click an element, by ref or selector (CSS, text=…, role=…, xpath=…).",
		body: do(func(ctx context.Context, c *call, a *clickArgs) (clicked, error) {
			d, err := c.page.Click(ctx, a.target(), adapter.ClickOptions{Button: a.Button, Count: a.Count, Modifiers: a.Modifiers})
			return clicked{d.Outcome == adapter.Happened, doneAs("clicked", d)}, err
		}),
	},
	{
		name: "browser_type", kind: onElement,
		destructive: true, openWorld: true, settles: true,
		doc: "Type text into a field; default: the focused one.",
		body: do(func(ctx context.Context, c *call, a *typeArgs) (done, error) {
			o, err := c.session.typing(a.Text, a.Secret)
			if err != nil {
				return done{}, err
			}
			o.Clear, o.Submit, o.Slowly = a.Clear, a.Submit, a.Slowly
			d, err := c.page.Type(ctx, a.target(), o)
			return doneAs("typed into", d), err
		}),
	},
	{
		name: "browser_select", kind: onElement,
		destructive: true, openWorld: true, settles: true,
		doc: "Select options of a list.",
		body: do(func(ctx context.Context, c *call, a *selectArgs) (done, error) {
			d, err := c.page.Select(ctx, a.target(), a.Values)
			return doneAs("selected in", d), err
		}),
	},
	{
		name: "browser_press", kind: onElement, remarks: true,
		destructive: true, openWorld: true, settles: true,
		doc: "Press keys in the focused element or a given one.",
		body: do(func(ctx context.Context, c *call, a *pressArgs) (done, error) {
			d, err := c.page.Press(ctx, a.Keys, a.target())
			return doneAs("pressed "+a.Keys+" in", d), err
		}),
	},
	{
		name: "browser_hover", kind: onElement,
		openWorld: true, settles: true,
		doc: "Move the pointer over an element.",
		body: do(func(ctx context.Context, c *call, a *hoverArgs) (done, error) {
			d, err := c.page.Hover(ctx, a.target())
			return doneAs("hovering over", d), err
		}),
	},
	{
		name: "browser_scroll", kind: onElement,
		openWorld: true, settles: true,
		doc: "Scroll the page, an element, or (to: element) an element into view.",
		body: do(func(ctx context.Context, c *call, a *scrollArgs) (done, error) {
			d, err := c.page.Scroll(ctx, a.target(), adapter.ScrollOptions{Direction: cmp.Or(a.Direction, "down"), Amount: a.Amount, To: a.To})
			return doneAs("scrolled", d), err
		}),
	},
	{
		name: "browser_dialog", kind: onElement,
		destructive: true, openWorld: true, settles: true, duringDialog: true,
		doc: "Answer the open dialog, or with next, the next one.",
		body: do(func(ctx context.Context, c *call, a *dialogArgs) (answered, error) {
			reply := adapter.DialogAnswer{Accept: a.Action == "accept", Text: a.Text}
			if a.Next {
				c.show, c.settled = "none", true
				return answered{Action: a.Action, Next: true}, c.page.ArmDialog(ctx, reply)
			}
			d, err := c.page.AnswerDialog(ctx, reply)
			v := answered{Action: a.Action}
			if d != nil {
				v.Type, v.Message = d.Type, d.Message
			}
			return v, err
		}),
	},
}

func (e *element) target() adapter.Element { return adapter.Element{Ref: e.Ref, Selector: e.Selector} }
func (e *maybeElement) target() adapter.Element {
	return adapter.Element{Ref: e.Ref, Selector: e.Selector}
}

type clickArgs struct {
	element
	Button    string   `json:"button,omitempty" enum:"left,right,middle" default:"left"`
	Count     int      `json:"count,omitempty" min:"1" default:"1"`
	Modifiers []string `json:"modifiers,omitempty" enum:"Alt,Control,Meta,Shift"`
	showing
	onPage
}

type typeArgs struct {
	maybeElement
	Text   string `json:"text"`
	Secret string `json:"secret,omitempty" instead:"text" doc:"name of a secret"`
	Clear  bool   `json:"clear,omitempty" doc:"replace what is there"`
	Submit bool   `json:"submit,omitempty" doc:"press Enter afterwards"`
	Slowly bool   `json:"slowly,omitempty"`
	showing
	onPage
}

func (a *typeArgs) check() error {
	return cmp.Or(oneText("text", a.Text, a.Secret), a.maybeElement.check())
}

type selectArgs struct {
	element
	Values []string `json:"values" doc:"values, labels or indexes"`
	showing
	onPage
}

type pressArgs struct {
	Keys string `json:"keys" doc:"such as Enter, Control+A, or Escape Escape"`
	maybeElement
	showing
	onPage
}

type hoverArgs struct {
	element
	showing
	onPage
}

type scrollArgs struct {
	maybeElement
	Direction string  `json:"direction,omitempty" enum:"up,down,left,right" default:"down"`
	Amount    float64 `json:"amount,omitempty" doc:"pixels; default: a page" min:"0"`
	To        string  `json:"to,omitempty" enum:"top,bottom,element"`
	showing
	onPage
}

func (a *scrollArgs) check() error {
	if a.To == "element" && a.target() == (adapter.Element{}) {
		return invalid(`to is "element", but the element is missing: give ref or selector`)
	}
	return a.maybeElement.check()
}

type dialogArgs struct {
	Action string `json:"action" enum:"accept,dismiss"`
	Text   string `json:"text,omitempty"`
	Next   bool   `json:"next,omitempty" doc:"arm this answer for the next dialog"`
	showing
	onPage
}

// done is an action that was made, and what is known of it.
type done struct {
	Outcome string   `json:"outcome"` // done, different, nothing or unknown
	Why     string   `json:"why,omitempty"`
	Target  string   `json:"target,omitempty"`
	Ref     string   `json:"ref,omitempty"`   // of the element
	Value   *string  `json:"value,omitempty"` // of a field, afterwards
	Notes   []string `json:"notes,omitempty"`

	did string
}

// clicked is a click.
type clicked struct {
	Clicked bool `json:"clicked"` // it reached its element
	done
}

func doneAs(did string, d adapter.Done) done {
	v := done{Outcome: string(d.Outcome), Why: d.Why, Target: d.Target, Notes: d.Notes, Ref: d.Ref, did: did}
	if d.HasValue {
		v.Value = &d.Value
	}
	return v
}

func (v done) deed() (d textdiff.Deed) {
	if d.Ref = v.Ref; v.Value != nil {
		d.Value, d.Typed = *v.Value, true
	}
	return d
}

func (v done) text() string {
	s := v.did
	if v.Target != "" {
		s += " " + v.Target
	} else {
		s = strings.TrimSuffix(s, " in")
	}
	switch adapter.Outcome(v.Outcome) {
	case adapter.Different:
		s += ", but " + v.Why
	case adapter.Nothing:
		s += ", but nothing happened: " + v.Why
	case adapter.Unknown:
		s += "; the outcome is unknown: " + v.Why
	}
	s = oneLine(s)
	if v.Value != nil {
		s += fmt.Sprintf("; value: %q", bounded(*v.Value, messageLength))
	}
	for _, n := range v.Notes {
		s += "\nnote: " + oneLine(n)
	}
	return s
}

// answered is a dialog that was answered, or an answer that waits for one.
type answered struct {
	Action  string `json:"action"`
	Type    string `json:"type,omitempty"`
	Message string `json:"message,omitempty"`
	Next    bool   `json:"next,omitempty"`
}

func (v answered) text() string {
	if v.Next {
		return "the next dialog will be answered with " + v.Action
	}
	verb := map[string]string{"accept": "accepted", "dismiss": "dismissed"}[v.Action]
	return fmt.Sprintf("%s %s %q", verb, v.Type, bounded(v.Message, wordsLength))
}
