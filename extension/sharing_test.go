package extension_test

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

const base = "chrome-extension://" + extension.ID + "/"

// popup opens the popup in a window of its own, as far as that differs from hanging on the icon.
func (c *chromium) popup(from string) string {
	c.t.Helper()
	var id string
	c.eval(from, `(async () => {
		const { tabs: [tab] } = await chrome.windows.create({ url: "about:blank", type: "popup" });
		return (await chrome.debugger.getTargets()).find(t => t.tabId === tab.id).id;
	})()`, &id)
	session := c.attach(id)
	c.cdp(session, "Page.navigate", map[string]any{"url": base + "popup.html"})
	return session
}

// until waits for a condition on a page's document.
func (c *chromium) until(session, condition string) {
	c.t.Helper()
	c.eval(session, fmt.Sprintf(`new Promise(done => {
		const look = () => { try { if (%s) done(true) } catch {} };
		new MutationObserver(look).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
		look();
	})`, condition), nil)
}

func TestChosenTabs(t *testing.T) {
	r := newFakeRelay(t)
	local, _ := site(t)
	c := launch(t, r, "chosen")
	if tabs := r.await(0, "hello", nil).Params.Tabs; len(tabs) != 0 {
		t.Errorf("shared from the start: %+v", tabs)
	}
	person := c.targets(func(t target) bool { return t.URL == "about:blank" })[0].TargetID
	session := c.attach(person)
	c.cdp(session, "Page.navigate", map[string]any{"url": local + "/"})
	options := c.page(base + "options.html")

	t.Run("a tab that is not shared", func(t *testing.T) {
		for _, method := range []string{"attachTab", "closeTab", "activateTab", "forwardCDPCommand"} {
			_, err := r.ask(method, args{"id": person, "method": "Runtime.evaluate"})
			refused(t, err, -32059, "not shared")
		}
		_, err := r.ask("groupTabs", args{"ids": []any{person}, "title": "x", "color": "red"})
		refused(t, err, -32059, "not shared")
	})

	t.Run("a tab made for an agent and what it opens", func(t *testing.T) {
		made := string(r.create(local + "/").ID)
		r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == made && p.Title == "Plain" }) // an address of its own to open from
		mark := r.mark()
		r.eval(made, `void open("/inner")`)
		popup := r.await(mark, "tabOpened", nil).Params
		if popup.OpenerID != made {
			t.Errorf("opened %+v", popup.tab)
		}
		r.do("attachTab", args{"id": popup.ID}, nil)
		r.do("closeTab", args{"id": popup.ID}, nil)
		r.do("closeTab", args{"id": made}, nil)
	})

	t.Run("the popup", func(t *testing.T) {
		c.cdp("", "Target.activateTarget", map[string]any{"targetId": person})
		popup := c.popup(options)
		c.until(popup, `state.textContent === "Connected" && title.textContent === "Plain" && !share.disabled`)
		var text string
		c.eval(popup, `document.body.textContent`, &text)
		if strings.Contains(text, r.id) || strings.Contains(text, base64.RawURLEncoding.EncodeToString(r.key)) || !strings.Contains(text, "ws://"+r.address()) {
			t.Errorf("the popup says %s", text)
		}

		mark := r.mark()
		c.eval(popup, `share.click()`, nil)
		r.await(mark, "tabOpened", is(person))
		c.until(popup, `share.textContent === "Stop sharing" && tabs.children.length === 1`)
		r.do("attachTab", args{"id": person}, nil)
		c.until(popup, `tabs.innerText.includes("in use")`)

		c.cdp("", "Browser.setDownloadBehavior", args{"behavior": "allow", "downloadPath": t.TempDir()})
		r.cdp(person, "Page.enable", nil)
		r.eval(person, `void (location = "/file")`)
		saved := r.await(mark, "downloadChanged", func(p params) bool { return p.State == "complete" }).Params
		if saved.TabID != person {
			t.Errorf("download %+v", saved)
		}

		c.eval(popup, `tabs.querySelector(".stop").click()`, nil)
		r.await(mark, "tabDetached", func(p params) bool { return is(person)(p) && p.Reason == "unshared" })
		c.until(popup, `share.textContent === "Share this tab" && tabs.children.length === 0`)
		_, err := r.ask("forwardCDPCommand", args{"id": person, "method": "Runtime.evaluate"})
		refused(t, err, -32053, "not shared")
		for _, method := range []string{"cancelDownload", "deleteDownload"} { // its downloads went with the tab
			_, err := r.ask(method, args{"id": json.Number(saved.ID)})
			refused(t, err, -32000, "no such download")
		}
		var shareable bool
		if c.eval(popup, `import("./addresses.js").then(m => m.shareable({}))`, &shareable); shareable {
			t.Error("a tab can be shared whose address nobody knows")
		}

		c.eval(popup, `share.click()`, nil)
		c.until(popup, `share.textContent === "Stop sharing"`)
		c.eval(popup, `toggle.click()`, nil)
		c.until(popup, `state.textContent === "Disconnected" && since.textContent === "no"`)
		mark = r.mark()
		c.eval(popup, `toggle.click()`, nil)
		if tabs := r.await(mark, "hello", nil).Params.Tabs; len(tabs) != 1 || string(tabs[0].ID) != person || tabs[0].Attached {
			t.Errorf("after Connect: %+v", tabs)
		}
	})

	t.Run("the share outlives the worker", func(t *testing.T) {
		mark := r.mark()
		c.killWorker()
		if tabs := r.await(mark, "hello", nil).Params.Tabs; len(tabs) != 1 || string(tabs[0].ID) != person {
			t.Errorf("tabs %+v", tabs)
		}
	})

	t.Run("replaced by another copy", func(t *testing.T) {
		popup := c.popup(options)
		c.until(popup, `state.textContent === "Connected"`)
		mark := r.mark()
		r.drop(4002, "replaced")
		c.until(popup, `state.textContent === "Replaced"`)
		c.cdp("", "Target.createTarget", map[string]any{"url": local + "/"})
		c.eval(popup, `new Promise(done => chrome.tabs.query({}, done)).then(() => 1)`, nil)
		for _, e := range r.since(mark) {
			if e.Method == "hello" {
				t.Error("it came back by itself")
			}
		}
		// A launcher that needs this browser wakes it.
		c.eval(options, `chrome.tabs.create({ url: "wake.html", active: false }).then(() => 1)`, nil)
		r.await(mark, "hello", nil)
	})

	t.Run("a wrong protocol", func(t *testing.T) {
		popup := c.popup(options)
		c.until(popup, `state.textContent === "Connected"`)
		r.mu.Lock()
		r.refuse = 4001
		r.mu.Unlock()
		r.drop(websocket.CloseGoingAway, "")
		c.until(popup, `state.textContent === "Update needed" && !reason.hidden && reason.textContent.includes("tabrelay extension")`)

		mark := r.mark()
		c.eval(popup, `(toggle.click(), 1)`, nil)
		r.await(mark, "hello", nil)
	})
}

func TestUnpairedThenPaired(t *testing.T) {
	r := newFakeRelay(t)
	c := launch(t, nil, "")
	options := c.page(base + "options.html")
	c.until(options, `state.textContent === "Not paired" && paired.textContent === "No"`)
	c.pair(r, "chosen")
	c.eval(options, `(relay.value = "", form.requestSubmit(), 1)`, nil)
	// The worker looks again whenever it is called.
	c.eval(options, `chrome.tabs.create({ url: "wake.html", active: false }).then(() => 1)`, nil)
	r.await(0, "hello", nil)
	c.until(options, `state.textContent === "Connected" && paired.textContent.includes("`+r.address()+`")`)

	another := newFakeRelay(t)
	c.eval(options, `(relay.value = "`+another.address()+`", form.requestSubmit(), 1)`, nil)
	another.await(0, "hello", nil)
	c.until(options, `paired.textContent.includes("`+another.address()+`")`)
	mark := r.mark()
	c.eval(options, `(relay.value = "", form.requestSubmit(), 1)`, nil)
	r.await(mark, "hello", nil)
}
