package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
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
			return a.answer(ctx, c, d)
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
		word, d, err := a.act(ctx, c.page)
		if err != nil {
			return browserResponse{}, err
		}
		v := status(word)
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

type facadeInteractArgs struct {
	Action string `json:"action" enum:"click,type,select,fill,hover,scroll,press,wait"`
	facadeElement

	Text       string      `json:"text,omitempty" doc:"for type"`
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
	Amount     int         `json:"amount,omitempty" doc:"scroll: pixels" min:"0" default:"100"`
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
	case a.Action == "type" && a.Text == "" && !a.Clear:
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

// act does what the action says, and says what it was.
func (a *facadeInteractArgs) act(ctx context.Context, p *adapter.Page) (string, adapter.Done, error) {
	e := a.target()
	switch a.Action {
	case "click":
		d, err := p.Click(ctx, e, adapter.ClickOptions{Button: a.Button, Count: a.ClickCount, Modifiers: keyNames(a.Modifiers)})
		return "clicked", d, err
	case "type":
		o := adapter.TypeOptions{Text: a.Text, Clear: a.Clear}
		if a.Delay > 0 {
			d, err := p.TypePaced(ctx, e, o, time.Duration(a.Delay*float64(time.Second)))
			return "typed", d, err
		}
		d, err := p.Type(ctx, e, o)
		return "typed", d, err
	case "select":
		var choice string
		switch {
		case a.Values != nil:
			d, err := p.Select(ctx, e, a.Values)
			return "selected", d, err
		case a.Value != nil:
			choice = *a.Value
		case a.Label != nil:
			choice = *a.Label
		default:
			choice = fmt.Sprintf("#%d", *a.Index)
		}
		d, err := p.Select(ctx, e, []string{choice})
		return "selected", d, err
	case "hover":
		d, err := p.Hover(ctx, e)
		return "hovered", d, err
	case "scroll":
		amount := a.Amount
		if amount == 0 {
			amount = 100
		}
		d, err := p.Scroll(ctx, e, adapter.ScrollOptions{Direction: a.Direction, Amount: float64(amount)})
		return "scrolled", d, err
	}
	d, err := p.Press(ctx, a.chord(), e)
	return "pressed", d, err
}

// fill sets several fields.
func (a *facadeInteractArgs) fill(ctx context.Context, c *call) (browserResponse, error) {
	list, err := c.page.Fill(ctx, fieldsOfForm(a.Fields))
	v, err := filledAs(a.Fields, list, err)
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

// answer answers an open dialog. All else has to wait.
func (a *facadeInteractArgs) answer(ctx context.Context, c *call, d *adapter.Dialog) (browserResponse, error) {
	word, ok, err := "", false, error(nil)
	if a.Action == "press" {
		word, ok, err = c.answerByKey(ctx, d, a.Key, a.Text)
	}
	if err != nil {
		return browserResponse{}, err
	}
	if !ok {
		return browserResponse{}, d.Blocking()
	}
	return status(word, "answered", map[string]any{"type": d.Type, "message": d.Message}), nil
}

// answerByKey answers an open dialog: as for a person, Enter accepts and Escape
// dismisses. It returns what it did, and whether the key is one of them.
func (c *call) answerByKey(ctx context.Context, d *adapter.Dialog, key, text string) (word string, ok bool, err error) {
	key = strings.ToLower(key)
	accept := key == "enter" || key == "return"
	if !accept && key != "escape" && key != "esc" {
		return "", false, nil
	}
	if _, err := c.page.AnswerDialog(ctx, adapter.DialogAnswer{Accept: accept, Text: cmp.Or(text, d.Default)}); err != nil {
		return "", true, err
	}
	if accept {
		return "accepted", true, nil
	}
	return "dismissed", true, nil
}
