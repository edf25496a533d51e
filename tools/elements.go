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
	URL      string        `json:"url,omitempty"`
	Title    string        `json:"title,omitempty"`
	Elements []pageElement `json:"elements,omitempty"`
}

func (pageElements) text() string { return "" }

type pageElement struct {
	Ref    string `json:"ref"`
	Role   string `json:"role"`
	Name   string `json:"name"`
	States string `json:"states"` // focused, checked, unchecked, disabled, expanded, collapsed
}

// listed are the roles that the table has: what can be acted on, and what says
// where on the page one is.
var listed = strings.Fields(`alert button checkbox clickable combobox dialog heading iframe image link listbox menuitem
	menuitemcheckbox menuitemradio option radio searchbox slider spinbutton status switch tab textbox treeitem`)

// elements lists the elements of the call's page.
func (c *call) elements(ctx context.Context) (pageElements, error) {
	snap, err := c.page.Snapshot(ctx, adapter.SnapshotOptions{All: true})
	if err != nil {
		return pageElements{}, err
	}
	v := pageElements{URL: snap.URL, Title: snap.Title}
	for _, l := range linesOf(snap.Text) {
		if e := elementOf(l); e.Ref != "" && slices.Contains(listed, e.Role) {
			v.Elements = append(v.Elements, e)
		}
	}
	return v, nil
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
	var states []string
	has := func(mark string) bool { return strings.Contains(rest, "["+mark+"]") }
	for _, s := range []string{"focused", "checked", "disabled", "expanded"} {
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
