package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func decode(t testing.TB, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatal(err)
	}
}

func excerptJSON(s string) string {
	quoted, _ := json.Marshal(s)
	return string(quoted)
}

// The person's own: a site that is open in a tab that nobody shares.
const (
	ownCookie  = "own-cookie-7f3a"
	ownStorage = "own-storage-91bc"
	ownText    = "own-text-c4d0"
)

// attackCDP asks as a CDP client, in a person's browser, for what is not shared.
func attackCDP(a *attacks) {
	p := newPerson(a.t)
	private := newSite(a.t, "").handle("/private", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Add("Set-Cookie", "session="+ownCookie+"; HttpOnly; Path=/; Max-Age=3600")
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte("<title>Mine</title><p>" + ownText + "<script>localStorage.own='" + ownStorage + "'</script>"))
	})
	address := private.other() + "/private" // a host of its own: cookies are kept by host
	person := p.chromium()
	var tab struct{ TargetID string }
	var at struct{ SessionID string }
	opens := func() {
		person.call("", "Target.createTarget", args{"url": "about:blank"}, &tab)
		person.call("", "Target.attachToTarget", args{"targetId": tab.TargetID, "flatten": true}, &at)
		person.call(at.SessionID, "Page.enable", nil, nil)
		person.send(at.SessionID, "Page.navigate", args{"url": address})
		person.until(func(m message) bool { return m.Method == "Page.loadEventFired" && m.SessionID == at.SessionID })
	}
	opens()
	harm := func() string {
		if m := person.tries("", "Storage.getCookies", nil); !strings.Contains(string(m.Result), ownCookie) {
			return "the cookie is gone or another"
		}
		m := person.tries(at.SessionID, "Runtime.evaluate", args{"expression": "localStorage.own + document.body.innerText"})
		if got := string(m.Result); !strings.Contains(got, ownStorage) || !strings.Contains(got, ownText) {
			return "the tab is not as it was: " + excerpt(got)
		}
		return ""
	}
	unharmed := func() string {
		got := harm()
		if got != "" {
			opens() // so that the next attack finds something
		}
		return got
	}
	shared := newSite(a.t, `<h1>shared</h1>`)
	agent := p.agent(a.t)
	agent.open(shared.URL)
	c := p.cdp(a.t)
	session := c.attach(shared.URL)
	try := func(where, method string, params any) {
		session := session
		if where == "browser" {
			session = ""
		}
		text, _ := json.Marshal(params)
		a.try(attack{where + ": " + method + " " + excerpt(string(text)), func(*testing.T) string {
			m := c.tries(session, method, params)
			for _, own := range []string{ownCookie, ownStorage, ownText} {
				if strings.Contains(string(m.Result), own) {
					return "it answered " + excerpt(string(m.Result))
				}
			}
			return unharmed()
		}})
	}
	origin := private.other()
	for _, where := range []string{"browser", "page"} {
		for _, method := range []string{
			"Storage.clearCookies", "Network.clearBrowserCookies", "Network.clearBrowserCache", "Storage.clearTrustTokens", "Storage.getCookies", "Network.getAllCookies",
			"Browser.crash", "Browser.crashGpuProcess", "Browser.getBrowserCommandLine", "SystemInfo.getInfo", "SystemInfo.getProcessInfo", "Target.getTargets",
			"Memory.forciblyPurgeJavaScriptMemory", "Extensions.getExtensions", "Tethering.bind", "Target.disposeBrowserContext", "Page.getCookies", "Security.disable",
			"PWA.getOsAppState", "Autofill.enable", "IndexedDB.enable", "DOMStorage.enable", "ServiceWorker.enable", "ServiceWorker.stopAllWorkers", "Cast.enable", "Preload.enable",
		} {
			try(where, method, nil)
		}
		for _, of := range []any{nil, "", "x", "about:blank", "data:,", "file:///", " *", "*", "http://", "https://", "http:", "http:///", "http://*", "chrome://settings",
			"blob:null", "null", "javascript:", "https:// ", "http://?", "http://#", "ws://x", "\x00", origin, origin + "/", strings.ToUpper(origin)} {
			try(where, "Storage.clearDataForOrigin", args{"origin": of, "storageTypes": "all"})
			try(where, "Storage.clearDataForStorageKey", args{"storageKey": of, "storageTypes": "all"})
			try(where, "Network.getCookies", args{"urls": []any{of, address}})
		}
		for method, params := range map[string]any{
			"Network.deleteCookies":                       args{"name": "session", "url": address},
			"Network.setCookie":                           args{"name": "session", "value": "other", "url": address},
			"Network.setCookies":                          args{"cookies": []args{{"name": "session", "value": "other", "url": address}}},
			"Storage.setCookies":                          args{"cookies": []args{{"name": "session", "value": "other", "url": address}}},
			"Storage.deleteStorageBucket":                 args{"bucket": args{"storageKey": origin + "/"}},
			"Storage.getUsageAndQuota":                    args{"origin": origin},
			"Storage.overrideQuotaForOrigin":              args{"origin": origin, "quotaSize": 1},
			"Storage.getStorageKeyForFrame":               args{"frameId": tab.TargetID},
			"Storage.getSharedStorageEntries":             args{"ownerOrigin": origin},
			"DOMStorage.getDOMStorageItems":               args{"storageId": args{"securityOrigin": origin, "isLocalStorage": true}},
			"DOMStorage.clear":                            args{"storageId": args{"securityOrigin": origin, "isLocalStorage": true}},
			"IndexedDB.requestDatabaseNames":              args{"securityOrigin": origin},
			"CacheStorage.requestCacheNames":              args{"securityOrigin": origin},
			"Target.attachToTarget":                       args{"targetId": tab.TargetID, "flatten": true},
			"Target.getTargetInfo":                        args{"targetId": tab.TargetID},
			"Target.closeTarget":                          args{"targetId": tab.TargetID},
			"Target.activateTarget":                       args{"targetId": tab.TargetID},
			"Target.detachFromTarget":                     args{"targetId": tab.TargetID},
			"Target.sendMessageToTarget":                  args{"targetId": tab.TargetID, "message": `{"id":1,"method":"Runtime.evaluate","params":{"expression":"document.body.innerText"}}`},
			"Target.exposeDevToolsProtocol":               args{"targetId": tab.TargetID},
			"Target.autoAttachRelated":                    args{"targetId": tab.TargetID, "waitForDebuggerOnStart": false},
			"Target.setRemoteLocations":                   args{"locations": []args{{"host": "127.0.0.1", "port": 1}}},
			"Target.openDevTools":                         args{"targetId": tab.TargetID},
			"Browser.setDownloadBehavior":                 args{"behavior": "allow", "downloadPath": "/etc"},
			"Page.setDownloadBehavior":                    args{"behavior": "allow", "downloadPath": "/etc"},
			"Browser.setContentsSize":                     args{"windowId": 1, "width": 1, "height": 1},
			"Browser.executeBrowserCommand":               args{"commandId": "openTabSearch"},
			"Browser.addPrivacySandboxEnrollmentOverride": args{"url": origin},
			"Extensions.loadUnpacked":                     args{"path": "/tmp"},
			"Extensions.setStorageItems":                  args{"id": "x", "storageArea": "local", "values": args{}},
			"Network.loadNetworkResource":                 args{"frameId": tab.TargetID, "url": address, "options": args{"disableCache": true, "includeCredentials": true}},
			"Page.getResourceContent":                     args{"frameId": tab.TargetID, "url": address},
			"Page.getFrameTree":                           args{"frameId": tab.TargetID},
			"Page.createIsolatedWorld":                    args{"frameId": tab.TargetID},
			"DOM.getFrameOwner":                           args{"frameId": tab.TargetID},
			"Page.navigate":                               args{"frameId": tab.TargetID, "url": "about:blank"},
			"Page.setDocumentContent":                     args{"frameId": tab.TargetID, "html": "gone"},
			"IO.read":                                     args{"handle": "1"},
			"Tracing.start":                               args{"transferMode": "ReturnAsStream"},
			"Tracing.getCategories":                       nil,
		} {
			try(where, method, params)
		}
	}
	attackFilesOfTheOwner(a, p, c, session)
	c.call(session, "Runtime.enable", nil, nil)
	a.seen = share - 1 // the first is always tried
	for _, script := range []string{"'x'.repeat(66 << 20)", "console.log('x'.repeat(66 << 20))", "'\u20ac'.repeat(23 << 20)"} {
		a.slowly(attack{"what ends the extension's connection: " + script, func(*testing.T) string {
			waits := p.cdp(a.t)
			at := waits.attach(shared.URL)
			id := waits.send(at, "Runtime.evaluate", args{"expression": "new Promise(done => globalThis.finish = done)", "awaitPromise": true})
			c.tries(session, "Runtime.evaluate", args{"expression": script, "returnByValue": true})
			c.tries(session, "Runtime.evaluate", args{"expression": "(async () => { while (!globalThis.finish) await new Promise(done => setTimeout(done)); finish(1); delete globalThis.finish })()", "awaitPromise": true})
			if m := waits.until(func(m message) bool { return m.ID == id }); m.Error != nil {
				return m.Error.Message
			}
			return ""
		}})
	}
	other := p.cdp(a.t)
	other.send("", "Browser.close", nil) // which ends this client, not the browser
	a.try(attack{"browser: Browser.close", func(*testing.T) string { return unharmed() }})
	agent.ok("browser_evaluate", args{"script": "1+1"}).has("2")
}

