package tools

import (
	"context"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// pageElements is a page as a table of its elements.
type pageElements struct {
	URL      string    `json:"url"`
	Title    string    `json:"title"`
	Elements pageTable `json:"elements"`
	More     string    `json:"more,omitempty"` // that there are further ones
}

func (pageElements) text() string { return "" }

type pageElement struct {
	Ref    string `json:"ref"`
	Role   string `json:"role"`
	Name   string `json:"name"`
	States string `json:"states"`          // focused, checked, unchecked, mixed, pressed, selected, disabled, expanded, collapsed
	Value  string `json:"value,omitempty"` // of a field
}

// pageTable has the column value only where a field has one.
type pageTable []pageElement

// MarshalJSON writes the rows.
func (t pageTable) MarshalJSON() ([]byte, error) {
	type valued struct {
		pageElement
		Value string `json:"value"`
	}
	rows := make([]any, len(t))
	column := slices.ContainsFunc(t, func(e pageElement) bool { return e.Value != "" })
	for i, e := range t {
		if rows[i] = e; column {
			rows[i] = valued{e, e.Value}
		}
	}
	return lines.Marshal(rows)
}

// listed are the roles that the table has: what can be acted on, and what says
// where on the page one is.
var listed = strings.Fields(`alert button checkbox clickable combobox dialog heading iframe image link listbox menuitem
	menuitemcheckbox menuitemradio option radio searchbox slider spinbutton status switch tab textbox treeitem`)

// fields are the roles whose text is a value, and no name.
var fields = []string{"textbox", "searchbox", "combobox", "spinbutton", "slider", "listbox", "progressbar", "meter"}

// elements lists the elements of the call's page.
func (c *call) elements(ctx context.Context) (pageElements, error) {
	snap, err := c.page.Snapshot(ctx, adapter.SnapshotOptions{All: true})
	if err != nil {
		return pageElements{}, err
	}
	v := pageElements{URL: snap.URL, Title: lines.Clean(snap.Title), Elements: elementsOf(snap.Lines)}
	if snap.More != "" {
		v.More = "the page has more than is listed"
	}
	c.tab.listed = &v
	return v, nil
}

// elementsOf makes a table of a snapshot: what can be acted on, and what is
// written there. A row of a table is one line, with the texts of its cells.
func elementsOf(list []lines.Line) []pageElement {
	var table []pageElement
	row := -1 // the depth of the row that the lines are in
	for i, l := range list {
		if l.Depth <= row {
			row = -1
		}
		e := elementOf(l)
		acts := slices.Contains(listed, e.Role) && e.Ref != ""
		switch {
		case e.Role == "row":
			row = l.Depth
			e.Name = cellsOf(list[i+1:], l.Depth)
		case row >= 0 && !acts: // the row has it
			continue
		}
		if acts || e.Name != "" && (e.Role == "row" || l.Text != "") {
			table = append(table, e)
		}
	}
	// What has neither name nor value says nothing.
	table = slices.DeleteFunc(table, func(e pageElement) bool {
		return e.Name == "" && e.Value == "" && e.States == "" && (e.Role == "image" || e.Role == "clickable" || e.Role == "iframe")
	})
	// A label says what its element is called, and needs no line of its own.
	named := map[string]bool{}
	for _, e := range table {
		if e.Role != "text" {
			named[e.Name] = true
		}
	}
	return slices.DeleteFunc(table, func(e pageElement) bool { return e.Role == "text" && named[e.Name] })
}

// cellsOf joins the texts of the cells of the row whose lines follow.
func cellsOf(list []lines.Line, depth int) string {
	var cells []string
	for _, l := range list {
		if l.Depth <= depth {
			break
		}
		if l.Depth == depth+1 {
			cells = append(cells, elementOf(l).Name)
		}
	}
	return strings.Join(cells, " | ")
}

// elementOf is a line such as checkbox "Remember me" [checked] [e4] in a table.
func elementOf(l lines.Line) pageElement {
	e := pageElement{Ref: l.Ref, Role: l.Role, Name: l.Name}
	switch {
	case slices.Contains(fields, e.Role):
		e.Value = l.Text
	case e.Name == "":
		e.Name = l.Text
	}
	var states []string
	for _, s := range []string{"focused", "checked", "pressed", "selected", "disabled", "expanded"} {
		if slices.Contains(l.States, s) {
			states = append(states, s)
		}
	}
	if slices.Contains(l.States, "expanded=false") {
		states = append(states, "collapsed")
	}
	for _, s := range []string{"checked", "pressed"} {
		if value, _ := l.State(s); value == "mixed" {
			states = append(states, value)
		}
	}
	if _, checked := l.State("checked"); !checked && (e.Role == "checkbox" || e.Role == "radio" || e.Role == "switch") {
		states = append(states, "unchecked")
	}
	e.States = strings.Join(states, " ")
	return e
}
