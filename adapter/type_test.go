package adapter

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestType(t *testing.T) {
	s := open(t, `<input id=i value=ab><textarea id=a>one</textarea><div id=e contenteditable>x</div><form id=f onsubmit="window.sent=q.value;return false"><input id=q></form>
<input type=email id=m value=a@b><input type=number id=n><input type=password id=p><div id=k tabindex=0 style="width:50px;height:20px"></div>
<script>window.keys = []; i.onkeydown = (e) => keys.push(e.key + e.code + e.keyCode + e.isTrusted);
k.onkeydown = (e) => { if (e.key.length === 1) { k.textContent += e.key; e.preventDefault(); } }</script>`)
	for _, c := range []struct {
		selector string
		o        TypeOptions
		value    string
	}{
		{"#i", TypeOptions{Text: "cd"}, "abcd"},
		{"#i", TypeOptions{Text: "xé", Clear: true}, "xé"},
		{"#i", TypeOptions{Text: "", Clear: true}, ""},
		{"#i", TypeOptions{Text: "Zö", Slowly: true}, "Zö"},
		{"#a", TypeOptions{Text: "\ntwo"}, "one\ntwo"},
		{"#a", TypeOptions{Text: "a\nb", Clear: true, Slowly: true}, "a\nb"},
		{"#e", TypeOptions{Text: "yz"}, "xyz"},
		{"#e", TypeOptions{Text: "new", Clear: true}, "new"},
		{"#m", TypeOptions{Text: ".c"}, "a@b.c"},
		{"#n", TypeOptions{Text: "12"}, "12"},
		{"#k", TypeOptions{Text: "Hi"}, "Hi"},
	} {
		d := s.typeInto(c.selector, c.o)
		if !d.HasValue || d.Value != c.value {
			t.Errorf("%s %+v: %+v; want %q", c.selector, c.o, d, c.value)
		}
	}
	s.is("keys", `["dKeyD68true","é0true","DeleteDelete46true","ZKeyZ90true","ö0true"]`)
	if d := s.typeInto("#p", TypeOptions{Text: "secret"}); d.HasValue || strings.Contains(strings.Join(d.Notes, ""), "secret") {
		t.Errorf("%+v", d)
	}
	s.typeInto("#q", TypeOptions{Text: "find", Submit: true})
	s.is("sent", `"find"`)
}

func TestTypeRejected(t *testing.T) {
	s := open(t, `<input id=n type=number><input id=d oninput="this.value=this.value.replace(/\D/g,'')" value=1><input id=r readonly value=x><input id=x disabled>
<input id=u oninput="this.value=this.value.toUpperCase()"><input id=m maxlength=3><select id=s><option>a</select><input type=checkbox id=c><p id=p>text</p>
<input id=later oninput="setTimeout(() => this.value = 'old', 30)"><input id=tag onkeydown="if (event.key === ',') { event.preventDefault(); tags.insertAdjacentHTML('beforeend', '<li>' + this.value); this.value = '' }"><footer><ul id=tags></ul></footer>`)
	for _, c := range []struct {
		selector string
		kind     error
		say      string
	}{
		{"#n", ErrNotActionable, "did not accept"}, {"#d", ErrNotActionable, `its value is still "1"`}, {"#r", ErrNotActionable, "readonly"}, {"#x", ErrNotActionable, "disabled"},
		{"#s", ErrInvalid, "list"}, {"#c", ErrInvalid, "no text"}, {"#p", ErrNotActionable, "takes no text"},
	} {
		limit := 30 * time.Second
		if c.say == "readonly" || c.say == "disabled" { // which is waited for
			limit = time.Second
		}
		_, err := s.Type(s.within(limit), Element{Selector: c.selector}, TypeOptions{Text: "abc"})
		if !errors.Is(err, c.kind) || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: %v", c.selector, err)
		}
	}
	for selector, want := range map[string]string{"#u": "ABC", "#m": "abc"} {
		if d := s.typeInto(selector, TypeOptions{Text: "abcd"[:len(want)+map[bool]int{true: 1}[selector == "#m"]]}); d.Value != want || d.Outcome != map[string]Outcome{"#u": Happened, "#m": Different}[selector] {
			t.Errorf("%s: %+v", selector, d)
		}
	}
	if d := s.typeInto("#later", TypeOptions{Text: "new"}); d.Value != "old" || d.Outcome != Different {
		t.Errorf("what is put back later: %+v", d)
	}
	if d := s.typeInto("#tag", TypeOptions{Text: "red,"}); d.Value != "" || d.Outcome != Happened || len(d.Notes) != 1 {
		t.Errorf("what becomes a tag: %+v", d)
	}
	s.is("tags.textContent", `"red"`) // once
}

