package adapter

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestOffersOfPatterns holds how pages are understood that say little of
// themselves, as many do: layout tables, boxes without roles, toolbars of boxes.
func TestOffersOfPatterns(t *testing.T) {
	s := open(t, "")
	var got strings.Builder
	for i, c := range []struct{ name, body string }{
		{"hn", `<table><tr><td><a href="news"><b>Hacker</b></a> <a href=new>new</a> | <a href=past>past</a> | <a href=ask>ask</a></td><td><a href=login>login</a></td></tr><tr><td><table><tbody>` + newsItem("Show: a thing", "ada") + newsItem("Why birds fly", "bob") + newsItem("Night heron", "eve") + `<tr><td colspan=2></td><td><a href=more>More</a></td></tr></tbody></table></td></tr></table><form action=s>Search: <input type=text name=q></form>`},
		{"todo", `<section><header><h1>todos</h1><input class=new-todo placeholder="What needs to be done?"></header><main><ul class=todo-list><li><div><input type=checkbox class=toggle><label>Buy milk</label><button class=destroy></button></div></li><li><div><input type=checkbox class=toggle><label>Walk dog</label><button class=destroy></button></div></li></ul></main><footer><span>2 left</span><ul><li><a href="#/">All</a></li><li><a href="#/a">Active</a></li></ul><button>Clear completed</button></footer></section>`},
		{"gmail", `<style>tr{cursor:pointer}</style><div role=banner><form role=search><input aria-label="Search mail" name=q><button type=button aria-label="Advanced search options">v</button><button aria-label="Search mail">s</button></form></div><div role=navigation><div role=button tabindex=0>Compose</div><div><a href="#inbox">Inbox</a></div></div><div role=main><div role=toolbar><div role=button tabindex=0 aria-label="Refresh">R</div><div role=button tabindex=0 data-tooltip="Older" aria-label="Older">&gt;</div></div><table role=grid><tbody><tr role=row tabindex=-1><td><div role=checkbox tabindex=-1 aria-checked=false></div></td><td><span role=button tabindex=0 aria-label="Not starred">*</span></td><td>Ada</td><td><span>Hello</span> - <span>how are you</span></td><td>9:00</td></tr><tr role=row tabindex=-1><td><div role=checkbox tabindex=-1 aria-checked=false></div></td><td><span role=button tabindex=0 aria-label="Not starred">*</span></td><td>Bob</td><td><span>Invoice</span> - <span>please pay</span></td><td>8:00</td></tr></tbody></table></div>`},
		{"wiki", `<header><form action=/w><input type=search name=search placeholder="Search Wikipedia"><button>Search</button></form></header><main><h1>Heron</h1><ul class=tabs><li><a href=a>Article</a></li><li><a href=t>Talk</a></li><li><a href=e>Edit</a></li></ul><p>Herons are <a href=l>long-legged</a> birds.</p><h2>Species</h2><ul><li><a href=g>Grey heron</a>, large</li><li><a href=n>Night heron</a>, nocturnal</li></ul><h2>References</h2><ol><li>Smith, <a href=x>Birds</a></li><li>Jones, <a href=y>Wings</a></li></ol></main>`},
		{"cards", `<main><h1>Hotels</h1><div class=grid>` + hotelCard("Alpha", "90") + hotelCard("Beta", "120") + hotelCard("Gamma", "75") + `</div></main>`},
		{"login", `<div><h1>Welcome back</h1><div><div><span>Email</span><input type=email></div><div><span>Password</span><input type=password></div><label><input type=checkbox> Remember me</label><button>Log in</button><button>Continue with Google</button></div><a href=f>Forgot password?</a></div>`},
		{"product", `<main><h1>Shirt</h1><div role=radiogroup aria-label=Color><label><input type=radio name=c>Red</label><label><input type=radio name=c>Blue</label></div><div><button aria-pressed=false>S</button><button aria-pressed=true>M</button></div><div><button>-</button><input type=number value=1 aria-label=Quantity><button>+</button></div><button class=primary>Add to bag</button><button aria-label="Save to wishlist"><svg></svg></button></main>`},
		{"chat", `<main><h2>General</h2><div role=log><div class=msg><b>ada</b> hi</div></div><div class=composer><div contenteditable=true role=textbox aria-label="Message #general"></div><button aria-label="Send now"><svg></svg></button></div></main>`},
		{"filters", `<main><h1>Jobs</h1><aside><h2>Filters</h2><fieldset><legend>Type</legend><label><input type=checkbox name=type value=f>Full time</label><label><input type=checkbox name=type value=p>Part time</label></fieldset><select aria-label=Country><option value="">Any country<option>Peru</select><button>Apply filters</button></aside><ul><li><a href=1>Cook</a><button>Save</button></li></ul></main>`},
		{"scale", `<main><h1>How likely are you to come again?</h1><div><button>0</button><button>1</button><button>2</button></div><h2>Time</h2><div><button>09:00</button><button>09:30</button><button>10:00</button></div></main>`},
		{"step", `<div role=dialog aria-modal=true aria-labelledby=t><h2 id=t>Step 1 of 3: Your address</h2><label>Street <input></label><label>Town <input></label><button>Next</button></div>`},
		{"switches", `<main><h1>Preferences</h1><h2>Alerts</h2><div><input type=checkbox aria-label=Sound></div><div><input type=checkbox aria-label=Vibrate></div><h2>Privacy</h2><div><input type=checkbox aria-label="Show my status"></div><section><h2>Quiet hours</h2><label>From <input type=time></label><label>To <input type=time></label></section></main>`},
		{"french", `<main><h1>Demande de passeport</h1><form><label>Nom (obligatoire) <input required></label><label>Pays <select><option value="">Choisissez…<option>France<option>Belgique</select></label><label><input type=checkbox required> Conditions</label><button>Étape suivante</button></form></main>`},
		{"votes", `<main><h1>Talk</h1><section aria-label=Answers>` + answer("ada") + answer("bob") + answer("cid") + `</section></main>`},
		{"rows", `<main><h1>Users</h1><table><tr><th>Name<th>Town</tr><tr><td>Ada<td>Zug</tr><tr><td>Bob<td>Bern</tr></table><div class=pagination><button>1</button><button>2</button><button>Next</button><select><option>10 / Seite<option>25 / Seite</select></div></main>`},
	} {
		s.visit(s.site.page(fmt.Sprintf("/%d", i), c.body))
		fmt.Fprintf(&got, "== %s\n%s", c.name, said(s.offers()))
	}
	const golden = "testdata/offers/patterns.txt"
	if *updateOffers {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(golden); err != nil || string(want) != got.String() {
		t.Errorf("%v: got\n%s", err, got.String())
	}
}

// newsItem is an item of a news site that a layout table shows in two rows.
func newsItem(title, who string) string {
	return `<tr class=athing><td>1.</td><td><a href=up` + title + `><div title=upvote></div></a></td><td class=title><span><a href="` + title + `">` + title + `</a> <span>(<a href=site>x.com</a>)</span></span></td></tr><tr><td colspan=2></td><td class=subtext><span>9 points by <a href=` + who + `>` + who + `</a> <a href=i>3 hours ago</a> | <a href=h>hide</a> | <a href=c>12 comments</a></span></td></tr><tr class=spacer style="height:5px"></tr>`
}

// hotelCard is an item that a box shows, with two links to it.
func hotelCard(name, price string) string {
	return `<div class="card x1"><a href=` + name + `><img src="" alt=""></a><div><a href=` + name + `><h3>` + name + ` Hotel</h3></a><span>8.7</span></div><div>$` + price + `</div><a class=btn href=b` + name + `>See availability</a></div>`
}

// answer is an item whose buttons show signs, and a box that is no choice of the item.
func answer(who string) string {
	return `<article><h3>` + who + `</h3><p>Words</p><button>▲</button><button>▼</button><button>Reply</button><label><input type=checkbox> Compare</label></article>`
}
