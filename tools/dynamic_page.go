package tools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

const (
	// pageTools is how many tools of a page are listed at the most, of which usual
	// pages have 14, declaredTools how many of them it may declare, and foundTools
	// how many of what is found in it come beside those in any case.
	pageTools     = 20
	declaredTools = 20
	foundTools    = 10
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
// that are found in it, and our own. While a dialog is open what answers it
// comes first, and the others stay, under their names.
func (d *dynamic) inspect(ctx context.Context, t *tab, p *adapter.Page) ([]tool, error) {
	leave := func() []tool { return d.permitted([]tool{goTo(t)}) }
	if p.Closed() {
		return leave(), nil
	}
	var offers []adapter.Offer
	if p.Dialog() == nil {
		var err error
		offers, err = p.Offers(ctx)
		switch {
		case errors.Is(err, adapter.ErrBlocked): // nobody could tell by its address
			return leave(), nil
		case err != nil && p.Dialog() == nil:
			return nil, err
		}
	}
	if dialog := p.Dialog(); dialog != nil {
		return append(d.permitted([]tool{answerDialog(t, dialog)}), d.compose(t, p.Declared(), p.Behind())...), nil
	}
	return d.compose(t, p.Declared(), offers), nil
}

// compose makes tools of what a page declares and offers.
func (d *dynamic) compose(t *tab, declared []adapter.Declared, offers []adapter.Offer) []tool {
	declared = declared[:min(len(declared), declaredTools)]
	// What a page declares stands for what is found of it, such as its form.
	offers = slices.DeleteFunc(slices.Clone(offers), func(o adapter.Offer) bool {
		return slices.ContainsFunc(declared, func(a adapter.Declared) bool { return a.Frame == o.Frame && fold(a.Name) == offerName(o) })
	})
	front := slices.Clone(offers)
	offers = slices.DeleteFunc(offers, func(o adapter.Offer) bool { // the dialog's own has the name meanwhile
		return o.Behind && slices.ContainsFunc(front, func(f adapter.Offer) bool { return !f.Behind && offerName(f) == offerName(o) })
	})
	most := max(pageTools-len(declared), foundTools)
	if i := slices.IndexFunc(offers, func(o adapter.Offer) bool { return o.Behind }); i > 0 {
		most += i // what a dialog has of its own takes the place of nothing
	}
	offers = offers[:min(len(offers), most)]
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
	list = append(list, ownTools(t)...)
	return d.permitted(d.cancels(t, list))
}

// permitted leaves out the tools that the session may not have.
func (d *dynamic) permitted(list []tool) []tool {
	return slices.DeleteFunc(list, func(t tool) bool { return d.session.refused(&t) != nil })
}

// offeredTool is a tool for something that was found in a page; its items are
// those that the tool named as lists, unless that is empty.
func (d *dynamic) offeredTool(t *tab, name string, o adapter.Offer, as string) tool {
	p := &pageTool{tab: t.id, schema: offerSchema(o)}
	doc := offerDoc(o, as)
	if o.Behind { // what it is of can be read again when the dialog has gone
		o.Items, o.About = nil, ""
		doc = offerDoc(o, "")
	}
	does := pageActs
	if o.Kind == adapter.OfferRead {
		does, p.quiet = pageReads, true
	}
	return onTab(name, doc, does, p, func(ctx context.Context, c *call, values map[string]any) (pageTaken, error) {
		values = maps.Clone(values)
		if item, ok := values[itemWord(o)]; ok {
			delete(values, itemWord(o))
			values[adapter.OfferItem] = item
		}
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
			if o.How == "fill" || values["send"] == false && taken.Target == "" {
				v.Did += ", not sent"
			} else if taken.Target != "" {
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
		if taken.Text != "" {
			said = append(said, taken.Text)
		}
		v.Said = strings.Join(said, "\n")
		return v, nil
	})
}

// quoted is a page's words within a sentence of ours.
func quoted(s string, most int) string {
	return "“" + strings.NewReplacer("“", "'", "”", "'").Replace(lines.Short(s, most)) + "”"
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
			w.cancel += "_2"
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
