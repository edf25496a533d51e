package extension_test

import (
	"bufio"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/tabrelay/tabrelay/extension"
)

const patience = 20 * time.Second

// chromium is a real browser with the real extension, and a second way in that the extension knows nothing of.
type chromium struct {
	t   testing.TB
	dir string

	ws      *websocket.Conn
	writing sync.Mutex

	// mu guards the following.
	mu      sync.Mutex
	lastID  int
	pending map[int]chan json.RawMessage
}

func chromiumPath(t testing.TB) string {
	t.Helper()
	for _, name := range []string{"/usr/lib/chromium/chromium", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	if os.Getenv("CI") == "true" {
		t.Fatal("no Chromium")
	}
	t.Skip("no Chromium")
	return ""
}

// launch starts Chromium with a copy of the extension that is paired with r (unpaired if r is nil),
// and the extensions in the folders others. What share says is as in pairing.json; "asks" is chosen tabs
// on sites that the person is asked for.
func launch(t testing.TB, r *fakeRelay, share string, others ...string) *chromium {
	t.Helper()
	path := chromiumPath(t)
	dir := filepath.Join(t.TempDir(), "extension")
	if err := os.CopyFS(dir, extension.Files); err != nil {
		t.Fatal(err)
	}
	c := &chromium{t: t, dir: dir, pending: map[int]chan json.RawMessage{}}
	if r != nil {
		c.pair(r, share)
	}
	profile := t.TempDir()
	load := strings.Join(append([]string{dir}, others...), ",")
	cmd := exec.Command(path, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-features=WebUIOmniboxPopup,WebUIOmniboxAimPopup",
		"--user-data-dir="+profile,
		"--remote-debugging-port=0", "--load-extension="+load, "--disable-extensions-except="+load, "about:blank")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	address := make(chan string, 1)
	drained := make(chan struct{})
	go func() { // Ends with the process.
		defer close(drained)
		lines := bufio.NewScanner(stderr)
		for lines.Scan() {
			if _, url, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
				address <- url
			}
		}
	}()
	t.Cleanup(func() {
		if c.ws != nil {
			c.cdp("", "Browser.close", nil)
			time.AfterFunc(5*time.Second, func() { cmd.Process.Kill() })
		} else {
			cmd.Process.Kill()
		}
		<-drained
		cmd.Wait()
		if c.ws != nil {
			c.ws.Close()
		}
	})
	select {
	case url := <-address:
		c.ws, _, err = websocket.DefaultDialer.Dial(url, nil)
		if err != nil {
			t.Fatal(err)
		}
	case <-time.After(patience):
		t.Fatal("Chromium did not start")
	}
	go c.read()
	return c
}

func (c *chromium) pair(r *fakeRelay, share string) {
	all := share != "asks"
	if !all {
		share = "chosen"
	}
	text := fmt.Sprintf(`{"port":%s,"id":%q,"key":%q,"share":%q,"allSites":%t,"launch":"L1"}`, r.address()[strings.LastIndex(r.address(), ":")+1:], r.id,
		base64.RawURLEncoding.EncodeToString(r.key), share, all)
	if err := os.WriteFile(filepath.Join(c.dir, "pairing.json"), []byte(text), 0o600); err != nil {
		c.t.Fatal(err)
	}
}

func (c *chromium) read() {
	for {
		var frame struct {
			ID int `json:"id"`
			answer
		}
		if c.ws.ReadJSON(&frame) != nil {
			c.mu.Lock()
			defer c.mu.Unlock()
			for id, done := range c.pending {
				close(done)
				delete(c.pending, id)
			}
			return
		}
		c.mu.Lock()
		done := c.pending[frame.ID]
		delete(c.pending, frame.ID)
		c.mu.Unlock()
		if done != nil {
			done <- frame.Result
		}
	}
}

// cdp asks the browser itself; the result of a refused command is nil.
func (c *chromium) cdp(session, method string, params any) json.RawMessage {
	c.t.Helper()
	done := make(chan json.RawMessage, 1)
	c.mu.Lock()
	c.lastID++
	id := c.lastID
	c.pending[id] = done
	c.mu.Unlock()
	if params == nil {
		params = struct{}{}
	}
	frame := map[string]any{"id": id, "method": method, "params": params}
	if session != "" {
		frame["sessionId"] = session
	}
	c.writing.Lock()
	err := c.ws.WriteJSON(frame)
	c.writing.Unlock()
	if err != nil {
		c.t.Fatal(err)
	}
	select {
	case result := <-done:
		return result
	case <-time.After(patience):
		c.t.Fatalf("%s: no answer", method)
		return nil
	}
}

type target struct {
	TargetID string `json:"targetId"`
	Type     string `json:"type"`
	URL      string `json:"url"`
}

func (c *chromium) targets(match func(target) bool) []target {
	c.t.Helper()
	var list struct {
		TargetInfos []target `json:"targetInfos"`
	}
	decode(c.t, c.cdp("", "Target.getTargets", nil), &list)
	var found []target
	for _, one := range list.TargetInfos {
		if match(one) {
			found = append(found, one)
		}
	}
	return found
}

func isWorker(t target) bool {
	return t.Type == "service_worker" && strings.HasPrefix(t.URL, "chrome-extension://"+extension.ID)
}

func (c *chromium) attach(targetID string) string {
	c.t.Helper()
	var attached struct {
		SessionID string `json:"sessionId"`
	}
	decode(c.t, c.cdp("", "Target.attachToTarget", map[string]any{"targetId": targetID, "flatten": true}), &attached)
	return attached.SessionID
}

// killWorker ends the service worker as Chrome does when it is idle.
func (c *chromium) killWorker() {
	c.t.Helper()
	for _, worker := range c.targets(isWorker) {
		c.cdp("", "Target.closeTarget", map[string]any{"targetId": worker.TargetID})
	}
}

// page opens a page that may use the extension's interfaces and returns the session in it.
func (c *chromium) page(url string) string {
	c.t.Helper()
	var made target
	decode(c.t, c.cdp("", "Target.createTarget", map[string]any{"url": "about:blank", "background": true}), &made)
	session := c.attach(made.TargetID)
	c.cdp(session, "Page.navigate", map[string]any{"url": url})
	return session
}

// eval awaits an expression and decodes its value into out.
func (c *chromium) eval(session, expression string, out any) {
	c.t.Helper()
	result := c.cdp(session, "Runtime.evaluate", map[string]any{
		"expression": expression, "awaitPromise": true, "returnByValue": true,
	})
	var value evaluation
	decode(c.t, result, &value)
	if value.ExceptionDetails != nil {
		c.t.Fatalf("%s: %s", expression, value.ExceptionDetails)
	}
	if out != nil {
		decode(c.t, value.Result.Value, out)
	}
}

type evaluation struct {
	Result struct {
		Value json.RawMessage `json:"value"`
	} `json:"result"`
	ExceptionDetails json.RawMessage `json:"exceptionDetails"`
}

func decode(t testing.TB, raw json.RawMessage, out any) {
	t.Helper()
	if err := json.Unmarshal(raw, out); err != nil {
		t.Fatalf("%s: %v", raw, err)
	}
}
