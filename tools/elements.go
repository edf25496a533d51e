package tools

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
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
	States string `json:"states"` // focused, checked, unchecked, selected, disabled, expanded, collapsed
	Value  string `json:"value"`  // of a field
}

// pageTable has the column value only where a field has one.
type pageTable []pageElement

// MarshalJSON writes the rows.
func (t pageTable) MarshalJSON() ([]byte, error) {
	type full pageElement
	type bare struct {
		full
		Value string `json:"value,omitempty"` // always empty here
	}
	rows := make([]any, len(t))
	valued := slices.ContainsFunc(t, func(e pageElement) bool { return e.Value != "" })
	for i, e := range t {
		if rows[i] = full(e); !valued {
			rows[i] = bare{full: full(e)}
		}
	}
	return plainJSON(rows)
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
	v := pageElements{URL: snap.URL, Title: snap.Title, Elements: elementsOf(linesOf(snap.Text))}
	if snap.More != "" {
		v.More = "the page has more than is listed"
	}
	return v, nil
}

// elementsOf makes a table of a snapshot: what can be acted on, and what is
// written there. A row of a table is one line, with the texts of its cells.
func elementsOf(lines []line) []pageElement {
	var list []pageElement
	row := -1 // the depth of the row that the lines are in
	for i, l := range lines {
		if l.depth <= row {
			row = -1
		}
		e := elementOf(l)
		switch {
		case e.Role == "row":
			row = l.depth
			e.Name = cellsOf(lines[i+1:], l.depth)
		case e.Ref != "" && slices.Contains(listed, e.Role):
		case row >= 0: // the row has it
			continue
		}
		if slices.Contains(listed, e.Role) && e.Ref != "" || e.Name != "" && (e.Role == "row" || textOf(l) != "") {
			list = append(list, e)
		}
	}
	// What has neither name nor value says nothing.
	list = slices.DeleteFunc(list, func(e pageElement) bool {
		return e.Name == "" && e.Value == "" && e.States == "" && (e.Role == "image" || e.Role == "clickable" || e.Role == "iframe")
	})
	// A label says what its element is called, and needs no line of its own.
	return slices.DeleteFunc(slices.Clone(list), func(e pageElement) bool {
		return e.Role == "text" && slices.ContainsFunc(list, func(o pageElement) bool { return o.Role != "text" && o.Name == e.Name })
	})
}

// cellsOf joins the texts of the cells of the row whose lines follow.
func cellsOf(lines []line, depth int) string {
	var cells []string
	for _, l := range lines {
		if l.depth <= depth {
			break
		}
		if l.depth == depth+1 {
			cells = append(cells, elementOf(l).Name)
		}
	}
	return strings.Join(cells, " | ")
}

// textOf is what stands behind a line's colon.
func textOf(l line) string {
	_, text, _ := strings.Cut(l.text[len(l.head):], ": ")
	return text
}

// elementOf reads a line such as: checkbox "Remember me" [checked] [e4].
func elementOf(l line) pageElement {
	e := pageElement{Ref: l.ref, Role: role(l.head)}
	rest := strings.TrimPrefix(strings.TrimPrefix(l.head, e.Role), " ")
	if quoted, err := strconv.QuotedPrefix(rest); err == nil {
		e.Name, _ = strconv.Unquote(quoted)
		rest = rest[len(quoted):]
	}
	e.Role = strings.TrimSuffix(e.Role, ":")
	switch text := textOf(l); {
	case slices.Contains(fields, e.Role):
		e.Value = text
	case e.Name == "":
		e.Name = text
	}
	var states []string
	has := func(mark string) bool { return strings.Contains(rest, "["+mark+"]") }
	for _, s := range []string{"focused", "checked", "selected", "disabled", "expanded"} {
		if has(s) {
			states = append(states, s)
		}
	}
	if has("expanded=false") {
		states = append(states, "collapsed")
	}
	if (e.Role == "checkbox" || e.Role == "radio" || e.Role == "switch") && !strings.Contains(rest, "[checked") {
		states = append(states, "unchecked")
	}
	e.States = strings.Join(states, " ")
	return e
}
