package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// offerName is the name that an offer wants. It begins with no number: that is an
// amount, which changes.
func offerName(o adapter.Offer) string {
	name := schema.Name(o.Name)
	if amount, rest, ok := strings.Cut(name, "_"); ok && strings.Trim(amount, "0123456789") == "" {
		name = rest
	}
	if o.Kind == adapter.OfferList {
		if name == "" {
			return ""
		}
		if name = "open_" + strings.TrimPrefix(itemName(name), "open_"); ownNames[name] {
			return "show_" + strings.TrimPrefix(name, "open_") // such as a tab of the page's own
		}
		return name
	}
	return name
}

// itemWord is what one of an offer's items is called as an argument: the "order"
// of a list of orders.
func itemWord(o adapter.Offer) string {
	of := o.Name
	if o.Kind == adapter.OfferAction {
		of = o.About
	}
	name := itemName(schema.Name(of))
	word := name[strings.LastIndexByte(name, '_')+1:]
	if word == "" || slices.ContainsFunc(o.Fields, func(f adapter.OfferField) bool { return f.Name == word }) {
		return adapter.OfferItem
	}
	return word
}

// itemName is a list's name in the singular, or with "item" where it has none.
func itemName(list string) string {
	switch {
	case strings.HasSuffix(list, "news"), strings.HasSuffix(list, "series"), strings.HasSuffix(list, "ss"), strings.HasSuffix(list, "us"), strings.HasSuffix(list, "is"):
	case strings.HasSuffix(list, "ies"):
		return strings.TrimSuffix(list, "ies") + "y"
	case strings.HasSuffix(list, "sses"), strings.HasSuffix(list, "xes"), strings.HasSuffix(list, "ches"), strings.HasSuffix(list, "shes"):
		return strings.TrimSuffix(list, "es")
	case strings.HasSuffix(list, "s"):
		return strings.TrimSuffix(list, "s")
	}
	return strings.TrimPrefix(list+"_item", "_")
}

// itemsLimit is how long a description that names items may be, in characters.
const itemsLimit = 160

// offerDoc describes an offer: our words first, then the page's in quotes.
func offerDoc(o adapter.Offer, as string) string {
	of := func(verb, words string) string { return verb + " " + quoted(words, 60) }
	doc := ""
	switch o.Kind {
	case adapter.OfferForm:
		doc = of("Fill and send", o.Name)
		if o.How == "set" {
			doc = of("Set", o.Name)
		}
	case adapter.OfferSearch:
		doc = of("Search:", o.Name)
	case adapter.OfferRead:
		doc = of("Read the table", strings.TrimPrefix(o.Name, "Read "))
	case adapter.OfferSort:
		doc = of("Sort the table", strings.TrimPrefix(o.Name, "Sort "))
	case adapter.OfferSelect:
		doc = of("Select rows of", o.About)
	case adapter.OfferPage:
		doc = "Go to another page of the list"
	case adapter.OfferList:
		doc = of("Open an item of", o.Name)
	default:
		doc = of("Press", o.Name)
		if o.How == "set" {
			doc = of("Set", o.Name)
		}
		if several := strings.TrimPrefix(o.Name, "Press "); several != o.Name && len(o.Fields) == 1 {
			doc = "Press one of several buttons"
			if several != "button" {
				doc = of(doc+",", several)
			}
		}
		if len(o.Items) > 0 {
			doc += " of an item"
		}
		switch o.How {
		case "fill":
			doc += " and fill in what it shows, without sending it"
		case "send":
			doc += ", fill in what it shows and send it"
		}
	}
	if o.About != "" && o.Kind != adapter.OfferSelect && o.Kind != adapter.OfferSearch && !strings.Contains(strings.ToLower(o.Name), strings.ToLower(o.About)) {
		doc += ", " + quoted(o.About, 60)
	}
	if o.Frame != "" {
		doc += ", in the frame " + quoted(o.Frame, 60)
	}
	doc += "."
	if as != "" {
		return doc + " Items as in " + as + "."
	}
	if o.Table {
		return doc
	}
	if len(o.Items) > 0 {
		doc += " Items:"
		for i, item := range o.Items {
			next := fmt.Sprintf(" %d %s", i, quoted(item, 40))
			if len([]rune(doc))+len([]rune(next)) > itemsLimit {
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
		if f.Name == adapter.OfferItem && len(o.Items) > 0 {
			f.Name, doc = itemWord(o), ""
		}
		if schema.Name(doc) == f.Name || doc == o.Name {
			doc = "" // a name says it
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
