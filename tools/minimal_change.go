package tools

import (
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// interacted is the answer of interact: with the page, or with what of it is
// another than before.
type interacted struct {
	Success  bool       `json:"success"`
	Note     string     `json:"note,omitempty"` // why it is no success, or not known to be one
	URL      string     `json:"url,omitempty"`
	Title    *string    `json:"title,omitempty"`
	Elements *pageTable `json:"elements,omitempty"`
	Changed  pageTable  `json:"changed,omitempty"` // those that are new or another
	Gone     int        `json:"gone,omitempty"`    // how many are not there any more
	More     string     `json:"more,omitempty"`
	around
}

func (interacted) text() string { return "" }

// mostChanged is how many changed elements an answer lists.
const mostChanged = 12

// change tells what of a page is another than before, as far as that was seen.
func (v *interacted) change(before *pageElements, now pageElements) {
	if before == nil {
		return
	}
	moved := now.URL != before.URL
	if moved {
		v.URL = now.URL
	}
	if moved || now.Title != before.Title {
		v.Title = &now.Title
	}
	old := map[string]pageElement{}
	for _, e := range before.Elements {
		old[e.key()] = e
	}
	for _, e := range now.Elements {
		was, known := old[e.key()]
		delete(old, e.key())
		if !known || e.still() != was.still() {
			v.Changed = append(v.Changed, e)
		}
	}
	if !moved {
		v.Gone = len(old)
	}
	if len(v.Changed) > mostChanged {
		v.More = lines.Amount(len(v.Changed), "change") + ": snapshot lists the page"
		v.Changed = nil
	}
}

// key is the same for the same element.
func (e pageElement) key() string {
	if e.Ref != "" {
		return e.Ref
	}
	return e.Role + " " + e.Name
}

// still is an element wherever the focus is.
func (e pageElement) still() pageElement {
	e.States = strings.TrimSpace(strings.ReplaceAll(" "+e.States, " focused", ""))
	return e
}
