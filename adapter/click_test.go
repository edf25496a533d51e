package adapter

import (
	"errors"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// heard makes a page remember the trusted mouse events of its elements.
const heard = `<script>
window.seen = [];
for (const type of ["click", "auxclick", "dblclick", "contextmenu"]) addEventListener(type, (e) => {
  seen.push([e.type, e.target.id, e.button, e.detail, e.ctrlKey ? "c" : "", e.shiftKey ? "s" : "", e.altKey ? "a" : "", e.isTrusted ? "" : "untrusted"].filter((x) => x !== "").join(" "));
});
</script>`

func TestClick(t *testing.T) {
	s := open(t, `<button id=b>Save</button>`+heard)
	if d := s.click("#b", ClickOptions{}); !strings.HasPrefix(d.Target, `button "Save" [e`) {
		t.Errorf("target is %s", d.Target)
	}
	s.is("seen", `["click b 0 1"]`)
	for _, c := range []struct {
		o    ClickOptions
		want string
	}{
		{ClickOptions{Button: "right"}, `["contextmenu b 2 0","auxclick b 2 1"]`},
		{ClickOptions{Button: "middle"}, `["auxclick b 1 1"]`},
		{ClickOptions{Count: 2}, `["click b 0 1","click b 0 2","dblclick b 0 2"]`},
		{ClickOptions{Modifiers: []string{"Ctrl"}}, `["click b 0 1 c"]`},
		{ClickOptions{Modifiers: []string{"Shift", "Alt"}}, `["click b 0 1 s a"]`},
	} {
		s.is("seen = [], 0", "0")
		s.click("#b", c.o)
		if got := s.value("seen"); got != c.want && !(c.o.Button == "right" && strings.Contains(got, "contextmenu b 2")) {
			t.Errorf("%+v: %s; want %s", c.o, got, c.want)
		}
	}
	for _, o := range []ClickOptions{{Button: "side"}, {Count: 9}, {Modifiers: []string{"Enter"}}} {
		if _, err := s.Click(t.Context(), Element{Selector: "#b"}, o); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestClickCovered(t *testing.T) {
	s := open(t, `<button id=b>Save</button><div style="position:fixed;inset:0;background:#fff8"><p>Cookies? <button id=no>No</button></p></div>`+heard)
	took := quick(t, 2500*time.Millisecond, func() {
		_, err := s.Click(s.within(2*time.Second), Element{Selector: "#b"}, ClickOptions{})
		if !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), `covered by div "Cookies? No"`) {
			t.Errorf("error is %v", err)
		}
	})
	if took < 500*time.Millisecond {
		t.Errorf("it took %s", took)
	}
	s.is("seen", "[]")
}

func TestClickWaits(t *testing.T) {
	s := open(t, `<button id=b disabled>Save</button><script>setTimeout(() => b.disabled = false, 300)</script>`+heard)
	s.click("#b", ClickOptions{})
	s.is("seen", `["click b 0 1"]`)
	s.is("b.disabled = true, 0", "0")
	_, err := s.Click(s.within(2*time.Second), Element{Selector: "#b"}, ClickOptions{})
	if !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), "disabled") {
		t.Errorf("error is %v", err)
	}
}

func TestClickMoves(t *testing.T) {
	s := open(t, `<style>@keyframes go { to { left: 600px } } #b { position: absolute; top: 2000px; left: 0; animation: go 1.5s linear infinite alternate }
#box { height: 100px; overflow: auto } #in { margin-top: 900px }</style>
<button id=b>Run</button><div id=box><button id=in>Deep</button></div>
<button id=c style="position:fixed;top:200px;left:300px">Flee</button>
<script>let n = 0; c.addEventListener("mouseenter", () => { if (n++ < 2) c.style.left = 300 + 150 * n + "px" })</script>`+heard)
	s.click("#b", ClickOptions{})
	s.click("#in", ClickOptions{})
	s.click("#c", ClickOptions{})
	s.is("seen", `["click b 0 1","click in 0 1","click c 0 1"]`)
}

