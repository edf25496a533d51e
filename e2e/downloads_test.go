package e2e

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var savedAt = regexp.MustCompile(`→ (.+) \(complete`)

func TestB58Downloads(t *testing.T) {
	t.Parallel()
	s := newSite(t, `<a href=/report>Report</a><a href=/evil>Evil</a><a href=/slow>Slow</a>`)
	attach := func(path, name, body string) {
		s.handle(path, func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Disposition", `attachment; filename="`+name+`"`)
			_, _ = w.Write([]byte(body))
		})
	}
	attach("/report", "report.csv", "a,b\n")
	attach("/evil", `../../x`, "evil")
	resume := make(chan struct{})
	s.handle("/slow", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="slow.bin"`)
		w.Header().Set("Content-Length", "2000000")
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1_000_000))
		w.(http.Flusher).Flush()
		select {
		case <-resume:
		case <-r.Context().Done():
		}
		_, _ = w.Write(bytes.Repeat([]byte("x"), 1_000_000))
	})
	a := own(t).agent(t)
	first := a.open(s.URL)
	a.ok("browser_downloads", nil).has("no downloads")
	a.fails("browser_downloads", args{"action": "wait", "timeoutMs": 200}).has("no download started", "hint:").within(2 * time.Second)
	a.ok("browser_click", args{"ref": first.ref("Report")})
	done := a.ok("browser_downloads", args{"action": "wait", "name": "report"}).has("report", "complete", "4 B")
	path := savedAt.FindStringSubmatch(done.text)
	if path == nil {
		t.Fatalf("no path in %s", done.text)
	}
	if got, err := os.ReadFile(path[1]); err != nil || string(got) != "a,b\n" {
		t.Fatalf("%q %v", got, err)
	}
	t.Cleanup(func() { os.Remove(path[1]) })
	a.ok("browser_click", args{"ref": first.ref("Evil")})
	evil := a.ok("browser_downloads", args{"action": "wait"}).has("complete").lacks("/..", "report")
	if m := savedAt.FindStringSubmatch(evil.text); m != nil {
		if filepath.Dir(m[1]) != filepath.Dir(path[1]) {
			t.Fatalf("it is in %s", m[1])
		}
		os.Remove(m[1])
	}
	a.ok("browser_click", args{"ref": first.ref("Slow")}).has("download:", "slow.bin", "in progress")
	a.fails("browser_downloads", args{"action": "wait", "timeoutMs": 1500}).has("slow.bin", "still in progress", "hint:")
	close(resume)
	slow := a.ok("browser_downloads", args{"action": "wait", "name": "slow"}).has("complete", "1.9 MB")
	if m := savedAt.FindStringSubmatch(slow.text); m != nil {
		os.Remove(m[1])
	}
	a.ok("browser_downloads", args{"action": "list"}).has("report", "slow")
	a.fails("browser_downloads", args{"action": "stop"}).has("action")
}

// TestB58DownloadsOfAPersonsBrowser holds that downloads are told through the
// extension, also in the profile of a person.
func TestB58DownloadsOfAPersonsBrowser(t *testing.T) {
	_, a, s, an := atWork(t, `<a href=/report>Report</a>`)
	s.handle("/report", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="tabrelay-test-report.csv"`)
		_, _ = w.Write([]byte("a,b\n"))
	})
	a.ok("browser_click", args{"ref": an.ref("Report")})
	done := a.ok("browser_downloads", args{"action": "wait", "name": "tabrelay-test-report"}).has("complete", "4 B")
	path := savedAt.FindStringSubmatch(done.text)
	if path == nil {
		t.Fatalf("no path in %s", done.text)
	}
	t.Cleanup(func() { os.Remove(path[1]) })
	if got, err := os.ReadFile(path[1]); err != nil || string(got) != "a,b\n" {
		t.Fatalf("%q %v", got, err)
	}
}

