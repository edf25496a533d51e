package adapter

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// secretFrame is a page that says 1234 wherever a page can say something.
const secretFrame = `<h1>Balance 1234</h1>
<iframe srcdoc="<h2>Inner 1234</h2><script>console.warn('1234 of srcdoc')</script>"></iframe>
<iframe srcdoc="<h2>Boxed 1234</h2><script>console.warn('1234 of a sandbox')</script>" sandbox="allow-scripts"></iframe>
<iframe src="data:text/html,<h2>Data 1234</h2><script>console.warn('1234 of data')</script>"></iframe>
<iframe id=blank></iframe><iframe id=blob></iframe>
<script>
	blank.contentDocument.write("<h2>Blank 1234</h2>"); blank.contentDocument.close();
	blob.src = URL.createObjectURL(new Blob(["<h2>Blob 1234</h2><script>console.warn('1234 of a blob')<\/script>"], {type: "text/html"}));
	console.warn("1234 of the frame");
	fetch("OPEN/echo?1234");
	setTimeout(() => { throw new Error("1234 thrown") });
	onload = () => setTimeout(() => top.postMessage("said", "*"));
</script>`

// TestB90FramesOfOneProcess holds that a frame of a site that is kept out stays
// closed, with all that it holds, also where it shares its page's process.
func TestB90FramesOfOneProcess(t *testing.T) {
	for _, order := range []string{"before", "after"} {
		t.Run(order, func(t *testing.T) {
			bank, s := newSite(t), newSite(t)
			s.page("/echo", "")
			frame := bank.page("/", strings.ReplaceAll(secretFrame, "OPEN", s.URL))
			b := newBrowser(t, Options{Sites: Sites{Block: []string{strings.TrimPrefix(bank.URL, "http://")}}})
			st := &stage{TB: t, Page: newTab(t, b, true), site: s}
			page := s.page("/", fmt.Sprintf(`<h1>Shop</h1><script>said = new Promise(done => onmessage = done); console.warn("of the shop")</script><iframe src=%q width=600 height=400></iframe>`, frame))
			st.visit(page)
			st.value("said.then(() => 1)")
			if order == "after" { // what was said before anybody listened is told to who comes later
				late := newBrowser(t, b.opts)
				if err := late.wait(st.within(20*time.Second), func() bool { return late.index(st.id) >= 0 }); err != nil {
					t.Fatal(err)
				}
				p, err := late.Page(st.id)
				if err != nil {
					t.Fatal(err)
				}
				st.Page = p
			}
			snap, err := st.Snapshot(t.Context(), SnapshotOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if text := snap.Text(); !strings.Contains(text, "Shop") || strings.Contains(text, "1234") {
				t.Errorf("the snapshot:\n%s", text)
			}
			own := false
			list, _, _ := st.Console(0)
			for _, m := range list {
				own = own || m.Text == "of the shop"
				if strings.Contains(m.Text, "1234") {
					t.Errorf("console: %+v", m)
				}
			}
			if !own {
				t.Errorf("the page's own message is not told: %+v", list)
			}
			requests, _, _, err := st.Requests(t.Context(), RequestFilter{Static: true})
			if err != nil {
				t.Fatal(err)
			}
			for _, r := range requests {
				if strings.Contains(r.URL, "1234") {
					t.Errorf("request: %+v", r)
				}
			}
			found, err := st.Find(t.Context(), FindOptions{Text: "1234"})
			if err == nil && len(found.Lines) > 0 {
				t.Errorf("found: %+v", found)
			}
			for _, format := range []string{"text", "html", "markdown"} {
				if c, err := st.Content(t.Context(), ContentOptions{Format: format}); err == nil && strings.Contains(c.Text, "1234") {
					t.Errorf("content as %s: %s", format, c.Text)
				}
			}
		})
	}
}

// TestB90PicturesOfFrames holds that a frame that is kept out is covered in pictures
// and hidden in prints, in whichever process it is.
func TestB90PicturesOfFrames(t *testing.T) {
	for name, host := range map[string]string{"of its own process": "localhost", "of the page's process": "127.0.0.1"} {
		t.Run(name, func(t *testing.T) {
			bank, s := newSite(t), newSite(t)
			frame := strings.Replace(bank.page("/", `<body style="margin:0;background:#f00">`), "127.0.0.1", host, 1)
			blocked := strings.TrimPrefix(strings.TrimSuffix(frame, "/"), "http://")
			b := newBrowser(t, Options{Sites: Sites{Block: []string{blocked}}})
			st := &stage{TB: t, Page: newTab(t, b, true), site: s}
			st.visit(s.page("/", fmt.Sprintf(`<body style="margin:0;background:#0f0"><iframe id=f src=%q style="position:absolute;left:50px;top:60px;border:4px solid #0f0" width=300 height=100></iframe>
<script>addEventListener("beforeprint", () => { printed = getComputedStyle(f).visibility })</script>`, frame)))
			for _, o := range []ScreenshotOptions{{Format: "png"}, {Format: "png", FullPage: true}, {Element: Element{Selector: "#f"}, Format: "png"}} {
				m, _ := st.picture(o)
				green, red := false, false
				for y := range m.Bounds().Dy() {
					for x := range m.Bounds().Dx() {
						r, g, _, _ := m.At(x, y).RGBA()
						green, red = green || g > 0xd000 && r < 0x4000, red || r > 0xa000 && g < 0x4000
					}
				}
				if red || !green {
					t.Errorf("%+v: the frame is seen: %v; the page: %v", o, red, green)
				}
			}
			if _, _, err := st.PDF(t.Context(), PDFOptions{}, io.Discard, nil); err != nil {
				t.Fatal(err)
			}
			st.is("printed + getComputedStyle(f).visibility", `"hiddenvisible"`)
		})
	}
}

// TestB90PagesWithoutAnAddress holds that what a site that is kept out writes into
// a page without an address of its own stays closed.
func TestB90PagesWithoutAnAddress(t *testing.T) {
	around := open(t, `<button onclick="w = window.open('about:blank'); w.document.title = 'Balance 1234'; w.document.body.textContent = 1234">Open</button>`)
	kept := newBrowser(t, Options{Sites: Sites{Block: []string{strings.TrimPrefix(around.site.URL, "http://")}}})
	around.click("button", ClickOptions{})
	ctx := around.within(20 * time.Second)
	var popup string
	if err := kept.wait(ctx, func() bool {
		for _, tab := range kept.tabs {
			if tab.URL == "about:blank" && tab.Opener == around.id {
				popup = tab.ID
			}
		}
		return popup != ""
	}); err != nil {
		t.Fatalf("%v: %+v", err, kept.Tabs())
	}
	t.Cleanup(func() { around.browser.unwanted(popup) })
	p, err := kept.Page(popup)
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Allowed(ctx); err == nil {
		t.Errorf("%s is open", p.URL())
	}
	for _, tab := range kept.Tabs() {
		if strings.Contains(tab.Title, "1234") {
			t.Errorf("listed: %+v", tab)
		}
	}
}

// TestB90MouseStaysOutOfFrames holds that what is done at a point, or by keys where
// the focus is, does not reach a frame that is kept out.
func TestB90MouseStaysOutOfFrames(t *testing.T) {
	bank, s := newSite(t), newSite(t)
	frame := bank.page("/", `<body style="margin:0" onmousedown="top.postMessage('pressed', '*')" onkeydown="top.postMessage('typed', '*')"><button style="width:200px;height:100px">Pay</button>`)
	s.page("/between", fmt.Sprintf(`<body style="margin:0"><iframe src=%q style="border:0"></iframe>`, frame))
	b := newBrowser(t, Options{Sites: Sites{Block: []string{strings.TrimPrefix(bank.URL, "http://"), strings.TrimPrefix(bank.other(""), "http://")}}})
	st := &stage{TB: t, Page: newTab(t, b, true), site: s}
	st.visit(s.page("/", fmt.Sprintf(`<body style="margin:0"><script>said = []; onmessage = e => said.push(e.data)</script><button style="width:100px;height:50px;display:block" onclick="said.push('own')">Own</button>
		<iframe src=%q style="border:0;height:100px"></iframe><iframe src=%q style="border:0;height:100px"></iframe><iframe src=%q style="border:0;height:100px"></iframe>`, frame, bank.other("/"), s.other("/between"))))
	for _, o := range []MouseOptions{{Action: "click", X: 50, Y: 100}, {Action: "click", X: 350, Y: 100}, {Action: "click", X: 650, Y: 100}, {Action: "down", X: 50, Y: 100}, {Action: "drag", X: 50, Y: 25, ToX: 50, ToY: 100}} {
		if _, err := st.Mouse(t.Context(), o); !errors.Is(err, ErrBlocked) {
			t.Errorf("%+v: %v", o, err)
		}
	}
	if _, err := st.Mouse(t.Context(), MouseOptions{Action: "click", X: 50, Y: 25}); err != nil {
		t.Error(err)
	}
	st.value("document.body.style.paddingBottom = '5000px', scrollTo(0, 40)")
	if _, err := st.Mouse(t.Context(), MouseOptions{Action: "click", X: 50, Y: 30}); !errors.Is(err, ErrBlocked) {
		t.Errorf("a point of a page that is scrolled: %v", err)
	}
	st.value("document.querySelector('iframe').focus()")
	if _, err := st.Press(t.Context(), "a", Element{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("a key in the frame: %v", err)
	}
	st.value("document.querySelector('button').focus()")
	if _, err := st.Press(t.Context(), "Tab a", Element{}); !errors.Is(err, ErrBlocked) {
		t.Errorf("a key that leads to the frame, and one there: %v", err)
	}
	st.is("said.join()", `"own"`)
}
