package tools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

const (
	// pageTools is how many tools a page has at the most, get_page_content among
	// them.
	pageTools = 30
	// docLimit is how long the description of a page's tool may be, in characters.
	docLimit = 300
)

// pageTool is what a tool of a page has beyond others: its own schema, and the
// tab it works in.
type pageTool struct {
	schema *schema.Schema
	tab    string // a page id
	quiet  bool   // the page is not told of afterwards
	untold bool   // it is a tool of our own, and its words are ours
	quotes bool   // its description has words of the page all the same
	heavy  bool   // the page says that it is no small thing
}

// pageValues are the arguments of a page's tool, as the page wants them.
type pageValues struct {
	values map[string]any
	tool   *pageTool
}

func (v *pageValues) pageID() string { return v.tool.tab }

func (v *pageValues) show() string {
	if v.tool.quiet {
		return "none"
	}
	return ""
}

// pageTaken is what a page's tool answers: what was done, in our words, and what
// the page said.
type pageTaken struct {
	Did  string `json:"did"`
	Said string `json:"said,omitempty"`
}

func (v pageTaken) text() string { return v.Did }

// What a page's tools do. That a page calls its tool harmless is not believed.
var (
	pageActs  = tool{kind: onPatience, destructive: true, openWorld: true, settles: true}
	pageReads = tool{kind: onPatience, readOnly: true, openWorld: true, repeatable: true}
)

// onTab makes a tool of a page; does says what it does.
func onTab(name, doc string, does tool, p *pageTool, run func(context.Context, *call, map[string]any) (pageTaken, error)) tool {
	does.name, does.doc, does.page = name, lines.Short(doc, docLimit), p
	does.body = do(func(ctx context.Context, c *call, a *pageValues) (pageTaken, error) { return run(ctx, c, a.values) })
	return does
}

// inspect returns the tools that a page has now: those that it declares, those
// that are found in it, and what reads it. While a dialog is open there is only
// what answers it.
func (d *dynamic) inspect(ctx context.Context, t *tab, p *adapter.Page) ([]tool, error) {
	var offers []adapter.Offer
	if p.Dialog() == nil {
		var err error
		offers, err = p.Offers(ctx)
		if err != nil && p.Dialog() == nil {
			return nil, err
		}
	}
	if dialog := p.Dialog(); dialog != nil {
		return d.permitted([]tool{answerDialog(t, dialog)}), nil
	}
	return d.compose(t, p.Declared(), offers), nil
}

// compose makes tools of what a page declares and offers.
func (d *dynamic) compose(t *tab, declared []adapter.Declared, offers []adapter.Offer) []tool {
	declared = declared[:min(len(declared), pageTools-1)]
	// What a page declares stands for what is found of it, such as its form.
	offers = slices.DeleteFunc(slices.Clone(offers), func(o adapter.Offer) bool {
		return slices.ContainsFunc(declared, func(a adapter.Declared) bool { return a.Frame == o.Frame && fold(a.Name) == offerName(o) })
	})
	offers = offers[:min(len(offers), pageTools-1-len(declared))]
	var want []wanted
	for _, o := range declared {
		name := d.session.mask.Text(o.Name) // what a name is made of is found in it no more
		if !schema.IsName(name) {
			name = schema.Name(name)
		}
		want = append(want, wanted{name: name, kind: "tool", key: "declared " + o.Frame + " " + o.Name, main: o.Frame == ""})
	}
	for i, o := range offers {
		o.Name = d.session.mask.Text(o.Name)
		offers[i] = o
		want = append(want, wanted{name: offerName(o), kind: o.Kind, key: o.Key})
	}
	given := names(want)
	var list []tool
	for i, o := range declared {
		list = append(list, d.declaredTool(t, given[i], o))
	}
	for i, o := range offers {
		// Items that another tool lists are not listed again.
		as := ""
		for j, other := range offers[:i] {
			if name := given[len(declared)+j]; len(o.Items) > 0 && slices.Equal(other.Items, o.Items) && d.session.refusal(name) == nil {
				as = name
				break
			}
		}
		list = append(list, d.offeredTool(t, given[len(declared)+i], o, as))
	}
	list = append(list, readContent(t))
	return d.permitted(d.cancels(t, list))
}

// permitted leaves out the tools that the session may not have.
func (d *dynamic) permitted(list []tool) []tool {
	return slices.DeleteFunc(list, func(t tool) bool { return d.session.refusal(t.name) != nil })
}

