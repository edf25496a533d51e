package extension_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

const (
	pictures = "../docs/images/"
	// picturesSize bounds all pictures, in bytes.
	picturesSize = 600 << 10
)

// scene is a page of the extension in a state that it can be in.
type scene struct {
	name, page string
	view       string // over usual, as JavaScript
	width      int
}

// usual is what the pages are shown, unless a scene says otherwise.
const usual = `{
	state: 'connected', reason: '', since: Date.now() - 332000, server: 'ws://127.0.0.1:8765', home: '127.0.0.1:8765', called: 'chrome-1', paired: true, share: 'chosen',
	received: 1284, sent: 1310, paused: false, allSites: false, questions: [],
	rules: [{ site: 'https://example.com', choice: 'always' }, { site: 'https://shop.example', choice: 'once' }, { site: 'https://bank.example', choice: 'no' }],
	actors: [
		{ name: 'claude-code', kind: 'agent', color: 'purple', tabs: ['A', 'B'], doing: { did: 'browser_click', site: 'https://shop.example', since: '' }, paused: false },
		{ name: 'playwright', kind: 'client', tabs: ['C'], paused: false },
	],
	tabs: [
		{ tabId: 1, title: 'Darjeeling, first flush – Tea Shop', url: 'https://shop.example/tea', attached: true, who: 'claude-code', paused: false, left: false },
		{ tabId: 2, title: 'Issue 214: The cart forgets its coupon', url: 'https://tracker.example/214', attached: true, who: 'claude-code', paused: false, left: false },
		{ tabId: 3, title: 'Release dashboard', url: 'https://ci.example/', attached: true, who: 'playwright', paused: false, left: false },
		{ tabId: 4, title: 'Holiday plans', url: 'https://notes.example/plans', attached: false, who: '', paused: false, left: false },
	],
	over: [], addresses: [],
	news: { fresh: true, entries: [
		{ at: '2026-11-20T09:14:02Z', kind: 'agent', who: 'claude-code', did: 'connected' },
		{ at: '2026-11-20T09:14:10Z', kind: 'agent', who: 'claude-code', did: 'browser_tab_open', page: 't1', site: 'https://shop.example', outcome: 'done', ms: 412 },
		{ at: '2026-11-20T09:14:21Z', kind: 'agent', who: 'claude-code', did: 'browser_fill', page: 't1', site: 'https://shop.example', outcome: 'done', ms: 31 },
		{ at: '2026-11-20T09:14:30Z', kind: 'client', who: 'playwright', did: 'connected' },
		{ at: '2026-11-20T09:15:03Z', kind: 'agent', who: 'claude-code', did: 'browser_click', page: 't1', site: 'https://shop.example', to: 'https://pay.example', outcome: 'error', why: 'NotActionable', ms: 1640 },
	] },
}`

