package adapter

import (
	"errors"
	"strings"
	"testing"
)

// restorePage is an editor that puts its own selection, at its beginning, in place
// of any other a moment after it got the focus, as editors do that keep a model.
const restorePage = `<div id=ed contenteditable aria-label=Text>one two</div><script>
ed.onfocus = () => setTimeout(() => getSelection().collapse(ed.firstChild, 0), 15);
</script>`

func TestTypeIntoAnEditorThatRestoresItsSelection(t *testing.T) {
	for _, delay := range []string{"0", "15"} { // before anything else is asked of the page, and after
		s := open(t, strings.Replace(restorePage, "15", delay, 1))
		if d := s.typeInto("#ed", TypeOptions{Text: "new", Clear: true}); d.Value != "new" || d.Outcome != Happened {
			t.Errorf("%s ms: %+v", delay, d)
		}
		s.is("ed.blur(), 0", "0")
		if d := s.typeInto("#ed", TypeOptions{Text: "er"}); d.Value != "newer" {
			t.Errorf("%s ms: %+v", delay, d)
		}
	}
}

func TestB78KeysIntoAnEditorThatRestoresItsSelection(t *testing.T) {
	s := open(t, restorePage)
	if _, err := s.Press(t.Context(), "Control+End x", Element{Selector: "#ed"}); err != nil {
		t.Fatal(err)
	}
	s.is("ed.textContent", `"one twox"`)
}

// TestB78HomeInAnEditorThatTakesItForTheBrowsers has an editor like ProseMirror: a
// caret at the beginning within a moment of the focus is put back, once.
func TestB78HomeInAnEditorThatTakesItForTheBrowsers(t *testing.T) {
	s := open(t, `<div id=ed contenteditable aria-label=Text>one two</div><script>let at = 0, fresh = false;
ed.onfocus = () => { fresh = true };
document.onselectionchange = () => { const s = getSelection();
	if (fresh && at && s.isCollapsed && s.anchorOffset === 0) { fresh = false; s.collapse(ed.firstChild, at) } else at = s.anchorOffset }</script>`)
	if _, err := s.Press(t.Context(), "Control+End Control+Home Shift+End", Element{Selector: "#ed"}); err != nil {
		t.Fatal(err)
	}
	s.is("String(getSelection())", `"one two"`)
	if _, err := s.Press(t.Context(), "Home", Element{Selector: "#ed"}); err != nil {
		t.Fatal(err)
	}
	s.is("getSelection().anchorOffset", "0")
}

// TestB78KeysForWhatListensLater has a thing that is moved by keys once it was
// picked up with one, and listens for them a moment after that.
func TestB78KeysForWhatListensLater(t *testing.T) {
	s := open(t, `<button id=b>Item</button><script>window.at = 0; window.up = false;
const move = (e) => { if (e.key === "ArrowDown") at++; if (e.key === " ") { e.stopPropagation(); up = false; removeEventListener("keydown", move, true) } };
b.onkeydown = (e) => { if (e.key === " " && !up) { up = true; setTimeout(() => addEventListener("keydown", move, true)) } }</script>`)
	if _, err := s.Press(t.Context(), "Space ArrowDown ArrowDown Space", Element{Selector: "#b"}); err != nil {
		t.Fatal(err)
	}
	s.is("[at, up]", "[2,false]")
}

// TestB81SliderBetweenTheStepsOfItsKeys has a slider whose keys go far, and whose
// numbers are written with decimals.
func TestB81SliderBetweenTheStepsOfItsKeys(t *testing.T) {
	s := open(t, `<div id=track style="position:relative;width:300px;height:20px;margin:40px"><div id=s role=slider tabindex=0 aria-label=Low aria-valuemin=0.0 aria-valuemax=100.0
		style="position:absolute;width:20px;height:20px;margin-left:-10px;background:red"></div></div><script>
const put = (v) => { v = Math.round(Math.min(100, Math.max(0, v))); s.ariaValueNow = v.toFixed(1); s.style.left = v * 3 + "px" };
put(10);
s.onkeydown = (e) => put(+s.ariaValueNow + ({ArrowUp: 10, ArrowDown: -10}[e.key] ?? 0));
s.onmousedown = (down) => { const from = +s.ariaValueNow;
  const move = (e) => put(from + (e.clientX - down.clientX) / 3);
  addEventListener("mousemove", move); addEventListener("mouseup", () => removeEventListener("mousemove", move), {once: true}) }</script>`)
	for _, value := range []string{"50", "33", "87"} {
		list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#s"}, Value: value}})
		if err != nil || list[0].Err != nil || list[0].Outcome != Happened {
			t.Errorf("%s: %+v %v", value, list, err)
		}
		s.is("s.ariaValueNow", `"`+value+`.0"`)
	}
}

