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

// BenchmarkGate is what the extension's checks of a command add that asks nobody: who
// is paused, the table, and the sites of a tab and an address.
func BenchmarkGate(b *testing.B) {
	r := newFakeRelay(b)
	c := launch(b, r, "asks")
	r.await(0, "hello", nil)
	var ns float64
	for b.Loop() {
		c.eval(c.page(base+"icons/16.png"), `(async () => {
			await chrome.storage.local.set({ sites: { "https://example.co.uk": "always" } });
			const [sites, policy, paused] = await Promise.all(["sites", "policy", "paused"].map((m) => import("/" + m + ".js")));
			await Promise.all([sites.readSites(), policy.readPolicy()]);
			const tab = { tabId: 1, url: "https://www.shop.example.co.uk/a/long/path?and=query" };
			const commands = [["Runtime.evaluate", { expression: "1" }], ["Input.dispatchMouseEvent", { type: "mousePressed", x: 1, y: 1 }], ["Page.navigate", { url: tab.url }]];
			const n = 30_000, began = performance.now();
			for (let i = 0; i < n; i++) {
				const [method, params] = commands[i % 3];
				if (!sites.permitted(tab)) throw new Error("not permitted");
				const may = paused.whilePaused(1, { method, params });
				policy.allowed("page", may.method, may.params, (url) => { if (!sites.permitted({ tabId: 1, url })) throw new Error("not permitted") });
			}
			return (performance.now() - began) * 1e6 / n;
		})()`, &ns)
	}
	b.ReportMetric(ns/1000, "µs/command")
}