// TestDownloadsAreTheirAgents holds that a download is listed once, to the agent
// in whose tab it began, and that no other one can delete it.
func TestDownloadsAreTheirAgents(t *testing.T) {
	t.Parallel()
	server := shared(t)
	one, two := &agent{t, server.connectTools(t, "facade")}, &agent{t, server.connectTools(t, "facade")}
	s := newSite(t, `<a id=get href=/f>get</a><a id=tab href=/f target=_blank>get</a>`)
	s.handle("/f", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Disposition", `attachment; filename="mine.csv"`)
		_, _ = w.Write([]byte("a,b\n"))
	})
	for _, a := range []*agent{one, two} {
		a.ok("browser_navigate", args{"action": "goto", "url": s.URL})
	}
	var paths []string
	for _, link := range []string{"#get", "#tab"} {
		one.ok("browser_interact", args{"action": "click", "selector": link})
		m := regexp.MustCompile(`"filepath":"([^"]+)"`).FindStringSubmatch(one.ok("browser_storage", args{"action": "wait_for_download"}).text)
		if m == nil {
			t.Fatal("no path")
		}
		t.Cleanup(func() { os.Remove(m[1]) })
		paths = append(paths, m[1])
	}
	one.ok("browser_storage", args{"action": "list_downloads"}).has(`"count":2`)
	two.ok("browser_storage", args{"action": "list_downloads"}).has(`"count":0`)
	two.ok("browser_storage", args{"action": "clear_downloads"}).has(`"cleared":0`)
	for _, path := range paths {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
	one.ok("browser_storage", args{"action": "clear_downloads"}).has(`"cleared":2`)
	one.ok("browser_storage", args{"action": "list_downloads"}).has(`"count":0`)

	// Who refuses downloads has none, and the other one has.
	one.ok("browser_storage", args{"action": "set_download_behavior", "behavior": "deny"}).has(`"behavior":"deny"`)
	one.ok("browser_interact", args{"action": "click", "selector": "#get"})
	one.fails("browser_storage", args{"action": "wait_for_download"}).has("interrupted")
	one.ok("browser_storage", args{"action": "list_downloads"}).lacks(`"path"`)
	two.ok("browser_interact", args{"action": "click", "selector": "#get"})
	m := regexp.MustCompile(`"filepath":"([^"]+)"`).FindStringSubmatch(two.ok("browser_storage", args{"action": "wait_for_download"}).text)
	if m == nil {
		t.Fatal("no path")
	}
	two.ok("browser_storage", args{"action": "clear_downloads"}).has(`"cleared":1`)
	if _, err := os.Stat(paths[0]); err == nil { // its place was free: a second file of the name is another
		t.Error("a download that was refused is there")
	}
}

func TestB56CancelledWaitForADownload(t *testing.T) {
	t.Parallel()
	a := newAgent(t)
	a.open(newSite(t, `<h1>still here</h1>`).URL)
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if an := a.callCtx(ctx, "browser_downloads", args{"action": "wait", "name": "none"}); !an.failed {
		t.Fatal(an.text)
	}
	a.ok("browser_snapshot", nil).has("still here").within(2 * time.Second)
}

func TestB59PDF(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a := own(t, "--output", root).agent(t)
	a.open(newSite(t, `<h1>one</h1><h1 style="break-before:page">two</h1>`).URL)
	a.ok("browser_pdf", args{"file": "page.pdf", "format": "Letter", "landscape": true}).has(filepath.Join(root, "page.pdf"), "2 pages", "B)")
	data, err := os.ReadFile(filepath.Join(root, "page.pdf"))
	if err != nil || !bytes.HasPrefix(data, []byte("%PDF-")) || !bytes.Contains(data, []byte("792 612")) {
		t.Fatalf("%v, %d bytes", err, len(data))
	}
	a.ok("browser_pdf", nil).has(root, "page-", ".pdf")
	a.fails("browser_pdf", args{"format": "A9"}).has("format")
}

func TestB59PDFTellsProgress(t *testing.T) {
	t.Parallel()
	var told atomic.Int32
	server := own(t)
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e", Version: "1"}, &mcp.ClientOptions{
		ProgressNotificationHandler: func(context.Context, *mcp.ProgressNotificationClientRequest) { told.Add(1) },
	})
	session, err := client.Connect(t.Context(), &mcp.StreamableClientTransport{
		Endpoint: server.url + "?agent=progress", HTTPClient: &http.Client{Transport: bearer{}}, DisableStandaloneSSE: true,
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = session.Close() })
	a := &agent{t, session}
	a.ok("browser_connect", nil)
	a.open(newSite(t, strings.Repeat("<p>long page", 2000)).URL)
	params := &mcp.CallToolParams{Name: "browser_pdf", Arguments: args{}}
	params.SetProgressToken("one")
	if res, err := session.CallTool(t.Context(), params); err != nil || res.IsError {
		t.Fatal(res, err)
	}
	if told.Load() == 0 {
		t.Fatal("nobody was told how far it is")
	}
}

func TestB60FilesOutsideTheRoots(t *testing.T) {
	t.Parallel()
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "link")); err != nil {
		t.Skip(err)
	}
	a := own(t, "--output", root).agent(t)
	a.open(newSite(t, `<h1>x</h1>`).URL)
	id := a.ok("browser_network", nil).request(" document ")
	for _, file := range []string{filepath.Join(outside, "x"), "../x", "link/x", "/etc/x"} {
		a.fails("browser_pdf", args{"file": file}).has("outside", "hint:")
		a.fails("browser_network", args{"har": file}).has("outside", "hint:")
		a.fails("browser_request", args{"id": id, "file": file}).has("outside", "hint:")
	}
	if list, _ := os.ReadDir(outside); len(list) != 0 {
		t.Fatal(list)
	}
}
