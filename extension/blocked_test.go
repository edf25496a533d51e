package extension_test

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

// idOf is the id that Chrome gives an extension with this key.
func idOf(key []byte) string {
	var id strings.Builder
	sum := sha256.Sum256(key)
	for _, b := range sum[:16] {
		id.WriteByte('a' + b>>4)
		id.WriteByte('a' + b&15)
	}
	return id.String()
}

// intruder writes an extension whose page any site may frame, and returns its folder and id.
func intruder(t *testing.T, key string) (dir, id string) {
	t.Helper()
	der, err := base64.StdEncoding.DecodeString(key)
	if err != nil {
		t.Fatal(err)
	}
	dir = t.TempDir()
	for name, text := range map[string]string{
		"manifest.json": fmt.Sprintf(`{"manifest_version":3,"name":"Intruder","version":"1","key":%q,
			"web_accessible_resources":[{"resources":["menu.html"],"matches":["<all_urls>"]}]}`, key),
		"menu.html": "<!doctype html><title>Menu</title>",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir, idOf(der)
}

const intruderKey = "MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEApmAhAH/n4nhoRpslSBv77x6hFQrlEx11G0gM0+CJInz36roJlB/+f1q8MreCC42POS8vHR58o/mKzbvBCg/u7+aTCb9hXzEC2qFu0mnG3yx9/N2ciXtABQliYW84YEan5a0/wosvlo7OMYJJxvGgm+fkWzVSYHzl4xI7LsCfhow/QWQ0fZhlen35pu8u9bxBfLKgI/50JaEkn5RM0Aa6EkYwUmkbOnKtIxfElCrzF3tEFrLEwR89eNZfDuFzte9qs2PoaT5qXlguPpqf8sk/2ztObAXjVVDVY6IpvOj3SoLbQWIf/VRxwrab+Car0gARGxB9fznkrQSxK8cAKgzZTwIDAQAB"

func TestB69FrameOfAnotherExtension(t *testing.T) {
	r := newFakeRelay(t)
	local, _ := site(t)
	dir, id := intruder(t, intruderKey)
	c := launch(t, r, "all", dir)
	r.await(0, "hello", nil)
	tab := string(r.create(local + "/").ID)
	r.await(0, "tabUpdated", func(p params) bool { return string(p.ID) == tab && p.Title == "Plain" })
	other := string(r.create(local + "/").ID)
	session := c.attach(tab)
	mark := r.mark()
	c.eval(session, `new Promise(done => document.body.append(Object.assign(document.createElement("iframe"),
		{ id: "menu", src: "chrome-extension://`+id+`/menu.html", onload: () => done(1) })))`, nil)
	r.await(mark, "tabDetached", is(tab))
	// Chrome may still allow the attachment, but then no command.
	if _, err := r.ask("attachTab", args{"id": tab}); err == nil {
		_, err = r.ask("forwardCDPCommand", args{"id": tab, "method": "Runtime.evaluate", "params": args{"expression": "1"}})
		if err == nil || err.Error() != "not attached (-32000)" { // Chrome took the attachment back before the command came
			refused(t, err, -32058, id)
		}
	}
	_, err := r.ask("attachTab", args{"id": tab})
	refused(t, err, -32058, id)
	if got := r.eval(other, "1+1"); got != "2" {
		t.Errorf("another tab: 1+1 is %s", got)
	}
	c.eval(session, `(menu.remove(), 1)`, nil)
	r.do("attachTab", args{"id": tab}, nil)
}

func TestDebuggerIsLetGoWhenTheRelayStaysAway(t *testing.T) {
	r := newFakeRelay(t)
	c := launch(t, r, "all")
	r.await(0, "hello", nil)
	tab := string(r.create("about:blank").ID)
	options := c.page(base + "options.html")
	// Attached, it must not be discarded; that this ends tells that it is let go.
	c.eval(options, `globalThis.let = new Promise(done => chrome.tabs.onUpdated.addListener((id, { autoDiscardable }) => autoDiscardable && done(id))), 1`, nil)
	r.setAway(true)
	r.drop(websocket.CloseGoingAway, "")
	c.until(options, `state.textContent === "Waiting for tabrelay"`)
	c.killWorker()
	// The alarm that is due in 30 s comes now.
	c.eval(options, `chrome.alarms.create("release", { when: Date.now() }).then(() => globalThis.let)`, nil)
	mark := r.mark()
	r.setAway(false)
	for _, one := range r.await(mark, "hello", nil).Params.Tabs {
		if one.Attached {
			t.Errorf("still attached: %+v", one)
		}
	}
	r.do("attachTab", args{"id": tab}, nil)
}
