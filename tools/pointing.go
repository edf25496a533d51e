package tools

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/adapter"
)

var pointing = []tool{
	{
		name: "browser_drag", kind: onElement, remarks: true,
		destructive: true, openWorld: true, settles: true,
		doc: "Drag an element onto another.",
		body: do(func(ctx context.Context, c *call, a *dragArgs) (done, error) {
			d, err := c.page.Drag(ctx, a.target(), adapter.Element{Ref: a.ToRef, Selector: a.ToSelector}, adapter.DragOptions{At: a.At.offset(), ToAt: a.ToAt.offset()})
			return doneAs("dragged", d), err
		}),
	},
	{
		name: "browser_drop", kind: onElement, remarks: true, deed: uploads,
		destructive: true, openWorld: true, settles: true,
		doc: "Drop files, text or HTML onto an element.",
		body: do(func(ctx context.Context, c *call, a *dropArgs) (done, error) {
			d, err := c.page.Drop(ctx, a.target(), adapter.DropOptions{Files: a.Files, Text: a.Text, HTML: a.HTML})
			return doneAs("dropped on", d), err
		}),
	},
	{
		name: "browser_mouse", kind: onElement, remarks: true,
		destructive: true, openWorld: true, settles: true,
		doc: "Use the mouse at viewport coordinates.",
		body: do(func(ctx context.Context, c *call, a *mouseArgs) (done, error) {
			o := adapter.MouseOptions{Action: a.Action, X: a.X, Y: a.Y, Button: a.Button, Count: a.Count}
			if a.ToX != nil {
				o.ToX = *a.ToX
			}
			if a.ToY != nil {
				o.ToY = *a.ToY
			}
			d, err := c.page.Mouse(ctx, o)
			return doneAs(fmt.Sprintf("mouse: %s at %v, %v", a.Action, a.X, a.Y), d), err
		}),
	},
}

type dragArgs struct {
	element
	At         *spot  `json:"at,omitempty" doc:"from its corner"`
	ToRef      string `json:"toRef,omitempty"`
	ToSelector string `json:"toSelector,omitempty"`
	ToAt       *spot  `json:"toAt,omitempty"`
	showing
	onPage
}

// spot is a point within an element, in CSS pixels from its upper left corner.
type spot struct {
	X float64 `json:"x" min:"0" list:"-"`
	Y float64 `json:"y" min:"0" list:"-"`
}

func (s *spot) offset() *adapter.Offset {
	if s == nil {
		return nil // its centre
	}
	return &adapter.Offset{X: s.X, Y: s.Y}
}

func (a *dragArgs) check() error {
	switch {
	case a.ToRef != "" && a.ToSelector != "":
		return invalid("toRef and toSelector are both given: give one of them")
	case a.ToRef == "" && a.ToSelector == "":
		return invalid("the element to drag to is missing: give toRef or toSelector")
	}
	return a.element.check()
}

type dropArgs struct {
	element
	Files []string `json:"files,omitempty"`
	Text  string   `json:"text,omitempty"`
	HTML  string   `json:"html,omitempty"`
	showing
	onPage
}

func (a *dropArgs) carries() []string { return a.Files }

func (a *dropArgs) check() error {
	if len(a.Files) == 0 && a.Text == "" && a.HTML == "" {
		return invalid("there is nothing to drop: give files, text or html")
	}
	return a.element.check()
}

type mouseArgs struct {
	Action string   `json:"action" enum:"click,move,down,up,drag,wheel"`
	X      float64  `json:"x" min:"0"`
	Y      float64  `json:"y" min:"0"`
	ToX    *float64 `json:"toX,omitempty" doc:"end of a drag; pixels for the wheel"`
	ToY    *float64 `json:"toY,omitempty"`
	Button string   `json:"button,omitempty" enum:"left,right,middle" default:"left"`
	Count  int      `json:"count,omitempty" min:"1" default:"1"`
	showing
	onPage
}

func (a *mouseArgs) check() error {
	switch {
	case a.Action == "drag" && (a.ToX == nil || a.ToY == nil):
		return invalid("toX and toY are missing: a drag needs an end point")
	case a.Action == "wheel" && a.ToX == nil && a.ToY == nil:
		return invalid("toX and toY are missing: give how many pixels the wheel turns, such as toY: 300")
	case a.Action != "drag" && a.Action != "wheel" && (a.ToX != nil || a.ToY != nil):
		return invalid("toX and toY are for drag and wheel, not for %s", a.Action)
	}
	return nil
}
