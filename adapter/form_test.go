package adapter

import (
	"errors"
	"strings"
	"testing"
	"time"
)

// choosersPage has fields with lists: one that clears what was not chosen when
// it loses the focus, one whose list comes late, one that takes text only while
// its list is open, and an editor that hides the field which catches the keys.
const choosersPage = `<ul id=list role=listbox hidden></ul><label>City <input id=city role=combobox aria-autocomplete=list aria-controls=list aria-expanded=false></label>
<label>Note <input id=note></label><label>Upper <input id=upper></label>
<label>Tag <input id=tag role=combobox aria-haspopup=listbox aria-controls=tags readonly></label><ul id=tags role=listbox hidden><li role=option>red<li role=option>blue</ul>
<div id=code style="position:relative;width:300px;height:60px"><div id=lines></div><textarea id=catch aria-label=Code style="position:absolute;left:40px;width:0;height:0;padding:0;border:0;outline:0"></textarea></div>
<script>
const cities = ["Bern", "Basel", "Bergen, Norway", "Lima 5", "Lima 15"];
let chosen = "", timer;
city.oninput = () => { clearTimeout(timer); timer = setTimeout(() => {
  list.hidden = false; city.setAttribute("aria-expanded", "true");
  list.replaceChildren(...cities.filter(c => c.toLowerCase().includes(city.value.toLowerCase())).map(c => Object.assign(document.createElement("li"),
    {role: "option", textContent: c, onmousedown: e => e.preventDefault(), onclick() { chosen = city.value = c; list.hidden = true }}))) }, 300) };
city.onkeydown = e => { if (e.key === "Enter" && !list.hidden) { chosen = city.value = list.firstChild.textContent; list.hidden = true } };
city.onblur = () => { if (city.value !== chosen) city.value = chosen; list.hidden = true };
upper.onblur = () => upper.value = upper.value.toUpperCase();
tag.onclick = () => { tag.readOnly = false; tags.hidden = false };
for (const o of tags.children) o.onclick = () => { tag.value = o.textContent; tags.hidden = true };
code.onclick = () => document.getElementById("catch").focus();
document.getElementById("catch").oninput = e => { lines.textContent += e.target.value; e.target.value = "" };
</script>`

func TestB79FillChooses(t *testing.T) {
	s := open(t, choosersPage)
	fill := func(fields ...Field) []Filled {
		t.Helper()
		list, err := s.Fill(t.Context(), fields)
		if err != nil || len(list) != len(fields) {
			t.Fatalf("%+v %v", list, err)
		}
		return list
	}
	city, note := Element{Selector: "#city"}, Element{Selector: "#note"}
	list := fill(Field{Element: city, Value: "bern"}, Field{Element: note, Value: "x"})
	if list[0].Err != nil || list[0].Value != "Bern" || list[0].Outcome != Happened {
		t.Errorf("%+v", list[0])
	}
	s.is("chosen + city.value", `"BernBern"`)
	if list = fill(Field{Element: city, Value: "norway"}, Field{Element: note, Value: "x"}); list[0].Err != nil || list[0].Outcome != Different || list[0].Value != "Bergen, Norway" {
		t.Errorf("%+v", list[0])
	}
	// Two have it: none is chosen, the page takes the text back, and that is told.
	list = fill(Field{Element: city, Value: "5"}, Field{Element: note, Value: "y"})
	if err := list[0].Err; !errors.Is(err, ErrNotActionable) && list[0].Outcome != Different || !strings.Contains(list[0].Why, `"Lima 5", "Lima 15"`) && list[0].Value != "Bergen, Norway" {
		t.Errorf("%+v", list[0])
	}
	if list = fill(Field{Element: city, Value: "Lima"}); list[0].Outcome != Unknown || !strings.Contains(list[0].Why, `"Lima 5", "Lima 15"`) {
		t.Errorf("%+v", list[0])
	}
	list = fill(Field{Element: Element{Selector: "#upper"}, Value: "abc"}, Field{Element: note, Value: "z"})
	if list[0].Err != nil || list[0].Value != "ABC" || list[0].Outcome != Different || list[1].Outcome != Happened {
		t.Errorf("%+v", list)
	}
	if list = fill(Field{Element: Element{Selector: "#tag"}, Value: "blue"}); list[0].Err != nil {
		t.Errorf("%+v", list)
	}
	s.is("tag.value", `"blue"`)
}