// TestTypeForWhatListensToKeys has fields of pages that listen to keys, and not to
// what comes of them.
func TestTypeForWhatListensToKeys(t *testing.T) {
	s := open(t, `<input id=up><input id=mask><input id=own><input id=press><textarea id=a></textarea><script>window.seen = []; window.held = "";
up.onkeyup = (e) => seen.push(e.key + up.value + e.isTrusted);
mask.onkeydown = (e) => { if (/^\d$/.test(e.key)) { e.preventDefault(); mask.value = (mask.value + e.key).replace(/\D/g, "").replace(/(..)(?=.)/g, "$1/") } };
own.onkeydown = (e) => { e.preventDefault(); if (e.key === "a" && e.ctrlKey) held = ""; else if (/^\d$/.test(e.key)) held += e.key; own.value = held };
press.onkeypress = () => seen.push("press" + press.value.length)</script>`)
	for _, c := range []struct{ selector, text, value string }{
		{"#up", "pea", "pea"}, {"#up", "é", "é"}, {"#up", "", ""}, {"#mask", "120599", "12/05/99"}, {"#mask", "311298", "31/12/98"}, {"#own", "4711", "4711"}, {"#press", "abc", "abc"}, {"#a", "one\n", "one\n"},
	} {
		if d := s.typeInto(c.selector, TypeOptions{Text: c.text, Clear: true}); d.Value != c.value || d.Outcome != Happened {
			t.Errorf("%s %q: %+v", c.selector, c.text, d)
		}
	}
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#up"}, Value: "fig"}, {Element: Element{Selector: "#mask"}, Value: "010203"}})
	if err != nil || len(list) != 2 || list[0].Value != "fig" || list[1].Value != "01/02/03" {
		t.Errorf("%+v, %v", list, err)
	}
	s.is("seen", `["apeatrue","éétrue","Deletetrue","press2","gfigtrue"]`)
}

func TestTypeShaped(t *testing.T) {
	s := open(t, `<input type=date id=d><input type=time id=t><input type=color id=c><input type=range id=r max=10><input type=datetime-local id=l>
<script>window.ev = []; d.oninput = d.onchange = (e) => ev.push(e.type)</script>`)
	for selector, text := range map[string]string{"#d": "2026-01-31", "#t": "18:30", "#c": "#ff8800", "#r": "7", "#l": "2026-01-31T18:30"} {
		if d := s.typeInto(selector, TypeOptions{Text: text}); d.Value != text || len(d.Notes) > 0 {
			t.Errorf("%s: %+v", selector, d)
		}
	}
	s.is("ev", `["input","change"]`)
	if d := s.typeInto("#r", TypeOptions{Text: "99"}); d.Value != "10" || d.Outcome != Different {
		t.Errorf("%+v", d)
	}
	if _, err := s.Type(t.Context(), Element{Selector: "#d"}, TypeOptions{Text: "31.1.2026"}); !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), "2026-01-31") {
		t.Error(err)
	}
	s.is("d.value", `"2026-01-31"`)
}