// TestFillFindsTheListOfItsOwn has a field of two pixels, as widgets have that show
// their value beside it, and another widget with a list that is always there.
func TestFillFindsTheListOfItsOwn(t *testing.T) {
	s := open(t, `<div role=combobox aria-expanded=false tabindex=0 aria-label=Size>Choose <div role=listbox><div role=option aria-selected=true>Choose</div></div></div>
		<div id=control style="width:200px;border:1px solid" onmousedown="show()"><input id=country role=combobox aria-label=Country aria-autocomplete=list style="width:2px;border:0;padding:0"></div><script>
		window.chosen = "";
		const show = () => { document.getElementById("menu")?.remove(); const menu = Object.assign(document.createElement("div"), {id: "menu", role: "listbox"}); menu.setAttribute("role", "listbox");
			for (const name of ["Chile", "Peru"].filter((c) => c.toLowerCase().includes(country.value.toLowerCase()))) { const o = document.createElement("div"); o.textContent = name; o.setAttribute("role", "option");
				o.onclick = () => { chosen = name; country.value = ""; menu.remove() }; menu.append(o) }
			document.body.append(menu); country.setAttribute("aria-controls", "menu") };
		country.oninput = show</script>`)
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#country"}, Value: "Peru"}})
	if err != nil || list[0].Err != nil {
		t.Fatalf("%+v %v", list, err)
	}
	s.is("chosen", `"Peru"`)
}

// TestClickOnAnOptionUnderAWidget has a list of the browser's that a widget keeps
// behind itself.
func TestClickOnAnOptionUnderAWidget(t *testing.T) {
	s := open(t, `<div id=w role=combobox tabindex=0 aria-label=Ways style="position:relative;width:300px;height:60px" onclick="window.went = event.target.id">Ways
		<select id=s multiple style="position:absolute;inset:0;width:100%;opacity:0;pointer-events:none"><option>By car<option id=train>By train</select></div>`)
	if d := s.click("#train", ClickOptions{}); d.Outcome != Different || !strings.Contains(d.Why, `went to combobox "Ways"`) {
		t.Errorf("%+v", d)
	}
	s.is("[went, s.value]", `["w",""]`)
	d, err := s.Select(t.Context(), Element{Selector: "#s"}, []string{"By train"})
	if err != nil || d.Value != "By train" {
		t.Errorf("%+v %v", d, err)
	}
}

// TestClickOnAFieldBehindItsLabel has fields of a pixel, all at one place, and a page
// that goes by where the pointer is on their labels, as ratings do.
func TestClickOnAFieldBehindItsLabel(t *testing.T) {
	s := open(t, `<style>label { display: inline-block; width: 40px; height: 30px; background: #fd8 } input { position: absolute; left: 0; top: 0; width: 1px; height: 1px; margin: -1px; opacity: 0 }</style>
		<div id=stars style="position:relative;margin:30px;width:120px;white-space:nowrap;font-size:0"><label for=one></label><input type=radio name=r id=one aria-label="1 star"><label for=two></label><input type=radio name=r id=two aria-label="2 stars"><label for=three></label><input type=radio name=r id=three aria-label="3 stars"></div>
		<script>stars.onclick = (e) => { if (e.clientX) window.at = Math.ceil((e.clientX - stars.getBoundingClientRect().left) / 40) }</script>`)
	if d := s.click("#three", ClickOptions{}); d.Outcome != Happened {
		t.Errorf("%+v", d)
	}
	s.is("[at, three.checked]", "[3,true]")
}

// TestFieldThatLosesTheFocus has a date that takes the focus back when it is left, as
// Pikaday does: the text comes to its field all the same, or the error says where the
// focus went. A code with a field for each digit goes on by itself.
func TestFieldThatLosesTheFocus(t *testing.T) {
	s := open(t, `<input id=date aria-label=Date><input id=who aria-label=Name><input id=never aria-label=Never><p id=code><input size=1><input size=1><input size=1></p><script>
		let times = 1; date.onblur = () => { if (times-- > 0) Promise.resolve().then(() => date.focus()) };
		never.onfocus = () => Promise.resolve().then(() => who.focus());
		code.oninput = (e) => { const [first, ...rest] = e.target.value; if (rest.length) { e.target.value = first; let at = e.target; for (const c of rest) { at = at.nextElementSibling; at.value = c } at.focus() } else e.target.nextElementSibling?.focus() }</script>`)
	s.typeInto("#date", TypeOptions{Text: "2026-05-14"})
	s.typeInto("#who", TypeOptions{Text: "Ann", Clear: true})
	s.is("[date.value, who.value]", `["2026-05-14","Ann"]`)
	if _, err := s.Type(t.Context(), Element{Selector: "#never"}, TypeOptions{Text: "x"}); !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), `gave it to textbox "Name"`) {
		t.Errorf("%v", err)
	}
	s.is("[never.value, who.value]", `["","Ann"]`)
	s.typeInto("#code input:first-child", TypeOptions{Text: "471"})
	s.is("[...code.children].map((i) => i.value).join('')", `"471"`)
}

// TestFillClicksTheOptionThatEnterWouldTake has a list that marks its first option.
func TestFillClicksTheOptionThatEnterWouldTake(t *testing.T) {
	s := open(t, `<input id=i role=combobox aria-label=Land aria-autocomplete=list aria-controls=l aria-expanded=true><ul id=l role=listbox><li role=option aria-selected=true onmousedown="window.took = textContent">Peru</li></ul>`)
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#i"}, Value: "Peru"}})
	if err != nil || list[0].Err != nil {
		t.Errorf("%+v %v", list, err)
	}
	s.is("window.took", `"Peru"`)
}