// TestFillSaysHowLongItWaited: a field that others wait for has less time than an
// action, and its error says so.
func TestFillSaysHowLongItWaited(t *testing.T) {
	s := open(t, `<input id=a disabled><input id=b>`)
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#a"}, Value: "x"}, {Element: Element{Selector: "#b"}, Value: "y"}})
	if err != nil || len(list) != 2 || list[0].Err == nil || !strings.Contains(list[0].Err.Error(), "(waited "+fieldPatience.String()+")") || list[1].Err != nil {
		t.Errorf("%+v %v", list, err)
	}
}

func TestSubmitWaitsForTheList(t *testing.T) {
	s := open(t, choosersPage)
	s.typeInto("#city", TypeOptions{Text: "Basel", Submit: true})
	s.is("chosen", `"Basel"`)
}

func TestEditorThatHidesItsField(t *testing.T) {
	s := open(t, choosersPage)
	quick(t, time.Second, func() { s.click("#catch", ClickOptions{}) })
	if d := s.typeInto("#catch", TypeOptions{Text: "one"}); d.Outcome != Happened {
		t.Errorf("%+v", d)
	}
	s.is("lines.textContent", `"one"`)
}

func TestB81Slider(t *testing.T) {
	s := open(t, `<div id=s role=slider tabindex=0 aria-label=Volume aria-valuenow=50 aria-valuemin=0 aria-valuemax=1000>o</div>
<div id=slow role=slider tabindex=0 aria-label=Slow aria-valuenow=20 aria-valuemin=0 aria-valuemax=100>o</div><div id=dead role=slider tabindex=0 aria-label=Dead aria-valuenow=1>o</div>
<script>
const move = (e, step, page, later) => { const d = {ArrowRight: step, ArrowUp: step, ArrowLeft: -step, ArrowDown: -step, PageUp: page, PageDown: -page}[e.key]; if (!d) return;
  const el = e.target, set = () => el.setAttribute("aria-valuenow", Math.min(+el.ariaValueMax, Math.max(0, +el.ariaValueNow + d))); later ? setTimeout(set, 20) : set() };
s.onkeydown = e => move(e, 1, 100); slow.onkeydown = e => move(e, 5, 5, true);
</script>`)
	for _, value := range []string{"700", "3", "0", "1000", "51"} {
		if d := s.typeInto("#s", TypeOptions{Text: value}); d.Value != value || d.Outcome != Happened {
			t.Errorf("%+v", d)
		}
		s.is("s.ariaValueNow", `"`+value+`"`)
	}
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#slow"}, Value: "75"}, {Element: Element{Selector: "#slow"}, Value: "33"}, {Element: Element{Selector: "#slow"}, Value: "101"}, {Element: Element{Selector: "#dead"}, Value: "2"}})
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"", "it moves in steps of 5", "goes from 0 to 100", "is at 1, not 2"} {
		if err := list[i].Err; want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%d: %+v", i, list[i])
		}
	}
	// One that goes away while it is set is an error, whichever key it goes with.
	for _, html := range []string{`<div id=s role=slider tabindex=0 aria-valuenow=1 onkeydown="this.remove()">o</div>`,
		`<div id=s role=slider tabindex=0 aria-valuenow=1 onkeydown="event.key == 'PageUp' ? this.removeAttribute('aria-valuenow') : this.ariaValueNow++">o</div>`} {
		gone := open(t, html)
		if d, err := gone.Type(t.Context(), Element{Selector: "#s"}, TypeOptions{Text: "90"}); !errors.Is(err, ErrStaleRef) {
			t.Errorf("%s: %+v %v", html, d, err)
		}
	}
}
