package tools

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/adapter"
)

var interactTool = tool{
	// It answers dialogs, too.
	name: "browser_interact", kind: onElement,
	destructive: true, openWorld: true, settles: true, duringDialog: true,
	doc: "Act on an element, or wait for one.",
	body: do(func(ctx context.Context, c *call, a *facadeInteractArgs) (browserResponse, error) {
		if d := c.page.Dialog(); d != nil {
			word, err := c.replyByKey(ctx, d, a.Action, a.Key, a.Text)
			return status(word, "answered", map[string]any{"type": d.Type, "message": d.Message}), err
		}
		if a.Action == "wait" {
			state := cmp.Or(a.State, adapter.ElementVisible)
			c.settled = true
			err := c.page.AwaitElement(ctx, a.target(), state)
			return status(state), err
		}
		if a.Action == "fill" {
			return a.fill(ctx, c)
		}
		if a.Action == "press" && a.Text != "" {
			return browserResponse{}, invalid("no open dialog takes text: press takes only key; use type to enter text")
		}
		d, err := a.act(ctx, c)
		if err != nil {
			return browserResponse{}, err
		}
		v := status(acted[a.Action])
		if d.Target != "" {
			v.put("target", d.Target)
		}
		if d.HasValue {
			v.put("value", d.Value)
		}
		if d.Outcome != adapter.Happened {
			v.put("outcome", d.Outcome)
			v.put("why", d.Why)
		}
		if len(d.Notes) > 0 {
			v.put("notes", d.Notes)
		}
		return v, nil
	}),
}

// acted says what was done.
var acted = map[string]string{"click": "clicked", "type": "typed", "select": "selected", "hover": "hovered", "scroll": "scrolled", "press": "pressed"}

type facadeInteractArgs struct {
	Action string `json:"action" enum:"click,type,select,fill,hover,scroll,press,wait"`
	facadeElement

	Text       string      `json:"text,omitempty" doc:"for type"`
	Secret     string      `json:"secret,omitempty" instead:"text" doc:"for type: name of a secret"`
	Clear      bool        `json:"clear,omitempty" doc:"type: replace what is there" default:"false"`
	Delay      float64     `json:"delay,omitempty" doc:"type: seconds between keys" min:"0" default:"0"`
	Button     string      `json:"button,omitempty" enum:"left,right,middle" default:"left"`
	ClickCount int         `json:"click_count,omitempty" min:"1" default:"1"`
	Value      *string     `json:"value,omitempty" doc:"select: one of value, index, label, values"`
	Index      *int        `json:"index,omitempty" min:"0"`
	Label      *string     `json:"label,omitempty"`
	Values     []string    `json:"values,omitempty"`
	Fields     []fieldArgs `json:"fields,omitempty" doc:"for fill"`
	Direction  string      `json:"direction,omitempty" doc:"scroll" enum:"up,down,left,right" default:"down"`
	Amount     int         `json:"amount,omitempty" doc:"scroll: pixels" min:"1" default:"100"`
	Key        string      `json:"key,omitempty" doc:"for press, such as Enter"`
	Modifiers  []string    `json:"modifiers,omitempty" enum:"ctrl,alt,shift,meta"`
	State      string      `json:"state,omitempty" doc:"wait" enum:"visible,hidden,present" default:"visible"`
	Timeout    float64     `json:"timeout,omitempty" doc:"wait: seconds" min:"0" default:"30"`
	facadePage
}

func (a *facadeInteractArgs) target() adapter.Element {
	return adapter.Element{Ref: a.Ref, Selector: a.Selector}
}

func (a *facadeInteractArgs) limit() int {
	switch {
	case a.Timeout > 0 || a.Action == "wait":
		return milliseconds(a.Timeout, 30)
	case a.Delay > 0:
		return milliseconds(10+a.Delay*float64(utf8.RuneCountInString(a.Text)), 0)
	}
	return 0
}

func (a *facadeInteractArgs) check() error {
	need := a.Action
	if need == "scroll" || need == "press" || need == "fill" {
		need = ""
	}
	if err := a.given(need); err != nil {
		return err
	}
	chosen := 0
	for _, given := range []bool{a.Value != nil, a.Index != nil, a.Label != nil, a.Values != nil} {
		if given {
			chosen++
		}
	}
	switch {
	case a.Secret != "" && (a.Action != "type" || a.Text != "" || a.Delay > 0):
		return invalid("secret is for the action type alone, in place of text and without delay")
	case a.Action == "type" && a.Text == "" && a.Secret == "" && !a.Clear:
		return missing("text", "type")
	case a.Action == "fill" && len(a.Fields) == 0:
		return missing("fields", "fill")
	case a.Action == "fill":
		return checkFields(a.Fields)
	case a.Action == "press" && a.Key == "":
		return missing("key", "press")
	case a.Action == "select" && chosen != 1:
		return invalid("the action select needs exactly one of value, index, label and values; %d are given", chosen)
	}
	return nil
}

// act does what the action says.
func (a *facadeInteractArgs) act(ctx context.Context, c *call) (adapter.Done, error) {
	e, p := a.target(), c.page
	switch a.Action {
	case "click":
		return p.Click(ctx, e, adapter.ClickOptions{Button: a.Button, Count: a.ClickCount, Modifiers: keyNames(a.Modifiers)})
	case "type":
		o, err := c.session.typing(a.Text, a.Secret)
		if err != nil {
			return adapter.Done{}, err
		}
		o.Clear = a.Clear
		if a.Delay > 0 {
			return p.TypePaced(ctx, e, o, time.Duration(a.Delay*float64(time.Second)))
		}
		return p.Type(ctx, e, o)
	case "select":
		by, values := a.choices()
		return p.SelectBy(ctx, e, by, values)
	case "hover":
		return p.Hover(ctx, e)
	case "scroll":
		return p.Scroll(ctx, e, adapter.ScrollOptions{Direction: a.Direction, Amount: float64(cmp.Or(a.Amount, 100))})
	}
	return p.Press(ctx, a.chord(), e)
}

// choices are the options to select, and what they are named by.
func (a *facadeInteractArgs) choices() (adapter.OptionKey, []string) {
	switch {
	case a.Values != nil:
		return adapter.ByAny, a.Values
	case a.Value != nil:
		return adapter.ByValue, []string{*a.Value}
	case a.Label != nil:
		return adapter.ByLabel, []string{*a.Label}
	}
	return adapter.ByIndex, []string{strconv.Itoa(*a.Index)}
}

// fill sets several fields.
func (a *facadeInteractArgs) fill(ctx context.Context, c *call) (browserResponse, error) {
	v, err := c.fill(ctx, a.Fields)
	if err != nil {
		return browserResponse{}, err
	}
	r := status("filled", "fields", v.Set)
	if len(v.Failed) > 0 {
		r.put("failed", v.Failed)
	}
	return r, nil
}

// chord is the key with its modifiers, as the adapter reads it.
func (a *facadeInteractArgs) chord() string {
	key := a.Key
	if strings.TrimSpace(key) == "" {
		key = "Space"
	}
	return strings.Join(append(keyNames(a.Modifiers), key), "+")
}

func keyNames(modifiers []string) []string {
	names := map[string]string{"ctrl": "Control", "alt": "Alt", "shift": "Shift", "meta": "Meta"}
	var list []string
	for _, m := range modifiers {
		if !slices.Contains(list, names[m]) {
			list = append(list, names[m])
		}
	}
	return list
}
