package tools

import (
	"context"
	"fmt"

	"github.com/tabrelay/tabrelay/adapter"
)

var reading = []tool{
	{
		name: "browser_find", kind: onPatience,
		readOnly: true, openWorld: true, repeatable: true,
		doc: "Search the page for text or a regex.",
		body: do(func(ctx context.Context, c *call, a *findArgs) (found, error) {
			around := 2
			if a.Context != nil {
				around = *a.Context
			}
			f, err := c.page.Find(ctx, adapter.FindOptions{Text: a.Text, Regex: a.Regex, Context: around})
			return found{Count: f.Count, Matches: c.session.writer().Text(f.Lines), More: f.More}, err
		}),
	},
	{
		name: "browser_content", kind: onPatience,
		readOnly: true, openWorld: true, repeatable: true,
		doc: "Read the page's main content, or an element's.",
		body: do(func(ctx context.Context, c *call, a *contentArgs) (content, error) {
			v, err := c.page.Content(ctx, adapter.ContentOptions{Selector: a.Selector, Format: a.Format, Offset: a.Offset, Masked: c.session.Masked})
			return content{Text: v.Text, Title: v.Title, Next: v.Next, Total: v.Total, Main: v.Main}, err
		}),
	},
}

type findArgs struct {
	Text    string `json:"text,omitempty"`
	Regex   string `json:"regex,omitempty" doc:"or /regex/i"`
	Context *int   `json:"context,omitempty" doc:"lines around a match" min:"0" default:"2"`
	onPage
}

func (a *findArgs) check() error {
	switch {
	case a.Text == "" && a.Regex == "":
		return invalid("there is nothing to search for: give text or regex")
	case a.Text != "" && a.Regex != "":
		return invalid("text and regex are both given: give one of them")
	}
	return nil
}

// found is what a search found.
type found struct {
	Count   int    `json:"count"`
	Matches string `json:"matches,omitempty"`
	More    string `json:"more,omitempty"`
}

func (v found) text() string {
	switch v.Count {
	case 0:
		return "nothing found"
	case 1:
		return withMore("1 match:\n"+v.Matches, v.More)
	}
	return withMore(fmt.Sprintf("%d matches:\n%s", v.Count, v.Matches), v.More)
}

func withMore(text, more string) string {
	if more == "" {
		return text
	}
	return text + "\n" + more
}

type contentArgs struct {
	Selector string `json:"selector,omitempty"`
	Format   string `json:"format,omitempty" enum:"markdown,text,html,links" default:"markdown"`
	Offset   int    `json:"offset,omitempty" doc:"resume at this offset" min:"0"`
	onPage
}

// content is a part of what a page says.
type content struct {
	Text  string `json:"text"`
	Title string `json:"title,omitempty"`
	Main  bool   `json:"main,omitempty"` // only the main content
	Next  int    `json:"next,omitempty"` // the offset of the next part
	Total int    `json:"total"`
}

func (v content) text() string {
	s := block(v.Text)
	if s == "" {
		s = "(no content)"
	}
	if v.Next > 0 {
		s += fmt.Sprintf("\n… %d of %d bytes shown so far: continue with offset=%d", v.Next, v.Total, v.Next)
	} else if v.Main {
		s += "\n(the main content; selector=body for the whole page)"
	}
	return s
}
