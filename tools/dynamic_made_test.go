package tools

import "testing"

// TestDynamicAsMade holds what a person would call the functions of pages that are
// made in ways which say little of them, or mislead.
func TestDynamicAsMade(t *testing.T) {
	const posts = `<main><h1>Posts</h1><table><tr><th>Title<th>Who</tr><tr><td><a href=#1>One</a><td>Ada</tr><tr><td><a href=#2>Two</a><td>Bob</tr></table>`
	const told = `<script>document.onclick = (e) => document.title = 'pressed ' + e.target.textContent; document.onchange = (e) => document.title = 'set ' + e.target.value</script>`
	f := newFollower(t, Options{})
	f.connect()
	f.offer([]offering{
		{"headers in two rows", `<main><h1>Results</h1><table><thead><tr><th rowspan=2>Team<th colspan=2>Home<th colspan=2>Away</tr><tr><th>Won<th>Lost<th>Won<th>Lost</tr></thead><tbody><tr><td>Lions<td>3<td>1<td>2<td>0</tr><tr><td>Bears<td>1<td>3<td>4<td>5</tr></tbody></table></main>`,
			[]string{"read_results"}, "read_results", nil, []string{"index | Team | Home Won | Home Lost | Away Won | Away Lost\n0 | Lions | 3 | 1 | 2 | 0\n1 | Bears | 1 | 3 | 4 | 5"}, ""},
		{"cells over several rows", `<main><h1>Plan</h1><table><thead><tr><th>Day<th>Time<th>What</tr></thead><tbody><tr><td rowspan=2>Monday<td>9:00<td>Maths</tr><tr><td>10:00<td>Art</tr><tr><td>Tuesday<td>9:00<td>Music</tr></tbody></table></main>`,
			[]string{"read_plan"}, "read_plan", nil, []string{"0 | Monday | 9:00 | Maths\n1 | Monday | 10:00 | Art\n2 | Tuesday | 9:00 | Music"}, ""},
		{"a table in a cell", `<main><h1>Orders</h1><table><thead><tr><th>Order<th>Who<th>Lines</tr></thead><tbody><tr><td><a href=#1>1001</a><td>Ada<td><table><tr><th>Item<th>Qty</tr><tr><td>Lamp<td>1</tr></table></tr><tr><td><a href=#2>1002</a><td>Bob<td>-</tr></tbody></table></main>`,
			[]string{"open_order", "read_orders"}, "read_orders", args{"columns": []string{"Order", "Who"}}, []string{"2 of 2 rows: index | Order | Who\n0 | 1001 | Ada\n1 | 1002 | Bob"}, ""},
		{"pages without a class", posts + `<div><button disabled>1</button><button>2</button><button>3</button><button>Next</button></div></main>` + told,
			[]string{"go_to_page", "open_post", "read_posts"}, "go_to_page", args{"page": "3"}, []string{"pressed: button \"3\""}, ""},
		{"pages by two links", posts + `<p><a href=#n>&lt;&lt; Newer</a> | <a href=#o>Older &gt;&gt;</a></p></main>`,
			[]string{"go_to_page", "open_post", "read_posts"}, "go_to_page", args{"page": "next"}, []string{"Older >>"}, ""},
		{"pages by a select", posts + `<div>Page <select><option>1<option>2<option>3</select> of 3 <button>Previous</button><button>Next</button></div></main>` + told,
			[]string{"go_to_page", "open_post", "read_posts"}, "go_to_page", args{"page": "2"}, nil, "set 2"},
		{"pages in another language", posts + `<nav class=pagination><a href="#1">قبل</a><a href="#1">1</a><span aria-current=page>2</span><a href="#3">3</a><a href="#3">بعد</a></nav></main>`,
			[]string{"go_to_page", "open_post", "read_posts"}, "go_to_page", args{"page": "next"}, []string{"بعد"}, ""},
		{"a vote is no pager", posts + `<div><button>1</button><button>2</button><button>3</button></div></main>`,
			[]string{"open_post", "press_posts", "read_posts"}, "", nil, nil, ""},
		{"a part that is not for now", `<main><h1>Checkout</h1><form><fieldset><legend>Address</legend><label>Street <input></label><label>City <input></label></fieldset><fieldset disabled><label>Card <input></label><button>Pay</button></fieldset><button>Continue to payment</button></form></main>`,
			[]string{"continue_to_payment"}, "", nil, nil, ""},
		{"a page that is one form", `<main><h1>Tip</h1><div><label for=b>Bill</label><input id=b type=number></div><div><label for=p>People</label><input id=p type=number value=2></div><button type=button onclick="document.title = b.value / p.value">Calculate tip</button></main>`,
			[]string{"calculate_tip"}, "calculate_tip", args{"bill": 30, "people": 4}, nil, "7.5"},
		{"a form of boxes", `<div><div>Contact us</div><div><div>Your name</div><input></div><div><div>Message</div><textarea></textarea></div><div onclick="document.title = document.querySelector('input').value" style="cursor:pointer">Send message</div></div>`,
			[]string{"send_message"}, "send_message", args{"your_name": "Ada", "message": "Hi"}, nil, "Ada"},
		{"a page that is one form, with a switch", `<main><h1>Tip</h1><div><label>Bill <input id=b type=number></label></div><div><label><input id=r type=checkbox>Round up</label></div><button type=button onclick="document.title = b.value + r.checked">Calculate tip</button></main>`,
			[]string{"calculate_tip"}, "calculate_tip", args{"bill": 30, "round_up": true}, nil, "30true"},
		{"switches of a page that is no form", `<main><h1>Alerts</h1><div><label><input type=checkbox>Sound</label></div><button type=button>Apply theme</button></main>`,
			[]string{"apply_theme", "sound"}, "", nil, nil, ""},
		{"a page with the role of a form", `<main role=form><h1>Alerts</h1><div><label><input id=s type=checkbox>Sound</label></div><button type=button onclick="document.title = s.checked">Save alerts</button></main>`,
			[]string{"save_alerts"}, "save_alerts", args{"sound": true}, nil, "true"},
		{"how many rows a page has", posts + `<div class=pagination><div><div><input role=combobox readonly aria-expanded=false style="width:30px"></div><span>8/page</span></div><button>1</button><button>2</button><button>Next</button></div></main>`,
			[]string{"go_to_page", "open_post", "read_posts", "rows_per_page"}, "", nil, nil, ""},
		{"choices below words", `<main><h1>Pizza</h1><form><p>Toppings</p><label><input type=checkbox name=t value=c>Cheese</label><label><input type=checkbox name=t value=h>Ham</label><button type=button>Order pizza</button></form></main>`,
			[]string{"order_pizza"}, "order_pizza", args{"toppings": []string{"Ham"}}, []string{"toppings: Ham"}, ""},
		{"parts that open", `<main><h1>FAQ</h1><h3><button aria-expanded=false>How do I pay?</button></h3><h3><button aria-expanded=false onclick="document.title = 'open'">Where is it?</button></h3><h3><button aria-expanded=false>Who are you?</button></h3></main>`,
			[]string{"show_faq"}, "show_faq", args{"part": "Where is it?"}, nil, "open"},
		{"many buttons", `<main><h1>Panel</h1><div id=b></div></main><script>b.innerHTML = Array.from({length: 500}, (_, i) => '<button>Channel ' + i + '</button>').join('')</script>` + told,
			[]string{"channel"}, "channel", args{"button": "Channel 417"}, nil, "pressed Channel 417"},
		{"amounts", `<main><h1>Mail</h1><a class=btn href=#m>2 new messages</a></main>`, []string{"new_messages"}, "", nil, nil, ""},
		{"switches of buttons", `<main><h1>Notify</h1><div><span>Email</span><button role=switch aria-checked=true aria-label=Email>&nbsp;</button></div><div><span>Texts</span><button role=switch aria-checked=false aria-label=Texts>&nbsp;</button></div></main>`,
			[]string{"notify"}, "", nil, nil, ""},
		{"German", `<main><h1>Rechnungen</h1><form role=search><input placeholder="Rechnungen durchsuchen"><button>Suchen</button></form><form><h2>Kunde anlegen</h2><label>Straße <input></label><label>Größe <input></label><button>Speichern</button></form></main>`,
			[]string{"kunde_anlegen", "rechnungen_durchsuchen"}, "", nil, nil, ""},
	})
}
