package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/extension"
)

// menu writes an extension that puts a frame of its own into pages which ask
// for it, as the menu of a password manager does.
func menu(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": `{"manifest_version": 3, "name": "Menu", "version": "1",
			"content_scripts": [{"matches": ["<all_urls>"], "js": ["content.js"]}],
			"web_accessible_resources": [{"resources": ["frame.html"], "matches": ["<all_urls>"]}]}`,
		"content.js": `document.addEventListener("click", (e) => {
			if (e.target.id === "menu") {
				const frame = document.createElement("iframe");
				frame.src = chrome.runtime.getURL("frame.html");
				frame.onload = () => fetch("/shown");
				document.body.append(frame);
			}
			if (e.target.id === "close") document.querySelector("iframe").remove();
		})`,
		"frame.html": `<h1>menu</h1>`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestB69FrameOfAnotherExtension(t *testing.T) {
	t.Parallel()
	p := newPerson(t)
	p.dir += "," + menu(t)
	p.restart()
	a := p.agent(t)
	shown := make(chan bool, 1)
	s := newSite(t, counter+`<button id=menu>Menu</button><button id=close>Close</button>`).page("/other", `<h1>other</h1>`)
	s.handle("/shown", func(http.ResponseWriter, *http.Request) { shown <- true })
	other := a.open(s.other() + "/other").page("t")
	an := a.open(s.URL)
	page, ref := an.page("t"), an.ref("button", "Click")
	h := p.hand()
	tab := h.attach(s.URL)
	h.evaluate(tab, `document.querySelector("#menu").click()`)
	<-shown
	an = a.fails("browser_click", args{"pageId": page, "ref": ref}).has("error:", "the extension Menu (", "hint:").within(8 * time.Second)
	if !regexp.MustCompile(`\b[a-p]{32}\b`).MatchString(an.text) || strings.Contains(an.text, extension.ID) {
		t.Fatalf("the extension is not named:\n%s", an.text)
	}
	a.ok("browser_snapshot", args{"pageId": other}).has(`heading "other"`)
	a.fails("browser_snapshot", args{"pageId": page}).has("error:", "the extension Menu (")
	h.evaluate(tab, `document.querySelector("#close").click()`)
	a.ok("browser_click", args{"pageId": page, "ref": ref}).has("Clicked 1")
}

func TestExtensionGoes(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	page := an.page("t")
	h := p.hand()
	// An extension of the command line does not come back from this.
	h.send(h.worker, "Runtime.evaluate", map[string]any{"expression": "chrome.runtime.reload()"})
	if _, err := p.says(regexp.MustCompile("browser connection ended")); err != nil {
		t.Fatal(err)
	}
	a.fails("browser_click", args{"pageId": page, "selector": "button"}).has("error:", "does not answer", "hint:").within(8 * time.Second)
	p.chromium().attach(s.URL) // the tab itself stays
}

// extensions opens the browser's page of extensions, and turns on developer mode,
// without which an unpacked extension that is loaded anew does not come back.
func (h *hand) extensions() (session string) {
	h.t.Helper()
	h.call("", "Target.createTarget", map[string]any{"url": "chrome://extensions"}, nil)
	session = h.attach("chrome://extensions")
	for h.evaluate(session, `!!chrome.developerPrivate`) != "true" { // its page is coming
	}
	h.evaluate(session, `chrome.developerPrivate.updateProfileConfiguration({inDeveloperMode: true})`)
	return session
}

// TestExtensionIsUpdated reloads the extension from its folder, where another
// version lies by now, as Chrome does with an update.
func TestExtensionIsUpdated(t *testing.T) {
	p, a, s, an := atWork(t, counter)
	page := an.page("t")
	h := p.hand()
	h.extensions()
	file := filepath.Join(p.dir, "manifest.json")
	manifest, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	manifest = regexp.MustCompile(`"version": "[^"]*"`).ReplaceAll(manifest, []byte(`"version": "99.1"`))
	if err := os.WriteFile(file, manifest, 0o600); err != nil {
		t.Fatal(err)
	}
	call := a.later("browser_wait", args{"text": "never", "timeoutMs": 30000})
	c := p.cdp(t)
	c.call(c.attach(s.URL), "Runtime.evaluate", args{"expression": "1"}, nil) // the wait is on its way
	h.send(h.worker, "Runtime.evaluate", map[string]any{"expression": "chrome.runtime.reload()"})
	p.comes()
	if an := <-call; !an.failed {
		t.Error(an.text)
	} else {
		an.has("error:", "tab closed: "+page).within(8 * time.Second)
	}
	if v := p.hand().chrome(`return chrome.runtime.getManifest().version`); v != `"99.1"` {
		t.Errorf("the extension is %s", v)
	}
	a.fails("browser_snapshot", args{"pageId": page}).has("closed", "hint:")
	an = a.open(s.URL)
	a.ok("browser_click", args{"ref": an.ref("button", "Click")}).has("Clicked 1")
}
