package tools

import (
	"slices"
	"testing"
)

// ordersPage is a table as applications draw it: names by labels, a header that
// sorts, boxes that select, pages, and buttons in each row.
const ordersPage = `<title>Orders</title><main><h1>Orders</h1><table aria-label=Orders><thead><tr><th><input type=checkbox aria-label="Select all"></th><th aria-sort=none><button>Number</button></th><th>Customer</th><th>Total</th><th></th></tr></thead><tbody id=b></tbody></table>
<nav aria-label=Pagination><button onclick="p(-1)">Previous</button><span id=n></span><button onclick="p(1)">Next</button></nav><button onclick="d.showModal()">New order</button>
<dialog id=d aria-label="New order"><form method=dialog onsubmit="document.title = 'made ' + who.value"><label>Customer <input id=who required></label><label>Note <input></label><button>Save</button></form></dialog></main>
<script>let page = 1, down = false; function draw() { n.textContent = page; b.innerHTML = Array.from({length: 5}, (_, i) => { const k = 1000 + (page - 1) * 5 + (down ? 4 - i : i); return '<tr><td><input type=checkbox aria-label="Select ' + k + '"></td><td><a href="#' + k + '" onclick="document.title=\'open ' + k + '\'">' + k + '</a></td><td><a href="#c">Customer ' + k % 3 + '</a></td><td>' + k % 7 + '.00</td><td><button onclick="document.title=\'deleted ' + k + '\'">Delete</button></td></tr>' }).join('') }
function p(d) { page += d; draw() } draw();
document.querySelector('th button').onclick = (e) => { const h = e.target.parentElement; down = h.getAttribute('aria-sort') === 'ascending'; h.setAttribute('aria-sort', down ? 'descending' : 'ascending'); draw() }</script>`

// TestDynamicTable holds that a table is one set of tools with the names that a
// person would give them, and none that its cells give.
func TestDynamicTable(t *testing.T) {
	f := newFollower(t, Options{})
	f.connect()
	f.opened(site(t, map[string]string{"/": ordersPage}))
	want := []string{"delete", "go_to_page", "new_order", "open_order", "read_orders", "select_rows", "sort_orders"}
	names := f.tools()[4:]
	found := slices.Sorted(slices.Values(names[:len(names)-5]))
	if !slices.Equal(found, want) {
		t.Fatalf("the tools are %v, want %v", found, want)
	}
	has(t, f.page("read_orders", args{"filter": "customer 1"}), "2 of 5 rows: index | Number | Customer | Total\n", "\n0 | 1000 | Customer 1 | 6.00\n3 | 1003 | Customer 1 | 2.00\n")
	has(t, f.page("sort_orders", args{"by": "Number", "descending": true}), "sorted by Number, descending")
	has(t, f.page("read_orders", args{"from": 1, "count": 1, "columns": []string{"Number"}}), "1 of 5 rows: index | Number\n1 | 1003\n", "continue with from=2")
	has(t, f.page("go_to_page", args{"page": "4"}), "page 4 is shown")
	has(t, f.fails("go_to_page", args{"page": "0"}), "there is no way to page \"0\"")
	has(t, f.page("select_rows", args{"rows": []string{"1017", "1018"}}), "selected: 1017", "selected: 1018")
	has(t, f.page("select_rows", args{"rows": []string{"1016"}, "only": true}), "selected: 1016", "no longer selected: 1017", "no longer selected: 1018")
	has(t, f.page("open_order", args{"order": "1017"}), "item: 1017")
	has(t, f.page("read_page", nil), "title: open 1017")
	has(t, f.page("delete", args{"order": "1018"}), "item: 1018")
	has(t, f.page("delete", args{"index": 0}), "item: 1019")
	has(t, f.page("read_page", nil), "title: deleted 1019")
	has(t, f.fails("open_order", args{"order": "Customer 1"}), "items are called", "give the index of one")
	has(t, f.fails("open_order", args{"order": "77"}), `no item of 5 is called "77"`)
	has(t, f.fails("open_order", nil), "needs an item")

	// A dialog's own tools come first, and the others stay under their names.
	text := f.page("new_order", nil)
	has(t, text, "tools: +save_new_order\n")
	if now := f.tools()[4:]; now[0] != "save_new_order" || !slices.Equal(now[1:], names) {
		t.Errorf("with a dialog open the tools are %v, and were %v", now, names)
	}
	has(t, f.fails("open_order", args{"order": "1017"}), "a dialog of the page is in front", "finish or cancel the dialog first")
	has(t, f.page("save_new_order", args{"customer": "Ada"}), "and sent", "tools: −save_new_order\n")
	has(t, f.page("read_page", nil), "title: made Ada")
}

// TestDynamicOwnTools holds what a focused page has whatever it offers.
func TestDynamicOwnTools(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>One</title><main><h1>Birds</h1><p>All of them.</p><h2>Herons</h2><p>They wade.</p><h3>Night heron</h3><p>By night.</p><h2>Owls</h2><p>They hoot.</p></main><script>addEventListener('keydown', (e) => document.title = 'key ' + e.key)</script>`,
		"/two": `<title>Two</title><p>Second</p>`})
	f := newFollower(t, Options{})
	f.connect()
	f.opened(base)
	text := f.page("read_page", args{"part": "herons"})
	has(t, text, "## Herons\n", "They wade.", "By night.")
	lacks(t, text, "All of them", "hoot")
	has(t, f.fails("read_page", args{"part": "Ducks"}), "no heading", "its headings: Birds; Herons; Night heron; Owls")
	has(t, f.page("find_on_page", args{"text": "hoot"}), "1 match", "They hoot.")
	has(t, f.page("find_on_page", args{"text": "duck"}), "nothing found")
	f.page("press_key", args{"key": "F2"})
	has(t, f.page("read_page", nil), "title: key F2")
	has(t, f.page("go_to", args{"url": base + "/two"}), "url: "+base+"/two")
	has(t, f.page("read_page", nil), "title: Two")
	has(t, f.page("back", nil), "url: "+base)
	has(t, f.fails("go_to", args{"url": "chrome://settings"}), "error: ")
}

func TestUnderHeading(t *testing.T) {
	const text = "# A\none\n\n## B\ntwo\n### C\nthree\n## D\nfour"
	for words, want := range map[string]string{"b": "## B\ntwo\n### C\nthree", "D": "## D\nfour", "x": "", "A": text} {
		if got, headings := underHeading(text, words); got != want || len(headings) == 0 {
			t.Errorf("%s: %q of %v", words, got, headings)
		}
	}
}

// TestItemNames holds what one of a list is called.
func TestItemNames(t *testing.T) {
	for list, want := range map[string]string{
		"orders": "order", "search_results": "search_result", "categories": "category", "boxes": "box", "inbox": "inbox_item", "news": "news_item",
		"addresses": "address", "status": "status_item", "": "item", "latest_discussions": "latest_discussion",
	} {
		if got := itemName(list); got != want {
			t.Errorf("%s: %q, want %q", list, got, want)
		}
	}
}
