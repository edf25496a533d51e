package adapter

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// clobbered is a page whose form is used; where marked, another script puts in what shadows the DOM.
const clobbered = `<style>#f{height:160px;overflow:auto;width:600px} .tall{height:700px}</style>
<h1>Order</h1>
<form id=f aria-label="Order" action="/sent">
<p>Fill <b>all</b> of it. <a href="/terms">Terms</a></p>
<label>Name <input id=n></label> <label>Size <select id=s><option>Small<option>Large</select></label>
<div id=ed contenteditable aria-label="Note">As is</div>
<label><input type=checkbox id=c> Gift</label> <input type=file id=up aria-label="Receipt">
<button type=button id=b onclick="this.textContent = 'Pressed'">Press</button>
<span onclick="1">Fold</span> <progress value=1 max=4></progress>
<div class=tall></div><button type=button id=last onclick="this.textContent = 'Reached'">Last</button>
</form>
<iframe srcdoc="<button onclick='this.textContent = 1'>Inner</button>" title="Inside"></iframe>
<ul><li>One</li><li>Two</li></ul>`

// shadows puts in elements that shadow every property that a document, a window and a form have, and names of ours.
const shadows = `(() => {
  const names = (at) => { const all = []; for (; at; at = Object.getPrototypeOf(at)) all.push(...Object.getOwnPropertyNames(at)); return all; };
  const ours = ['tabrelay', 'snapshot', 'call', 'Symbol', 'globalThis', 'prepare', 'offers', 'hosts'];
  const every = new Set([...names(HTMLDocument.prototype), ...names(HTMLFormElement.prototype), ...names(window), ...ours]);
  const box = Document.prototype.createElement.call(document, 'div');
  const inputs = [], others = [];
  for (const name of every) {
    if (/["<>&]/.test(name)) continue;
    inputs.push('<input type=hidden name="' + name + '">');
    others.push('<form hidden name="' + name + '" id="' + name + '"></form>');
  }
  others.push('<iframe hidden name="tabrelay"></iframe>', ...ours.map((name) => '<a id="' + name + '"></a>'));
  const form = Document.prototype.getElementById.call(document, 'f');
  box.innerHTML = '<div>' + others.join('') + '</div><div>' + inputs.join('') + '</div>';
  const [outside, inside] = box.childNodes;
  Element.prototype.append.call(form, inside);
  Element.prototype.append.call(Reflect.get(Document.prototype, 'documentElement', document).lastChild, outside);
  return [typeof form.scrollTop, typeof form.getAttribute, typeof document.body, typeof document.querySelector, window.tabrelay !== undefined].join();
})()`