func TestTypeInFrames(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<input id=i aria-label=Leaf>`)
	s.site.page("/mid", `<iframe src="`+s.site.URL+`/leaf"></iframe>`)
	s.visit(s.site.page("/top", `<input id=o><iframe src="`+s.site.other("/mid")+`"></iframe>`))
	ref := s.ref(`"Leaf"`)
	d, err := s.Type(t.Context(), Element{Ref: ref}, TypeOptions{Text: "deep"})
	if err != nil || d.Value != "deep" {
		t.Errorf("%+v %v", d, err)
	}
	d, err = s.Type(t.Context(), Element{Ref: ref}, TypeOptions{Text: "x", Slowly: true})
	if err != nil || d.Value != "deepx" {
		t.Errorf("%+v %v", d, err)
	}
	if d := s.typeInto("#o", TypeOptions{Text: "top"}); d.Value != "top" {
		t.Errorf("%+v", d)
	}
}

func TestPress(t *testing.T) {
	s := open(t, `<input id=i value=hello><script>window.k = []; onkeydown = (e) => k.push([e.key, e.code, e.keyCode, e.ctrlKey ? "c" : "", e.shiftKey ? "s" : ""].join(" ").trim())</script>`)
	for keys, want := range map[string]string{
		"Escape Escape": `["Escape Escape 27","Escape Escape 27"]`, "a": `["a KeyA 65"]`, "A": `["A KeyA 65"]`, "F5": "",
		"Control+A": `["Control ControlLeft 17 c","a KeyA 65 c"]`, "Shift+a": `["Shift ShiftLeft 16  s","A KeyA 65  s"]`, "Alt++": `["Alt AltLeft 18","+ Equal 187"]`, "down": `["ArrowDown ArrowDown 40"]`,
	} {
		if want == "" {
			continue
		}
		s.is("k = [], 0", "0")
		if _, err := s.Press(t.Context(), keys, Element{Selector: "#i"}); err != nil {
			t.Errorf("%s: %v", keys, err)
		}
		got := s.value("k")
		if strings.ReplaceAll(got, "187  s", "187") != want && got != strings.ReplaceAll(want, "KeyA 65\"]", "KeyA 65  s\"]") {
			t.Errorf("%s: %s; want %s", keys, got, want)
		}
	}
	s.is("i.value = 'hello', 0", "0")
	if _, err := s.Press(t.Context(), "Control+A x", Element{Selector: "#i"}); err != nil {
		t.Fatal(err)
	}
	s.is("i.value", `"x"`)
	if _, err := s.Press(t.Context(), "Backspace y ArrowLeft z", Element{}); err != nil {
		t.Fatal(err)
	}
	s.is("i.value", `"zy"`)
	s.is("document.body.insertAdjacentHTML('beforeend', '<p id=p>text'), 0", "0")
	if d, err := s.Press(t.Context(), "Escape", Element{Selector: "#p"}); err != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], "the keys went to textbox") {
		t.Errorf("%+v %v", d, err)
	}
	for _, bad := range []string{"", "Foo", "Control+Foo", "Enter+a"} {
		if _, err := s.Press(t.Context(), bad, Element{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestTypeEditors(t *testing.T) {
	for _, f := range []func(testing.TB, string) *stage{open, openHidden} {
		s := f(t, `<div id=ed><pre id=out></pre><textarea id=cm style="opacity:0;width:1px;height:1px" aria-label=Code></textarea></div>
<div id=ed2><pre id=out2></pre><textarea id=mo style="opacity:0;width:1px;height:1px" aria-label=Late></textarea></div>
<div id=rich role=textbox tabindex=0 aria-label=Rich style="height:30px"></div><div id=wrap style="border:1px solid"><span>Name</span><input id=inner></div>
<div id=edit onclick="this.innerHTML='<input id=born>'; this.firstChild.focus()">Double</div><div id=note contenteditable></div>
<script>cm.onkeydown = (e) => { if (e.key.length === 1) out.textContent += e.key; e.preventDefault() };
mo.oninput = () => { const v = mo.value; mo.value = ""; requestAnimationFrame(() => out2.textContent += v) };
rich.onkeydown = (e) => { if (e.key.length === 1) rich.textContent += e.key }</script>`)
		for selector, script := range map[string]string{"#cm": "out.textContent", "#mo": "out2.textContent", "#rich": "rich.textContent", "#wrap": "inner.value", "#edit": "born.value"} {
			begin := time.Now()
			d := s.typeInto(selector, TypeOptions{Text: "if x"})
			t.Logf("%s: %+v %s", selector, d, time.Since(begin))
			if selector == "#mo" { // it shows its text with a frame, which a hidden tab may not have
				continue
			}
			s.is(script, `"if x"`)
		}
		for range 2 { // what it holds already is not typed once more
			s.typeInto("#note", TypeOptions{Text: "Night. Day.", Clear: true})
			s.is("note.textContent", `"Night. Day."`)
		}
		s.Rest(t.Context())
	}
}

// A field that hinders keeps the others waiting for a moment only; one whose page
// is slow to take what is typed is waited for.
func TestFillSlowField(t *testing.T) {
	s := open(t, `<input id=a oninput="for (const begin = performance.now(); performance.now() - begin < 1800;);"><input id=off disabled><input id=b>`)
	var fields []Field
	for _, id := range []string{"#a", "#off", "#b"} {
		fields = append(fields, Field{Element: Element{Selector: id}, Value: "x"})
	}
	list, err := s.Fill(t.Context(), fields)
	if err != nil || len(list) != 3 || list[0].Err != nil || !errors.Is(list[1].Err, ErrNotActionable) || list[2].Err != nil {
		t.Fatalf("%v: %+v", err, list)
	}
	s.is("a.value + b.value", `"xx"`)
}
