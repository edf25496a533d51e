package adapter

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

func TestClickPopupThenAlert(t *testing.T) {
	s := open(t, `<button id=b onclick="window.w = window.open('/pop', '_blank'); alert('after')">Open</button>`)
	s.site.page("/pop", "pop")
	_, since := s.browser.News(0)
	s.click("#b", ClickOptions{})
	if s.Dialog() == nil {
		t.Fatal("there is no dialog")
	}
	if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: true}); err != nil {
		t.Fatal(err)
	}
	if err := s.browser.wait(s.within(10*time.Second), func() bool { return s.browser.seq > since }); err != nil {
		t.Error(err)
	}
	news, _ := s.browser.News(since)
	if len(news) != 1 {
		t.Fatalf("news: %+v", news)
	}
	p, err := s.browser.Page(news[0].Tab.ID)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Wait(s.within(10*time.Second), WaitOptions{Text: "pop"}); err != nil {
		t.Error(err)
	}
	s.browser.CloseTab(t.Context(), p.id)
}

func TestClickCrash(t *testing.T) {
	s := open(t, `<button id=b>Save</button>`)
	post(s.session, page.Crash, cdp.Empty{})
	if err := s.Wait(s.within(10*time.Second), WaitOptions{Text: "never"}); !errors.Is(err, ErrCrashed) {
		t.Error(err)
	}
	if _, err := s.Click(t.Context(), Element{Selector: "#b"}, ClickOptions{}); !errors.Is(err, ErrCrashed) {
		t.Error(err)
	}
	if _, err := s.Reload(s.within(10*time.Second), Loaded); err != nil {
		t.Fatal(err)
	}
	s.click("#b", ClickOptions{})
}

func TestCanceled(t *testing.T) {
	s := open(t, `<button id=b disabled>Save</button>`)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() {
		_, err := s.Click(ctx, Element{Selector: "#b"}, ClickOptions{})
		done <- err
	}()
	s.is("1", "1")
	cancel()
	select {
	case err := <-done:
		if !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	case <-time.After(time.Second):
		t.Error("the click went on")
	}
	s.is("b.disabled = false, 0", "0")
	s.click("#b", ClickOptions{})
}

func TestClickNavigates(t *testing.T) {
	s := open(t, `<a id=a href="/next">next</a><button id=b onclick="setTimeout(() => location='/next', 100)">later</button>`)
	s.site.page("/next", `<p>Arrived</p><a href="/" id=back>back</a>`)
	for _, selector := range []string{"#a", "#b"} {
		w := s.Watch(t.Context())
		begin := time.Now()
		s.click(selector, ClickOptions{})
		took := time.Since(begin)
		out := w.Settle(t.Context())
		if !out.Navigated || out.URL != s.site.URL+"/next" {
			t.Errorf("%s: %+v", selector, out)
		}
		t.Logf("%s: click %s, settled %s", selector, took, time.Since(begin))
		w = s.Watch(t.Context())
		s.click("#back", ClickOptions{})
		w.Settle(t.Context())
	}
}

