package tools

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// nameLength is how long the name of a page's tool may be.
const nameLength = schema.NameLength

// ownNames are the names of our own tools, which no page's tool may have.
var ownNames = map[string]bool{
	"connect_browser": true, "list_tabs": true, "open_tab": true, "focus_tab": true, "close_tab": true,
	contentTool: true, findTool: true, keyTool: true, backTool: true, goTool: true, dialogTool: true, genericTool: true,
}

const (
	contentTool = "read_page"
	findTool    = "find_on_page"
	keyTool     = "press_key"
	backTool    = "back"
	goTool      = "go_to"
	dialogTool  = "answer_dialog"
	genericTool = "call_page_tool"
	cancelWord  = "cancel_"
)

// wanted is a tool that wants a name.
type wanted struct {
	name string // the one it wants
	kind string // what it is called where there is none
	key  string // the same for the same thing after a reload
	main bool   // it keeps the name where others want it, too
}

// neutral are the names of what has none, by its kind.
var neutral = map[string]string{
	adapter.OfferForm: "fill_form", adapter.OfferSearch: "search", adapter.OfferAction: "press_button", adapter.OfferList: "open_item",
	adapter.OfferRead: "read_table", adapter.OfferSort: "sort_table",
}

// names gives each a name of its own, none of which is one of ours. It hangs on
// nothing but what wants a name with it: after a reload the names are the same. Of
// several that want the same one, the first by their keys gets it, and the others
// are numbered.
func names(list []wanted) []string {
	order := make([]int, len(list))
	for i := range list {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if list[a].main != list[b].main {
			if list[a].main {
				return -1
			}
			return 1
		}
		return cmp.Compare(list[a].key, list[b].key)
	})
	given := map[string]bool{}
	result := make([]string, len(list))
	for _, i := range order {
		base := cmp.Or(list[i].name, neutral[list[i].kind], list[i].kind)
		if ownNames[fold(base)] {
			base = "page_" + base
		}
		name := base[:min(len(base), nameLength)]
		for n := 2; given[fold(name)] || ownNames[fold(name)]; n++ {
			name = fmt.Sprintf("%s_%d", base[:min(len(base), nameLength-3)], n)
		}
		given[fold(name)] = true
		result[i] = name
	}
	return result
}

// fold is what a client, or its model, may take two names for the same by.
func fold(name string) string {
	return strings.NewReplacer("-", "_", ".", "_").Replace(strings.ToLower(name))
}
