package adapter

import (
	"fmt"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Element names an element of a page: by a ref of a snapshot, or by a selector
// (CSS, text=…, role=button[name="Save"], xpath=…,
// or a chain of them with >>, which enters frames); exactly one of them.
type Element struct{ Ref, Selector string }

func (e Element) zero() bool { return e == Element{} }

// said returns how the caller named it.
func (e Element) said() string {
	if e.Ref != "" {
		return lines.Clip(e.Ref, echoed)
	}
	return fmt.Sprintf("%q", lines.Clip(e.Selector, echoed))
}

// prepareRequest and ready are what the page script takes and gives.
type prepareRequest struct {
	Prefix   string  `json:"prefix"`
	Next     int     `json:"next"`
	Ref      string  `json:"ref,omitzero"`
	Selector string  `json:"selector,omitzero"`
	Act      string  `json:"act"`
	Wait     int64   `json:"wait,omitzero"` // ms
	Clear    bool    `json:"clear,omitzero"`
	Again    bool    `json:"again,omitzero"`
	X        float64 `json:"x,omitzero"`
	Y        float64 `json:"y,omitzero"`
}

type ready struct {
	Next     int      `json:"next"`
	Hidden   bool     `json:"hidden"`
	Focus    bool     `json:"focus"`
	Same     bool     `json:"same"` // the pointer is on the element, as before
	Role     string   `json:"role"`
	Ref      string   `json:"ref"`
	Target   string   `json:"target"`
	Notes    []string `json:"notes"`
	X        float64  `json:"x"`
	Y        float64  `json:"y"`
	Kind     string   `json:"kind"`
	Link     bool     `json:"link"`
	Suggests bool     `json:"suggests"` // a field that the page shows a list for
	Fresh    bool     `json:"fresh"`    // it has just got the focus
	Scrolled bool     `json:"scrolled"`
	Over     bool     `json:"over"` // the pointer was seen to come
	Box      *box     `json:"box"`

	Objection *objection `json:"objection"` // why it is not ready
}

// box is a rectangle in CSS pixels.
type box struct {
	X      float64 `json:"x"`
	Y      float64 `json:"y"`
	Width  float64 `json:"width"`
	Height float64 `json:"height"`
}
