package adapter

import (
	"bytes"
	"testing"
)

func TestTraceSummary(t *testing.T) {
	s := open(t, `<h1>before</h1>`)
	url := s.site.page("/work", `<h1>Loaded</h1><p>words</p><button onclick="const t = performance.now() + 180; while (performance.now() < t);">Work</button>`)
	if err := s.StartTrace(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.visit(url)
	// After the click there are no more candidates for the largest paint.
	if _, err := s.Evaluate(t.Context(), `new Promise((done) => new PerformanceObserver(() => done(1)).observe({type: "largest-contentful-paint", buffered: true}))`, Element{}); err != nil {
		t.Fatal(err)
	}
	s.click("button", ClickOptions{})
	var text bytes.Buffer
	sum, err := s.StopTrace(t.Context(), &text)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v, %d bytes", sum, text.Len())
	if sum.LCP <= 0 || sum.FCP <= 0 || sum.Tasks == 0 || sum.Blocking < 100e6 || sum.Fetched == 0 || text.Len() != sum.Bytes {
		t.Errorf("%+v", sum)
	}
	if _, err := s.StopTrace(t.Context(), nil); err == nil {
		t.Error("a trace that was stopped is stopped again")
	}
}
