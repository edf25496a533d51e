package e2e

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/go-rod/rod"
	"github.com/go-rod/rod/lib/input"
	"github.com/go-rod/rod/lib/proto"
	"github.com/ysmood/gson"
)

var rodChecks = []struct {
	name  string
	check func(t *testing.T, page *rod.Page, site string)
}{
	{"info", func(t *testing.T, page *rod.Page, site string) {
		info := page.MustInfo()
		alike(t, info.Title, "Clients")
		alike(t, info.URL, site)
	}},
	{"seen and focused", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, page.MustEval(`() => document.visibilityState + document.hasFocus()`).Str(), "visibletrue")
	}},
	{"Eval", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, page.MustEval(`(a, b) => a * b`, 6, 7).Int(), 42)
	}},
	{"Expose", func(t *testing.T, page *rod.Page, _ string) {
		page.MustExpose("known", rodKnown)
		alike(t, page.MustEval(`() => known("x")`).Bool(), true)
	}},
	{"EvalOnNewDocument", func(t *testing.T, page *rod.Page, _ string) {
		page.MustEvalOnNewDocument(`window.early = "yes"`)
		page.MustReload().MustWaitLoad()
		alike(t, page.MustEval(`() => early`).Str(), "yes")
	}},
	{"Element and Elements", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, page.MustElement("h1").MustText(), "Clients")
		alike(t, len(page.MustElements(".item")), 3)
		alike(t, page.MustElementR(".item", "Tw").MustText(), "Two")
		alike(t, page.MustElementX("//h1").MustText(), "Clients")
	}},
	{"Click", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#button").MustClick()
		page.MustElementR("#said", "click true")
	}},
	{"Click waits until it rests", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#moving").MustWaitStable().MustClick()
		page.MustElementR("#said", "moving")
	}},
	{"Input", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, page.MustElement("#name").MustInput("Ada").MustProperty("value").Str(), "Ada")
	}},
	{"keyboard", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#name").MustFocus()
		page.KeyActions().Type(input.KeyA, input.KeyB).MustDo()
		alike(t, page.MustElement("#name").MustProperty("value").Str(), "ab")
	}},
	{"Select", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#colour").MustSelect("blue")
		page.MustElementR("#said", "colour blue")
	}},
	{"SetFiles", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#files").MustSetFiles("clients/package.json")
		page.MustElementR("#said", "package.json")
	}},
	{"Hover", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#hover").MustHover()
		page.MustElement("#menu").MustWaitVisible()
	}},
	{"mouse", func(t *testing.T, page *rod.Page, _ string) {
		box := page.MustElement("#button").MustShape().Box()
		page.Mouse.MustMoveTo(box.X+3, box.Y+3)
		page.Mouse.MustClick(proto.InputMouseButtonRight)
		page.MustElementR("#said", "menu")
	}},
	{"Wait", func(t *testing.T, page *rod.Page, _ string) {
		page.MustElement("#later").MustClick()
		page.MustWait(`() => !!document.querySelector("#there")`)
	}},
	{"navigation", func(t *testing.T, page *rod.Page, site string) {
		wait := page.MustWaitNavigation()
		page.MustElement("#next").MustClick()
		wait() // for any document's network to rest, also that of the one before
		page.MustWait(`() => document.title === "Next" && document.readyState === "complete"`)
		page.MustNavigate(site).MustWaitLoad()
		alike(t, page.MustInfo().Title, "Clients")
	}},
	{"pictures", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, string(page.MustScreenshot()[1:4]), "PNG")
		alike(t, string(page.MustScreenshotFullPage()[1:4]), "PNG")
		alike(t, string(page.MustElement("#box").MustScreenshot()[1:4]), "PNG")
	}},
	{"viewport", func(t *testing.T, page *rod.Page, _ string) {
		page.MustSetViewport(500, 400, 1, false)
		alike(t, page.MustEval(`() => innerWidth`).Int(), 500)
		alike(t, string(page.MustScreenshot()[1:4]), "PNG")
	}},
	{"dialogs", func(t *testing.T, page *rod.Page, _ string) {
		wait, handle := page.MustHandleDialog()
		go page.MustEval(`() => { document.querySelector("#said").textContent = "sure " + confirm("sure?") }`)
		wait()
		handle(true, "")
		page.MustElementR("#said", "sure true")
	}},
	{"events", func(t *testing.T, page *rod.Page, _ string) {
		var said proto.RuntimeConsoleAPICalled
		wait := page.WaitEvent(&said)
		page.MustReload()
		wait()
		alike(t, said.Args[0].Value.Str(), "ready")
	}},
	{"interception", func(t *testing.T, page *rod.Page, _ string) {
		router := page.HijackRequests()
		router.MustAdd("*/json", func(h *rod.Hijack) { h.Response.SetBody(`{"made":"up"}`) })
		go router.Run() // ends with Stop
		defer router.MustStop()
		page.MustElement("#fetch").MustClick()
		page.MustElementR("#said", "made")
	}},
	{"frames", func(t *testing.T, page *rod.Page, site string) {
		page.MustNavigate(site + "frames.html").MustWaitLoad()
		frame := page.MustElement("[name=near]").MustFrame()
		frame.MustElement("button").MustClick()
		frame.MustElementR("#said", "pressed true")
	}},
	{"popup", func(t *testing.T, page *rod.Page, _ string) {
		wait := page.MustWaitOpen()
		page.MustElement("#pop").MustClick()
		popup := wait()
		alike(t, popup.MustWaitLoad().MustInfo().Title, "Popup")
		popup.MustClose()
	}},
	{"cookies", func(t *testing.T, page *rod.Page, site string) {
		page.MustSetCookies(&proto.NetworkCookieParam{Name: "mine", Value: "rod", URL: site})
		found := false
		for _, c := range page.MustCookies(site) {
			found = found || c.Name == "mine" && c.Value == "rod"
		}
		alike(t, found, true)
	}},
	{"PDF", func(t *testing.T, page *rod.Page, _ string) {
		alike(t, string(page.MustPDF()[:4]), "%PDF")
	}},
}

// rodKnown is what a page calls.
var rodKnown = func(_ gson.JSON) (any, error) { return true, nil }

func TestB96Rod(t *testing.T) {
	t.Parallel()
	site := clientSite(t)
	resp, err := http.Get(strings.TrimSuffix(clientEndpoint(t), "/") + "/json/version")
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	var version struct{ WebSocketDebuggerURL string }
	if err := json.NewDecoder(resp.Body).Decode(&version); err != nil {
		t.Fatal(err)
	}
	browser := rod.New().ControlURL(version.WebSocketDebuggerURL).NoDefaultDevice()
	if err := browser.Connect(); err != nil {
		t.Fatal(err)
	}
	for _, c := range rodChecks {
		t.Run(c.name, func(t *testing.T) {
			page, err := browser.Timeout(45 * time.Second).Page(proto.TargetCreateTarget{URL: site})
			if err != nil {
				t.Fatal(err)
			}
			defer page.Close()
			if err := rod.Try(func() { c.check(t, page.MustWaitLoad(), site) }); err != nil {
				t.Fatal(err)
			}
		})
	}
}
