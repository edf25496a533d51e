package adapter

import (
	"errors"
	"strings"
	"testing"
	"time"
)

func TestWait(t *testing.T) {
	s := open(t, "")
	s.site.page("/leaf", `<p id=l></p><script>setTimeout(() => l.textContent = "From the leaf", 200)</script>`)
	s.site.page("/next", `<p>Arrived`)
	s.visit(s.site.page("/a", `<p id=p>Loading…</p><iframe src="`+s.site.other("/leaf")+`"></iframe><p style="display:none">Hidden text</p>
<script>setTimeout(() => { p.textContent = "Ready now"; window.ok = {yes: true}; p.insertAdjacentHTML("afterend", "<b class=done>x</b>") }, 150)</script>`))
	ctx := s.within(30 * time.Second)
	for i, o := range []WaitOptions{
		{Text: "ready NOW"}, {TextGone: "Loading"}, {Selector: "b.done"}, {Predicate: "ok.yes"}, {Text: "From the leaf"}, {Time: 20 * time.Millisecond},
		{Text: "Arrived"}, {URL: "/next", State: Loaded, Text: "Arrived"}, {URL: "http://*/next"}, {URL: "/nex.$/"}, {Predicate: "() => document.title === 't'"}, {State: NetworkIdle},
	} {
		if i == 6 { // what the first document had to show was seen
			s.is(`setTimeout(() => location = "/next", 100), 0`, "0")
		}
		if err := s.Wait(ctx, o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
	for say, o := range map[string]WaitOptions{
		`the text "Nope" did not appear within 300ms`: {Text: "Nope"}, `the text "Arrived" did not disappear`: {TextGone: "Arrived"}, `nothing visible matched "#x"`: {Selector: "#x"},
		`the address did not match "/other"`: {URL: "/other", Text: "Arrived"}, "nope.x did not become true": {Predicate: "nope.x"}, "1s had not passed": {Time: time.Second},
	} {
		took := quick(t, 600*time.Millisecond, func() {
			err := s.Wait(s.within(300*time.Millisecond), o)
			if !errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), strings.TrimSuffix(say, " within 300ms")) {
				t.Errorf("%+v: %v", o, err)
			}
		})
		if took < 250*time.Millisecond {
			t.Errorf("%+v took %s", o, took)
		}
	}
	for _, o := range []WaitOptions{{}, {State: "done"}, {URL: "/(x/"}, {Selector: "##"}} {
		if err := s.Wait(ctx, o); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if err := s.Wait(ctx, WaitOptions{Predicate: "1 +"}); err == nil || errors.Is(err, ErrTimeout) {
		t.Error(err)
	}
}

// TestWaitBehind waits for the end of an animation in a tab behind, which has none by
// itself.
func TestWaitBehind(t *testing.T) {
	s := openHidden(t, `<style>@keyframes out { to { opacity: 0 } } .out { animation: out 300ms }</style><p id=p onanimationend="this.remove()">Away</p><p id=q onanimationend="this.remove()">Gone</p>`)
	s.is("p.className = q.className = 'out'", `"out"`)
	if err := s.Wait(s.within(20*time.Second), WaitOptions{TextGone: "Away"}); err != nil {
		t.Error(err)
	}
	if err := s.AwaitElement(s.within(20*time.Second), Element{Selector: "#q"}, ElementHidden); err != nil {
		t.Error(err)
	}
}

func TestWaitForFrame(t *testing.T) {
	s := open(t, `<div id=d></div>`)
	s.site.page("/leaf", `<p>Late leaf`)
	s.is(`setTimeout(() => d.innerHTML = '<iframe src="`+s.site.other("/leaf")+`"></iframe>', 100), 0`, "0")
	if err := s.Wait(s.within(10*time.Second), WaitOptions{Text: "Late leaf"}); err != nil {
		t.Error(err)
	}
}

func TestWaitHidden(t *testing.T) {
	s := openHidden(t, `<p id=p></p><script>setTimeout(() => p.textContent = "Here", 100)</script>`)
	if err := s.Wait(s.within(10*time.Second), WaitOptions{Text: "Here"}); err != nil {
		t.Error(err)
	}
	err := s.Wait(s.within(300*time.Millisecond), WaitOptions{Text: "Nope"})
	if !errors.Is(err, ErrTimeout) {
		t.Error(err)
	}
}

// TestWaitBesideWorkers has a page whose workers are loaded like scripts, but tell the
// page nothing of their end.
func TestWaitBesideWorkers(t *testing.T) {
	s := open(t, `<script>new Worker(URL.createObjectURL(new Blob(["0"]))); new Worker("/none.js"); new SharedWorker("/none.js")</script>`)
	if err := s.Wait(t.Context(), WaitOptions{State: NetworkIdle}); err != nil {
		t.Error(err)
	}
}
