package extension_test

import (
	"slices"
	"testing"
	"time"
)

// median reports the median of b.N runs: single slow ones are the machine's.
func median(b *testing.B, run func()) {
	b.Helper()
	var took []time.Duration
	for b.Loop() {
		began := time.Now()
		run()
		took = append(took, time.Since(began))
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)/2].Microseconds())/1000, "median-ms")
}

func BenchmarkExtension(b *testing.B) {
	r := newFakeRelay(b)
	c := launch(b, r, "all")
	r.await(0, "hello", nil)
	tab := string(r.create("about:blank").ID)

	// The same browser without the extension between, to read the others by.
	session := c.attach(tab)
	b.Run("direct evaluate", func(b *testing.B) {
		median(b, func() { c.cdp(session, "Runtime.evaluate", args{"expression": "1+1"}) })
	})
	b.Run("direct 5MB", func(b *testing.B) {
		median(b, func() {
			c.cdp(session, "Runtime.evaluate", args{"expression": `"x".repeat(5<<20)`, "returnByValue": true})
		})
	})
	b.Run("evaluate", func(b *testing.B) {
		median(b, func() { r.cdp(tab, "Runtime.evaluate", args{"expression": "1+1"}) })
	})
	b.Run("5MB", func(b *testing.B) {
		median(b, func() {
			r.cdp(tab, "Runtime.evaluate", args{"expression": `"x".repeat(5<<20)`, "returnByValue": true})
		})
	})
	b.Run("createTab", func(b *testing.B) {
		median(b, func() {
			made := r.create("about:blank")
			b.StopTimer()
			r.do("closeTab", args{"id": made.ID}, nil)
			b.StartTimer()
		})
	})
	b.Run("popup to tabOpened", func(b *testing.B) {
		median(b, func() {
			mark := r.mark()
			r.eval(tab, `void(window.w = open("about:blank"))`)
			r.await(mark, "tabOpened", nil)
			b.StopTimer()
			r.eval(tab, `w.close()`)
			r.await(mark, "tabClosed", nil)
			b.StartTimer()
		})
	})
}
