package adapter

import (
	"errors"
	"strings"
	"testing"
)

// followerPage is an editor with a selection of its own, which it takes over
// from the page's when it is told of a change, as editors do that keep a model.
const followerPage = `<div id=ed contenteditable>one two three</div><script>
let from = 0, to = 0;
const offset = (node, at) => node === ed ? (at ? ed.textContent.length : 0) : at;
document.addEventListener("selectionchange", () => { const s = getSelection(); if (!s.rangeCount || !ed.contains(s.anchorNode)) return;
  const r = s.getRangeAt(0); from = offset(r.startContainer, r.startOffset); to = offset(r.endContainer, r.endOffset) });
ed.addEventListener("beforeinput", (e) => { e.preventDefault();
  const text = ed.textContent, data = e.inputType === "insertParagraph" ? "|" : e.data ?? "";
  ed.textContent = text.slice(0, from) + data + text.slice(to); from = to = from + data.length;
  getSelection().collapse(ed.firstChild, from) });
</script>`

func TestB78KeysGoOneByOne(t *testing.T) {
	for name, open := range map[string]func(testing.TB, string) *stage{"front": open, "hidden": openHidden} {
		t.Run(name, func(t *testing.T) {
			s := open(t, followerPage)
			e := Element{Selector: "#ed"}
			for range 3 {
				if _, err := s.Press(t.Context(), "Control+End Control+Shift+ArrowLeft Control+End Enter x", e); err != nil {
					t.Fatal(err)
				}
				s.Rest(t.Context())
			}
			s.is("ed.textContent", `"one two three|x|x|x"`)
			if _, err := s.Press(t.Context(), "Control+Home Shift+End Control+Home y", e); err != nil {
				t.Fatal(err)
			}
			s.is("ed.textContent", `"yone two three|x|x|x"`)
		})
	}
}

func TestTypeWhereTheFocusIs(t *testing.T) {
	s := open(t, `<input id=i aria-label=Field><button id=b>B</button><iframe id=f srcdoc="<body contenteditable id=in></body>"></iframe>`)
	_, err := s.Type(t.Context(), Element{}, TypeOptions{Text: "x"})
	if !errors.Is(err, ErrInvalid) || !strings.Contains(err.Error(), "no field has focus") {
		t.Errorf("without a focus: %v", err)
	}
	s.click("#i", ClickOptions{})
	if d, err := s.Type(t.Context(), Element{}, TypeOptions{Text: "here"}); err != nil || d.Value != "here" || d.Outcome != Happened {
		t.Errorf("%+v %v", d, err)
	}
	// The body of a frame, which has no focus yet.
	if d, err := s.Type(t.Context(), Element{Selector: "#in"}, TypeOptions{Text: "within"}); err != nil || d.Value != "within" {
		t.Errorf("%+v %v", d, err)
	}
	if d, err := s.Type(t.Context(), Element{}, TypeOptions{Text: " it"}); err != nil || d.Value != "within it" {
		t.Errorf("%+v %v", d, err)
	}
	s.is("i.value + f.contentDocument.body.textContent", `"herewithin it"`)
	if _, err := s.Type(t.Context(), Element{Selector: "#i"}, TypeOptions{Text: "!"}); err != nil {
		t.Error(err)
	}
	s.is("i.value", `"here!"`)
}
