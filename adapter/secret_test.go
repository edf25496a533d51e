package adapter

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"io"
	"strings"
	"testing"
)

func TestB94SecretSites(t *testing.T) {
	for _, c := range []struct {
		site, origin string
		want         bool
	}{
		{"bank.example", "https://bank.example", true}, {"bank.example", "https://www.bank.example", true}, {"bank.example", "https://bank.example:8443", true},
		{"bank.example", "http://bank.example", false}, {"http://bank.example", "http://bank.example", true}, {"http://bank.example", "https://bank.example", true},
		{"bank.example", "https://bank.example.evil.example", false}, {"bank.example", "https://mybank.example", false}, {"bank.example", "null", false},
		{"bank.example", "", false}, {"*.bank.example", "https://bank.example", false}, {"*.bank.example", "https://a.bank.example", true},
		{"localhost", "http://localhost:3000", true}, {"localhost:3000", "http://localhost:3001", false}, {"127.0.0.1", "http://127.0.0.1:80", true},
		{"bank.example", "chrome-extension://bank.example", false},
	} {
		if got := (SecretSites{c.site}).include(c.origin); got != c.want {
			t.Errorf("%s at %s: %t", c.site, c.origin, got)
		}
	}
	for site, want := range map[string]bool{"bank.example": true, "http://bank.example": true, "co.uk": false, "https://x.example": false, "": false, "a b": false} {
		if err := (SecretSites{site}).Check(); (err == nil) != want {
			t.Errorf("%q: %v", site, err)
		}
	}
}

func TestB94SecretIsTypedWhereItMayBe(t *testing.T) {
	s := open(t, `<input id=i><input id=p type=password value=old><div id=e contenteditable>x</div><input id=thief onfocus="i.focus()"><select id=s><option>a</select>
<textarea id=a></textarea>`)
	s.site.page("/framed", `<input id=f>`)
	only := SecretSites{"127.0.0.1"}
	for selector, want := range map[string]string{"#i": `"pa$$word"`, "#p": `"pa$$word"`, "#a": `"pa$$word"`} {
		d := s.typeInto(selector, TypeOptions{Text: "pa$$word", Clear: true, Only: only})
		if d.Outcome != Happened || d.HasValue || strings.Contains(strings.Join(d.told(), " "), "pa$$") {
			t.Errorf("%s: %+v", selector, d)
		}
		s.is("document.querySelector('"+selector+"').value", want)
	}
	s.typeInto("#e", TypeOptions{Text: "pa$$word", Only: only})
	s.is("e.textContent", `"xpa$$word"`)
	// It has the value from now on, and no answer tells it.
	snap, err := s.Snapshot(t.Context(), SnapshotOptions{})
	if err != nil || strings.Count(snap.Text(), "pa$$word") != 1 { // the editor's own text
		t.Errorf("%v\n%s", err, snap.Text())
	}
	s.is("i.value = '', document.activeElement.blur(), 0", "0")
	if _, err := s.Type(t.Context(), Element{Selector: "#thief"}, TypeOptions{Text: "pa$$word", Only: only}); err != nil {
		t.Error(err) // the field that it hands the focus on to is of the same document
	}
	for selector, o := range map[string]TypeOptions{
		"#s": {Text: "pa$$word", Only: only}, "#i": {Text: "pa$$word", Only: only, Slowly: true}, "#a": {Text: "pa$$word", Only: SecretSites{"localhost", "bank.example"}},
	} {
		_, err := s.Type(t.Context(), Element{Selector: selector}, o)
		if err == nil || strings.Contains(err.Error(), "pa$$") || selector == "#a" && !errors.Is(err, ErrBlocked) {
			t.Errorf("%s: %v", selector, err)
		}
	}
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#i"}, Value: "ano\"ther", Only: only}, {Element: Element{Selector: "#a"}, Value: "ano\"ther", Only: SecretSites{"bank.example"}}})
	if err != nil || list[0].Err != nil || list[0].HasValue || !errors.Is(list[1].Err, ErrBlocked) {
		t.Errorf("%+v %v", list, err)
	}
	s.is("i.value", `"ano\"ther"`)
	// A frame of another site, and a page of another site around a frame.
	s.site.page("/around", `<iframe src="`+s.site.other("/framed")+`" width=300 height=100></iframe>`)
	s.visit(s.site.URL + "/around")
	for _, sites := range []SecretSites{{"127.0.0.1"}, {"localhost"}} {
		if _, err := s.Type(t.Context(), Element{Selector: "#f"}, TypeOptions{Text: "pa$$word", Only: sites}); !errors.Is(err, ErrBlocked) {
			t.Errorf("%s: %v", sites, err)
		}
	}
	if _, err := s.Type(t.Context(), Element{Selector: "#f"}, TypeOptions{Text: "pa$$word", Only: SecretSites{"127.0.0.1", "localhost"}}); err != nil {
		t.Error(err)
	}
	// A frame of another site that the page hands the focus on to.
	s.site.page("/takes", `<input id=f><script>onfocus = () => f.focus()</script>`)
	s.site.page("/hands", `<input id=v onfocus="setTimeout(() => frames[0].focus())"><iframe src="`+s.site.other("/takes")+`"></iframe>`)
	s.visit(s.site.URL + "/hands")
	_, _ = s.Type(t.Context(), Element{Selector: "#v"}, TypeOptions{Text: "pa$$word", Only: only}) // which may be refused
	if x, err := s.Examine(t.Context(), Element{Selector: "#f"}, "value"); err != nil || x.Value != "" {
		t.Errorf("the frame that took the focus has %+v %v", x, err)
	}
}

