package tools

import (
	"slices"
	"testing"
)

// offering is a page with the names of its tools, sorted, and what one of them says.
type offering struct {
	name, page string
	tools      []string
	call       string // "" for none
	with       args
	want       []string // in what it says
	title      string   // of the page afterwards; "" for any
}

// offer opens each page and holds it to what it offers.
func (f *follower) offer(pages []offering) {
	f.Helper()
	for _, c := range pages {
		f.opened(site(f.T, map[string]string{"/": "<title>Page</title>" + c.page}))
		names := f.tools()[4:]
		if names = slices.Sorted(slices.Values(names[:len(names)-5])); !slices.Equal(names, c.tools) {
			f.Errorf("%s: the tools are %v, want %v", c.name, names, c.tools)
			continue
		}
		if c.call != "" {
			has(f.T, f.page(c.call, c.with), c.want...)
		}
		if c.title != "" {
			has(f.T, f.page(contentTool, nil), "title: "+c.title)
		}
	}
}

// TestDynamicGrids holds that what a person sees as one table is one, however it is
// drawn: boxes without roles, tables side by side, a header apart, rows that are
// drawn only where they are looked at; and that a tree is a list of all it shows.
func TestDynamicGrids(t *testing.T) {
	f := newFollower(t, Options{})
	f.connect()
	f.offer([]offering{
		{"boxes", `<style>.row,.head{display:flex}.row>div,.head>div{width:120px;padding:4px}</style><main><h1>Stock</h1><div><div class=head><div>Part</div><div>Shelf</div><div>Count</div><div></div></div><div id=b></div></div></main>
			<script>b.innerHTML = Array.from({length: 8}, (_, i) => '<div class=row><div>Bolt M' + i + '</div><div>A' + i + '</div><div>' + i * 30 + '</div><div><button>Reorder</button></div></div>').join('')</script>`,
			[]string{"read_stock", "reorder"}, "read_stock", args{"from": 2, "count": 1}, []string{"1 of 8 rows: index | Part | Shelf | Count\n2 | Bolt M2 | A2 | 60\n"}, ""},
		{"frozen", `<main><h1>Payroll</h1><div style="display:flex"><table><thead><tr><th>Name</th></tr></thead><tbody id=l></tbody></table><table><thead><tr><th>Month</th><th>Gross</th></tr></thead><tbody id=r></tbody></table></div></main>
			<script>l.innerHTML = Array.from({length: 6}, (_, i) => '<tr><td>Person ' + i + '</td></tr>').join(''); r.innerHTML = Array.from({length: 6}, (_, i) => '<tr><td>May</td><td>' + (5000 + i) + '</td></tr>').join('')</script>`,
			[]string{"read_payroll"}, "read_payroll", args{"filter": "person 4"}, []string{"1 of 6 rows: index | Name | Month | Gross\n4 | Person 4 | May | 5004"}, ""},
		{"apart", `<main><h1>Bills</h1><div><table><thead><tr><th>No.</th><th>Firm</th></tr></thead></table></div><div style="height:120px;overflow:auto"><table><tbody id=b></tbody></table></div></main>
			<script>b.innerHTML = Array.from({length: 12}, (_, i) => '<tr><td><a href="#' + i + '">B-' + i + '</a></td><td>Firm ' + i % 3 + '</td></tr>').join('')</script>`,
			[]string{"open_bill", "read_bills"}, "read_bills", args{"from": 11}, []string{"1 of 12 rows: index | No. | Firm\n11 | B-11 | Firm 2"}, ""},
		{"virtual", `<style>.v{height:200px;overflow:auto;width:500px}.i{position:absolute;height:25px;display:flex}.i>span,.h>span{width:150px}</style><main><h1>Events</h1><div class=h style="display:flex"><span>When</span><span>What</span><span>Who</span></div><div class=v id=v><div id=s style="height:25000px;position:relative"></div></div></main>
			<script>function draw() { const f = Math.floor(v.scrollTop / 25); s.innerHTML = Array.from({length: 12}, (_, k) => f + k).filter(i => i < 1000).map(i => '<div class=i style="top:' + i * 25 + 'px"><span>10:' + i + '</span><span>login ' + i + '</span><span>user ' + i % 5 + '</span></div>').join('') } v.onscroll = draw; draw()</script>`,
			[]string{"read_events"}, "read_events", args{"from": 700, "count": 20}, []string{"20 of 1000 rows", "\n700 | 10:700 | login 700 | user 0\n", "\n719 | 10:719 | login 719 | user 4", "continue with from=720"}, ""},
		{"treegrid", `<main><h1>Tasks</h1><table role=treegrid aria-label=Tasks><thead><tr role=row><th role=columnheader>Task<th role=columnheader>Owner</tr></thead><tbody><tr role=row aria-level=1 aria-expanded=true><td role=gridcell><button aria-label=Collapse>v</button> Launch<td role=gridcell>Ada</tr><tr role=row aria-level=2><td role=gridcell>Write copy<td role=gridcell>Bob</tr></tbody></table></main>`,
			[]string{"collapse", "read_tasks"}, "read_tasks", nil, []string{"2 of 2 rows: index | Task | Owner\n0 | Launch | Ada\n1 | Write copy | Bob"}, ""},
		{"tree", `<main><h1>Files</h1><ul role=tree aria-label=Files onclick="document.title = event.target.textContent"><li role=treeitem aria-expanded=true tabindex=0><span>src</span><ul role=group><li role=treeitem tabindex=-1>main.go</li><li role=treeitem tabindex=-1>doc.go</li></ul></li><li role=treeitem tabindex=-1>README.md</li></ul></main>`,
			[]string{"open_file"}, "open_file", args{"file": "doc.go"}, []string{"item: doc.go"}, ""},
	})
	has(t, f.page("open_file", args{"file": "src"}), "item: src")
	has(t, f.page("read_page", nil), "title: src")
}
