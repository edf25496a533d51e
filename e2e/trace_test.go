package e2e

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func tracePage(t *testing.T) *site {
	s := newSite(t, `<h1>Loading</h1><script src="/big.js"></script><div style="height:200px;width:300px;background:#9cf">Box of words that is the largest</div><p id=said>-</p>
		<button onclick="const until = performance.now() + 200; while (performance.now() < until); said.textContent = 'done'">Work</button>`)
	s.handle("/big.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		_, _ = w.Write([]byte("// " + strings.Repeat("x", 150_000) + "\n"))
	})
	return s
}

func TestTrace(t *testing.T) {
	root := t.TempDir()
	a := own(t, "--output", root).agent(t)
	s := tracePage(t)
	a.fails("browser_trace", args{"action": "stop"}).has("error:", "hint:")
	a.ok("browser_tab_open", args{"front": true})
	a.fails("browser_trace", args{"action": "stop"}).has("error:", "start", "hint:")
	a.ok("browser_trace", args{"action": "start"}).has("recording")
	a.fails("browser_trace", args{"action": "start"}).has("error:", "stop", "hint:")
	an := a.ok("browser_navigate", args{"url": s.URL, "waitUntil": "load"})
	a.ok("browser_click", args{"ref": an.ref("button", "Work")}).has("done")
	an = a.ok("browser_trace", args{"action": "stop", "file": "trace.json"})
	an.has("LCP: ", "CLS: ", "total blocking time", "long tasks: ", "/big.js", "trace.json").lacks("LCP: none", "long tasks: 0")
	if m := regexp.MustCompile(`- (\d+) bytes in .*big\.js`).FindStringSubmatch(an.text); m == nil || len(m[1]) < 6 {
		t.Fatalf("the large request is not told by its size:\n%s", an.text)
	}
	data, err := os.ReadFile(filepath.Join(root, "trace.json"))
	var trace struct{ TraceEvents []any }
	if err != nil || json.Unmarshal(data, &trace) != nil || len(trace.TraceEvents) < 100 {
		t.Fatalf("the file is no trace: %v, %d events", err, len(trace.TraceEvents))
	}
	t.Logf("%d events, %d bytes\n%s", len(trace.TraceEvents), len(data), an.text)
	a.ok("browser_trace", args{"action": "start"})
	a.fails("browser_trace", args{"action": "stop", "file": "/etc/trace.json"}).has("error:", "outside")
	a.ok("browser_trace", args{"action": "stop"}).has("recorded")
	a.fails("browser_trace", nil).has("action")
	a.fails("browser_trace", args{"action": "start", "file": "x.json"}).has("file")
}

func TestLongWorkTellsItsProgress(t *testing.T) {
	server := own(t)
	s := newSite(t, `<h1>tall</h1><div style="height:5000px;background:linear-gradient(red,blue)"></div>`)
	told := make(chan *mcp.ProgressNotificationParams, 100)
	session := server.connectWith(t, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		select {
		case told <- r.Params:
		default:
		}
	}})
	a := &agent{t, session}
	a.ok("browser_connect", nil)
	a.open(s.URL)
	params := &mcp.CallToolParams{Name: "browser_screenshot", Arguments: args{"fullPage": true}}
	params.SetProgressToken("shot")
	if res, err := session.CallTool(t.Context(), params); err != nil || res.IsError {
		t.Fatalf("%v %v", res, err)
	}
	select {
	case p := <-told:
		if p.ProgressToken != "shot" || p.Message == "" {
			t.Fatalf("told %+v", p)
		}
	case <-t.Context().Done():
		t.Fatal("nothing was told")
	}
}