func TestB94PrivateFieldsAreNotTold(t *testing.T) {
	s := open(t, `<form id=login><label>Code <input id=c autocomplete="section-a one-time-code" value=481516></label><label>Pass <input id=p type=password value=hunter2></label>
<label for=box>Wrap <input id=w autocomplete=one-time-code value=481516></label><input type=checkbox id=box><button>Go</button></form>`)
	tells := func(what, text string, err error) {
		t.Helper()
		if err != nil || strings.Contains(text, "481516") || strings.Contains(text, "hunter2") {
			t.Errorf("%s: %v %s", what, err, text)
		}
	}
	snap, err := s.Snapshot(t.Context(), SnapshotOptions{All: true})
	tells("snapshot", snap.Text(), err)
	s.is("p.type = 'text', 0", "0") // as a page shows a password
	snap, err = s.Snapshot(t.Context(), SnapshotOptions{})
	tells("snapshot of a password that is shown", snap.Text(), err)
	d := s.typeInto("#c", TypeOptions{Text: "481516", Clear: true})
	tells("type", d.Value+strings.Join(d.told(), " "), nil)
	list, err := s.Fill(t.Context(), []Field{{Element: Element{Selector: "#c"}, Value: "481516"}})
	tells("fill", list[0].Value, err)
	content, err := s.Content(t.Context(), ContentOptions{})
	tells("content", content.Text, err)
	for _, text := range []bool{false, true} {
		o, err := s.Outline(t.Context(), OutlineOptions{Text: text, Depth: -1, Collapse: -1})
		tells("outline", o.Text, err)
	}
	x, err := s.Examine(t.Context(), Element{Selector: "#c"}, "value")
	tells("examine", x.Value, err)
	for _, text := range []string{"481516", "hunter2"} {
		tells("wait", "", s.Wait(t.Context(), WaitOptions{TextGone: text}))
		found, err := s.Find(t.Context(), FindOptions{Text: text})
		tells("find", fmt.Sprint(found.Lines), err)
	}
	offers, err := s.Offers(t.Context())
	for _, o := range offers {
		for _, f := range o.Fields {
			tells("offer", fmt.Sprintf("%+v", f), err)
		}
	}
}

// picture returns a screenshot, and how many pixels of it are one of the page's.
func (s *stage) picture(o ScreenshotOptions) (image.Image, float64) {
	s.Helper()
	img, err := s.Screenshot(s.Context(), o)
	if err != nil {
		s.Fatal(err)
	}
	m, _, err := image.Decode(bytes.NewReader(img.Data))
	if err != nil {
		s.Fatal(err)
	}
	return m, img.Scale
}

