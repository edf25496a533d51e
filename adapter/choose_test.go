package adapter

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestSelect(t *testing.T) {
	s := open(t, `<label>Size <select id=s><option value=s>Small<option value=m>Medium<option value=l disabled>Large</select></label>
<select id=m multiple><option>a<option>b<option>c</select><script>window.ev = []; s.oninput = s.onchange = (e) => ev.push(e.type + s.value)</script>
<input id=ac role=combobox aria-label=City oninput="setTimeout(() => { cities.innerHTML = ['Bern', 'Basel'].filter((c) => c.startsWith(ac.value)).map((c) => '<li role=option onclick=\'ac.value=this.textContent;cities.innerHTML=&quot;&quot;\'>' + c).join('') }, 30)"><ul id=cities role=listbox></ul>
<div id=cb role=combobox tabindex=0 aria-expanded=false aria-label=Fruit onclick="lb.hidden=!lb.hidden">…</div><ul id=lb role=listbox hidden><li role=option onclick="cb.textContent='Apple'; lb.hidden=true">Apple</li><li role=option onclick="cb.textContent='Pear'; lb.hidden=true">Pear</li></ul>`)
	for _, c := range []struct {
		selector string
		values   []string
		want     string
	}{
		{"#s", []string{"m"}, "Medium"}, {"#s", []string{"Small"}, "Small"}, {"#s", []string{"#1"}, "Medium"}, {"#s", []string{"0"}, "Small"}, {"text=Size", []string{"medium"}, "Medium"},
		{"#m", []string{"a", "c"}, "a, c"}, {"#m", []string{"b"}, "b"}, {"#m", nil, ""}, {"#cb", []string{"Pear"}, "Pear"}, {"#cb", []string{"Apple"}, "Apple"}, {"#ac", []string{"Bern"}, "Bern"},
	} {
		d, err := s.Select(t.Context(), Element{Selector: c.selector}, c.values)
		if err != nil || d.Value != c.want {
			t.Errorf("%s %v: %+v %v", c.selector, c.values, d, err)
		}
	}
	s.is("ev.slice(0, 2)", `["inputm","changem"]`)
	s.is("[cb.textContent, ac.value, cities.innerHTML]", `["Apple","Bern",""]`)
	for say, values := range map[string][]string{`no option "Huge"`: {"Huge"}, "disabled": {"l"}, "one value": {"s", "m"}} {
		_, err := s.Select(t.Context(), Element{Selector: "#s"}, values)
		var e *Error
		if !errors.As(err, &e) || e.Kind != ErrInvalid || !strings.Contains(e.Text, say) || !strings.Contains(e.Hint, `"Small", "Medium", "Large"`) {
			t.Errorf("%v: %v", values, err)
		}
	}
	d := s.click("#m option:nth-child(2)", ClickOptions{})
	s.is("m.value", `"b"`)
	t.Log(d)
	quick(t, time.Second, func() {
		if d = s.click("#s", ClickOptions{}); len(d.Notes) != 1 {
			t.Errorf("%+v", d)
		}
	})
	s.click("#cb", ClickOptions{})
	s.is("lb.hidden", "false")
}

// TestSelectBy has options whose labels are the others' values, and one that is
// called like an index.
func TestSelectBy(t *testing.T) {
	s := open(t, `<select id=s><option value="">None<option value=2>1<option value=1>2<option value=x>#1</select>
<div id=lb role=listbox tabindex=0><div role=option data-value=b onclick="pick(this)">a</div><div role=option data-value=a onclick="pick(this)">b</div></div>
<script>function pick(o) { for (const e of lb.children) e.setAttribute('aria-selected', e === o) }</script>`)
	for _, c := range []struct {
		selector string
		by       OptionKey
		value    string
		want     string
	}{
		{"#s", ByValue, "1", "2"}, {"#s", ByLabel, "1", "1"}, {"#s", ByIndex, "1", "1"}, {"#s", ByLabel, "#1", "#1"}, {"#s", ByValue, "", "None"},
		{"#s", ByValue, "#1", "#1"}, {"#s", ByLabel, "x", "#1"}, {"#lb", ByValue, "a", "a"}, {"#lb", ByLabel, "a", "a"}, {"#lb", ByIndex, "1", "b"},
	} {
		d, err := s.SelectBy(t.Context(), Element{Selector: c.selector}, c.by, []string{c.value})
		if err != nil || d.Value != c.want {
			t.Errorf("%s by %s %q: %+v %v", c.selector, c.by, c.value, d, err)
		}
	}
	s.is("Array.from(lb.children, (e) => e.ariaSelected)", `["false","true"]`)
	for by, value := range map[OptionKey]string{ByIndex: "4", ByLabel: "#2", ByValue: "#2"} {
		if _, err := s.SelectBy(t.Context(), Element{Selector: "#s"}, by, []string{value}); !errors.Is(err, ErrInvalid) {
			t.Errorf("by %s %q: %v", by, value, err)
		}
	}
}

func TestScroll(t *testing.T) {
	s := open(t, `<div style="height:5000px;width:3000px">tall</div><div id=box style="height:100px;width:100px;overflow:auto;scroll-behavior:smooth"><p id=in style="height:900px">in</p></div><button id=b>Last</button>`)
	d, err := s.Scroll(t.Context(), Element{}, ScrollOptions{})
	if err != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "above") || !strings.Contains(d.Notes[0], "below") {
		t.Errorf("%+v %v", d, err)
	}
	s.is("scrollY > 400", "true")
	for _, c := range []struct {
		e      Element
		o      ScrollOptions
		script string
	}{
		{Element{}, ScrollOptions{Direction: "up", Amount: 100}, "scrollY > 300 && scrollY < innerHeight"},
		{Element{}, ScrollOptions{Direction: "right"}, "scrollX > 400"},
		{Element{}, ScrollOptions{To: "bottom"}, "scrollY > 4000"},
		{Element{}, ScrollOptions{To: "top"}, "scrollY === 0"},
		{Element{Selector: "#in"}, ScrollOptions{Amount: 50}, "box.scrollTop === 50 && scrollY === 0"},
		{Element{Selector: "#b"}, ScrollOptions{To: "element"}, "b.getBoundingClientRect().bottom <= innerHeight"},
	} {
		if d, err = s.Scroll(t.Context(), c.e, c.o); err != nil {
			t.Errorf("%+v: %v", c.o, err)
		}
		s.is(c.script, "true")
	}
	s.visit(s.site.page("/short", "short"))
	if d, err = s.Scroll(t.Context(), Element{}, ScrollOptions{}); err != nil || d.Outcome != Nothing || !strings.Contains(d.Why, "nothing to scroll") {
		t.Errorf("%+v %v", d, err)
	}
}

func TestHover(t *testing.T) {
	for _, f := range []func(testing.TB, string) *stage{open, openHidden} {
		s := f(t, `<style>#menu { display: none } #top:hover #menu { display: block }</style><div id=top>Menu<div id=menu><button id=b onclick="window.hit=1">Item</button></div></div>`)
		if _, err := s.Hover(t.Context(), Element{Selector: "#top"}); err != nil {
			t.Fatal(err)
		}
		s.click("#b", ClickOptions{})
		s.Rest(t.Context())
		s.is("hit", "1")
	}
}

func TestClickFile(t *testing.T) {
	s := open(t, `<input type=file id=f>`)
	quick(t, time.Second, func() { s.click("#f", ClickOptions{}) })
	s.is("1", "1")
}
