package e2e

import (
	"context"
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/storage"
	"github.com/chromedp/cdproto/target"
	dp "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/device"
	"github.com/chromedp/chromedp/kb"
	"github.com/chromedp/chromedp/remote"
)

// chromedpTry is a chromedp program in a tab of its own, behind, on the site.
type chromedpTry struct {
	*testing.T
	ctx  context.Context
	site string
}

func (t chromedpTry) do(steps ...dp.Action[dp.Void]) {
	t.Helper()
	if err := dp.Do(t.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// got runs an action that must work.
func got[V any](t chromedpTry, a dp.Action[V]) V {
	t.Helper()
	v, err := dp.Run(t.ctx, a)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// is waits until an expression is true, also over documents: the end of one ends
// what waits in it.
func (t chromedpTry) is(expression string) {
	t.Helper()
	for {
		_, err := dp.Run(t.ctx, dp.Poll[bool](expression, dp.WithPollingTimeout(20*time.Second)))
		if err == nil {
			return
		}
		if !endedWithItsDocument(err) {
			t.Fatal(err)
		}
	}
}

// endedWithItsDocument reports whether an evaluation failed since its document went:
// Chrome has a sentence for before, during and after a change of process.
func endedWithItsDocument(err error) bool {
	for _, sentence := range []string{"context with specified id", "context was destroyed", "Inspected target navigated or closed"} {
		if strings.Contains(err.Error(), sentence) {
			return true
		}
	}
	return false
}

func (t chromedpTry) said(text string) {
	t.Helper()
	quoted, _ := json.Marshal(text)
	t.is(`document.querySelector("#said").textContent.includes(` + string(quoted) + `)`)
}

// alike wants two values to be the same.
func alike[V comparable](t testing.TB, got, want V) {
	t.Helper()
	if got != want {
		t.Fatalf("got %v, want %v", got, want)
	}
}

// call sends a command of the protocol.
func call[P, R any](t chromedpTry, command cdp.Command[P, R], params P) R {
	t.Helper()
	r, err := dp.Call(t.ctx, command, params)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

var chromedpChecks = []struct {
	name  string
	check func(chromedpTry)
}{
	{"Title and Location", func(t chromedpTry) {
		alike(t, got(t, dp.Title()), "Clients")
		alike(t, got(t, dp.Location()), t.site)
	}},
	{"NavigateResponse", func(t chromedpTry) { alike(t, got(t, dp.NavigateResponse(t.site+"nothing")).Status, 404) }},
	{"RunResponse", func(t chromedpTry) {
		resp, err := dp.RunResponse(t.ctx, dp.Click(dp.ID("next")))
		if err != nil || resp.Status >= 400 {
			t.Fatal(resp, err)
		}
	}},
	{"history", func(t chromedpTry) {
		t.do(dp.Navigate(t.site + "next.html"))
		alike(t, len(got(t, dp.NavigationEntries()).Entries) >= 2, true)
		// NavigateBack waits for a load event, which a page that Chrome kept alive has
		// not; nor does chromedp always know such a page's context, on bare Chromium
		// either, so the page is not asked.
		got(t, dp.WaitEvent(page.FrameNavigated, func(e page.EventFrameNavigated) bool { return e.Frame.URL == t.site },
			dp.Evaluate[dp.Void](`history.back()`)))
		after := got(t, dp.NavigationEntries())
		alike(t, int(after.CurrentIndex), len(after.Entries)-2)
	}},
	{"Reload and Stop", func(t chromedpTry) { t.do(dp.Reload(), dp.Stop()) }},
	{"seen and focused", func(t chromedpTry) {
		alike(t, got(t, dp.Evaluate[string](`document.visibilityState + document.hasFocus()`)), "visibletrue")
	}},
	{"animation frames", func(t chromedpTry) {
		got(t, dp.Evaluate[int](`new Promise(r => requestAnimationFrame(() => r(1)))`, dp.EvalAwaitPromise))
	}},
	{"Evaluate", func(t chromedpTry) { alike(t, got(t, dp.Evaluate[int](`6 * 7`)), 42) }},
	{"Evaluate that throws", func(t chromedpTry) {
		if _, err := dp.Run(t.ctx, dp.Evaluate[int](`(() => { throw new Error("thrown") })()`)); err == nil || !strings.Contains(err.Error(), "thrown") {
			t.Fatal(err)
		}
	}},
	{"CallFunctionOn", func(t chromedpTry) {
		object := got(t, dp.Evaluate[*runtime.RemoteObject](`({n: 2})`))
		on := func(p *runtime.CallFunctionOnParams) { p.ObjectID = object.ObjectID }
		alike(t, got(t, dp.CallFunctionOn[int](`function(a) { return this.n + a }`, on, 1)), 3)
	}},
	{"ExposeFunc", func(t chromedpTry) {
		t.do(dp.ExposeFunc("twice", func(_ context.Context, n float64) (float64, error) { return 2 * n, nil }))
		t.do(dp.Reload())
		alike(t, got(t, dp.Evaluate[int](`twice(21)`, dp.EvalAwaitPromise)), 42)
	}},
	{"Poll", func(t chromedpTry) {
		t.do(dp.Click(dp.ID("later")))
		got(t, dp.Poll[bool](`!!document.querySelector("#there")`, dp.WithPollingMutation()))
		alike(t, got(t, dp.PollFunction[int](`(a) => a`, dp.WithPollingArgs(5))), 5)
	}},
	{"Click", func(t chromedpTry) { t.do(dp.Click(dp.ID("button"))); t.said("click true 1") }},
	{"Click of what lies below", func(t chromedpTry) { t.do(dp.Click(dp.ID("bottom"))); t.said("bottom") }},
	{"DoubleClick", func(t chromedpTry) { t.do(dp.DoubleClick(dp.ID("button"))); t.said("twice") }},
	{"MouseClickNode", func(t chromedpTry) {
		t.do(dp.MouseClickNode(got(t, dp.Nodes(dp.ID("button")))[0], dp.ButtonRight))
		t.said("menu")
	}},
	{"MouseClickXY and MouseEvent", func(t chromedpTry) {
		box := got(t, dp.Dimensions(dp.ID("button"))).Content
		t.do(dp.MouseEvent(dp.MouseMoved, box[0]+2, box[1]+2), dp.MouseClickXY(box[0]+2, box[1]+2))
		t.said("click true 1")
	}},
	{"SendKeys and Value", func(t chromedpTry) {
		t.do(dp.SendKeys(dp.ID("name"), "Ada"), dp.SendKeys(dp.ID("notes"), "one\ntwo"))
		alike(t, got(t, dp.Value(dp.ID("name"))), "Ada")
		alike(t, got(t, dp.Value(dp.ID("notes"))), "one\ntwo")
	}},
	{"SetValue", func(t chromedpTry) {
		t.do(dp.SetValue(dp.ID("colour"), "blue"))
		alike(t, got(t, dp.Value(dp.ID("colour"))), "blue")
	}},
	{"Focus, KeyEvent and Blur", func(t chromedpTry) {
		t.do(dp.Focus(dp.ID("box")), dp.KeyEvent("A", dp.KeyModifiers(kb.ModifierShift)))
		t.said("A,true,false")
		t.do(dp.Blur(dp.ID("box")))
	}},
	{"Submit", func(t chromedpTry) {
		t.do(dp.SendKeys(dp.ID("name"), "Ada"), dp.Submit(dp.ID("form")))
		t.is(`document.body && document.body.textContent.includes("name=Ada")`)
	}},
	{"Reset", func(t chromedpTry) {
		t.do(dp.SendKeys(dp.ID("name"), "Ada"), dp.Reset(dp.ID("form")))
		alike(t, got(t, dp.Value(dp.ID("name"))), "")
	}},
	{"SetUploadFiles", func(t chromedpTry) {
		path, _ := filepath.Abs("clients/package.json")
		t.do(dp.SetUploadFiles(dp.ID("files"), []string{path}))
		t.said("package.json")
	}},
	{"DragAndDrop", func(t chromedpTry) {
		t.do(dp.DragAndDrop(dp.ID("from"), dp.ID("to")))
		t.said("dropped cargo")
	}},
	{"Text, TextContent, InnerHTML, OuterHTML", func(t chromedpTry) {
		alike(t, got(t, dp.Text(dp.CSS("h1"))), "Clients")
		alike(t, got(t, dp.TextContent(dp.CSS("h1"))), "Clients")
		alike(t, got(t, dp.InnerHTML(dp.CSS("h1"))), "Clients")
		alike(t, got(t, dp.OuterHTML(dp.CSS("h1"))), `<h1 id="top">Clients</h1>`)
	}},
	{"Nodes and QueryNodeIDs", func(t chromedpTry) {
		alike(t, len(got(t, dp.Nodes(dp.CSSAll(".item")))), 3)
		alike(t, len(got(t, dp.QueryNodeIDs(dp.CSSAll(".item")))), 3)
	}},
	{"a plain string searches", func(t chromedpTry) { alike(t, got(t, dp.Text(`//h1`)), "Clients") }},
	{"JSPath", func(t chromedpTry) { alike(t, got(t, dp.Text(dp.JSPath(`document.querySelector("h1")`))), "Clients") }},
	{"attributes", func(t chromedpTry) {
		t.do(dp.SetAttributeValue(dp.CSS("h1"), "class", "big"), dp.SetAttributes(dp.CSS("h1"), map[string]string{"lang": "de"}))
		alike(t, got(t, dp.AttributeValue(dp.CSS("h1"), "class")).Value, "big")
		alike(t, got(t, dp.Attributes(dp.CSS("h1")))["lang"], "de")
		t.do(dp.RemoveAttribute(dp.CSS("h1"), "class"))
		alike(t, got(t, dp.JavascriptAttribute[string](dp.CSS("h1"), "id")), "top")
	}},
	{"Dimensions, ComputedStyle, MatchedStyle", func(t chromedpTry) {
		alike(t, got(t, dp.Dimensions(dp.ID("box"))).Width, 100)
		alike(t, len(got(t, dp.ComputedStyle(dp.ID("box")))) > 100, true)
		alike(t, len(got(t, dp.MatchedStyle(dp.ID("box"))).MatchedCSSRules) > 0, true)
	}},
	{"waits", func(t chromedpTry) {
		t.do(dp.WaitReady(dp.CSS("body")), dp.WaitEnabled(dp.ID("name")), dp.WaitNotVisible(dp.ID("covered")), dp.WaitNotPresent(dp.ID("there")))
		t.do(dp.Click(dp.ID("later")), dp.WaitVisible(dp.ID("there")))
	}},
	{"ScrollIntoView", func(t chromedpTry) { t.do(dp.ScrollIntoView(dp.ID("bottom"))); t.is(`scrollY > 1000`) }},
	{"pictures", func(t chromedpTry) {
		alike(t, string(got(t, dp.CaptureScreenshot())[1:4]), "PNG")
		alike(t, string(got(t, dp.Screenshot(dp.ID("box")))[1:4]), "PNG")
		alike(t, len(got(t, dp.FullScreenshot(90))) > 1000, true)
	}},
	{"PrintToPDF", func(t chromedpTry) { alike(t, string(got(t, dp.PrintToPDF())[:4]), "%PDF") }},
	{"EmulateViewport", func(t chromedpTry) {
		t.do(dp.EmulateViewport(500, 400))
		alike(t, got(t, dp.Evaluate[string](`innerWidth + "x" + innerHeight`)), "500x400")
		alike(t, string(got(t, dp.CaptureScreenshot())[1:4]), "PNG")
		t.do(dp.ResetViewport())
	}},
	{"Emulate a device", func(t chromedpTry) {
		t.do(dp.Emulate(device.IPhone12), dp.Reload())
		alike(t, strings.Contains(got(t, dp.Evaluate[string](`navigator.userAgent`)), "iPhone"), true)
		t.do(dp.EmulateReset())
	}},
	{"geolocation and time zone", func(t chromedpTry) {
		call(t, emulation.SetTimezoneOverride, emulation.SetTimezoneOverrideParams{TimezoneID: "Asia/Tokyo"})
		alike(t, got(t, dp.Evaluate[string](`Intl.DateTimeFormat().resolvedOptions().timeZone`)), "Asia/Tokyo")
	}},
	{"Events and WaitEvent", func(t chromedpTry) {
		events := dp.Events(t.ctx, runtime.ConsoleAPICalled)
		got(t, dp.WaitEvent(page.LoadEventFired, nil, dp.Reload()))
		for e, err := range events {
			if err != nil || string(e.Args[0].Value) != `"ready"` {
				t.Fatal(e, err)
			}
			break
		}
	}},
	{"dialogs", func(t chromedpTry) {
		events := dp.Events(t.ctx, page.JavascriptDialogOpening)
		done := make(chan error, 1)
		go func() { // ends with the check
			done <- dp.Do(t.ctx, dp.Click(dp.ID("dialogs")))
		}()
		seen := 0
		for e, err := range events {
			if err != nil {
				t.Fatal(err)
			}
			params := page.HandleJavaScriptDialogParams{Accept: true}
			if e.Type == page.DialogTypePrompt {
				params.PromptText = "five"
			}
			call(t, page.HandleJavaScriptDialog, params)
			if seen++; seen == 3 {
				break
			}
		}
		if err := <-done; err != nil {
			t.Fatal(err)
		}
		t.said("true five")
	}},
	{"responses and their bodies", func(t chromedpTry) {
		call(t, network.Enable, network.EnableParams{})
		events := dp.Events(t.ctx, network.LoadingFinished)
		t.do(dp.Click(dp.ID("fetch")))
		for e, err := range events {
			if err != nil {
				t.Fatal(err)
			}
			body, err := dp.Call(t.ctx, network.GetResponseBody, network.GetResponseBodyParams{RequestID: e.RequestID})
			if err == nil && strings.Contains(string(body.Body), "X-Mine") {
				break
			}
		}
	}},
	{"interception", func(t chromedpTry) {
		call(t, fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: "*/json"}}})
		events := dp.Events(t.ctx, fetch.RequestPaused)
		t.do(dp.Click(dp.ID("fetch")))
		for e, err := range events {
			if err != nil {
				t.Fatal(err)
			}
			call(t, fetch.FulfillRequest, fetch.FulfillRequestParams{RequestID: e.RequestID, ResponseCode: 200, Body: []byte(`{"made":"up"}`)})
			break
		}
		t.said(`made`)
	}},
	{"frames", func(t chromedpTry) {
		t.do(dp.Navigate(t.site + "frames.html"))
		frame := got(t, dp.Nodes(dp.CSS(`[name=near]`)))[0]
		t.do(dp.Click(dp.CSS("button"), dp.FromNode(frame)))
		alike(t, got(t, dp.Text(dp.CSS("#said"), dp.FromNode(frame))), "pressed true")
	}},
	{"WaitNewTarget", func(t chromedpTry) {
		opened := dp.WaitNewTarget(t.ctx, func(info *target.Info) bool { return strings.HasSuffix(info.URL, "popup.html") })
		t.do(dp.Click(dp.ID("pop")))
		select {
		case id := <-opened:
			ctx, cancel := dp.NewContext(t.ctx, dp.WithTargetID(id))
			defer cancel()
			title, err := dp.Run(ctx, dp.Title())
			if err != nil {
				t.Fatal(err)
			}
			alike(t, title, "Popup")
		case <-time.After(20 * time.Second):
			t.Fatal("the new tab is not told")
		}
	}},
	{"Targets", func(t chromedpTry) {
		list, err := dp.Targets(t.ctx)
		if err != nil || len(list) == 0 {
			t.Fatal(list, err)
		}
	}},
	{"a browser context", func(t chromedpTry) {
		ctx, cancel := dp.NewContext(t.ctx, dp.WithNewBrowserContext())
		defer cancel()
		if err := dp.Do(ctx, dp.Navigate(t.site)); err != nil {
			t.Fatal(err)
		}
	}},
	{"cookies", func(t chromedpTry) {
		call(t, network.SetCookie, network.SetCookieParams{Name: "mine", Value: "dp", URL: t.site})
		found := false
		for _, c := range call(t, storage.GetCookies, storage.GetCookiesParams{}).Cookies {
			found = found || c.Name == "mine" && c.Value == "dp"
		}
		alike(t, found, true)
	}},
	{"limit: no console's own functions", func(t chromedpTry) {
		alike(t, got(t, dp.EvaluateAsDevTools[string](`typeof $`)), "undefined")
	}},
	{"WithTargetID and WithDetachOnCancel", func(t chromedpTry) {
		id := dp.FromContext(t.ctx).Target.TargetID
		ctx, cancel := dp.NewContext(t.ctx, dp.WithTargetID(id), dp.WithDetachOnCancel())
		title, err := dp.Run(ctx, dp.Title())
		cancel()
		if err != nil || title != "Clients" {
			t.Fatal(title, err)
		}
		alike(t, got(t, dp.Title()), "Clients")
	}},
}

func TestB96Chromedp(t *testing.T) {
	t.Parallel()
	site := clientSite(t)
	address := clientEndpoint(t)
	way := []remote.Option{remote.NoModifyURL}
	if strings.HasPrefix(address, "http:") && strings.Count(address, "/") == 2 { // a browser's own
		way = nil
	} else {
		address = strings.Replace(address, "http://", "ws://", 1)
	}
	allocator, cancel := remote.NewAllocator(t.Context(), address, way...)
	defer cancel()
	browser, cancel := dp.NewContext(allocator)
	defer cancel()
	if err := dp.Do(browser); err != nil {
		t.Fatal(err)
	}
	for _, c := range chromedpChecks {
		t.Run(c.name, func(t *testing.T) {
			ctx, cancel := dp.NewContext(browser)
			defer cancel()
			ctx, stop := context.WithTimeout(ctx, 45*time.Second)
			defer stop()
			try := chromedpTry{t, ctx, site}
			try.do(dp.Navigate(site))
			c.check(try)
		})
	}
}
