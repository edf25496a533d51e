package adapter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/runtime"
)

// picture answers with an image of 40 by 20 pixels.
func picture(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "image/svg+xml")
	fmt.Fprint(w, `<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"><rect width="40" height="20"/></svg>`)
}

// hoverPicture is an element that is nothing but a picture, and another one
// while the pointer is over it.
const hoverPicture = `<style>.more { content: url(/a.svg) } .more:hover { content: url(/b.svg) }</style>
<div id=around style="width:300px;height:200px"><span class=more id=m role=button aria-label=More></span></div>
<script>window.log = []; document.addEventListener("click", (e) => log.push(e.target.id), true); addEventListener("mousemove", () => fetch("/moved"))</script>`

func TestB77ClickWaitsForTheHoverStyle(t *testing.T) {
	s := open(t, "")
	moved, once := make(chan struct{}), sync.Once{}
	s.site.mux.HandleFunc("/a.svg", func(w http.ResponseWriter, _ *http.Request) { picture(w) })
	s.site.mux.HandleFunc("/b.svg", func(w http.ResponseWriter, r *http.Request) {
		select {
		case <-moved:
			picture(w)
		case <-r.Context().Done():
		}
	})
	s.site.mux.HandleFunc("/moved", func(http.ResponseWriter, *http.Request) {
		once.Do(func() { close(moved) })
	})
	s.visit(s.site.page("/hover", hoverPicture))
	if d := s.click("#m", ClickOptions{}); d.Outcome != Happened {
		t.Errorf("%+v", d)
	}
	s.is("log", `["m"]`)
}

