package tools

import "testing"

// TestMinimalChanges holds that an answer tells what of the page is another than
// before, and no more: values, states, what came, how many went, and where the page
// is when it is elsewhere.
func TestMinimalChanges(t *testing.T) {
	base := site(t, map[string]string{"/{$}": `<title>Shop</title><input aria-label=Name><select aria-label=Town><option>Bern<option>Zug</select><p id=out></p>
<button onclick="out.textContent = 'Saved'; document.title = 'Saved'">Save</button><button onclick="out.innerHTML = '<button>Undo</button>'.repeat(13)">Many</button>
<button onclick="out.innerHTML = ''">None</button><button>Still</button><a href=/next>Next</a>`, "/next": `<title>Next</title><h1>There</h1>`})
	f := newFourTools(t)
	f.call("navigate", `{"url": "`+base+`/"}`)
	for _, c := range []struct{ with, want string }{
		{`{"action": "type", "element": {"role": "textbox", "name": "Name"}, "text": "Ada"}`, "success: true\nchanged[1]{ref,role,name,states,value}:\n  e1,textbox,Name,focused,Ada"},
		{`{"action": "select", "element": {"role": "combobox", "name": "Town"}, "value": "Zug"}`, "success: true\nchanged[3]{ref,role,name,states,value}:\n  e2,combobox,Town,focused,Zug\n  e3,option,Bern,,\n  e4,option,Zug,selected,"},
		{`{"action": "click", "element": {"role": "button", "name": "Still"}}`, "success: true"},
		{`{"action": "click", "element": {"role": "button", "name": "Save"}}`, "success: true\ntitle: Saved\nchanged[1]{ref,role,name,states}:\n  e5,paragraph,Saved,"},
		{`{"action": "click", "element": {"role": "button", "name": "Many"}}`, "success: true\ngone: 1\nmore: \"13 changes: snapshot lists the page\""},
		{`{"action": "click", "element": {"role": "button", "name": "None"}}`, "success: true\ngone: 13"},
		{`{"action": "click", "element": {"role": "link", "name": "Next"}}`, "success: true\nurl: " + base + "/next\ntitle: Next\nchanged[1]{ref,role,name,states}:\n  e24,heading,There,"},
	} {
		if text, _, _ := f.call("interact", c.with); text != c.want {
			t.Errorf("%s says\n%s\nwant\n%s", c.with, text, c.want)
		}
	}
}