// offerName is the name that an offer wants.
func offerName(o adapter.Offer) string {
	name := schema.Name(o.Name)
	if o.Kind == adapter.OfferList {
		if name == "" {
			return ""
		}
		return "open_" + strings.TrimPrefix(name, "open_") + "_item"
	}
	return name
}

// offeredTool is a tool for something that was found in a page; its items are
// those that the tool named as lists, unless that is empty.
func (d *dynamic) offeredTool(t *tab, name string, o adapter.Offer, as string) tool {
	p := &pageTool{tab: t.id, schema: offerSchema(o)}
	return onTab(name, offerDoc(o, as), pageActs, p, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		taken, err := c.page.TakeOffer(ctx, o.Key, values)
		if err != nil {
			return pageTaken{}, err
		}
		v := pageTaken{Did: name + ": done"}
		var said []string
		for _, f := range taken.Fields {
			said = append(said, fmt.Sprintf("%s: %s", f.Name, lines.Short(f.Value, 200)))
		}
		if len(taken.Fields) > 0 {
			v.Did = name + ": " + lines.Amount(len(taken.Fields), "field") + " filled in"
			if taken.Target != "" {
				v.Did += " and sent"
			}
		}
		if taken.Item != "" {
			said = append(said, "item: "+lines.Short(taken.Item, 200))
		}
		if taken.Target != "" {
			said = append(said, "pressed: "+lines.Short(strings.TrimSuffix(taken.Target, " ["+taken.Ref+"]"), 200))
		}
		for _, n := range taken.Notes {
			said = append(said, "note: "+lines.Short(n, 200))
		}
		v.Said = strings.Join(said, "\n")
		return v, nil
	})
}

// quoted is a page's words within a sentence of ours.
func quoted(s string, most int) string {
	return "“" + strings.NewReplacer("“", "'", "”", "'").Replace(lines.Short(s, most)) + "”"
}

// offerDoc describes an offer: our words first, then the page's in quotes.
func offerDoc(o adapter.Offer, as string) string {
	doc := ""
	switch o.Kind {
	case adapter.OfferForm:
		doc = "Fill and submit the page's form " + quoted(o.Name, 80)
	case adapter.OfferSearch:
		doc = "Search with the page's form " + quoted(o.Name, 80)
	case adapter.OfferList:
		doc = "Open an item of the page's list " + quoted(o.Name, 80)
	default:
		doc = "Press " + quoted(o.Name, 80) + " in the page"
		if len(o.Items) > 0 {
			doc = "Press " + quoted(o.Name, 80) + " of an item in the page"
		}
	}
	doc += "."
	if o.About != "" && !strings.Contains(strings.ToLower(o.Name), strings.ToLower(o.About)) {
		doc += " It says: " + quoted(o.About, 120) + "."
	}
	if o.Frame != "" {
		doc += " In the frame " + quoted(o.Frame, 60) + "."
	}
	if as != "" {
		return doc + " Items as in " + as + "."
	}
	if len(o.Items) > 0 {
		doc += " Items by index:"
		for i, item := range o.Items {
			next := fmt.Sprintf(" %d %s", i, quoted(item, 40))
			if len([]rune(doc))+len([]rune(next)) > docLimit-2 {
				doc += " …"
				break
			}
			doc += next
		}
	}
	return doc
}

// offerSchema describes what an offer takes.
func offerSchema(o adapter.Offer) *schema.Schema {
	s := schema.Object()
	for _, f := range o.Fields {
		doc := f.Label
		if schema.Name(doc) == f.Name {
			doc = "" // the name says it
		}
		if f.Description != "" && f.Description != f.Label {
			doc = strings.TrimPrefix(doc+": "+f.Description, ": ")
		}
		v := &schema.Schema{Type: cmp.Or(f.Type, "string"), Format: f.Format, Description: lines.Short(doc, schema.Words), Minimum: f.Min, Maximum: f.Max,
			MinLength: f.MinLength, MaxLength: f.MaxLength}
		if f.Pattern != "" {
			v.Pattern = "^(?:" + f.Pattern + ")$"
		}
		choices := make([]any, len(f.Options))
		for i, option := range f.Options {
			choices[i] = option
		}
		if v.Type == "array" {
			v.Items = &schema.Schema{Type: "string"}
			v.Items.Choose(choices)
		} else {
			v.Choose(choices)
			v.Default = initial(v.Type, f.Default)
		}
		s.Properties = append(s.Properties, schema.Property{Name: f.Name, Schema: v})
		if f.Required {
			s.Required = append(s.Required, f.Name)
		}
	}
	return s.Fit()
}

