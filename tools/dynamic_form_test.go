package tools

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
)

// TestDynamicFormSchema holds what a form's tool takes: each field by what a person
// reads beside it, its type and its bounds, and that what does not fit them is not
// sent.
func TestDynamicFormSchema(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Trip</title><form aria-label="Book a trip" onsubmit="event.preventDefault(); out.textContent = [...new FormData(this)].map(e => e.join('=')).join(' ')">
		<label>Where to <input name=to required minlength=3 maxlength=20></label><label>When <input name=on type=date min=2026-01-01></label><label>Nights <input name=n type=number min=1 max=30 value=2></label>
		<label>Mail <input name=m type=email placeholder="ada@example.test"></label><label>Code <input name=c pattern="[A-Z]{3}"></label><label>Secret <input name=s type=password value=hidden></label>
		<label>Class <select name=k><option>Economy<option>First</select></label><label><input type=checkbox name=w> Window seat</label>
		<fieldset><legend>Meal</legend><label><input type=radio name=f value=1>Fish</label><label><input type=radio name=f value=2>Rice</label></fieldset>
		<fieldset><legend>Extras</legend><label><input type=checkbox name=x value=bag>Bag</label><label><input type=checkbox name=x value=bike>Bike</label></fieldset>
		<button>Book</button></form><p id=out></p>`})
	f := newFollower(t, Options{})
	f.connect()
	f.opened(base)
	tool := f.tool("book_a_trip")
	schema, err := json.Marshal(tool.InputSchema)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{` + strings.Join([]string{
		`"where_to":{"type":"string","minLength":3,"maxLength":20}`,
		`"when":{"type":"string","description":"from 2026-01-01","format":"date"}`,
		`"nights":{"type":"integer","default":2,"minimum":1,"maximum":30}`,
		`"mail":{"type":"string","description":"ada@example.test","format":"email"}`,
		`"code":{"type":"string","pattern":"^(?:[A-Z]{3})$"}`,
		`"secret":{"type":"string","format":"password"}`,
		`"class":{"type":"string","enum":["Economy","First"],"default":"Economy"}`,
		`"window_seat":{"type":"boolean","default":false}`,
		`"meal":{"type":"string","enum":["Fish","Rice"]}`,
		`"extras":{"type":"array","items":{"type":"string","enum":["Bag","Bike"]}}`,
	}, ",") + `},"required":["where_to"]}`
	if !sameJSON(t, string(schema), want) {
		t.Errorf("the schema is\n%s\nwant\n%s", schema, want)
	}
	for _, c := range []struct {
		with args
		want string
	}{
		{nil, `argument "where_to" is missing`},
		{args{"where_to": 3}, "must be a string"},
		{args{"where_to": "Zu"}, "must have 3 to 20"},
		{args{"where_to": "Zug", "nights": 2.5}, "must be a whole number"},
		{args{"where_to": "Zug", "nights": 31}, "must be 30 or less"},
		{args{"where_to": "Zug", "code": "abc"}, "does not match"},
		{args{"where_to": "Zug", "class": "Third"}, "must be one of Economy, First"},
		{args{"where_to": "Zug", "extras": []string{"Boat"}}, "must be one of Bag, Bike"},
		{args{"where_to": "Zug", "mail": "no mail"}, "mail: "}, // which the page itself says
		{args{"where_to": "Zug", "price": 1}, `unknown argument "price"`},
	} {
		has(t, f.fails("book_a_trip", c.with), "error: book_a_trip: it does not accept these arguments", c.want)
	}
	text := f.page("book_a_trip", args{"where_to": "Zug", "when": "2026-05-14", "nights": 3, "mail": "ada@example.test", "code": "ABC", "class": "First", "window_seat": true, "meal": "Rice", "extras": []string{"Bike"}})
	has(t, text, "book_a_trip: 9 fields filled in and sent", "to=Zug on=2026-05-14 n=3 m=ada@example.test c=ABC s=hidden k=First w=on f=2 x=bike")
}

// TestDynamicFormIsOnlyFilledIn holds that a form can be filled in without being
// sent, and that the list and the answer say so.
func TestDynamicFormIsOnlyFilledIn(t *testing.T) {
	f := newFollower(t, Options{})
	f.connect()
	f.opened(site(t, map[string]string{"/": `<title>Trip</title><form aria-label="Book a trip" onsubmit="event.preventDefault(); document.title = 'sent'"><label>From <input></label><label>To <input></label><label>Day <input></label><button>Book</button></form>`}))
	takes := string(must(json.Marshal(f.tool("book_a_trip").InputSchema)))
	has(t, takes, `"send":{"default":true,"description":"false: only fill in","type":"boolean"}`)
	text := f.page("book_a_trip", args{"from": "Zug", "send": false})
	has(t, text, "book_a_trip: 1 field filled in, not sent")
	lacks(t, text, "pressed:")
	has(t, f.page("book_a_trip", args{"to": "Bern"}), "1 field filled in and sent", "pressed: button \"Book\"")
}

// sameJSON reports whether two texts are the same value.
func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	if err := json.Unmarshal([]byte(a), &x); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal([]byte(b), &y); err != nil {
		t.Fatal(err)
	}
	one, _ := json.Marshal(x)
	other, _ := json.Marshal(y)
	return string(one) == string(other)
}