func TestB77ClickSaysThatTheElementGoes(t *testing.T) {
	s := open(t, "")
	s.site.mux.HandleFunc("/a.svg", func(w http.ResponseWriter, _ *http.Request) { picture(w) })
	s.site.mux.HandleFunc("/b.svg", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.visit(s.site.page("/hover", hoverPicture))
	d, err := s.Click(s.within(time.Second), Element{Selector: "#m"}, ClickOptions{})
	if got, _ := s.Evaluate(t.Context(), "log.join()", Element{}); err == nil && d.Outcome == Happened && got.Text != `"m"` {
		t.Errorf("%+v, but the click events went to %s", d, got)
	}
}

func TestClickOutcomes(t *testing.T) {
	s := open(t, `<style>button, div { width: 120px; height: 30px }</style><button id=plain>Plain</button>
<div id=list role=group aria-label=List style="height:60px"><button id=jumps>Jumps</button></div>
<button id=goes>Goes</button><label id=label>Agree <input type=checkbox id=box></label><button id=icon><svg width=10 height=10 style="pointer-events:none"><rect id=rect width=10 height=10 /></svg></button>
<script>jumps.onmousedown = () => jumps.style.marginLeft = "300px"; goes.onmousedown = () => goes.remove()</script>`)
	for selector, want := range map[string]struct {
		outcome Outcome
		why     string
	}{
		"#plain": {Happened, ""}, "#label": {Happened, ""}, "#box": {Happened, ""}, "#rect": {Happened, ""},
		"#jumps": {Different, `went to group "List" [`}, "#goes": {Different, "no click event"},
	} {
		d := s.click(selector, ClickOptions{})
		if d.Outcome != want.outcome || !strings.Contains(d.Why, want.why) {
			t.Errorf("%s: %+v", selector, d)
		}
	}
}

// TestB76FormsThatTheBrowserDoesNotSend has fields to which the browser objects where
// only a person sees it, and one to which the page does.
func TestB76FormsThatTheBrowserDoesNotSend(t *testing.T) {
	s := open(t, `<form onsubmit="sent.push(1); return false"><input type=email id=mail aria-label=Mail value=ada><input aria-label=Name id=who required>
<input type=radio name=r required aria-label=A><input type=radio name=r aria-label=B><button id=send>Send</button><button id=draft formnovalidate>Draft</button></form>
<form><input required oninvalid="event.preventDefault()" id=own><button id=told>Told</button></form><form><input required style="display:none" aria-label=Kind><button id=dark>Dark</button></form>
<form onsubmit="return false"><input id=x oninput="this.form.checkValidity()"><input required><button type=button id=asks onclick="this.form.checkValidity()">Asks</button></form><script>window.sent = []</script>`)
	const mail, others = "the form was not sent: textbox \"Mail\" [e", "; radio \"A\" [e"
	for _, c := range []struct {
		do   func() Done
		want []string
	}{
		{func() Done { return s.click("#send", ClickOptions{}) }, []string{mail, "'@'", "; textbox \"Name\" [e", others}},
		{func() Done { return s.click("#send", ClickOptions{}) }, []string{mail}}, // nothing changes this time
		{func() Done { return s.typeInto("#mail", TypeOptions{Text: "x", Submit: true}) }, []string{mail}},
		{func() Done { d, _ := s.Press(t.Context(), "Enter", Element{}); return d }, []string{mail}},
		{func() Done { return s.click("#draft", ClickOptions{}) }, nil}, {func() Done { return s.click("#told", ClickOptions{}) }, nil},
		{func() Done { return s.click("#dark", ClickOptions{}) }, []string{"not sent: textbox", "(it is hidden)"}},
		{func() Done { return s.click("#asks", ClickOptions{}) }, nil}, {func() Done { return s.typeInto("#x", TypeOptions{Text: "xy"}) }, nil},
	} {
		d := c.do()
		for _, want := range c.want {
			if d.Outcome != Different || !strings.Contains(d.Why, want) || strings.Count(d.Why, "radio") > 1 {
				t.Errorf("no %q: %+v", want, d)
			}
		}
		if c.want == nil && d.Outcome != Happened {
			t.Errorf("%+v", d)
		}
	}
	s.is("sent", "[1]") // the draft
}

// TestClickWaitsForThePointer has a list that lets the pointer through for a
// moment after it was scrolled, as virtual lists do.
func TestClickWaitsForThePointer(t *testing.T) {
	s := open(t, `<div id=list style="height:200px;overflow:auto"><div id=inner style="pointer-events:none"><div id=row style="height:30px">Row</div></div></div>
<script>window.log = []; list.onclick = (e) => log.push(e.target.id)</script>`)
	_, err := s.Click(s.within(2*time.Second), Element{Selector: "#row"}, ClickOptions{})
	if err == nil || errors.Is(err, ErrTimeout) {
		t.Errorf("a click on what lets the pointer through: %v", err)
	}
	s.Evaluate(t.Context(), "setTimeout(() => inner.style.pointerEvents = '', 150)", Element{})
	s.click("#row", ClickOptions{})
	s.is("log", `["row"]`)
}

// TestClickBehindWaitsForAnAnimation clicks what moves in a tab that draws
// nothing by itself.
func TestClickBehindWaitsForAnAnimation(t *testing.T) {
	s := openHidden(t, `<style>@keyframes go { from { transform: translateX(300px) } } .go { animation: go 500ms }</style><button id=b>Button</button>`)
	s.Evaluate(t.Context(), "b.className = 'go'", Element{})
	for range 3 {
		if d := s.click("#b", ClickOptions{}); d.Outcome != Happened {
			t.Errorf("%+v", d)
		}
		s.Rest(t.Context())
		s.Evaluate(t.Context(), "b.className = ''; b.offsetTop; b.className = 'go'", Element{})
	}
}

// TestLaterClickBehindWaitsForFrames makes several clicks before the page rests, as
// one call may: at the later ones the page believes that it is seen, but draws only
// once a second by itself. A veil goes away with frames.
func TestLaterClickBehindWaitsForFrames(t *testing.T) {
	s := openHidden(t, `<button id=a>First</button><button id=b>Second</button><div id=veil hidden style="position:fixed;inset:0"></div><script>
const fade = (left) => { veil.hidden = left == 0; if (left) requestAnimationFrame(() => fade(left - 1)) }</script>`)
	for range 8 {
		s.click("#a", ClickOptions{})
		s.click("#b", ClickOptions{})
	}
	s.Evaluate(t.Context(), "fade(40)", Element{})
	if d := s.click("#b", ClickOptions{}); d.Outcome != Happened {
		t.Errorf("%+v", d)
	}
}

// TestClickOfAPageThatHangsIsUnknown holds that a click is not claimed to have
// arrived where its page hangs and cannot be asked.
func TestClickOfAPageThatHangsIsUnknown(t *testing.T) {
	s := open(t, "")
	held := make(chan struct{})
	s.site.mux.HandleFunc("/hold", func(_ http.ResponseWriter, r *http.Request) {
		close(held)
		select {
		case <-r.Context().Done():
		case <-t.Context().Done():
		}
	})
	s.visit(s.site.page("/hangs", `<button id=b>Go</button>`))
	d, err := s.perform(s.within(2*time.Second), Element{Selector: "#b"}, "click", func(ctx context.Context, a *actor) error {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		post(a.session, runtime.Evaluate, runtime.EvaluateParams{Expression: `const hold = new XMLHttpRequest(); hold.open("GET", "/hold", false); hold.send()`})
		<-held
		l, _ := a.landed(ctx)
		a.clicked(l)
		return nil
	})
	if err != nil || d.Outcome != Unknown || !strings.Contains(d.Why, "has not answered") {
		t.Errorf("%+v %v", d, err)
	}
}

// TestActionOfAPageThatGivesWayIsUnknown ends an action as the browser does when
// it puts another page into the tab.
func TestActionOfAPageThatGivesWayIsUnknown(t *testing.T) {
	s := open(t, `<p>`)
	for _, sent := range []bool{true, false} {
		d, err := s.perform(t.Context(), Element{}, "mouse", func(_ context.Context, a *actor) error {
			a.sent, a.done.Target = sent, "the page"
			return explained(&cdproto.Error{Code: -32061})
		})
		if sent && (err != nil || d.Outcome != Unknown || d.Why == "") || !sent && !errors.Is(err, ErrConnectionLost) {
			t.Errorf("sent %t: %+v %v", sent, d, err)
		}
	}
}

// TestCoveredFrameIsToldAtOnce holds that an error claims no wait that there was
// not.
func TestCoveredFrameIsToldAtOnce(t *testing.T) {
	s := open(t, `<iframe srcdoc="<button id=b>Save</button>"></iframe><div style="position:fixed;inset:0;background:#fff8"><p>Cookies?</div>`)
	s.Wait(s.within(20*time.Second), WaitOptions{Selector: "#b"})
	_, err := s.Click(t.Context(), Element{Selector: "#b"}, ClickOptions{})
	if !errors.Is(err, ErrNotActionable) || !strings.Contains(err.Error(), `covered by div "Cookies?"`) || !strings.Contains(err.Error(), `button "Save"`) || strings.Contains(err.Error(), "waited") {
		t.Error(err)
	}
}
