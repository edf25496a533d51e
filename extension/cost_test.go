package extension_test

import (
	"fmt"
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

// BenchmarkPolicy is what holding a command or an event against the table and the
// sites costs the extension, where ten tabs are shared.
func BenchmarkPolicy(b *testing.B) {
	r := newFakeRelay(b)
	c := launch(b, r, "chosen")
	r.await(0, "hello", nil)
	for range 10 {
		r.create("about:blank")
	}
	session := c.page(base + "icons/16.png")
	c.eval(session, `Promise.all(["policy", "tabs", "withheld"].map(m => import("/" + m + ".js"))).then(async ([policy, tabs, withheld]) => {
		await Promise.all([policy.readPolicy(), tabs.ready()]);
		Object.assign(globalThis, policy, withheld, { tab: tabs.knownTabs()[0] });
	})`, nil)
	for name, script := range map[string]string{
		"evaluate":        `allowed("page", "Runtime.evaluate", { expression: "1+1" }, () => {})`,
		"navigate":        `allowed("page", "Page.navigate", { url: "https://www.example.co.uk/path?query" }, () => {})`,
		"cookies":         `allowed("page", "Network.getAllCookies", {}, () => {})`,
		"event":           `toldOf(tab, "Page.lifecycleEvent", { frameId: "x" })`,
		"request":         `toldOf(tab, "Network.requestWillBeSent", { requestId: String(i), frameId: "x", type: "Image", request: { url: "https://www.example.co.uk/path?query" } })`,
		"request headers": `toldOf(tab, "Network.requestWillBeSentExtraInfo", { requestId: String(i), headers: { Cookie: "a=b" }, associatedCookies: [{ blockedReasons: [], cookie: { name: "a", value: "b", domain: ".example.co.uk" } }] })`,
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var micros float64
				c.eval(session, fmt.Sprintf(`(() => { const n = 20000, begun = performance.now(); for (let i = 0; i < n; i++) %s; return (performance.now() - begun) / n * 1000 })()`, script), &micros)
				b.ReportMetric(micros, "µs/check")
			}
		})
	}
}
