package e2e

import "testing"

const formPage = `<form><input aria-label="Name" value=old><input type=email aria-label="Mail"><input type=number aria-label="Age">
	<input type=date aria-label="Day"><input type=time aria-label="Hour"><input type=color aria-label="Tint"><input type=range min=0 max=10 aria-label="Level">
	<select aria-label="Town"><option value=b>Berlin<option value=p>Paris</select><select aria-label="Tags" multiple><option>red<option>green<option>blue</select>
	<input type=checkbox aria-label="Terms"><input type=checkbox checked aria-label="News"><label><input type=checkbox style="display:none" id=styled>Styled</label>
	<input type=radio name=size aria-label="Small" checked><input type=radio name=size aria-label="Large">
	<div role=switch aria-checked=false tabindex=0 aria-label="Dark" onclick="this.setAttribute('aria-checked', this.getAttribute('aria-checked') !== 'true')">Dark</div>
	<textarea aria-label="Story"></textarea><div contenteditable aria-label="Rich">old</div><input aria-label="Off" disabled></form>`

func TestB34FillForm(t *testing.T) {
	inPlaces(t, formPage, func(t *testing.T, a *agent, first answer) {
		var fields []args
		for name, value := range map[string]string{
			"Name": "Ada", "Mail": "ada@example.test", "Age": "36", "Day": "2026-01-31", "Hour": "18:30", "Tint": "#ff8800", "Level": "7",
			"Town": "Paris", "Tags": "red\nblue", "Terms": "true", "News": "off", "Large": "on", "Dark": "true", "Story": "two\nlines", "Rich": "new",
		} {
			fields = append(fields, args{"ref": first.ref(`"` + name + `"`), "value": value})
		}
		fields = append(fields, args{"selector": "#styled", "value": "true"})
		a.ok("browser_fill_form", args{"fields": fields}).has(`"Name"`, `"Ada"`, `"Paris"`)
		want := `"Ada|ada@example.test|36|2026-01-31|18:30|#ff8800|7|p|red,blue|true|false|false|true|true|two\nlines|new|true"`
		v := a.value(`(() => { const f = n => document.querySelector("[aria-label=" + n + "]");
			return [f("Name").value, f("Mail").value, f("Age").value, f("Day").value, f("Hour").value, f("Tint").value, f("Level").value, f("Town").value,
			[...f("Tags").selectedOptions].map(o => o.text).join(), f("Terms").checked, f("News").checked, f("Small").checked, f("Large").checked,
			f("Dark").getAttribute("aria-checked"), f("Story").value, f("Rich").textContent, styled.checked].join("|") })()`)
		if v != want {
			t.Fatalf("the form has\n%s, want\n%s", v, want)
		}
		an := a.fails("browser_fill_form", args{"fields": []args{
			{"ref": first.ref(`"Name"`), "value": "Bob"}, {"ref": first.ref(`"Off"`), "value": "x"}, {"ref": first.ref(`"Town"`), "value": "Rome"},
			{"ref": first.ref(`"Day"`), "value": "soon"}, {"ref": first.ref(`"Small"`), "value": "false"}, {"selector": "#none", "value": "1"}, {"ref": first.ref(`"Age"`), "value": "40"},
		}})
		an.has("error:", "4 of 7", "disabled", "Rome", "Berlin", "2026-01-31", "#none", "hint:")
		if v := a.value(`document.querySelector("[aria-label=Name]").value + document.querySelector("[aria-label=Age]").value`); v != `"Bob40"` {
			t.Fatalf("after failures the others are %s", v)
		}
	})
}

func TestB34FormThatAsks(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	an := a.open(newSite(t, `<input aria-label="First"><input aria-label="Second" onfocus="this.onfocus = null; alert('sure?')"><input aria-label="Third">`).URL)
	a.ok("browser_fill_form", args{"fields": []args{{"ref": an.ref(`"First"`), "value": "1"}, {"ref": an.ref(`"Second"`), "value": "2"}, {"ref": an.ref(`"Third"`), "value": "3"}}}).
		has(`"First"`, "dialog: alert", "1 further field")
	a.ok("browser_dialog", args{"action": "accept"})
	a.ok("browser_fill_form", args{"fields": []args{{"ref": an.ref(`"Third"`), "value": "3"}}}).has(`"3"`)
}

func TestB34BadInput(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, formPage).URL)
	a.fails("browser_fill_form", nil).has("fields")
	a.fails("browser_fill_form", args{"fields": []args{}}).has("fields")
	a.fails("browser_fill_form", args{"fields": []args{{"value": "x"}}}).has("fields[0]", "ref or selector")
	a.fails("browser_fill_form", args{"fields": []args{{"ref": "e1"}}}).has("fields[0].value")
	a.fails("browser_fill_form", args{"fields": []args{{"ref": "e1", "selector": "a", "value": "x"}}}).has("fields[0]", "both")
	a.fails("browser_fill_form", args{"fields": []args{{"selector": "[aria-label=Terms]", "value": "maybe"}}}).has("true or false")
}