// Of several commands that were on their way when the person pressed Cancel each
// is refused; the agent is told once.
func TestB68CancelIsToldOnce(t *testing.T) {
	s := open(t, `<button id=b>Click</button>`)
	said := fail(ErrCancelled, "", "the person pressed Cancel")
	s.refused(said) // before the action
	s.refused(said)
	if _, err := s.Click(t.Context(), Element{Selector: "#b"}, ClickOptions{}); !errors.Is(err, ErrCancelled) {
		t.Errorf("the first click: %v", err)
	}
	s.click("#b", ClickOptions{})
	ctx, stop, err := s.running(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer stop()
	s.refused(said) // while it runs
	s.refused(said)
	if cause := context.Cause(ctx); !errors.Is(cause, ErrCancelled) {
		t.Errorf("what runs ends with %v", cause)
	}
	if s.chooser.watched {
		t.Error("the tab would be asked for again to end the watch for file choosers")
	}
	s.click("#b", ClickOptions{})
}

// The time in which timers count begins with the click, however long its element
// took to be ready.
func TestClickThatWaitedSettles(t *testing.T) {
	s := open(t, `<button id=b disabled onclick="setTimeout(() => b.textContent = 'Clicked', 100)">Click</button><script>setTimeout(() => b.disabled = false, 800)</script>`)
	w := s.Watch(t.Context())
	s.click("#b", ClickOptions{})
	w.Settle(t.Context())
	s.is("b.textContent", `"Clicked"`)
}

// Frameworks put work off by posting a message to themselves.
func TestClickSettlesWhatIsPosted(t *testing.T) {
	s := open(t, `<button id=b>Count 0</button><script>
		let n = 0;
		const {port1, port2} = new MessageChannel();
		port1.onmessage = onmessage = () => { b.textContent = "Count " + ++n };
		b.onclick = () => n % 2 ? port2.postMessage(0) : window.postMessage(0)</script>`)
	for n := range 20 {
		w := s.Watch(t.Context())
		s.click("#b", ClickOptions{})
		w.Settle(t.Context())
		s.is("b.textContent", fmt.Sprintf(`"Count %d"`, n+1))
	}
}

func TestClickBeforeUnload(t *testing.T) {
	s := open(t, `<input id=i><a id=a href="/next">next</a><script>onbeforeunload = (e) => e.preventDefault()</script>`)
	s.site.page("/next", "next")
	s.typeInto("#i", TypeOptions{Text: "x"})
	w := s.Watch(t.Context())
	s.click("#a", ClickOptions{})
	w.Settle(t.Context())
	if d := s.Dialog(); d == nil || d.Type != "beforeunload" {
		t.Fatalf("dialog is %v", d)
	}
	if _, err := s.AnswerDialog(t.Context(), DialogAnswer{Accept: false}); err != nil {
		t.Fatal(err)
	}
	s.is("i.value", `"x"`)
}

func TestClickSettles(t *testing.T) {
	s := open(t, `<button id=none>none</button><button id=fast onclick="fetch('/fast').then(() => p.textContent = 'fetched')">fast</button><button id=empty onclick="location='/empty'">204</button>
<button id=slow onclick="fetch('/slow')">slow</button><button id=poll onclick="setInterval(() => fetch('/fast'), 100)">poll</button><p id=p></p>`)
	s.site.mux.HandleFunc("/fast", func(http.ResponseWriter, *http.Request) {})
	s.site.mux.HandleFunc("/empty", func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	s.site.mux.HandleFunc("/slow", func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	s.click("#none", ClickOptions{}) // the page script is there from now on
	for _, c := range []struct {
		selector    string
		least, most time.Duration
		shows       string
		pending     bool
	}{
		{"#none", 0, 400 * time.Millisecond, "", false},
		{"#fast", 0, 500 * time.Millisecond, "fetched", false},
		{"#empty", 0, 900 * time.Millisecond, "", false},
		{"#slow", requestLimit, requestLimit + time.Second, "", true},
		{"#poll", 0, trafficTotal + time.Second, "", false},
	} {
		var out Settled
		took := quick(t, c.most, func() {
			s.is("p.textContent = '', 0", "0")
			w := s.Watch(t.Context())
			s.click(c.selector, ClickOptions{})
			out = w.Settle(t.Context())
			s.is("p.textContent", strconv.Quote(c.shows))
		})
		t.Logf("%s: %s %+v", c.selector, took, out)
		if took < c.least || out.Navigated || out.Loading || out.URL != s.site.URL+"/" || c.selector != "#poll" && out.Pending > 0 != c.pending {
			t.Errorf("%s: after %s %+v", c.selector, took, out)
		}
	}
}

func TestHiddenLeavesTheFrontAlone(t *testing.T) {
	b := newBrowser(t, Options{})
	front := openIn(t, b, `<p>front`, true)
	s := openIn(t, b, `<input id=i><button id=b>Save</button><div id=d style="height:100px;overflow:auto"><p style="height:900px">x</div>`+heard, false)
	t.Log(quick(t, 1500*time.Millisecond, func() {
		s.is("seen = [], 0", "0")
		s.typeInto("#i", TypeOptions{Text: "abc", Slowly: true})
		for _, o := range []ClickOptions{{Button: "right"}, {Button: "middle"}, {Count: 2}, {Modifiers: []string{"Control"}}} {
			s.click("#b", o)
		}
		if _, err := s.Press(t.Context(), "Control+A x", Element{Selector: "#i"}); err != nil {
			t.Error(err)
		}
		if _, err := s.Hover(t.Context(), Element{Selector: "#b"}); err != nil {
			t.Error(err)
		}
		if _, err := s.Scroll(t.Context(), Element{Selector: "#d"}, ScrollOptions{}); err != nil {
			t.Error(err)
		}
	}))
	s.is("i.value", `"x"`)
	s.is("seen.filter((x) => x.startsWith('click') || x.startsWith('dbl')).length", "4")
	front.is("document.visibilityState", `"visible"`)
}
