package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// ownTools are the tools of our own that a focused page has whatever it offers.
func ownTools(t *tab) []tool {
	return []tool{readPage(t), findOnPage(t), pressKey(t), back(t), goTo(t)}
}

// own makes such a tool; its words are ours.
func own(t *tab, name, doc string, does tool, run func(context.Context, *call, map[string]any) (pageTaken, error), takes ...schema.Property) tool {
	p := &pageTool{tab: t.id, untold: true, quiet: does.readOnly, schema: schema.Object(takes...)}
	return onTab(name, doc, does, p, run)
}

// needed makes the first property required.
func needed(t tool) tool {
	t.page.schema.Required = []string{t.page.schema.Properties[0].Name}
	return t
}

func property(name, kind, doc string) schema.Property {
	return schema.Property{Name: name, Schema: &schema.Schema{Type: kind, Description: doc}}
}

// readPage is the tool that reads a page, or what stands under one of its
// headings.
func readPage(t *tab) tool {
	offset := property("offset", "integer", "")
	offset.Schema.Minimum = new(float64)
	return own(t, contentTool, "Read the page, as Markdown.", pageReads, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		if part, _ := values["part"].(string); part != "" {
			return readPart(ctx, c, part)
		}
		offset, _ := values["offset"].(float64)
		v, err := c.page.Content(ctx, adapter.ContentOptions{Offset: int(offset), Masked: c.session.Masked})
		if err != nil {
			return pageTaken{}, err
		}
		taken := pageTaken{Did: "read to the end", Said: v.Text}
		if v.Next > 0 {
			taken.Did = fmt.Sprintf("read up to byte %d of %d: continue with offset=%d", v.Next, v.Total, v.Next)
		}
		if offset == 0 {
			taken.Said = strings.TrimSpace(strings.Join([]string{"title: " + lines.Short(v.Title, 200), "url: " + lines.Short(v.URL, 2000), "", v.Text}, "\n"))
		}
		return taken, nil
	}, property("part", "string", "heading"), offset)
}

// readPart reads what stands under the heading that has the words.
func readPart(ctx context.Context, c *call, part string) (pageTaken, error) {
	v, err := c.page.Content(ctx, adapter.ContentOptions{Selector: "body", Whole: true, Masked: c.session.Masked})
	if err != nil {
		return pageTaken{}, err
	}
	text, headings := underHeading(v.Text, part)
	if text == "" {
		hint := "the page has no headings: leave out part"
		if len(headings) > 0 {
			hint = "its headings: " + strings.Join(headings[:min(len(headings), 30)], "; ")
		}
		return pageTaken{}, &Error{Kind: adapter.ErrNotFound, Text: fmt.Sprintf("the page has no heading %q", part), Hint: hint}
	}
	return pageTaken{Did: "read that part to its end", Said: shorten(text)}, nil
}

// underHeading returns what stands in Markdown under the first heading with the
// words, with those below it, and the headings that there are.
func underHeading(text, words string) (part string, headings []string) {
	words = strings.ToLower(strings.TrimSpace(words))
	all := strings.Split(text, "\n")
	from, level := -1, 0
	for i, line := range all {
		mark, title, ok := strings.Cut(line, " ")
		if !ok || strings.Trim(mark, "#") != "" || mark == "" || len(mark) > 6 {
			continue
		}
		headings = append(headings, lines.Short(title, 80))
		switch {
		case from < 0 && strings.Contains(strings.ToLower(title), words):
			from, level = i, len(mark)
		case from >= 0 && len(mark) <= level:
			return strings.TrimSpace(strings.Join(all[from:i], "\n")), headings
		}
	}
	if from < 0 {
		return "", headings
	}
	return strings.TrimSpace(strings.Join(all[from:], "\n")), headings
}

func findOnPage(t *tab) tool {
	return needed(own(t, findTool, "Find a text in the page.", pageReads, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		text, _ := values["text"].(string)
		f, err := c.page.Find(ctx, adapter.FindOptions{Text: text, Context: 1})
		if err != nil {
			return pageTaken{}, err
		}
		v := found{Count: f.Count, More: f.More}
		did, _, _ := strings.Cut(v.text(), ":")
		return pageTaken{Did: did, Said: withMore(c.session.writer().Text(f.Lines), f.More)}, nil
	}, property("text", "string", "")))
}

func pressKey(t *tab) tool {
	return needed(own(t, keyTool, "Press a key where the focus is.", pageActs, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		key, _ := values["key"].(string)
		d, err := c.page.Press(ctx, key, adapter.Element{})
		if err != nil {
			return pageTaken{}, err
		}
		return pageTaken{Did: "pressed " + lines.Short(key, 40), Said: strings.Join(append(slices.Clone(d.Notes), d.Why), "\n")}, nil
	}, property("key", "string", "such as Enter, Escape, Control+A")))
}

// pageTravels is what leads a tab elsewhere.
var pageTravels = tool{kind: onJourney, sees: true, destructive: true, openWorld: true, settles: true}

func back(t *tab) tool {
	return own(t, backTool, "Go back to the page before.", pageTravels, func(ctx context.Context, c *call, _ map[string]any) (pageTaken, error) {
		if _, err := c.page.Back(ctx, adapter.DOMContentLoaded); err != nil {
			return pageTaken{}, err
		}
		return pageTaken{Did: "went back"}, nil
	})
}

func goTo(t *tab) tool {
	return needed(own(t, goTool, "Go to an address in this tab.", pageTravels, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		url, _ := values["url"].(string)
		if err := c.browser.Check(url); err != nil {
			return pageTaken{}, err
		}
		if _, err := c.page.Navigate(ctx, url, adapter.DOMContentLoaded); err != nil {
			return pageTaken{}, err
		}
		return pageTaken{Did: "there"}, nil
	}, property("url", "string", "")))
}