// declaredTool is a tool that the page declares itself.
func (d *dynamic) declaredTool(t *tab, name string, o adapter.Declared) tool {
	doc := "Declared by the page: " + quoted(cmp.Or(o.Description, o.Name), 200) + "."
	if o.Manual {
		doc += " The person submits it."
	}
	if o.Frame != "" {
		doc += " In the frame " + quoted(o.Frame, 60) + "."
	}
	p := &pageTool{tab: t.id, schema: schema.Declared(o.Schema), heavy: o.Consequential}
	return onTab(name, doc, pageActs, p, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		return d.invoke(ctx, c, name, o, values)
	})
}

// readContent is the tool that reads a page.
func readContent(t *tab) tool {
	p := &pageTool{tab: t.id, quiet: true, untold: true, schema: schema.Object(schema.Property{Name: "offset", Schema: &schema.Schema{
		Type: "integer", Minimum: new(float64), Description: "resume at this offset"}})}
	return onTab(contentTool, "Read the page's main content, as Markdown.", pageReads, p, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
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
	})
}

// answerDialog is the tool that answers the dialog which is open.
func answerDialog(t *tab, dialog *adapter.Dialog) tool {
	properties := []schema.Property{{Name: "accept", Schema: &schema.Schema{Type: "boolean", Description: "true for OK, false for Cancel"}}}
	if dialog.Type == "prompt" {
		properties = append(properties, schema.Property{Name: "text", Schema: &schema.Schema{Type: "string", Description: "what to enter"}})
	}
	p := &pageTool{tab: t.id, untold: true, quotes: true, schema: schema.Object(properties...)}
	p.schema.Required = []string{"accept"}
	doc := fmt.Sprintf("Answer the page's %s dialog, which is blocking the page: %s", dialog.Type, quoted(dialog.Message, 150))
	return onTab(dialogTool, doc, tool{kind: onElement, destructive: true, openWorld: true, settles: true, duringDialog: true}, p, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		accept, _ := values["accept"].(bool)
		text, _ := values["text"].(string)
		if _, err := c.page.AnswerDialog(ctx, adapter.DialogAnswer{Accept: accept, Text: text}); err != nil {
			return pageTaken{}, err
		}
		if accept {
			return pageTaken{Did: "accepted"}, nil
		}
		return pageTaken{Did: "dismissed"}, nil
	})
}

// pageDeclaration is a page's tool as clients list it. That a page calls its tool
// harmless is not passed on; that it is not, is.
func (t *tool) pageDeclaration() *mcp.Tool {
	d := &mcp.Tool{Name: t.name, Description: t.doc, InputSchema: t.page.schema, Annotations: t.annotations()}
	if !t.page.untold || t.page.quotes {
		d.Meta = mcp.Meta{"tabrelay/untrusted": true}
	}
	if t.page.heavy {
		d.Annotations = &mcp.ToolAnnotations{DestructiveHint: new(true)}
	}
	return d
}

// cancels adds what gives up the invocations that wait.
func (d *dynamic) cancels(t *tab, list []tool) []tool {
	d.mu.Lock()
	defer d.mu.Unlock()
	for key, w := range d.waits {
		if key.tab != t {
			continue
		}
		if !slices.ContainsFunc(list, func(o tool) bool { return o.name == key.name }) {
			delete(d.waits, key)
			continue
		}
		if w.over() {
			continue
		}
		w.cancel = cancelWord + key.name
		if slices.ContainsFunc(list, func(o tool) bool { return o.name == w.cancel }) {
			w.cancel += "_" + digest(key.name)
		}
		p := &pageTool{tab: t.id, untold: true, schema: schema.Object()}
		list = append(list, onTab(w.cancel, "Cancel "+key.name+", which is waiting for an answer.", tool{kind: onElement, openWorld: true, settles: true}, p, func(context.Context, *call, map[string]any) (pageTaken, error) {
			d.forget(key)
			w.run.Cancel()
			return pageTaken{Did: "canceled"}, nil
		}))
	}
	return list
}

// initial is what a field holds, as a value of its type; nil for nothing.
func initial(kind, text string) any {
	switch kind {
	case "number", "integer":
		if n, err := strconv.ParseFloat(text, 64); err == nil {
			return n
		}
		return nil
	case "boolean":
		if text == "true" || text == "false" {
			return text == "true"
		}
		return nil
	}
	if text == "" {
		return nil
	}
	return lines.Short(text, schema.Words)
}