// TestDynamicFieldsHaveTheirOwnNames holds that a field is called by its own label
// and by nothing that names something else, and a form of one field alone is called
// by what it shows.
func TestDynamicFieldsHaveTheirOwnNames(t *testing.T) {
	f := newFollower(t, Options{})
	f.connect()
	for page, want := range map[string]string{
		`<form><label for=a>Pass</label><input id=a type=password><input name=zipCode><button>Go</button></form>`: "go{pass,zip_code}",
		`<form><label>Pass <input type=password></label><input><button>Go</button></form>`:                        "go{field,pass}",
		`<div>User: <input> Pass: <input type=password> <button>Login</button></div>`:                             "login{pass,user}",
		`<h1>form</h1><input>`:                                            "fill_in{field}",
		`<input name=form>`:                                               "fill_in_form{form}",
		`<label>Town <input></label>`:                                     "town{town}",
		`<table><tr><td>Name<td><input></table>`:                          "name{name}",
		`<p>Your age</p><div><input type=number></div><a href=/>Home</a>`: "your_age{your_age}",
	} {
		f.opened(site(t, map[string]string{"/": page}))
		list, err := f.client.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var schema struct{ Properties map[string]any }
		if err := json.Unmarshal(must(json.Marshal(list.Tools[4].InputSchema)), &schema); err != nil {
			t.Fatal(err)
		}
		if got := list.Tools[4].Name + "{" + strings.Join(slices.Sorted(maps.Keys(schema.Properties)), ",") + "}"; got != want {
			t.Errorf("%s\n got %s, want %s", page, got, want)
		}
	}
}

// TestDynamicSameAfterReload holds that a page's tools are called the same after
// a reload, also where several want one name and where what is called changes.
func TestDynamicSameAfterReload(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Much</title><main><h1>Things</h1><section aria-label=Birds><button>Edit</button></section><section aria-label=Fish><button>Edit</button></section>
		<button>Cart (<span id=n></span>)</button><form aria-label="Write us"><input aria-label=Text><button>Send</button></form><form aria-label="Write us"><input aria-label=Name><button>Send</button></form>
		<ul id=l></ul></main><script>n.textContent = Math.floor(Math.random() * 100); l.innerHTML = ['One', 'Two', 'Three'].map(t => '<li><a href=#' + t + '>' + t + '</a> <button>Delete</button></li>').join('')</script>`})
	f := newFollower(t, Options{})
	f.connect()
	id, target := f.opened(base)
	before := f.tools()[4:]
	if len(before) < 7 {
		t.Fatalf("the tools are %v", before)
	}
	page, err := person(t).Page(target)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if _, err := page.Reload(t.Context(), adapter.Loaded); err != nil {
			t.Fatal(err)
		}
		v, _ := f.ok("focus_tab", args{"tabId": id})
		if got := fmt.Sprint(v["toolsAvailable"]); got != fmt.Sprint(before) {
			t.Errorf("the tools are %s, and were %v", got, before)
		}
	}
	seen := map[string]bool{}
	for _, name := range before {
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
}

// TestDynamicFrames holds that what frames declare and offer is among the tools,
// and says where it is of.
func TestDynamicFrames(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Outer</title><button>Outer thing</button><iframe src="/in" width=400 height=300></iframe>`,
		"/in": `<title>Inner</title><form aria-label="Pay now" onsubmit="event.preventDefault(); out.textContent = 'paid with ' + card.value"><input id=card aria-label=Card><button>Pay</button></form><p id=out></p>
			<script>document.modelContext.registerTool({name: 'rate', description: 'The rate', inputSchema: {type: 'object'}, execute: () => 7})</script>`})
	f := newFollower(t, Options{})
	f.connect()
	f.opened(base)
	f.until(func(names []string) bool {
		return slices.Contains(names, "rate") && slices.Contains(names, "pay_now") && slices.Contains(names, "outer_thing")
	})
	for _, name := range []string{"rate", "pay_now"} {
		has(t, strings.ToLower(f.tool(name).Description), "in the frame “"+base+"/in”")
	}
	has(t, f.page("rate", nil), "7")
	has(t, f.page("pay_now", args{"card": "4242"}), "1 field filled in and sent", "paid with 4242")
}

// TestDynamicDrawnLater holds that a page which draws itself after it was loaded
// is looked at again, though no call was made.
func TestDynamicChangedArgumentsAreTold(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Trip</title><form aria-label=Trip onsubmit="event.preventDefault()"><label>Town <select id=town><option>Rome<option>Oslo</select></label><button>Book</button></form>
<button onclick="town.add(new Option('Bern'))">More towns</button>`})
	f := newFollower(t, Options{})
	f.connect()
	v, _ := f.ok("open_tab", args{"url": base})
	t.Logf("%v", v["toolsAvailable"])
	has(t, f.page("more_towns", nil), "tools: ~")
	lacks(t, f.page("read_page", nil), "tools:")
}

func TestDynamicDrawnLater(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>Late</title><div id=root>Loading</div>`})
	f := newFollower(t, Options{})
	f.connect()
	_, target := f.opened(base)
	f.told()
	f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", "read_page", "find_on_page", "press_key", "back", "go_to")
	page, err := person(t).Page(target)
	if err != nil {
		t.Fatal(err)
	}
	draw := func(html string) {
		t.Helper()
		if _, err := page.Evaluate(t.Context(), "void (root.innerHTML = '"+html+"')", adapter.Element{}); err != nil {
			t.Fatal(err)
		}
	}
	for _, thing := range []string{"first", "second", "third"} {
		draw("<button>" + thing + " thing</button>")
		f.told()
		f.lists("list_tabs", "open_tab", "focus_tab", "close_tab", thing+"_thing", "read_page", "find_on_page", "press_key", "back", "go_to")
		f.untold()
	}
	draw("<button>third thing</button><p>and a word</p>")
	f.untold()
}