var scenes = []scene{
	{"popup", "popup.html", `{}`, 360},
	{"popup-paused", "popup.html", `{ paused: true }`, 360},
	{"popup-waiting", "popup.html", `{ state: 'connecting', since: 0, actors: [], tabs: [] }`, 360},
	{"popup-unpaired", "popup.html", `{ state: 'unpaired', since: 0, paired: false, server: '', actors: [], tabs: [] }`, 360},
	{"side", "side.html", `{}`, 360},
	{"side-asked", "side.html", `{ questions: [{ id: 'q1', site: 'https://mail.example', agent: 'claude-code', at: 0 }], tabs: [], actors: [{ name: 'claude-code', kind: 'agent', color: 'purple', tabs: [], paused: false }], news: { fresh: true, entries: [] } }`, 360},
	{"side-program", "side.html", `{ questions: [{ id: 'q1', site: '', agent: 'Playwright/1.65.1 (x64; debian 12) node/22.1', port: 9222, at: 0 }], tabs: [], actors: [], news: { fresh: true, entries: [] },
		addresses: [{ id: '0123abcd', name: 'nightly', tabs: 'new', expires: '2026-11-20T10:14:02Z', clients: 1 }, { id: '4567cdef', tabs: 'shared', port: 9222, asks: true, clients: 0 }] }`, 360},
	{"side-confirm", "side.html", `{ questions: [{ id: 'q1', site: '', agent: 'claude-code', deed: 'Allow browser_click on https://shop.example? It sends a form with a payment field: button "Pay €24.50" [e31].', at: 0 }], tabs: [], actors: [{ name: 'claude-code', kind: 'agent', color: 'purple', tabs: [], paused: false }], news: { fresh: true, entries: [] } }`, 360},
	{"side-paused", "side.html", `{ paused: true, news: { fresh: true, entries: [] } }`, 360},
	{"side-taken-over", "side.html", `{ actors: [{ name: 'claude-code', kind: 'agent', color: 'purple', tabs: [], paused: true }],
		over: [{ tabId: 1, title: 'Darjeeling, first flush – Tea Shop', url: 'https://shop.example/tea', attached: false, who: '', paused: false, left: false }],
		tabs: [{ tabId: 5, title: 'Search results', url: 'https://search.example/', attached: false, who: '', paused: false, left: true }, { tabId: 6, title: 'Price list', url: 'https://prices.example/', attached: false, who: '', paused: false, left: true }],
		news: { fresh: true, entries: [] } }`, 360},
	{"side-away", "side.html", `{ state: 'disconnected', actors: [], tabs: [], news: { fresh: true, entries: [] } }`, 360},
	{"options", "options.html", `{}`, 680},
	{"options-unpaired", "options.html", `{ state: 'unpaired', paired: false, server: '', home: '', called: '', rules: [] }`, 680},
	{"welcome", "welcome.html", `{ state: 'unpaired', paired: false, tabs: [] }`, 700},
	{"welcome-done", "welcome.html", `{ pinned: true }`, 700},
}

// TestPagesAreAccessible looks at each page in all of its states, in light and dark:
// axe-core finds nothing, and nothing is cut at a width of 320 px. With -update it
// takes the pictures for the documents.
func TestPagesAreAccessible(t *testing.T) {
	axe, err := os.ReadFile("../node_modules/axe-core/axe.min.js")
	if err != nil {
		if os.Getenv("CI") == "true" {
			t.Fatal(err)
		}
		t.Skip(err)
	}
	c := launch(t, newFakeRelay(t), "chosen")
	for _, s := range scenes {
		session := c.page("about:blank")
		c.cdp(session, "Page.enable", nil)
		c.cdp(session, "Page.addScriptToEvaluateOnNewDocument", args{"source": fmt.Sprintf(`if (location.protocol === 'chrome-extension:') {
			const view = { ...%s, ...%s };
			chrome.runtime.connect = () => ({ onMessage: { addListener: (f) => setTimeout(() => { f(view); window.shown = true }) }, onDisconnect: { addListener() {} }, postMessage() {} });
			chrome.tabs.query = async () => [{ id: 1, windowId: 1, title: 'Darjeeling, first flush – Tea Shop', url: 'https://shop.example/tea' }];
			chrome.action.getUserSettings = async () => ({ isOnToolbar: view.pinned === true });
		}`, usual, s.view)})
		c.cdp(session, "Page.navigate", args{"url": base + s.page})
		c.until(session, `window.shown && document.images[0]?.complete`)
		c.eval(session, string(axe)+`;1`, nil)
		for _, theme := range []string{"light", "dark"} {
			c.cdp(session, "Emulation.setEmulatedMedia", args{"features": []args{{"name": "prefers-color-scheme", "value": theme}}})
			var found []struct {
				ID    string
				Nodes []struct{ HTML, FailureSummary string }
			}
			c.eval(session, `axe.run({ runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] }).then(r => r.violations)`, &found)
			for _, one := range found {
				t.Errorf("%s, %s: %s %s", s.name, theme, one.ID, one.Nodes)
			}
			if *update {
				c.picture(session, s, pictures+s.name+"-"+theme+".png")
			}
		}
		c.cdp(session, "Emulation.setDeviceMetricsOverride", args{"width": 320, "height": 700, "deviceScaleFactor": 1, "mobile": false})
		var wide int
		c.eval(session, `document.documentElement.scrollWidth`, &wide)
		if wide > 320 {
			t.Errorf("%s is %d px wide where there are 320", s.name, wide)
		}
		c.cdp(session, "Page.close", nil)
	}
}