// attackFilesOfTheOwner has a CDP client give files of the owner's to a page.
func attackFilesOfTheOwner(a *attacks, p *person, c *client, session string) {
	const canary = "words-of-the-owner-55c1"
	home := a.t.TempDir()
	file := func(parts ...string) string {
		path := filepath.Join(append([]string{home}, parts...)...)
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(canary), 0o600)); err != nil {
			a.t.Fatal(err)
		}
		return path
	}
	link := func(to, name string) string {
		path := filepath.Join(home, name)
		if err := os.Symlink(to, path); err != nil {
			a.t.Fatal(err)
		}
		return path
	}
	file("plain.txt")
	key := file(".ssh", "id_ed25519")
	paths := []string{key, file(".env"), file(".config", "chromium", "Default", "Cookies"), link(key, "key.txt"), link(filepath.Dir(key), "keys") + "/id_ed25519", home, filepath.Join(home, ".ssh"),
		filepath.Join(p.state, "relay.json"), link(filepath.Join(p.state, "relay.json"), "state.txt"), p.state, filepath.Join(p.dir, "pairing.json"), "/proc/self/environ", "/proc/self/cmdline", "/proc/1/environ",
		fmt.Sprintf("/proc/%d/root%s", os.Getpid(), key), fmt.Sprintf("/proc/%d/cwd/../../../../../..%s", os.Getpid(), key)}
	c.call(session, "Page.enable", nil, nil)
	c.call(session, "Runtime.evaluate", args{"expression": `document.body.innerHTML = "<input type=file multiple><input type=file webkitdirectory><p style='height:100px'>drop</p>";
		dropped = []; addEventListener("dragover", e => e.preventDefault()); addEventListener("drop", e => { e.preventDefault(); dropped = [...e.dataTransfer.files] }); 0`}, nil)
	given := func() string {
		m := c.tries(session, "Runtime.evaluate", args{"awaitPromise": true, "returnByValue": true,
			"expression": `Promise.all([...document.querySelectorAll("input")].flatMap(i => [...i.files]).concat(dropped).map(f => f.text().then(t => f.name + t.slice(0, 200), String))).then(l => (dropped = [], document.querySelectorAll("input").forEach(i => i.value = ""), l.join(" ")))`})
		var v struct{ Result struct{ Value string } }
		decode(a.t, m.Result, &v)
		return v.Result.Value
	}
	for _, path := range paths {
		for _, input := range []string{"input", "[webkitdirectory]"} {
			a.try(attack{"setFileInputFiles " + input + " " + path, func(t *testing.T) string {
				var object struct{ Result struct{ ObjectID string } }
				c.call(session, "Runtime.evaluate", args{"expression": "document.querySelector('" + input + "')"}, &object)
				c.tries(session, "DOM.setFileInputFiles", args{"objectId": object.Result.ObjectID, "files": []string{path}})
				return given()
			}})
		}
		a.try(attack{"dispatchDragEvent " + path, func(t *testing.T) string {
			for _, event := range []string{"dragEnter", "dragOver", "drop"} {
				c.tries(session, "Input.dispatchDragEvent", args{"type": event, "x": 20, "y": 60, "data": args{"items": []any{}, "files": []string{path}, "dragOperationsMask": 1}})
			}
			return given()
		}})
	}
	var object struct{ Result struct{ ObjectID string } }
	c.call(session, "Runtime.evaluate", args{"expression": "document.querySelector('input')"}, &object)
	c.call(session, "DOM.setFileInputFiles", args{"objectId": object.Result.ObjectID, "files": []string{filepath.Join(home, "plain.txt")}}, nil)
	if got := given(); got != "plain.txt"+canary {
		a.t.Errorf("a plain file is given as %q", got)
	}
}
