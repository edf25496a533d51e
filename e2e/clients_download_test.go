package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"testing"
)

// TestDownloadsForClients holds that in a person's browser, too, a CDP client gets a
// copy of each download where it wants one, under the name that the page gave it, and
// that the download itself stays where the browser put it, as another is told.
func TestDownloadsForClients(t *testing.T) {
	p, _, s, _ := atWork(t, `<a id=load href=/got download="words.txt">Get it</a>`)
	s.handle("/got", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("words")) })
	folder, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(folder, "new")
	copied, told := p.cdp(t), p.cdp(t)
	copied.call("", "Browser.setDownloadBehavior", map[string]any{"behavior": "allow", "downloadPath": folder, "eventsEnabled": true}, nil)
	told.call("", "Browser.setDownloadBehavior", map[string]any{"behavior": "default", "eventsEnabled": true}, nil)
	told.attach(s.URL)
	session := copied.attach(s.URL)
	copied.call(session, "Page.enable", nil, nil)
	copied.call(session, "Runtime.evaluate", map[string]any{"expression": "load.click()"}, nil)
	path := map[*client]string{}
	for _, c := range []*client{told, copied} {
		var said struct{ GUID, SuggestedFilename, FilePath, State string }
		begun := ""
		c.until(func(m message) bool {
			switch m.Method {
			case "Browser.downloadWillBegin", "Browser.downloadProgress":
				if err := json.Unmarshal(m.Params, &said); err != nil {
					t.Fatal(err)
				}
			}
			if m.Method == "Browser.downloadWillBegin" {
				begun = said.GUID
			}
			return said.State == "completed"
		})
		if said.SuggestedFilename != "words.txt" || said.GUID != begun {
			t.Errorf("it is told %+v, and of %s before", said, begun)
		}
		path[c] = said.FilePath
		if text, err := os.ReadFile(said.FilePath); err != nil || string(text) != "words" {
			t.Errorf("%s has %q: %v", said.FilePath, text, err)
		}
	}
	t.Cleanup(func() { os.Remove(path[told]) })
	if path[copied] != filepath.Join(folder, "words.txt") || path[told] == path[copied] {
		t.Errorf("they are told %v", path)
	}
}