// picture takes a picture of a page, with as many colors as it needs.
func (c *chromium) picture(session string, s scene, path string) {
	c.t.Helper()
	c.cdp(session, "Emulation.setDeviceMetricsOverride", args{"width": s.width, "height": 300, "deviceScaleFactor": 1, "mobile": false})
	c.cdp(session, "Page.bringToFront", nil)
	var height float64
	c.eval(session, `Math.ceil(document.body.getBoundingClientRect().height)`, &height)
	var shot struct{ Data string }
	decode(c.t, c.cdp(session, "Page.captureScreenshot", args{"captureBeyondViewport": true, "clip": args{"x": 0, "y": 0, "width": s.width, "height": height, "scale": 1}}), &shot)
	data, err := base64.StdEncoding.DecodeString(shot.Data)
	if err != nil {
		c.t.Fatal(err)
	}
	whole, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		c.t.Fatal(err)
	}
	small := image.NewPaletted(whole.Bounds(), colors(whole))
	draw.Draw(small, whole.Bounds(), whole, image.Point{}, draw.Src)
	var out bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, small); err != nil {
		c.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		c.t.Fatal(err)
	}
	if err := os.WriteFile(path, out.Bytes(), 0o644); err != nil {
		c.t.Fatal(err)
	}
}

// colors are the 256 that a picture has most of.
func colors(m image.Image) color.Palette {
	count := map[color.RGBA]int{}
	for y := m.Bounds().Min.Y; y < m.Bounds().Max.Y; y++ {
		for x := m.Bounds().Min.X; x < m.Bounds().Max.X; x++ {
			r, g, b, _ := m.At(x, y).RGBA()
			count[color.RGBA{uint8(r>>8) &^ 3, uint8(g>>8) &^ 3, uint8(b>>8) &^ 3, 255}]++
		}
	}
	list := make([]color.RGBA, 0, len(count))
	for one := range count {
		list = append(list, one)
	}
	slices.SortFunc(list, func(a, b color.RGBA) int {
		if count[a] != count[b] {
			return count[b] - count[a]
		}
		return int(a.R)<<16 + int(a.G)<<8 + int(a.B) - int(b.R)<<16 - int(b.G)<<8 - int(b.B)
	})
	var p color.Palette
	for _, one := range list[:min(256, len(list))] {
		p = append(p, one)
	}
	return p
}

// Each state has its pictures, and there are no others.
func TestPicturesAreThere(t *testing.T) {
	var want, got []string
	for _, s := range scenes {
		want = append(want, s.name+"-dark.png", s.name+"-light.png")
	}
	size := int64(0)
	files, err := os.ReadDir(pictures)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil {
			t.Fatal(err)
		}
		got, size = append(got, f.Name()), size+info.Size()
	}
	slices.Sort(want)
	if !slices.Equal(got, want) || size > picturesSize {
		t.Errorf("%d bytes: %v, want %v", size, got, want)
	}
}

// Every text has its place in _locales, and every text there is used.
func TestTextsAreInLocales(t *testing.T) {
	raw, err := os.ReadFile("_locales/en/messages.json")
	if err != nil {
		t.Fatal(err)
	}
	var messages map[string]struct{ Message string }
	if err := json.Unmarshal(raw, &messages); err != nil {
		t.Fatal(err)
	}
	used := usedTexts(t)
	for key := range used.exact {
		if _, ok := messages[key]; !ok {
			t.Errorf("there is no text %s", key)
		}
	}
	for key := range messages {
		if !used.has(key) {
			t.Errorf("nobody uses the text %s", key)
		}
	}
}
