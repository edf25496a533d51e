package extension_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/extension"
)

// TestB89TheExtensionIsTheLastGate asks, as a relay that lets everything through,
// for what must not be forwarded.
func TestB89TheExtensionIsTheLastGate(t *testing.T) {
	r := newFakeRelay(t)
	local, numeric := site(t)
	c := launch(t, r, "chosen")
	r.await(0, "hello", nil)
	tab := string(r.create(local + "/").ID)
	ask := func(method string, with args) error {
		_, err := r.ask("forwardCDPCommand", args{"id": tab, "method": method, "params": with})
		return err
	}

	t.Run("methods", func(t *testing.T) {
		for _, method := range []string{
			"Network.clearBrowserCookies", "Network.clearBrowserCache", "Network.loadNetworkResource", "Storage.clearCookies",
			"Page.setDownloadBehavior", "Target.createTarget", "Target.attachToTarget", "Target.exposeDevToolsProtocol",
			"Browser.close", "Browser.setPermission", "Extensions.loadUnpacked", "Page.unheard", "page.navigate", "Page", "", "__proto__", "constructor",
		} {
			refused(t, ask(method, args{}), -32601, "wasn't found")
		}
	})

	t.Run("arguments", func(t *testing.T) {
		own := "chrome-extension://" + extension.ID + "/options.html"
		for _, url := range []any{own, "CHROME-extension://" + extension.ID + "/options.html", " " + own, "\n" + own, "chrome://version", "devtools://devtools/bundled/inspector.html",
			"view-source:" + local, "javascript:1", "about:settings", "chrome-untrusted://x", "filesystem:" + own, "blob", []any{own}, 5} {
			refused(t, ask("Page.navigate", args{"url": url}), -32000, "url must be an http")
			refused(t, ask("Fetch.continueRequest", args{"requestId": "1", "url": url}), -32000, "url must be an http")
		}
		for _, origin := range []any{"", "null", "x", "*", " *", "about:blank", "data:,", "file:///", "http://", "https:///", "http://*", "http://*.test", "http:// x", "http://a@b.test", "http://%2A",
			"http://one.test/path", "ftp://one.test", "http://one.test\\", "http:one.test", "chrome-extension://" + extension.ID, 1, []any{"*"}} {
			refused(t, ask("Storage.clearDataForOrigin", args{"origin": origin, "storageTypes": "all"}), -32000, "origin must be")
			refused(t, ask("Storage.clearDataForStorageKey", args{"storageKey": origin, "storageTypes": "all"}), -32000, "storageKey must be")
		}
		for _, path := range []any{"x", "../x", "/tmp/../etc/passwd", "", 5} {
			refused(t, ask("DOM.setFileInputFiles", args{"files": []any{path}}), -32000, "files must be")
			refused(t, ask("Input.dispatchDragEvent", args{"type": "drop", "x": 1, "y": 1, "data": args{"items": []any{}, "files": []any{"/x", path}, "dragOperationsMask": 1}}), -32000, "files must be")
		}
	})

	t.Run("only of what is shared", func(t *testing.T) {
		// The person has cookies of two sites; one of them is shown.
		other := numeric
		c.cdp("", "Storage.setCookies", args{"cookies": []any{
			args{"name": "mine", "value": "1", "url": local}, args{"name": "theirs", "value": "2", "url": other},
		}})
		for _, method := range []string{"Network.getAllCookies", "Storage.getCookies", "Network.getCookies"} {
			var jar struct {
				Cookies []struct{ Name string } `json:"cookies"`
			}
			decode(t, r.cdp(tab, method, nil), &jar)
			if len(jar.Cookies) != 1 || jar.Cookies[0].Name != "mine" {
				t.Errorf("%s gives %+v", method, jar)
			}
		}
		refused(t, ask("Network.getCookies", args{"urls": []any{local, other}}), -32000, "shared")
		refused(t, ask("Network.setCookie", args{"name": "a", "value": "b", "url": other}), -32000, "shared")
		refused(t, ask("Network.deleteCookies", args{"name": "theirs", "domain": "127.0.0.1"}), -32000, "shared")
		refused(t, ask("Storage.setCookies", args{"cookies": []any{args{"name": "a", "value": "b", "domain": "127.0.0.1"}}}), -32000, "shared")
		refused(t, ask("Storage.clearDataForOrigin", args{"origin": other, "storageTypes": "cookies"}), -32000, "shared")
		for method, with := range map[string]args{
			"Network.setCookie":              {"name": "new", "value": "b", "url": local},
			"Network.deleteCookies":          {"name": "new", "domain": "localhost"},
			"Storage.clearDataForOrigin":     {"origin": local, "storageTypes": "local_storage"},
			"Storage.clearDataForStorageKey": {"storageKey": local + "/", "storageTypes": "local_storage"},
		} {
			if err := ask(method, with); err != nil {
				t.Errorf("%s: %v", method, err)
			}
		}
	})

	t.Run("a tab that goes to a page of the extension", func(t *testing.T) {
		mark := r.mark()
		// What was added runs in each new document, but not there.
		r.cdp(tab, "Page.addScriptToEvaluateOnNewDocument", args{"source": "globalThis.seen = 1"})
		session := c.attach(tab)
		c.cdp(session, "Page.navigate", args{"url": base + "options.html"})
		r.await(mark, "tabDetached", is(tab))
		for _, method := range []string{"Runtime.evaluate", "Page.navigate"} {
			if _, err := r.ask("forwardCDPCommand", args{"id": tab, "method": method, "params": args{"expression": "chrome.tabs", "url": local}}); err == nil {
				t.Errorf("%s is carried out there", method)
			}
		}
		if _, err := r.ask("attachTab", args{"id": tab}); err == nil {
			t.Error("it is attached there")
		}
		c.cdp(session, "Page.navigate", args{"url": local + "/"})
		r.await(mark, "tabUpdated", func(p params) bool { return string(p.ID) == tab && p.URL == local+"/" })
		r.do("attachTab", args{"id": tab}, nil)
	})

	t.Run("a frame that goes to a page of the extension", func(t *testing.T) {
		mark := r.mark()
		r.cdp(tab, "Page.navigate", args{"url": local + "/outer"})
		r.cdp(tab, "Target.setAutoAttach", args{"autoAttach": true, "waitForDebuggerOnStart": false, "flatten": true})
		var child struct {
			SessionID string `json:"sessionId"`
			Info      target `json:"targetInfo"`
		}
		decode(t, r.cdpEvent(mark, tab, "Target.attachedToTarget").Params, &child)
		inner := c.attach(child.Info.TargetID)
		mark = r.mark()
		c.cdp(inner, "Page.navigate", args{"url": base + "options.html", "frameId": child.Info.TargetID})
		r.await(mark, "tabDetached", is(tab))
		_, err := r.ask("forwardCDPCommand", args{"id": tab, "sessionId": child.SessionID, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
		var no *refusal
		if !errors.As(err, &no) {
			t.Error("the frame's session is served")
		}
		for _, e := range r.since(mark) {
			if e.Method == "forwardCDPEvent" && strings.Contains(string(e.Params.Params), "chrome-extension://"+extension.ID) {
				t.Errorf("it is told %s %s", e.Params.Method, e.Params.Params)
			}
		}
	})
}

// TestPolicyIsWellFormed holds that each rule is one that the extension knows.
func TestPolicyIsWellFormed(t *testing.T) {
	var table struct {
		Methods map[string]struct {
			On   []string
			Args map[string]string
			Jar  bool
		}
	}
	if err := json.Unmarshal(extension.Policy(), &table); err != nil || len(table.Methods) < 300 {
		t.Fatal(len(table.Methods), err)
	}
	known := map[string]bool{"address": true, "origin": true, "storageKey": true, "site": true, "path": true}
	for method, rule := range table.Methods {
		for _, check := range rule.Args {
			if !known[check] {
				t.Errorf("%s has the check %s", method, check)
			}
		}
	}
}
