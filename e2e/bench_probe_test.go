package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// probe is an extension that does nothing but hear what the debugger tells.
var probe = map[string]string{
	"manifest.json": `{"manifest_version": 3, "name": "Probe", "version": "1", "permissions": ["debugger"], "background": {"service_worker": "hears.js"}}`,
	"hears.js":      `let hear = () => {}; chrome.debugger.onEvent.addListener(() => hear());`,
	"probe.html":    `<!doctype html><title>Probe</title>`,
}

// probeFlood is a click through chrome.debugger alone, without Tabrelay, when all
// is quiet and when a tenth of the 2,500 messages of another page has come: all
// that is for extensions goes through one row, and a message takes Chrome 0.2 ms.
func probeFlood(b *testing.B) (quiet, loud time.Duration) {
	dir := b.TempDir()
	for name, text := range probe {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			b.Fatal(err)
		}
	}
	p := &person{t: b, dir: dir}
	p.launch(browser(b), b.TempDir())
	s := newSite(b, counter)
	h := &hand{client: p.chromium()}
	h.send("", "Target.setDiscoverTargets", map[string]any{"discover": true, "filter": []any{map[string]any{}}})
	var worker struct {
		TargetInfo struct{ TargetID, URL string }
	}
	h.until(func(m message) bool {
		_ = json.Unmarshal(m.Params, &worker)
		return strings.HasSuffix(worker.TargetInfo.URL, "/hears.js")
	})
	// A page of the extension is there when its worker is up and stays.
	var page struct{ TargetID string }
	h.call("", "Target.createTarget", map[string]any{"url": "about:blank"}, &page)
	var at struct{ SessionID string }
	h.call("", "Target.attachToTarget", map[string]any{"targetId": page.TargetID, "flatten": true}, &at)
	h.call(at.SessionID, "Page.enable", nil, nil)
	h.call(at.SessionID, "Page.navigate", map[string]any{"url": strings.TrimSuffix(worker.TargetInfo.URL, "hears.js") + "probe.html"}, nil)
	h.until(func(m message) bool { return m.SessionID == at.SessionID && m.Method == "Page.loadEventFired" })
	h.call("", "Target.attachToTarget", map[string]any{"targetId": worker.TargetInfo.TargetID, "flatten": true}, &at)
	h.evaluate(at.SessionID, `(async () => {
		const open = async (url) => {
			const { id: tabId } = await chrome.tabs.create({ url });
			await chrome.debugger.attach({ tabId }, "1.3");
			const send = (method, params) => chrome.debugger.sendCommand({ tabId }, method, params);
			for (const domain of ["Page", "Runtime", "Network", "Log"]) await send(domain + ".enable");
			return send;
		};
		const there = await open("`+s.URL+`/?loud"), here = await open("`+s.URL+`");
		globalThis.click = async () => {
			const begin = performance.now(), at = { x: 30, y: 30, button: "left", clickCount: 1 };
			await Promise.all(["mouseMoved", "mousePressed", "mouseReleased"].map((type) => here("Input.dispatchMouseEvent", { ...at, type })));
			await here("Runtime.evaluate", { expression: "document.title" });
			return performance.now() - begin;
		};
		globalThis.beside = async () => {
			const done = there("Runtime.evaluate", { expression: "for (let i = 0; i < 2500; i++) console.log('loud', i)" });
			let heard = 0;
			await new Promise((well) => (hear = () => ++heard === 250 && well()));
			const took = await click();
			await done;
			return took;
		};
	})()`)
	measure := func(script string) time.Duration {
		var list []time.Duration
		for range benchRounds {
			var took float64 // ms
			if err := json.Unmarshal([]byte(h.evaluate(at.SessionID, script)), &took); err != nil {
				b.Fatal(err)
			}
			list = append(list, time.Duration(took*1e6))
		}
		return middleOf(list)
	}
	return measure("click()"), measure("beside()")
}
