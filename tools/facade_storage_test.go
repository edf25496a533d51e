package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// saveTo makes the bare browser of the tests save downloads, as a person's own
// browser does by itself, for as long as the test runs.
func saveTo(t *testing.T, dir string) {
	t.Helper()
	c, _, err := websocket.DefaultDialer.Dial(browserURL(t), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	err = c.WriteJSON(map[string]any{"id": 1, "method": "Browser.setDownloadBehavior", "params": map[string]any{"behavior": "allow", "downloadPath": dir, "eventsEnabled": false}})
	if err == nil {
		_, _, err = c.ReadMessage()
	}
	if err != nil {
		t.Fatal(err)
	}
}

// awaitFile returns when a file has a content; nobody tells of that.
func awaitFile(t *testing.T, path, content string) {
	t.Helper()
	limit := time.After(30 * time.Second)
	for again := time.Tick(5 * time.Millisecond); ; {
		if data, err := os.ReadFile(path); err == nil && string(data) == content {
			return
		}
		select {
		case <-again:
		case <-limit:
			t.Fatalf("%s does not come", path)
		}
	}
}

// TestFacadeCopiesHideSecrets holds that a copy whose secrets are hidden, which are
// of another length then, is listed as long as it is and cleared.
func TestFacadeCopiesHideSecrets(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/file" {
			w.Header().Set("Content-Disposition", `attachment; filename="key.txt"`)
			_, _ = w.Write([]byte("the key is a-long-secret-value"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<a id=get href=/file>Get</a>`))
	}))
	defer server.Close()
	f := newNineTools(t, Options{Settings: Settings{Output: t.TempDir(), Vault: Vault{"KEY": {Name: "KEY", Value: "a-long-secret-value"}}}})
	saveTo(t, t.TempDir())
	f.ok("browser_navigate", args{"action": "goto", "url": server.URL})
	f.ok("browser_storage", args{"action": "set_download_behavior", "download_path": "got"})
	f.ok("browser_interact", args{"action": "click", "selector": "#get"})
	path := f.ok("browser_storage", args{"action": "wait_for_download"}).str("data.filepath")
	data, err := os.ReadFile(path)
	if err != nil || strings.Contains(string(data), "long") {
		t.Errorf("%q %v", data, err)
	}
	has(t, f.ok("browser_storage", args{"action": "list_downloads"}).text, fmt.Sprintf(`"size":%d`, len(data)))
	f.ok("browser_storage", args{"action": "clear_downloads"}).is("data.cleared", 1)
	if _, err := os.Stat(path); err == nil {
		t.Errorf("%s is left", path)
	}
}

// shop is a site with two files.
func shop(t *testing.T) string {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if name, ok := strings.CutPrefix(r.URL.Path, "/file/"); ok {
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			_, _ = w.Write([]byte("a,b\n"))
			return
		}
		w.Header().Set("Content-Type", "text/html")
		_, _ = w.Write([]byte(`<a id=one href=/file/one.csv>One</a><a id=two href=/file/two.csv>Two</a>`))
	}))
	t.Cleanup(server.Close)
	return server.URL
}

// TestFilesOfABrowserElsewhere has a file at the path that a browser of another
// machine names, of the same length.
func TestFilesOfABrowserElsewhere(t *testing.T) {
	f := newNineTools(t, Options{Settings: Settings{Output: t.TempDir()}})
	saved := t.TempDir()
	saveTo(t, saved)
	f.ok("browser_navigate", args{"action": "goto", "url": shop(t)})
	f.s.mu.Lock()
	f.s.link.elsewhere = true
	f.s.mu.Unlock()
	f.ok("browser_storage", args{"action": "set_download_behavior", "download_path": "got"})
	f.ok("browser_interact", args{"action": "click", "selector": "#one"})
	path := filepath.Join(saved, "one.csv")
	has(t, f.ok("browser_storage", args{"action": "wait_for_download"}).is("data.filepath", path).str("data.note"), "machine of its browser")
	f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 1)
	f.ok("browser_storage", args{"action": "clear_downloads"}).is("data.cleared", 0)
	if _, err := os.Stat(path); err != nil {
		t.Error(err)
	}
}

func TestFacadeDownloads(t *testing.T) {
	url := shop(t)
	root := t.TempDir()
	f := newNineTools(t, Options{Settings: Settings{Output: root}})
	saved := t.TempDir()
	saveTo(t, saved) // after the connection, which asks for the default
	f.ok("browser_navigate", args{"action": "goto", "url": url})
	f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 0)
	f.fails("browser_storage", args{"action": "wait_for_download", "filename": "one", "timeout": 0.2}, "one").is("data.found", false)
	f.ok("browser_interact", args{"action": "click", "selector": "#one"})
	v := f.ok("browser_storage", args{"action": "wait_for_download", "filename": "one"}).is("data.found", true).is("data.filename", "one.csv").is("data.filepath", filepath.Join(saved, "one.csv"))
	if data, err := os.ReadFile(v.str("data.filepath")); err != nil || string(data) != "a,b\n" {
		t.Errorf("%q %v", data, err)
	}
	folder := f.ok("browser_storage", args{"action": "set_download_behavior", "download_path": "got"}).is("data.behavior", "allow").is("data.path", filepath.Join(resolved(root), "got"))
	has(t, folder.str("data.note"), "each download is copied")
	f.ok("browser_interact", args{"action": "click", "selector": "#two"})
	v = f.ok("browser_storage", args{"action": "wait_for_download"}).is("data.filename", "two.csv").is("data.filepath", filepath.Join(resolved(root), "got", "two.csv"))
	if data, err := os.ReadFile(v.str("data.filepath")); err != nil || string(data) != "a,b\n" {
		t.Errorf("%q %v", data, err)
	}
	list := f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 2)
	has(t, list.text, `"name":"one.csv"`, `"path":"`+filepath.Join(resolved(root), "got", "two.csv"), `"size":4`, `"modified":"2`)

	// What is not a download of this session stays, also in a download's place.
	if err := errors.Join(os.WriteFile(filepath.Join(saved, "own.csv"), []byte("mine"), 0o644), os.WriteFile(filepath.Join(saved, "two.csv"), []byte("written by somebody else"), 0o644)); err != nil {
		t.Fatal(err)
	}
	f.ok("browser_storage", args{"action": "clear_downloads"}).is("data.cleared", 1)
	f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 0)
	for name, there := range map[string]bool{"one.csv": false, "two.csv": true, "own.csv": true} {
		if _, err := os.Stat(filepath.Join(saved, name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}

	// The same name again is listed once, and copied without anybody waiting for it.
	f.ok("browser_interact", args{"action": "click", "selector": "#one"})
	copied := filepath.Join(resolved(root), "got", "one.csv")
	awaitFile(t, copied, "a,b\n")
	f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 1)
	f.ok("browser_storage", args{"action": "wait_for_download"}).is("data.filename", "one.csv").is("data.filepath", copied)
	f.ok("browser_storage", args{"action": "clear_downloads"}).is("data.cleared", 1)
	for _, path := range []string{copied, filepath.Join(saved, "one.csv")} {
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s is left", path)
		}
	}

	named := filepath.Join(resolved(root), "downloads")
	f.ok("browser_storage", args{"action": "set_download_behavior", "behavior": "allowAndName"}).is("data.path", named)
	f.ok("browser_interact", args{"action": "click", "selector": "#two"})
	v = f.ok("browser_storage", args{"action": "wait_for_download"})
	if at := v.str("data.filepath"); filepath.Dir(at) != named || !regexp.MustCompile(`^[0-9a-f-]{36}$`).MatchString(filepath.Base(at)) {
		t.Errorf("the copy is %s", at)
	}

	f.ok("browser_storage", args{"action": "set_download_behavior", "behavior": "deny"}).is("data.behavior", "deny")
	f.ok("browser_interact", args{"action": "click", "selector": "#one"})
	f.fails("browser_storage", args{"action": "wait_for_download"}, "interrupted").is("data.found", false)
	lacks(t, f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 1).text, "one.csv") // it is no file
	f.fails("browser_storage", args{"action": "set_download_behavior", "download_path": "/etc"}, `download_path "/etc"`)
	f.ok("browser_storage", args{"action": "clear_downloads"}).is("data.cleared", 1)
	f.ok("browser_storage", args{"action": "list_downloads"}).is("data.count", 0) // what was refused is gone, too
	f.ok("browser_storage", args{"action": "set_download_behavior", "behavior": "default"}).is("data.behavior", "default")
}

// TestFacadeInstances launches "instances" that are connections to the one bare
// browser of the tests, and looks at who ends what.
func TestFacadeInstances(t *testing.T) {
	url := browserURL(t)
	var wants []LaunchWant
	ended := map[int]int{}
	gone := make(chan struct{})
	f := newNineTools(t, Options{Launch: func(_ context.Context, w LaunchWant) (Launched, error) {
		if w.Profile == "taken" {
			return Launched{}, &Error{Kind: ErrBrowserNotAvailable, Text: "the profile is in use", Hint: "give another profile"}
		}
		wants = append(wants, w)
		n := len(wants)
		l := Launched{Endpoint: Endpoint{URL: url, Name: "Chromium 1"}, Close: func() { ended[n]++ }}
		if w.Profile == "frail" {
			l.Gone = gone
		}
		return l, nil
	}})
	lacks(t, f.ok("browser_session", args{"action": "get_active"}).is("instance_id", "default").text, "null")
	one := f.ok("browser_session", args{"action": "launch"}).str("instance_id")
	two := f.ok("browser_session", args{"action": "launch", "headless": false, "profile": "work", "anti_detect": true, "use_pool": false}).str("instance_id")
	if len(wants) != 2 || wants[0] != (LaunchWant{Headless: true, Pool: true}) || wants[1] != (LaunchWant{Profile: "work", AntiDetect: true}) {
		t.Errorf("%+v", wants)
	}
	f.ok("browser_session", args{"action": "get_active"}).is("instance_id", two)
	base := site(t, map[string]string{"/": "<title>here</title>"})
	list := f.ok("browser_session", args{"action": "list"}).is("data.count", 3)
	has(t, list.text, `"instance_id":"default"`, `"instance_id":"`+one+`"`, `"status":"idle"`, `"status":"active"`, `"profile":"work"`)
	f.ok("browser_session", args{"action": "terminate", "instance_id": two}).is("data.status", "terminated").is("data.active", one)
	f.ok("browser_session", args{"action": "get_active"}).is("instance_id", one)
	f.fails("browser_session", args{"action": "terminate", "instance_id": two}, two, one)
	f.fails("browser_session", args{"action": "launch", "profile": "taken"}, "in use", "another profile")
	f.ok("browser_navigate", args{"action": "goto", "url": base})

	frail := f.ok("browser_session", args{"action": "launch", "profile": "frail"}).str("instance_id")
	close(gone)
	<-f.s.acting().browser.Done()
	f.fails("browser_navigate", args{"action": "get_url"}, "the browser ended").is("data.kind", "ConnectionLost")
	f.fails("browser_navigate", args{"action": "get_url"}, frail+" has ended", one)
	f.ok("browser_navigate", args{"action": "get_url"}).is("url", base+"/")

	f.ok("browser_session", args{"action": "terminate", "instance_id": "default"}).is("data.status", "terminated")
	f.fails("browser_session", args{"action": "terminate", "instance_id": "default"}, "not connected")
	_ = f.s.Close()
	if ended[1] != 1 || ended[2] != 1 {
		t.Errorf("ended: %v", ended)
	}

	none := newNineTools(t, Options{})
	none.fails("browser_session", args{"action": "launch"}, "browser_navigate goto").is("data.kind", "UnsupportedOperation")
}

// TestFacadeConnectsByItself holds that no call has to come before the first.
func TestFacadeConnectsByItself(t *testing.T) {
	url := browserURL(t)
	asked := 0
	_, s := NewServer(Options{Settings: Settings{Tools: "facade"}, Connect: func(_ context.Context, w Want) (Endpoint, error) {
		asked++
		if w != (Want{Unasked: true}) {
			t.Errorf("it wants %+v", w)
		}
		return Endpoint{URL: url}, nil
	}})
	defer s.Close()
	f := &nineTools{t, s, s.profile}
	f.ok("browser_session", args{"action": "list"}).is("data.count", 0)
	if v := f.ok("browser_session", args{"action": "get_active"}); v.at("instance_id") != nil {
		t.Errorf("%s", v.text)
	}
	f.ok("browser_navigate", args{"action": "get_url"})
	if asked != 1 {
		t.Errorf("asked %d times", asked)
	}
	f.ok("browser_session", args{"action": "get_active"}).is("instance_id", "default")
}

// TestFacadeStructured holds that the answer is also the value that the output
// schema describes.
func TestFacadeStructured(t *testing.T) {
	c := client(t, Options{Settings: Settings{Tools: "facade", Structured: true}})
	list, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		text, _ := json.Marshal(tool.OutputSchema)
		for _, field := range []string{"success", "error", "data", "instance_id", "url", "text", "cookies", "result", "screenshot", "truncated", "returned_bytes", "total_bytes_estimate",
			"chunk_start", "chunk_end", "next_offset", "remaining_bytes", "snapshot_checksum"} {
			has(t, string(text), `"`+field+`":`)
		}
	}
}

// TestRefusalOfDownloadsHoldsEverywhere holds that deny is of the agent, not of a
// connection: for each of its browsers, after one was lost, in another process.
func TestRefusalOfDownloadsHoldsEverywhere(t *testing.T) {
	var mu sync.Mutex
	last := map[string]string{} // what each browser was told last, by its path
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		c, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer c.Close()
		for {
			var m struct {
				ID     int                       `json:"id"`
				Method string                    `json:"method"`
				Params struct{ Behavior string } `json:"params"`
			}
			if c.ReadJSON(&m) != nil {
				return
			}
			if m.Method == "Browser.setDownloadBehavior" {
				mu.Lock()
				last[r.URL.Path] = m.Params.Behavior
				mu.Unlock()
			}
			if c.WriteJSON(args{"id": m.ID, "result": args{}}) != nil {
				return
			}
		}
	}))
	defer server.Close()
	told := func(want map[string]string) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if !maps.Equal(last, want) {
			t.Errorf("the browsers were told %v, want %v", last, want)
		}
		clear(last)
	}
	at := func(name string) Endpoint {
		return Endpoint{URL: "ws" + strings.TrimPrefix(server.URL, "http") + "/" + name}
	}
	begin := func() *nineTools {
		_, s := NewServer(Options{Settings: Settings{Tools: "facade"},
			Connect: func(context.Context, Want) (Endpoint, error) { return at("home"), nil },
			Launch: func(context.Context, LaunchWant) (Launched, error) {
				return Launched{Endpoint: at("launched"), Close: func() {}}, nil
			}})
		t.Cleanup(func() { _ = s.Close() })
		return &nineTools{t, s, s.profile}
	}
	f := begin()
	set := func(behavior string) {
		t.Helper()
		f.ok("browser_storage", args{"action": "set_download_behavior", "behavior": behavior})
	}
	set("deny")
	told(map[string]string{"/home": "deny"})
	launched := f.ok("browser_session", args{"action": "launch"}).str("instance_id")
	told(map[string]string{"/launched": "deny"})
	set("default")
	told(map[string]string{"/home": "default", "/launched": "default"})
	set("deny")
	told(map[string]string{"/home": "deny", "/launched": "deny"})
	f.ok("browser_session", args{"action": "terminate", "instance_id": launched})

	_ = f.s.browser.Close()
	f.fails("browser_storage", args{"action": "list_downloads"}, "lost")
	f.ok("browser_storage", args{"action": "list_downloads"})
	told(map[string]string{"/home": "deny"})

	r := f.s.Record()
	f = begin()
	f.s.Resume(r)
	f.ok("browser_storage", args{"action": "list_downloads"})
	told(map[string]string{"/home": "deny"})
}
