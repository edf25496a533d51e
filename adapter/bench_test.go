package adapter

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/input"
)

func BenchmarkClick(b *testing.B) {
	s := open(b, `<button id=b>Save</button>`)
	ref := Element{Ref: s.ref("button")}
	for b.Loop() {
		if _, err := s.Click(b.Context(), ref, ClickOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClickHidden(b *testing.B) {
	s := openHidden(b, `<button id=b>Save</button>`)
	ref := Element{Ref: s.ref("button")}
	for b.Loop() {
		if _, err := s.Click(b.Context(), ref, ClickOptions{}); err != nil {
			b.Fatal(err)
		}
		s.Rest(b.Context())
	}
}

// BenchmarkDrag measures a drag in a page that asks for no delays.
func BenchmarkDrag(b *testing.B) {
	s := open(b, `<h1>Here</h1><button>Drag</button>`)
	from, to := Element{Ref: s.ref("button")}, Element{Selector: "h1"}
	for b.Loop() {
		if _, err := s.Drag(b.Context(), from, to, DragOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkInput measures a move, press and release on their way at once.
func BenchmarkInput(b *testing.B) {
	for _, hidden := range []bool{false, true} {
		b.Run(fmt.Sprint("hidden=", hidden), func(b *testing.B) {
			f := open
			if hidden {
				f = openHidden
			}
			s := f(b, `<button id=b onclick="window.n=(window.n||0)+1">Save</button>`)
			ses, _ := s.attached(b.Context())
			n := 0
			for b.Loop() {
				n++
				p := input.DispatchMouseEventParams{Type: "mouseMoved", X: 20 + float64(n%2), Y: 20}
				m := start(b.Context(), ses, input.DispatchMouseEvent, p)
				p.Type, p.Button, p.Buttons, p.ClickCount = "mousePressed", "left", 1, 1
				d := start(b.Context(), ses, input.DispatchMouseEvent, p)
				p.Type, p.Buttons = "mouseReleased", 0
				u := start(b.Context(), ses, input.DispatchMouseEvent, p)
				_, e1 := m()
				_, e2 := d()
				_, e3 := u()
				if e1 != nil || e2 != nil || e3 != nil {
					b.Fatal(e1, e2, e3)
				}
			}
			b.StopTimer()
			s.is("n", fmt.Sprint(n))
		})
	}
}

func BenchmarkEvaluate(b *testing.B) {
	s := open(b, `<p>x`)
	for b.Loop() {
		if _, err := s.Evaluate(b.Context(), "({a: 1})", Element{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkSnapshot(b *testing.B) {
	for _, rows := range []int{10, 1000} {
		b.Run(fmt.Sprint("rows=", rows), func(b *testing.B) {
			s := open(b, "<table>"+strings.Repeat(`<tr><td>cell</td><td><a href=x>link</a></td><td><button>Do</button></td></tr>`, rows)+"</table>")
			for b.Loop() {
				if _, err := s.Snapshot(b.Context(), SnapshotOptions{}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkScreenshot(b *testing.B) {
	for _, hidden := range []bool{false, true} {
		for _, format := range []string{"png", "jpeg", "webp"} {
			b.Run(fmt.Sprintf("%s,hidden=%t", format, hidden), func(b *testing.B) {
				f := open
				if hidden {
					f = openHidden
				}
				s := f(b, strings.Repeat(`<p style="background:linear-gradient(red,blue)">Some text <button>Do</button>`, 20))
				for b.Loop() {
					if _, err := s.Screenshot(b.Context(), ScreenshotOptions{Format: format}); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

func BenchmarkType(b *testing.B) {
	s := open(b, `<input id=i>`)
	ref := Element{Ref: s.ref("textbox")}
	for b.Loop() {
		if _, err := s.Type(b.Context(), ref, TypeOptions{Text: "Some text", Clear: true}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkClickSettled(b *testing.B) {
	s := open(b, `<button id=b>Save</button>`)
	ref := Element{Ref: s.ref("button")}
	for b.Loop() {
		w := s.Watch(b.Context())
		if _, err := s.Click(b.Context(), ref, ClickOptions{}); err != nil {
			b.Fatal(err)
		}
		w.Settle(b.Context())
	}
}

func BenchmarkEvaluateNumber(b *testing.B) {
	s := open(b, `<p>x`)
	for b.Loop() {
		if _, err := s.Evaluate(b.Context(), "1+1", Element{}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkOffers measures finding what a page offers, in each of the ten sites
// and in a page of a thousand rows; the best time says what it costs where the
// machine is busy.
func BenchmarkOffers(b *testing.B) {
	run := func(b *testing.B, s *stage) {
		best := time.Hour
		for b.Loop() {
			begin := time.Now()
			s.offers()
			best = min(best, time.Since(begin))
		}
		b.ReportMetric(float64(best.Microseconds())/1000, "best-ms")
	}
	b.Run("rows=1000", func(b *testing.B) { run(b, open(b, manyRows)) })
	for _, kind := range []string{"mail", "flights", "code", "shop", "search", "docs", "forum", "settings", "calendar", "checkout"} {
		b.Run(kind, func(b *testing.B) {
			s, _ := onSite(b, "/"+kind+"/index.html")
			run(b, s)
		})
	}
}
