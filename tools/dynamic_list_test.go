package tools

import (
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/schema"
)

// TestDynamicListIsSmall holds what an agent reads before it has connected.
func TestDynamicListIsSmall(t *testing.T) {
	for _, generic := range []bool{false, true} {
		text := listing(t, Options{Settings: Settings{Tools: "dynamic", DynamicCall: generic}})
		t.Logf("tools/list: %d bytes", len(text))
		if len(text) > 1024 {
			t.Errorf("tools/list has %d bytes:\n%s", len(text), text)
		}
	}
	var listed []string
	for _, tool := range append(slices.Clone(dynamicCore), genericCall) {
		text, err := lines.Marshal(tool.listed())
		if err != nil {
			t.Fatal(err)
		}
		listed = append(listed, string(text))
	}
	golden(t, "testdata/dynamic.jsonl", strings.Join(listed, "\n")+"\n")
}

func TestDynamicNames(t *testing.T) {
	for words, want := range map[string]string{
		"Search flights": "search_flights", "  Añadir al carrito! ": "anadir_al_carrito", "Don't": "dont", "поиск": "", "A→B": "a_b",
		strings.Repeat("very long words ", 20): "very_long_words_very_long_words_very_long_words",
	} {
		if got := schema.Name(words); got != want {
			t.Errorf("%q: %q, want %q", words, got, want)
		}
	}
	want := []wanted{
		{name: "list_tabs", kind: "tool", key: "a", main: true}, {name: "List-Tabs", kind: "tool", key: "b", main: true}, {name: "edit", kind: "action", key: "c"},
		{name: "edit", kind: "action", key: "d"}, {name: "", kind: "form", key: "e"}, {name: "save", kind: "tool", key: "f", main: true}, {name: "save", kind: "action", key: "g"},
		{name: "alone", kind: "action", key: "h"},
	}
	got := names(want)
	seen := map[string]bool{}
	for i, name := range got {
		if seen[fold(name)] || ownNames[fold(name)] || !schema.IsName(name) {
			t.Errorf("%v is called %q", want[i], name)
		}
		seen[fold(name)] = true
	}
	if text := strings.Join(got, " "); text != "page_list_tabs page_List-Tabs_2 edit edit_2 fill_form save save_2 alone" {
		t.Errorf("names: %s", text)
	}
	// The same after a reload, in another order.
	slices.Reverse(want)
	again := names(want)
	slices.Reverse(again)
	for i := range got[2:] {
		if again[i+2] != got[i+2] {
			t.Errorf("names: %v, and in another order %v", got, again)
		}
	}
}

func TestDynamicPlain(t *testing.T) {
	for in, want := range map[string]string{
		"one\n\ttwo  three": "one two three", "\u202edrawkcab\u200b": "drawkcab", "tag\U000e0041\U000e0042s": "tags", "longer than ten": "longer th…", "\x00\x1b[31mred": "[31mred",
	} {
		if got := lines.Short(in, 10); got != want && lines.Short(in, 20) != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// TestDynamicCall is a client that reads the list once.
func TestDynamicCall(t *testing.T) {
	base := site(t, map[string]string{"/": formPage})
	f := newFollower(t, Options{Settings: Settings{DynamicCall: true}})
	f.lists("connect_browser", "call_page_tool")
	has(t, f.page("call_page_tool", nil), `"name":"connect_browser"`)
	has(t, f.page("call_page_tool", args{"name": "connect_browser"}), `"connected":true`)
	f.page("call_page_tool", args{"name": "open_tab", "arguments": args{"url": base}})
	has(t, f.page("call_page_tool", nil), `"name":"search_flights"`, `"inputSchema"`)
	has(t, f.page("call_page_tool", args{"name": "search_flights", "arguments": args{"from": "A", "to": "B"}}), "Cheapest AB")
	has(t, f.fails("call_page_tool", args{"name": "nothing"}), "there is no tool")
	has(t, f.fails("call_page_tool", args{"name": "call_page_tool"}), "there is no tool")
	has(t, f.fails("call_page_tool", args{"tool": "x"}), "unknown argument")
	f.fails("search_flights", args{"from": 1}) // it is listed by now, too
}

// TestDynamicFilters holds that tools which are kept out are not listed, those
// of pages neither.
func TestDynamicFilters(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><button>Delete everything</button><button>Save this</button>`})
	filter := Filter{Deny: []string{"delete_*", "close_tab"}}
	if err := filter.Check("dynamic"); err != nil {
		t.Error(err)
	}
	f := newFollower(t, Options{Filters: []Filter{filter}})
	f.connect()
	f.opened(base)
	f.told()
	f.lists("list_tabs", "open_tab", "focus_tab", "save_this", "read_page", "find_on_page", "press_key", "back", "go_to")
	has(t, f.fails("delete_everything", nil), "there is no tool")
}

// TestDynamicItemsAreToldOnce holds that the tools of one list tell its items
// once, in the first that the agent may have.
func TestDynamicItemsAreToldOnce(t *testing.T) {
	var mails strings.Builder
	for _, subject := range []string{"Lunch on Friday", "Your invoice", "Minutes of Monday", "A parcel for you"} {
		mails.WriteString(`<li><a href="#` + subject + `">` + subject + `</a> <button aria-label="Archive ` + subject + `">A</button> <button aria-label="Delete ` + subject + `">D</button>`)
	}
	base := site(t, map[string]string{"/": `<title>Mail</title><main><h1>Inbox</h1><ul aria-label="Inbox">` + mails.String() + `</ul></main>`})
	for deny, first := range map[string]string{"close_tab": "open_inbox_item", "open_inbox_*": "archive"} {
		f := newFollower(t, Options{Filters: []Filter{{Deny: []string{deny}}}})
		f.connect()
		f.opened(base)
		list, err := f.client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		told := map[string]string{}
		for _, tool := range list.Tools {
			told[tool.Name] = tool.Description
		}
		has(t, told[first], "Items: 0 “Lunch on Friday” 1 “Your invoice”")
		has(t, told["delete"], "Press “Delete” of an item", "Items as in "+first+".")
	}
}
