package tools

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

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

// names gives each a name of its own, none of which is one of ours. It hangs on
// nothing but what wants a name with it: after a reload the names are the same,
// and of several that want the same one none gets it, so that it never means
// another one of them later. Keys that are the same are told apart by their
// order.
func names(list []wanted) []string {
	count := map[string]int{}
	bases := make([]string, len(list))
	for i, w := range list {
		base := w.name
		if base == "" {
			base = w.kind + "_" + digest(w.key)
		}
		if ownNames[fold(base)] {
			base = "page_" + base
		}
		if len(base) > nameLength {
			base = base[:nameLength]
		}
		bases[i] = base
		count[fold(base)]++
	}
	given := map[string]bool{}
	result := make([]string, len(list))
	for i, w := range list {
		if w.main && !given[fold(bases[i])] {
			given[fold(bases[i])] = true
			result[i] = bases[i]
		}
	}
	for i, w := range list {
		if result[i] != "" {
			continue
		}
		name := bases[i]
		for key := w.key; count[fold(bases[i])] > 1 || given[fold(name)] || ownNames[fold(name)]; key += "+" {
			if name = bases[i] + "_" + digest(key); !given[fold(name)] {
				break
			}
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

// digest is a short word that stands for a key.
func digest(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:2])
}
