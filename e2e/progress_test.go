package e2e

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// longPage has much of everything.
var longPage = `<title>Long</title><h1>here</h1><input type=file><p id=said>-</p><div style="height:6000px;background:linear-gradient(red,blue)"></div>` +
	strings.Repeat("<p>words of a long page</p>", 2000) + `<iframe srcdoc="<p>in a frame</p>"></iframe>`

// longWork are calls that take long where there is much to do.
var longWork = []struct {
	tool string
	with args
}{
	{"browser_screenshot", args{"fullPage": true}},
	{"browser_pdf", args{}},
	{"browser_upload", args{"selector": "input", "files": []string{"large.bin"}}},
	{"browser_content", args{"selector": "body"}},
	{"browser_trace", args{"action": "start"}},
	{"browser_trace", args{"action": "stop", "file": "trace.json"}},
	{"browser_network", args{"har": "all.har"}},
	{"browser_wait", args{"timeMs": 50, "text": "here"}},
}

// longDesk is an agent over stdio, with a page that is long and a file that is
// large; tell hears of progress.
func longDesk(t *testing.T, tell func(*mcp.ProgressNotificationParams)) *agent {
	t.Helper()
	root := t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "large.bin"), make([]byte, 8<<20), 0o600); err != nil {
		t.Fatal(err)
	}
	d := newDesk(t)
	a, _ := d.frontWith(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		tell(r.Params)
	}}, d.managed("--root", root)...)
	a.ok("browser_connect", nil)
	a.open(newSite(t, longPage).URL)
	return a
}

func TestLongWorkTellsItsProgressOverStdio(t *testing.T) {
	t.Parallel()
	told := make(chan any, 1000)
	a := longDesk(t, func(p *mcp.ProgressNotificationParams) { told <- p.ProgressToken })
	for _, c := range longWork {
		token := c.tool
		if action, ok := c.with["action"].(string); ok {
			token += " " + action
		}
		params := &mcp.CallToolParams{Name: c.tool, Arguments: c.with}
		params.SetProgressToken(token)
		res, err := a.session.CallTool(t.Context(), params)
		if err != nil || res.IsError {
			t.Fatalf("%s: %v %v", c.tool, res, err)
		}
		for limit := time.After(callLimit); ; { // the client handles it beside the answer
			select {
			case about := <-told:
				if about != token {
					continue
				}
			case <-limit:
				t.Fatalf("%s: nobody was told how far it is", token)
			}
			break
		}
	}
}

// TestOwnBrowserIsWaitedFor connects before the person has started their browser:
// the call waits for it, tells so, and says which one it got.
func TestOwnBrowserIsWaitedFor(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	d.env = append(d.env, longGrace)
	if out, err := d.command("extension", "--all-sites", "--port", freePort(t)).CombinedOutput(); err != nil {
		t.Fatalf("tabrelay extension: %v\n%s", err, out)
	}
	p := &person{t: t, dir: filepath.Join(d.dir, "extension")}
	told := make(chan string, 1000)
	a, _ := d.frontWith(&mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
		told <- r.Params.Message
	}}, "--no-sandbox", "--browser-path", d.path)
	answers := make(chan string, 1)
	go func() {
		params := &mcp.CallToolParams{Name: "browser_connect", Arguments: args{}}
		params.SetProgressToken("connect")
		res, err := a.session.CallTool(t.Context(), params)
		if err != nil {
			answers <- err.Error()
			return
		}
		answers <- res.Content[0].(*mcp.TextContent).Text
	}()
	select {
	case said := <-told:
		if said != "waiting for the extension of your own browser" {
			t.Errorf("it tells %q", said)
		}
	case said := <-answers:
		t.Fatalf("it did not wait: %s", said)
	}
	p.launch(d.path, t.TempDir())
	if said := <-answers; !strings.Contains(said, "It is your own browser chromium-1") {
		t.Errorf("it got another: %s", said)
	}
}

// TestB56CancellationOverStdio cancels long work in the middle: its page does
// not answer until much later.
func TestB56CancellationOverStdio(t *testing.T) {
	t.Parallel()
	a := longDesk(t, func(*mcp.ProgressNotificationParams) {})
	for _, c := range append(longWork, struct {
		tool string
		with args
	}{"browser_wait", args{"text": "never", "timeoutMs": 30000}}) {
		if c.with["action"] == "stop" {
			a.ok("browser_trace", args{"action": "start"})
		}
		begin := time.Now()
		a.ok("browser_evaluate", args{"script": `(() => {
			const busy = new MessageChannel();
			busy.port1.onmessage = () => { const until = performance.now() + 2500; while (performance.now() < until); };
			busy.port2.postMessage(0) })()`})
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		an := a.callCtx(ctx, c.tool, c.with)
		cancel()
		t.Logf("%-20s %v: %s", c.tool, an.took.Round(time.Millisecond), an.text)
		an.within(2 * time.Second)
		a.ok("browser_find", args{"text": "here"}).has(`heading "here"`).within(6 * time.Second)
		t.Logf("the next call is answered after %v", time.Since(begin).Round(time.Millisecond))
		if c.tool == "browser_trace" { // one that was begun, or is still to be ended, does not hinder another
			a.call("browser_trace", args{"action": "stop"})
			a.ok("browser_trace", args{"action": "start"})
			a.ok("browser_trace", args{"action": "stop"}).has("recorded")
		}
	}
}