func TestB94PicturesCoverPrivateFields(t *testing.T) {
	s := open(t, `<body style="margin:0"><style>input { position: absolute; border: 0; padding: 0; width: 100px; height: 20px; background: #0f0 }</style>
<input id=c autocomplete=one-time-code value=481516 style="left:10px;top:40px"><input value=x style="left:10px;top:80px">
<div style="height:3000px"></div>`)
	look := func(o ScreenshotOptions, x, y float64) (covered bool) {
		t.Helper()
		m, scale := s.picture(o)
		_, g, _, _ := m.At(int(x*scale), int(y*scale)).RGBA()
		return g < 0x8000
	}
	for _, o := range []ScreenshotOptions{{}, {FullPage: true}, {Format: "jpeg"}, {MaxSize: 300}, {Labels: true}} {
		if !look(o, 90, 55) || look(o, 90, 95) {
			t.Errorf("%+v: the field of the code can be seen, or another cannot", o)
		}
	}
	if !look(ScreenshotOptions{Element: Element{Selector: "#c"}}, 80, 15) {
		t.Error("a picture of the field shows it")
	}
	if img, err := s.Screenshot(t.Context(), ScreenshotOptions{Format: "webp"}); err != nil || !bytes.HasPrefix(img.Data, []byte("RIFF")) {
		t.Errorf("webp: %v", err)
	}
	s.is("scrollTo(0, 30), 0", "0")
	if !look(ScreenshotOptions{}, 90, 25) {
		t.Error("scrolled: the field can be seen")
	}
	s.is("scrollTo(0, 0), c.value = '', 0", "0")
	if look(ScreenshotOptions{}, 90, 55) {
		t.Error("an empty field is covered")
	}
	s.site.page("/framed", `<body style="margin:0"><input autocomplete=one-time-code value=481516 style="border:0;width:100px;height:20px;background:#0f0">`)
	s.site.page("/around", `<body style="margin:0;background:#0f0"><iframe src="`+s.site.other("/framed")+`" style="position:absolute;left:50px;top:60px;border:5px solid #0f0" width=300 height=100></iframe>`)
	s.visit(s.site.URL + "/around")
	if !look(ScreenshotOptions{}, 140, 75) || look(ScreenshotOptions{}, 30, 30) {
		t.Error("the field in a frame can be seen")
	}
}

func TestB94PicturesCoverAnEditorWithASecret(t *testing.T) {
	s := open(t, `<body style="margin:0"><div id=e contenteditable style="position:absolute;left:10px;top:40px;width:200px;height:20px;background:#0f0"></div>`)
	look := func() (covered bool) {
		t.Helper()
		m, scale := s.picture(ScreenshotOptions{Format: "png"})
		_, g, _, _ := m.At(int(190*scale), int(55*scale)).RGBA()
		return g < 0x8000
	}
	s.typeInto("#e", TypeOptions{Text: "harmless"})
	if look() {
		t.Error("an editor that holds no secret is covered")
	}
	s.typeInto("#e", TypeOptions{Text: "pa$$word", Only: SecretSites{"127.0.0.1"}})
	if !look() {
		t.Error("the secret in the editor can be seen")
	}
}

func TestB94PrintsShowNoPrivateField(t *testing.T) {
	s := open(t, `<input id=c autocomplete=one-time-code value=481516><input id=d autocomplete=one-time-code value=481516 style="color: red; -webkit-text-security: square">
<script>addEventListener("beforeprint", () => { printed = [c, d].map(f => getComputedStyle(f).webkitTextSecurity).join() })</script>`)
	if _, _, err := s.PDF(t.Context(), PDFOptions{}, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	s.is("printed", `"disc,disc"`)
	s.is("[c.hasAttribute('style'), d.getAttribute('style').replace(/ /g, ''), getComputedStyle(d).webkitTextSecurity].join()", `"false,color:red;-webkit-text-security:square;,square"`)
	s.is("c.value = d.value = '', printed = '', 0", "0")
	if _, _, err := s.PDF(t.Context(), PDFOptions{}, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	s.is("printed", `"none,square"`)
	// A frame of another site, which hears of no print, hears of the style.
	s.site.page("/told", `<input id=c autocomplete=one-time-code value=481516><script>
new MutationObserver(() => parent.postMessage(getComputedStyle(c).webkitTextSecurity, "*")).observe(c, {attributes: true})</script>`)
	s.site.page("/hears", `<script>heard = new Promise(r => { let all = ""; onmessage = e => { all += e.data + " "; if (e.data === "none") r(all) } })</script><iframe src="`+s.site.other("/told")+`"></iframe>`)
	s.visit(s.site.URL + "/hears")
	if _, _, err := s.PDF(t.Context(), PDFOptions{}, io.Discard, nil); err != nil {
		t.Fatal(err)
	}
	s.is("heard", `"disc none "`)
}
