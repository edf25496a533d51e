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
		{"a question and its answers", `<main><h1>How do I keep a heron from eating all my fish?</h1><div class=list><div class=answer><h3><a href=#1>By Ada</a></h3><p>Nets.</p></div><div class=answer><h3><a href=#2>By Bob</a></h3><p>Dogs.</p></div></div></main>`,
			[]string{"open_item"}, "", nil, nil, ""},
	})
}
