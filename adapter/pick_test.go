package adapter

import (
	"strings"
	"testing"
)

// picksPage has lists that are hard on a click: one that is drawn anew at the press,
// the first time or always, one that heeds only the second click, one that heeds none,
// one that marks what is chosen within the option, and a select that a page puts back.
const picksPage = `<style>li { height: 20px } [role=combobox] { display: block; width: 200px; height: 20px }</style>
<input id=once role=combobox aria-label=Once><ul id=onces role=listbox></ul>
<input id=always role=combobox aria-label=Always><ul id=alwayss role=listbox></ul>
<input id=second role=combobox aria-label=Second><ul id=seconds role=listbox></ul>
<input id=dead role=combobox aria-label=Dead><ul id=deads role=listbox></ul>
<div id=menu role=combobox tabindex=0 aria-label=Menu aria-controls=menus>None</div><ul id=menus role=listbox hidden></ul>
<div id=deaf role=combobox tabindex=0 aria-label=Deaf aria-controls=deafs>None</div><ul id=deafs role=listbox hidden></ul>
<div id=icons role=combobox tabindex=0 aria-label=Icons aria-controls=iconss>None</div><ul id=iconss role=listbox hidden></ul>
<select id=back aria-label=Back><option>One<option>Two</select>
<script>
const chosen = {}, anew = {once: 1, always: 9, menu: 1}, ignored = {second: 1, dead: 9, deaf: 9};
for (const field of document.querySelectorAll("[role=combobox]")) {
  const {id} = field, list = document.getElementById(id + "s"), plain = field.localName === "div";
  field.setAttribute("aria-controls", list.id);
  const fill = () => list.replaceChildren(...["Peru", "Portugal"].filter((c) => plain || c.startsWith(field.value)).map((c) => {
    const li = Object.assign(document.createElement("li"), {role: "option", textContent: c});
    li.onmousedown = (e) => { e.preventDefault(); if (anew[id]-- > 0) fill(); };
    li.onclick = () => { if (id === "icons") return li.append(document.createElement("b")); if (ignored[id]-- > 0) return; chosen[id] = c; list.hidden = true; if (plain) field.textContent = c; else field.value = c; };
    return li;
  }));
  if (plain) field.onclick = () => { fill(); list.hidden = !list.hidden };
  else field.oninput = () => { fill(); list.hidden = false };
}
back.onchange = () => Promise.resolve().then(() => back.selectedIndex = 0);
</script>`

// TestB76WhatWasChosenWasTaken chooses in lists that do not take the first click, or none.
func TestB76WhatWasChosenWasTaken(t *testing.T) {
	s := open(t, picksPage)
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#once"}, Value: "Portugal"}, {Element: Element{Selector: "#always"}, Value: "Portugal"},
		{Element: Element{Selector: "#second"}, Value: "Portugal"}, {Element: Element{Selector: "#dead"}, Value: "Portugal"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []struct {
		outcome Outcome
		why     string
	}{{Happened, ""}, {Different, "changed under the pointer"}, {Happened, ""}, {Unknown, "still open"}} {
		if d := list[i].Done; list[i].Err != nil || d.Outcome != want.outcome || !strings.Contains(d.Why, want.why) || d.Value != "Portugal" {
			t.Errorf("%+v", list[i])
		}
	}
	for selector, want := range map[string]Outcome{"#menu": Happened, "#deaf": Unknown, "#icons": Unknown, "#back": Different} {
		value := "Portugal"
		if selector == "#back" {
			value = "Two"
		}
		if d, err := s.Select(t.Context(), Element{Selector: selector}, []string{value}); err != nil || d.Outcome != want {
			t.Errorf("%s: %+v %v", selector, d, err)
		}
	}
	s.is("iconss.querySelectorAll('b').length", "1") // one click
	s.is("[chosen, menu.textContent, back.value]", `[{"once":"Portugal","second":"Portugal","menu":"Portugal"},"Portugal","One"]`)
}