func TestClickInFrames(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<div style="height:1500px"></div><button id=leaf style="width:12px;height:12px;padding:0;overflow:hidden" onclick="document.title='hit'; parent.postMessage('hit','*'); this.textContent='Done'">Leaf</button>`)
	s.site.page("/mid", `<p>mid</p><iframe src="`+s.site.other("/leaf")+`" style="border:7px solid;padding:50px 60px;width:300px;height:200px;margin-top:900px"></iframe>`)
	s.visit(s.site.page("/top", `<div style="height:1200px"></div><iframe id=f src="/mid" style="width:500px;height:400px;transform:scale(.8)"></iframe>`))
	s.Wait(s.within(10*time.Second), WaitOptions{Selector: "#leaf"})
	ref := s.ref(`"Leaf"`)
	if !strings.HasPrefix(ref, "f") {
		t.Errorf("ref is %s", ref)
	}
	if _, err := s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); err != nil {
		t.Fatal(err)
	}
	if got := s.ref(`"Done"`); got != ref {
		t.Errorf("the button is %s now; it was %s", got, ref)
	}
	d, err := s.Click(t.Context(), Element{Selector: "role=button[name=done]"}, ClickOptions{})
	if err != nil || !strings.Contains(d.Target, ref) {
		t.Errorf("%v %v", d, err)
	}
	ref = s.ref("iframe")
	if _, err := s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); err != nil {
		t.Error(err)
	}
}

func TestClickStale(t *testing.T) {
	s := open(t, `<div id=d><button onclick="this.textContent='Saved'">Save</button></div>`)
	ref := s.ref("button")
	for range 2 {
		if _, err := s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); err != nil {
			t.Fatal(err)
		}
	}
	s.is("d.innerHTML = '<button onclick=\"window.hit=1\">Saved</button>', 0", "0")
	d, err := s.Click(t.Context(), Element{Ref: ref}, ClickOptions{})
	if err == nil {
		t.Logf("clicked %v", d)
	}
	ref = s.ref("button")
	s.is("d.innerHTML = '<button onclick=\"window.hit=2\">Saved</button>', 0", "0")
	d, err = s.Click(t.Context(), Element{Ref: ref}, ClickOptions{})
	if err != nil || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], `was replaced; used the only button "Saved"`) {
		t.Errorf("%v %v", d, err)
	}
	s.is("hit", "2")
	old := ref
	s.is("d.innerHTML = '<button onclick=\"window.hit=3\">Saved</button>', 0", "0")
	if ref = s.ref("button"); ref == old {
		t.Errorf("the new button is %s as well", ref)
	}
	if d, err = s.Click(t.Context(), Element{Ref: old}, ClickOptions{}); err != nil || !strings.HasSuffix(d.Notes[0], "now "+ref) {
		t.Errorf("%v %v", d, err)
	}
	s.is("d.innerHTML = '<button>Saved</button><button>Saved</button>', 0", "0")
	quick(t, 200*time.Millisecond, func() {
		if _, err = s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); !errors.Is(err, ErrStaleRef) {
			t.Error(err)
		}
	})
	t.Log(err)
	s.visit(s.site.page("/next", `<button>Saved</button>`))
	if _, err = s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); !errors.Is(err, ErrStaleRef) {
		t.Error(err)
	}
	for _, ref := range []string{"x", "e", "e99", "f9e1"} {
		if _, err = s.Click(t.Context(), Element{Ref: ref}, ClickOptions{}); err == nil {
			t.Errorf("%s was clicked", ref)
		}
	}
}

func TestClickDialog(t *testing.T) {
	s := open(t, `<button id=b onclick="alert('hi'); window.after = 1">A</button><button id=d onmousedown="alert('down')" onmouseup="window.up = 1">D</button>`)
	quick(t, 500*time.Millisecond, func() {
		if s.Dialog() != nil { // of the time before
			if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: true}); err != nil {
				t.Fatal(err)
			}
		}
		s.click("#b", ClickOptions{})
		if d := s.Dialog(); d == nil || d.Message != "hi" {
			t.Fatalf("dialog is %v", d)
		}
	})
	if _, err := s.Click(t.Context(), Element{Selector: "#d"}, ClickOptions{}); !errors.Is(err, ErrDialogOpen) {
		t.Error(err)
	}
	if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: true}); err != nil {
		t.Fatal(err)
	}
	s.is("after", "1")
	s.click("#d", ClickOptions{})
	if d := s.Dialog(); d == nil || d.Message != "down" {
		t.Fatalf("dialog is %v", d)
	}
	if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.Wait(s.within(10*time.Second), WaitOptions{Predicate: "window.up === 1"}); err != nil {
		t.Error(err)
	}
}

func TestClickHidden(t *testing.T) {
	s := openHidden(t, `<button id=b>Save</button><input id=i>`+heard)
	s.is("document.visibilityState", `"hidden"`)
	t.Log(quick(t, 700*time.Millisecond, func() {
		s.is("seen = [], i.value = '', 0", "0")
		s.click("#b", ClickOptions{})
		s.typeInto("#i", TypeOptions{Text: "abc"})
	}))
	s.is("seen", `["click b 0 1"]`)
	s.is("i.value", `"abc"`)
}

func TestClickOpensTab(t *testing.T) {
	s := open(t, `<a id=a href="/next">next</a><a id=p href="/next" onclick="event.preventDefault()">kept</a><a id=t href="/next" target=_blank>blank</a><button id=o onclick="open('/next','_blank','noopener')">o</button>`)
	s.site.page("/next", "next")
	for _, c := range []struct {
		selector string
		o        ClickOptions
		tabs     int
	}{
		{"#a", ClickOptions{Modifiers: []string{"Control"}}, 1},
		{"#a", ClickOptions{Button: "middle"}, 1},
		{"#p", ClickOptions{Modifiers: []string{"Control"}}, 0},
		{"#t", ClickOptions{}, 1},
		{"#o", ClickOptions{}, 1},
	} {
		quick(t, 900*time.Millisecond, func() {
			_, since := s.browser.News(0)
			w := s.Watch(t.Context())
			s.click(c.selector, c.o)
			w.Settle(t.Context())
			news, _ := s.browser.News(since)
			if len(news) != c.tabs {
				t.Errorf("%s %+v: %d tabs came, want %d", c.selector, c.o, len(news), c.tabs)
			}
			for _, n := range news {
				s.browser.CloseTab(t.Context(), n.Tab.ID)
			}
			s.browser.Front(t.Context(), s.id)
		})
	}
}

func TestLocate(t *testing.T) {
	s := open(t, `<button id=b1>Save</button><button id=b2>Save as…</button><label><input type=checkbox id=c> I agree</label>
<button>2:30&#x202f;PM</button><button>Daten&shy;schutz</button><button>100&nbsp;000 €</button><p>Some <b>bold</b> words</p><div id=host></div><button style="display:none">Save</button><nav style="display:none"><a href="#">Phones</a></nav><input type=submit value="Send it">
<script>host.attachShadow({mode:"open"}).innerHTML = "<section class=s><button>Inner</button></section>"</script>`+heard)
	for selector, want := range map[string]string{
		"#b1": `button "Save"`, `text="Save"`: `button "Save"`, "text=save as": `button "Save as…"`, `role=button[name="Save"]`: `button "Save"`,
		"role=button[name=/as/]": `button "Save as…"`, "xpath=//button[@id='b2']": `button "Save as…"`, "//button[1]": `button "Save"`,
		"#host .s button": `button "Inner"`, "text=Inner": `button "Inner"`, "css=#c": "checkbox", "text=Send it": `button "Send it"`,
		"role=checkbox": `checkbox "I agree"`, "text=2:30 PM": `button "2:30 PM"`, "role=button[name=\"2:30\u202fPM\"]": `button "2:30 PM"`,
		`role=button[name="Datenschutz"]`: `button "Datenschutz"`, `text="100 000 €"`: `button "100 000 €"`, "text=100\u00a0000\u00a0€": `button "100 000 €"`,
	} {
		d, err := s.Hover(t.Context(), Element{Selector: selector})
		if err != nil || !strings.HasPrefix(lines.Clean(d.Target), want) {
			t.Errorf("%s: %s %v; want %s", selector, d.Target, err, want)
		}
	}
	_, err := s.Click(t.Context(), Element{Selector: "role=button[name=save]"}, ClickOptions{})
	if !errors.Is(err, ErrAmbiguous) || !strings.Contains(err.Error(), `button "Save" [e`) || !strings.Contains(err.Error(), "Save as") {
		t.Error(err)
	}
	_, err = s.Click(t.Context(), Element{Selector: "text=Save me"}, ClickOptions{})
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), `closest matches: button "Save"`) {
		t.Error(err)
	}
	_, err = s.Click(t.Context(), Element{Selector: "text=Phones"}, ClickOptions{})
	if !errors.Is(err, ErrNotFound) || !strings.Contains(err.Error(), `link "Phones" [e`) || !strings.Contains(err.Error(), "(hidden: ") {
		t.Error(err)
	}
	for _, bad := range []string{"##", "xpath=//[", "role=", "text=/(/", "  "} {
		if _, err = s.Click(t.Context(), Element{Selector: bad}, ClickOptions{}); !errors.Is(err, ErrInvalid) {
			t.Errorf("%q: %v", bad, err)
		}
	}
}

func TestClickBeneathStickyHeader(t *testing.T) {
	s := open(t, `<div style="position:sticky;top:0;height:200px;background:#eee">Header</div><div style="height:1500px"></div><button id=b>Low</button><div style="height:1500px"></div>
<label style="position:relative;display:inline-block;width:40px;height:20px;background:#ccc"><input type=checkbox id=c style="opacity:0;width:0;height:0"><span style="position:absolute;inset:0"></span></label>
<input type=radio id=r style="display:none"><label for=r>Radio</label><a id=w href="#x" style="display:inline"><span style="pointer-events:none">wrapped</span></a><button id=i><svg width=10 height=10><path id=pa d="M0 0h10v10z" /></svg></button>
<div id=half style="position:relative;width:200px"><button id=h style="width:200px">Half</button><div style="position:absolute;left:60px;top:0;width:80px;height:40px;background:#000"></div></div>`+heard)
	s.is("scrollTo(0, 1650), 0", "0")
	for _, selector := range []string{"#b", "#c", "#r", "#w", "#pa", "#h"} {
		s.click(selector, ClickOptions{})
	}
	s.is("seen.filter((x) => !x.includes('c 0') || 1).map((x) => x.split(' ')[1])", `["b","0","c","0","r","w","pa","h"]`)
	s.is("[c.checked, r.checked]", "[true,true]")
}

func TestClickWhereAFrameWas(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<body style="background:#fee">leaf`)
	for n := range 3 {
		s.visit(s.site.page("/top"+strconv.Itoa(n), `<iframe src="`+s.site.other("/leaf")+`" style="width:100%;height:700px;border:0"></iframe><div style="height:900px"></div><button id=b style="margin-left:600px">Low</button><div style="height:900px"></div>`+heard))
		if err := s.Wait(s.within(10*time.Second), WaitOptions{Text: "leaf"}); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		s.click("#b", ClickOptions{})
		t.Log(time.Since(begin))
		s.is("seen", `["click b 0 1"]`)
		s.click("iframe", ClickOptions{})
	}
}

// TestClickWithoutSize clicks buttons that have no size: in a header that listens for
// its button, as tables have them, and in one where nothing takes the click for it.
func TestClickWithoutSize(t *testing.T) {
	s := open(t, `<table><tr><th id=place><span>Place</span><span role=button tabindex=0 id=order aria-label="Sort by place"></span>
<th><span>Nights</span><span role=button tabindex=0 id=none aria-label="Sort by nights"></span></table>
<script>place.onclick = (e) => window.sorted = e.target.localName</script>`)
	quick(t, 2500*time.Millisecond, func() {
		if d := s.click("#order", ClickOptions{}); d.Outcome != Happened || len(d.Notes) != 1 || !strings.Contains(d.Notes[0], `clicked columnheader "Place`) {
			t.Errorf("%+v", d)
		}
	})
	s.is("sorted", `"span"`)
	if _, err := s.Click(s.within(300*time.Millisecond), Element{Selector: "#none"}, ClickOptions{}); !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), "it has no size") {
		t.Error(err)
	}
}
