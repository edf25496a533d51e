package e2e

import (
	"encoding/json"
	"net/http"
	"os/exec"
	"strings"
	"testing"
	"time"

	dp "github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/remote"
	"github.com/gorilla/websocket"
)

// given is an address as `tabrelay cdp --json` prints it.
type given struct {
	ID, Name, Browser, Tabs, URL string
	WS                           string `json:"webSocketDebuggerUrl"`
	Port                         int
	Expires                      time.Time
}

// teller runs `tabrelay` commands that share a daemon, which the test's end stops.
func teller(t *testing.T) func(args ...string) (stdout, stderr string) {
	path, state := browser(t), t.TempDir()
	tell := func(args ...string) (string, string) {
		t.Helper()
		cmd := exec.Command(binary, args...)
		cmd.Env = environ(state)
		var out, complaints strings.Builder
		cmd.Stdout, cmd.Stderr = &out, &complaints
		if err := cmd.Run(); err != nil {
			t.Errorf("tabrelay %s: %v\n%s", strings.Join(args, " "), err, complaints.String())
		}
		return out.String(), complaints.String()
	}
	t.Cleanup(func() { tell("stop") })
	return func(args ...string) (string, string) {
		t.Helper()
		if args[0] == "cdp" && !strings.Contains(strings.Join(args, " "), "--revoke") {
			args = append(args, "--browser", "chromium", "--browser-path", path, "--headless", "--no-sandbox")
		}
		return tell(args...)
	}
}

func TestCDPAddresses(t *testing.T) {
	t.Parallel()
	tell := teller(t)
	give := func(args ...string) given {
		t.Helper()
		out, _ := tell(append([]string{"cdp", "--json"}, args...)...)
		var a given
		if err := json.Unmarshal([]byte(out), &a); err != nil {
			t.Fatalf("%v in %q", err, out)
		}
		return a
	}
	dial := func(address string) *client {
		t.Helper()
		socket, _, err := websocket.DefaultDialer.Dial(address, nil)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { socket.Close() })
		return &client{t: t, socket: socket}
	}
	get := func(address string, header ...string) (int, string) {
		t.Helper()
		r, _ := http.NewRequest(http.MethodGet, address, nil)
		for i := 0; i < len(header); i += 2 {
			r.Header.Set(header[i], header[i+1])
			if header[i] == "Host" {
				r.Host = header[i+1]
			}
		}
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		defer resp.Body.Close()
		var v struct {
			WS string `json:"webSocketDebuggerUrl"`
		}
		_ = json.NewDecoder(resp.Body).Decode(&v)
		return resp.StatusCode, v.WS
	}

	shared := give("--name", "script")
	if shared.Tabs != "shared" || shared.Name != "script" || time.Until(shared.Expires) > time.Hour {
		t.Fatalf("%+v", shared)
	}
	if status, ws := get(shared.URL + "/json/version"); status != 200 || !strings.HasPrefix(ws, shared.WS+"/devtools/browser/") {
		t.Fatal(status, ws)
	}
	first := dial(shared.WS)
	first.call("", "Target.createTarget", map[string]any{"url": "data:text/html,<title>first</title>"}, nil)

	// A port of its own needs no secret, but no web page gets in.
	own := give("--listen", "0", "--tabs", "new", "--name", "apart")
	base := own.URL
	if own.Port == 0 || !strings.HasPrefix(base, "http://127.0.0.1:") {
		t.Fatalf("%+v", own)
	}
	for _, header := range [][]string{{"Host", "evil.test"}, {"Origin", "https://evil.test"}, {"Origin", base}, {"Origin", "null"}, {"Sec-Fetch-Site", "cross-site"}} {
		if status, _ := get(base+"/json/version", header...); status != 403 {
			t.Errorf("%v: %d", header, status)
		}
	}
	status, ws := get(base + "/json/version")
	if status != 200 || !strings.HasPrefix(ws, "ws://"+strings.TrimPrefix(base, "http://")+"/devtools/browser/") {
		t.Fatal(status, ws)
	}
	apart := dial(ws)
	var seen struct {
		TargetInfos []struct{ TargetID, Type, Title string }
	}
	apart.call("", "Target.getTargets", nil, &seen)
	if len(seen.TargetInfos) != 0 {
		t.Errorf("it sees %v", seen)
	}
	var made struct{ TargetID string }
	apart.call("", "Target.createTarget", map[string]any{"url": "data:text/html,<title>apart</title>"}, &made)
	apart.call("", "Target.getTargets", nil, &seen)
	if len(seen.TargetInfos) != 1 || seen.TargetInfos[0].TargetID != made.TargetID {
		t.Errorf("it sees %v", seen)
	}

	// A client that knows only host and port finds its way.
	allocator, cancel := remote.NewAllocator(t.Context(), base+"/")
	defer cancel()
	tab, cancel := dp.NewContext(allocator)
	defer cancel()
	if n, err := dp.Run(tab, dp.Evaluate[int](`6 * 7`)); err != nil || n != 42 {
		t.Error(n, err)
	}

	if out, _ := tell("status"); !strings.Contains(out, "CDP address script (") || !strings.Contains(out, "without a secret") ||
		strings.Contains(out, shared.URL[strings.LastIndex(shared.URL, "/")+1:]) {
		t.Error(out)
	}

	// What is revoked ends its clients, and those alone; their tabs go.
	if out, _ := tell("cdp", "--revoke", "apart"); !strings.Contains(out, "ended apart") {
		t.Error(out)
	}
	_ = apart.socket.SetReadDeadline(time.Now().Add(20 * time.Second))
	for {
		_, _, err := apart.socket.ReadMessage()
		if websocket.IsCloseError(err, websocket.ClosePolicyViolation) {
			break
		}
		if err != nil {
			t.Fatal("the client should hear that its address was revoked: ", err)
		}
	}
	first.without("apart")
	if _, err := http.Get(base + "/json/version"); err == nil {
		if status, _ := get(base + "/json/version"); status != 404 {
			t.Errorf("a revoked port answers %d", status)
		}
	}

	// A short life ends, too.
	brief := give("--ttl", "1ms")
	if status, _ := get(brief.URL + "/json/version"); status == 200 {
		t.Error("an address lives on past its time")
	}
}