// tour does what an agent does to the page, and returns all that it was told.
func tour(t *testing.T, s *stage) string {
	t.Helper()
	ctx := s.within(60 * time.Second)
	var told strings.Builder
	say := func(what string, got any, err error) {
		fmt.Fprintf(&told, "%s: %+v %v\n", what, got, err)
	}
	snap := func(o SnapshotOptions) {
		v, err := s.Snapshot(ctx, o)
		if err != nil {
			t.Fatal(err)
		}
		say("snapshot", v.Text()+v.More, nil)
	}
	snap(SnapshotOptions{})
	ref := func(part string) Element { return Element{Ref: s.ref(part)} }
	snap(SnapshotOptions{All: true, Boxes: true, URLs: true, Ref: ref(`form "Order"`).Ref})
	act := func(what string, do func(ctx context.Context) (Done, error)) {
		d, err := do(ctx)
		say(what, fmt.Sprintf("%s %s %s %q %q", d.Outcome, d.Why, d.Target, d.Notes, d.Value), err)
	}
	act("click", func(ctx context.Context) (Done, error) { return s.Click(ctx, ref(`"Press"`), ClickOptions{}) })
	act("click below", func(ctx context.Context) (Done, error) { return s.Click(ctx, ref(`"Last"`), ClickOptions{}) })
	act("click inside", func(ctx context.Context) (Done, error) { return s.Click(ctx, ref(`"Inner"`), ClickOptions{}) })
	act("click by selector", func(ctx context.Context) (Done, error) {
		return s.Click(ctx, Element{Selector: `role=clickable[name="Fold"]`}, ClickOptions{})
	})
	act("type", func(ctx context.Context) (Done, error) { return s.Type(ctx, ref(`"Name"`), TypeOptions{Text: "Ada"}) })
	act("edit", func(ctx context.Context) (Done, error) {
		return s.Type(ctx, ref(`"Note"`), TypeOptions{Text: "Else", Clear: true})
	})
	act("press", func(ctx context.Context) (Done, error) { return s.Press(ctx, "Tab", ref(`"Name"`)) })
	act("select", func(ctx context.Context) (Done, error) { return s.Select(ctx, ref(`"Size"`), []string{"Large"}) })
	act("hover", func(ctx context.Context) (Done, error) { return s.Hover(ctx, ref(`"Terms"`)) })
	act("scroll", func(ctx context.Context) (Done, error) {
		return s.Scroll(ctx, ref(`form "Order"`), ScrollOptions{To: "bottom"})
	})
	act("scroll the page", func(ctx context.Context) (Done, error) { return s.Scroll(ctx, Element{}, ScrollOptions{}) })
	act("drag", func(ctx context.Context) (Done, error) {
		return s.Drag(ctx, ref(`"Press`), ref(`"Terms"`), DragOptions{})
	})
	act("drop", func(ctx context.Context) (Done, error) { return s.Drop(ctx, ref(`"Note"`), DropOptions{Text: "x"}) })
	act("mouse", func(ctx context.Context) (Done, error) {
		return s.Mouse(ctx, MouseOptions{Action: "wheel", X: 20, Y: 100, ToY: 10})
	})
	filled, err := s.Fill(ctx, []Field{{Element: ref(`"Gift"`), Value: "true"}, {Element: ref(`"Name"`), Value: "Bob"}})
	for _, f := range filled {
		say("fill", fmt.Sprintf("%s %s %s %q", f.Outcome, f.Why, f.Target, f.Value), f.Err)
	}
	say("filled", len(filled), err)
	found, err := s.Find(ctx, FindOptions{Text: "press"})
	say("find", lines.Writer{}.Text(found.Lines), err)
	for _, o := range []ContentOptions{{}, {Format: "text"}, {Format: "links"}, {Selector: "#f"}} {
		content, err := s.Content(ctx, o)
		say("content", content.Text, err)
	}
	offers, err := s.Offers(ctx)
	for _, o := range offers {
		say("offer", o.Kind+" "+o.Name, nil)
	}
	say("offers", len(offers), err)
	outline, err := s.Outline(ctx, OutlineOptions{Element: Element{Selector: "ul"}, Text: true, Depth: -1, Collapse: -1})
	say("outline", outline.Text, err)
	value, err := s.Evaluate(ctx, "(e) => e.value", Element{Selector: "#n"})
	say("evaluate", value, err)
	say("wait", nil, s.Wait(ctx, WaitOptions{Text: "Pressed", Selector: "#last"}))
	shot, err := s.Screenshot(ctx, ScreenshotOptions{Element: Element{Selector: "#b"}})
	say("screenshot", fmt.Sprint(shot.Width, "x", shot.Height), err)
	snap(SnapshotOptions{Interactive: true})
	return strings.ReplaceAll(told.String(), s.site.URL, "")
}

// A page's elements shadow properties of its document, windows and forms.
func TestB85PagesShadowTheDOM(t *testing.T) {
	plain := tour(t, open(t, clobbered))
	s := open(t, clobbered)
	s.is(shadows, `"object,object,object,object,true"`)
	if diff := cmp.Diff(plain, tour(t, s)); diff != "" {
		t.Errorf("without and with what shadows the DOM:\n%s", diff)
	}
	if t.Failed() || testing.Verbose() {
		t.Log(plain)
	}
}
