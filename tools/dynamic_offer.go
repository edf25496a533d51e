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

// offerName is the name that an offer wants.
func offerName(o adapter.Offer) string {
	name := schema.Name(o.Name)
	if o.Kind == adapter.OfferList {
		if name == "" {
			return ""
		}
		return "open_" + strings.TrimPrefix(itemName(name), "open_")
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

// offerDoc describes an offer: our words first, then the page's in quotes.
func offerDoc(o adapter.Offer, as string) string {
	doc := ""
	switch o.Kind {
	case adapter.OfferForm:
		doc = "Fill and submit the page's form " + quoted(o.Name, 80)
	case adapter.OfferSearch:
		doc = "Search with the page's form " + quoted(o.Name, 80)
	case adapter.OfferRead:
		doc = "Read rows of the page's table " + quoted(strings.TrimPrefix(o.Name, "Read "), 80)
	case adapter.OfferSort:
		doc = "Sort the page's table " + quoted(strings.TrimPrefix(o.Name, "Sort "), 80)
	case adapter.OfferSelect:
		doc = "Select rows of the page's table " + quoted(o.About, 80)
	case adapter.OfferPage:
		doc = "Go to another page of the list"
	case adapter.OfferList:
		doc = "Open an item of the page's list " + quoted(o.Name, 80)
	default:
		doc = "Press " + quoted(o.Name, 80) + " in the page"
		if len(o.Items) > 0 {
			doc = "Press " + quoted(o.Name, 80) + " of an item in the page"
		}
	}
	doc += "."
	if o.About != "" && o.Kind != adapter.OfferSelect && !strings.Contains(strings.ToLower(o.Name), strings.ToLower(o.About)) {
		doc += " It says: " + quoted(o.About, 120) + "."
	}
	if o.Frame != "" {
		doc += " In the frame " + quoted(o.Frame, 60) + "."
	}
	if as != "" {
		return doc + " Items as in " + as + "."
	}
	if o.Table {
		return doc
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
		if f.Name == adapter.OfferItem && len(o.Items) > 0 {
			f.Name, doc = itemWord(o), ""
		}
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
