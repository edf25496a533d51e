package tools

import "testing"

// TestDynamicShapes holds what a person would call the functions of pages of usual
// makes: what is called by a record, a month, a count or a state elsewhere has the
// same name in each.
func TestDynamicShapes(t *testing.T) {
	const told = `<script>document.onclick = (e) => document.title = 'pressed ' + (e.target.ariaLabel || e.target.textContent)</script>`
	f := newFollower(t, Options{})
	f.connect()
	f.offer([]offering{
		{"a month of boxes", `<style>#g{display:grid;grid-template-columns:repeat(7,1fr)}.d,.e{cursor:pointer;min-height:20px}</style><main><button>Next month</button><h2>November 2026</h2><div id=g></div></main>
			<script>for (let d = 1; d < 31; d++) g.innerHTML += '<div class=d><span>' + d + '</span>' + (d % 9 ? '' : '<div class=e tabindex=0>Standup ' + d + '</div>') + (d === 7 ? '<div class=e tabindex=0>Dentist</div>' : '') + '</div>'</script>` + told,
			[]string{"next_month", "open_day", "open_event"}, "open_event", args{"event": "Dentist"}, nil, "pressed Dentist"},
		{"switches in a table", `<main><h1>Apps</h1><table><tr><th>App<th>Access<th>Enabled</tr><tr><td>Git<td>Read<td><button role=switch aria-checked=false aria-label="Git enabled" onclick="this.ariaChecked = 'true'; document.title = 'Git on'">&nbsp;</button></tr><tr><td>Chat<td>Write<td><button role=switch aria-checked=true aria-label="Chat enabled">&nbsp;</button></tr></table></main>`,
			[]string{"enabled", "read_apps"}, "enabled", args{"app": "Git", "enabled": true}, []string{"item: Git"}, "Git on"},
		{"one of several, with tabs", `<section><h1>Contacts</h1><ul><li tabindex=0><b>Ada Lee</b><div>Acme</div><li tabindex=0><b>Bob Stone</b><div>Globex</div></ul></section><main><h2>Bob Stone</h2><button>Edit</button><button>Email Bob Stone</button><div role=tablist aria-label="Bob Stone"><button role=tab aria-selected=true>Details</button><button role=tab>Notes</button></div></main>` + told,
			[]string{"edit", "email", "open_contact", "show_tab"}, "show_tab", args{"tab": "Notes"}, nil, "pressed Notes"},
		{"posts", `<main><h1>Home</h1><div role=feed id=d></div></main><script>d.innerHTML = ['Ada', 'Bob', 'Cid'].map((who, i) => '<article><a href=#' + who + '>' + who + '</a> <a href=#p' + i + '><time>' + i + ' min</time></a><p>Words of ' + i + '</p><button aria-label="Like, ' + i + ' likes">x</button><button>Repost ' + i + '</button></article>').join('')</script>`,
			[]string{"like", "open_post", "repost"}, "open_post", args{"post": "Words of 2"}, []string{"item: Cid · Words of 2", "#p2"}, ""},
		{"parts of a sidebar", `<aside aria-label=Filters><details open><summary>Brand</summary><label><input type=checkbox name=b value=a>Adi</label><label><input type=checkbox name=b value=n>Niko</label></details><details open><summary>Price</summary><label>Min <input type=number></label><label>Max <input type=number></label><button>Apply</button></details><details open><summary>Colour</summary><ul><li><a href=#r>Red</a><li><a href=#b>Blue</a><li><a href=#g>Green</a></ul></details></aside>` + told,
			[]string{"apply_price", "brand", "open_colour_item", "show_filters"}, "apply_price", args{"min": 5}, []string{"min: 5"}, "pressed Apply"},
		{"rows within rows", `<main><h1>Invoices</h1><form><label>Customer <input></label><label>Status <select><option>Any<option>Due</select></label><button type=button>Filter</button></form><table><tr><th><th>No<th>Customer<th></tr><tr><td><button aria-expanded=true aria-label=Collapse>v</button><td>1001<td>Acme<td><button>Void</button></tr><tr><td colspan=4><table><tr><th>Item<th>Qty<th></tr><tr><td>Lamp<td><input type=number value=2 aria-label=Quantity><td><button>Remove</button></tr><tr><td>Desk<td><input type=number value=1 aria-label=Quantity><td><button>Remove</button></tr></table><button>Add item</button></tr><tr><td><button aria-expanded=false aria-label=Expand>&gt;</button><td>1002<td>Globex<td><button>Void</button></tr></table></main>`,
			[]string{"add_item", "expand_or_collapse", "filter_invoices", "qty", "read_invoices", "read_items", "remove", "void"}, "read_invoices", nil, []string{"2 of 2 rows: index | No | Customer\n0 | 1001 | Acme\n1 | 1002 | Globex"}, ""},
		{"two to talk to", `<aside><h2>Direct messages</h2><div><div class=c tabindex=0>Ada Lee</div><div class=c tabindex=0>Bob Stone</div></div></aside><main><h1>Ada Lee</h1><div role=textbox contenteditable aria-label=Message></div><button aria-label="Send message">&gt;</button></main>` + told,
			[]string{"open_direct_message", "send_message"}, "send_message", args{"message": "Hi"}, []string{"message: Hi"}, "pressed Send message"},
		{"a menu that was opened", `<main><h1>Files</h1><button>New</button><div role=menu aria-label="">` + `<div role=menuitem tabindex=-1>Open</div><div role=menuitem tabindex=-1>Share</div><div role=menuitem tabindex=-1>Rename</div><div role=menuitem tabindex=-1>Move</div><div role=menuitem tabindex=-1>Remove</div></div></main>` + told,
			[]string{"new", "press_menu"}, "press_menu", args{"button": "Share"}, nil, "pressed Share"},
		{"a month of a table, pressed by its days", `<main><h2>June 2026</h2><table><thead><tr><th>Mo<th>Tu<th>We<th>Th<th>Fr<th>Sa<th>Su</tr></thead><tbody id=b></tbody></table></main><script>
			b.innerHTML = Array.from({length: 5}, (_, w) => '<tr>' + Array.from({length: 7}, (_, d) => '<td><div>' + (w * 7 + d + 1 > 30 ? w * 7 + d - 29 : w * 7 + d + 1) + '</div>' + (w * 7 + d === 11 ? '<a tabindex=0>12p Lunch</a>' : '')).join('') + '</tr>').join('')</script>` + told,
			[]string{"open_day", "open_event"}, "open_event", args{"event": "Lunch"}, nil, "pressed 12p Lunch"},
		{"fields that nothing sends", `<main><h1>Mixer</h1><div><div id=v><div tabindex=0 role=slider aria-label=Volume aria-valuemin=0 aria-valuemax=9 aria-valuenow=3 style="width:20px;height:20px"></div></div></div><p><label>Name <input></label></p><p><label>Kind <select><option>Rock<option>Folk</select></label></p><p><label><input type=radio name=":r1:">Mono</label><label><input type=radio name=":r1:">Stereo</label></p></main><script>v.onclick = () => {}</script>`,
			[]string{"mixer"}, "mixer", args{"name": "Ada", "kind": "Folk", "choice": "Stereo"}, []string{"3 fields filled in", "choice: Stereo"}, ""},
		{"a grid with a body that it owns", `<main><h1>Stock</h1><div role=grid aria-owns=body><div role=rowgroup><div role=row><span role=columnheader>Name</span><span role=columnheader>Count</span></div></div><div><div role=rowgroup id=body></div></div></div></main>
			<script>body.innerHTML = Array.from({length: 5}, (_, i) => '<div role=row><span role=gridcell tabindex=0>Bolt ' + i + '</span><span role=gridcell tabindex=0>' + i + '</span></div>').join('')</script>`,
			[]string{"read_stock"}, "read_stock", args{"count": 1}, []string{"1 of 5 rows", "0 | Bolt 0 | 0"}, ""},
		{"groups of buttons", `<main><h1>Plan</h1><div><div class=c><button>Previous</button></div><div class=c><h2>May</h2></div><div class=c><button>Week</button></div></div></main>`,
			[]string{"previous", "week"}, "", nil, nil, ""},
		{"a field with an arrow", `<main><h1>Town</h1><form><div><input role=combobox aria-label=Town aria-expanded=false><button type=button tabindex=-1 aria-label="toggle menu">v</button></div></form></main>`,
			[]string{"town"}, "", nil, nil, ""},
		{"a question and its answers", `<main><h1>How do I keep a heron from eating all my fish?</h1><div class=list><div class=answer><h3><a href=#1>By Ada</a></h3><p>Nets.</p></div><div class=answer><h3><a href=#2>By Bob</a></h3><p>Dogs.</p></div></div></main>`,
			[]string{"open_item"}, "", nil, nil, ""},
	})
}
