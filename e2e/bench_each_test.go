package e2e

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// benchRounds is how often each step is measured; the median is told.
const benchRounds = 25

// bare is a page of a Chromium that is spoken to directly, without Tabrelay.
type bare struct {
	*client
	session string
}

// newBare starts a Chromium with a debugging port, and attaches to a page.
func newBare(b *testing.B) *bare {
	b.Helper()
	cmd := exec.Command(browser(b), "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
		"--disable-background-networking", "--disable-component-update", "--disable-sync", "--window-size=1280,800",
		"--remote-debugging-port=0", "--user-data-dir="+b.TempDir(), "about:blank")
	stderr, err := cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	lines := bufio.NewScanner(stderr)
	address := ""
	for address == "" && lines.Scan() {
		if _, after, ok := strings.Cut(lines.Text(), "DevTools listening on "); ok {
			address = after
		}
	}
	go io.Copy(io.Discard, stderr) // ends with the browser
	socket, _, err := websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { socket.Close() })
	c := &client{t: b, socket: socket}
	p := &bare{c, c.attach("about:blank")}
	for _, domain := range []string{"Page", "Runtime", "Network"} {
		p.do(domain+".enable", nil)
	}
	return p
}

func (p *bare) do(method string, params any) { p.call(p.session, method, params, nil) }

func (p *bare) evaluate(expression string) (value json.RawMessage) {
	var res struct {
		Result struct{ Value json.RawMessage }
	}
	p.call(p.session, "Runtime.evaluate", map[string]any{"expression": expression, "returnByValue": true}, &res)
	return res.Result.Value
}

func (p *bare) navigate(url string) {
	p.send(p.session, "Page.navigate", map[string]any{"url": url})
	p.until(func(m message) bool { return m.Method == "Page.domContentEventFired" })
}

// click presses on the first button, as a script without a library would.
func (p *bare) click() {
	var at struct{ X, Y float64 }
	_ = json.Unmarshal(p.evaluate(`(() => { const r = document.querySelector("button").getBoundingClientRect(); return {x: r.x + r.width / 2, y: r.y + r.height / 2} })()`), &at)
	for _, kind := range []string{"mouseMoved", "mousePressed", "mouseReleased"} {
		p.do("Input.dispatchMouseEvent", map[string]any{"type": kind, "x": at.X, "y": at.Y, "button": "left", "clickCount": 1})
	}
}

// warmRounds are not counted: a daemon runs for days.
const warmRounds = 10

// median runs a step and returns its median time.
func median(step func()) time.Duration {
	for range warmRounds {
		step()
	}
	times := make([]time.Duration, benchRounds)
	for i := range times {
		begin := time.Now()
		step()
		times[i] = time.Since(begin)
	}
	slices.Sort(times)
	return times[len(times)/2]
}

// BenchmarkTable prints the table of docs/benchmarks.md.
func BenchmarkTable(b *testing.B) {
	path := browser(b)
	s := newSite(b, `<title>Small</title><h1>Small page</h1><p>Some text.</p><button onclick="n.textContent = +n.textContent + 1">Count</button><p id=n>0</p><input aria-label="Name"><select aria-label="Letter"><option>a<option>b</select><a href="/rows1000">rows</a>`)
	s.page("/rows1000", table(1000)).page("/rows5000", table(5000)).page("/front", "<h1>in front</h1>")
	s.page("/order", `<title>Order</title><input type=file><button onclick="alert('Ordered')">Order</button>`)
	root := b.TempDir()
	if err := os.WriteFile(filepath.Join(root, "small.txt"), []byte("small"), 0o600); err != nil {
		b.Fatal(err)
	}
	session, cmd := stdio(b, "--root", root)
	a := &agent{b, session}
	a.ok("browser_connect", nil)
	direct := newBare(b)

	type row struct {
		name         string
		ours, theirs time.Duration
		budget       string
	}
	var rows []row
	add := func(name, budget string, ours, theirs func()) {
		r := row{name: name, ours: median(ours), budget: budget}
		if theirs != nil {
			r.theirs = median(theirs)
		}
		rows = append(rows, r)
	}
	page := a.ok("browser_tab_open", args{"url": s.URL, "front": true}).page("t")
	direct.navigate(s.URL)
	click := func() { a.ok("browser_click", args{"selector": "button"}) }
	add("click, settle and changes, foreground", "40, then 25 ms", click, direct.click)
	add("evaluate", "5 ms", func() { a.ok("browser_evaluate", args{"script": "1+1"}) }, func() { direct.evaluate("1+1") })
	add("navigate, small page", "1.3 ×", func() { a.ok("browser_navigate", args{"url": s.URL, "snapshot": "none"}) }, func() { direct.navigate(s.URL) })
	add("navigate, small page, with snapshot", "", func() { a.ok("browser_navigate", args{"url": s.URL}) },
		func() { direct.navigate(s.URL); direct.evaluate("document.body.innerText") })
	add("snapshot, small page", "5 ms", func() { a.ok("browser_snapshot", nil) }, func() { direct.evaluate("document.body.innerText") })
	add("screenshot", "", func() { a.ok("browser_screenshot", nil) }, func() { direct.do("Page.captureScreenshot", nil) })
	a.ok("browser_navigate", args{"url": s.URL + "/rows1000"})
	direct.navigate(s.URL + "/rows1000")
	add("snapshot, 1,000 rows", "60 ms", func() { a.ok("browser_snapshot", nil) }, func() { direct.evaluate("document.body.innerText") })
	a.ok("browser_navigate", args{"url": s.URL + "/rows5000"})
	direct.navigate(s.URL + "/rows5000")
	add("snapshot, 5,000 rows", "150 ms", func() { a.ok("browser_snapshot", nil) }, func() { direct.evaluate("document.body.innerText") })
	a.ok("browser_navigate", args{"url": s.URL})
	for _, c := range []struct {
		tool string
		with args
	}{
		{"browser_type", args{"selector": "input", "text": "Ada", "clear": true}}, {"browser_press", args{"keys": "Tab"}},
		{"browser_hover", args{"selector": "button"}}, {"browser_select", args{"selector": "select", "values": []string{"b"}}},
		{"browser_fill_form", args{"fields": []args{{"selector": "input", "value": "Bob"}, {"selector": "select", "value": "a"}}}},
		{"browser_batch", args{"steps": []args{
			{"tool": "browser_fill_form", "arguments": args{"fields": []args{{"selector": "input", "value": "Eve"}}}},
			{"tool": "browser_click", "arguments": args{"selector": "button"}}, {"tool": "browser_press", "arguments": args{"keys": "Tab"}}}}},
		{"browser_mouse", args{"action": "click", "x": 5, "y": 5}}, {"browser_scroll", args{"direction": "down"}},
		{"browser_drag", args{"selector": "button", "toSelector": "h1"}}, {"browser_drop", args{"selector": "input", "text": "dropped"}},
		{"browser_find", args{"text": "text"}}, {"browser_content", nil}, {"browser_console", nil}, {"browser_wait", args{"text": "Small"}},
		{"browser_network", nil}, {"browser_cookies", args{"action": "get"}}, {"browser_storage", args{"action": "get"}},
		{"browser_route", args{"action": "list"}}, {"browser_downloads", nil}, {"browser_set_headers", args{"headers": args{"X-Bench": "1"}}},
		{"browser_set_device", args{"width": 1280, "height": 800}}, {"browser_set_device", args{}}, {"browser_set_offline", args{"offline": false}},
		{"browser_set_geolocation", args{"latitude": 48.1, "longitude": 11.6}}, {"browser_set_timezone", args{"timezone": "Asia/Tokyo"}},
		{"browser_set_locale", args{"locale": "de-DE"}}, {"browser_tab_list", nil}, {"browser_tab_focus", args{"pageId": page}}, {"browser_pdf", nil},
		{"browser_reload", args{"snapshot": "none"}}, {"browser_request", args{"id": "ID"}},
	} {
		if c.with["id"] == "ID" {
			c.with["id"] = firstWord(a.ok("browser_network", nil).text)
		}
		add(c.tool, "", func() { a.ok(c.tool, c.with) }, nil)
	}
	add("browser_trace, start and stop", "", func() {
		a.ok("browser_trace", args{"action": "start"})
		a.ok("browser_trace", args{"action": "stop"})
	}, nil)
	a.ok("browser_navigate", args{"url": s.URL + "/order"})
	add("browser_upload", "", func() { a.ok("browser_upload", args{"selector": "input", "files": []string{"small.txt"}}) }, nil)
	add("browser_dialog, with the click that opens it", "", func() {
		a.ok("browser_click", args{"selector": "button"})
		a.ok("browser_dialog", args{"action": "accept"})
	}, nil)
	add("browser_back and browser_forward", "", func() {
		a.ok("browser_back", args{"snapshot": "none"})
		a.ok("browser_forward", args{"snapshot": "none"})
	}, nil)
	add("browser_tab_open and browser_tab_close", "", func() {
		a.ok("browser_tab_open", args{"url": s.URL, "snapshot": "none"})
		a.ok("browser_tab_close", nil)
	}, nil)
	a.ok("browser_tab_focus", args{"pageId": page})
	add("browser_disconnect and browser_connect", "", func() {
		a.ok("browser_disconnect", nil)
		a.ok("browser_connect", nil)
	}, nil)
	a.ok("browser_tab_focus", args{"pageId": page})
	a.ok("browser_navigate", args{"url": s.URL})
	a.ok("browser_tab_open", args{"url": s.URL + "/front", "front": true})
	a.ok("browser_tab_focus", args{"pageId": page})
	add("click, settle and changes, background", "40, then 25 ms", click, nil)
	memory := resident(b, cmd.Process.Pid)
	add("tools/list", "", func() { _, _ = session.ListTools(b.Context(), nil) }, nil)
	spawn := median(func() { spawned(b, path) })

	list, err := session.ListTools(b.Context(), nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, tool := range list.Tools {
		short := strings.TrimPrefix(tool.Name, "browser_")
		if !slices.ContainsFunc(rows, func(r row) bool { return strings.Contains(r.name, short) }) {
			b.Errorf("%s has no row", tool.Name)
		}
	}
	size, _ := json.Marshal(list.Tools)
	var out strings.Builder
	fmt.Fprintf(&out, "\n| what | Tabrelay | bare CDP | ratio | budget |\n|---|---|---|---|---|\n")
	for _, r := range rows {
		theirs, ratio := "–", "–"
		if r.theirs > 0 {
			theirs, ratio = ms(r.theirs), fmt.Sprintf("%.1f", float64(r.ours)/float64(r.theirs))
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", r.name, ms(r.ours), theirs, ratio, r.budget)
	}
	fmt.Fprintf(&out, "| spawn to initialize reply | %s | – | – | 80 ms |\n", ms(spawn))
	fmt.Fprintf(&out, "| tools/list | %d tools, %.1f KB | – | – | 18 KB |\n", len(list.Tools), float64(len(size))/1000)
	fmt.Fprintf(&out, "| memory of the process | %.0f MB | – | – | 40 MB |\n", memory)
	fmt.Println(out.String())
}

func ms(d time.Duration) string { return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000) }

var rss = regexp.MustCompile(`VmRSS:\s+(\d+) kB`)

// resident returns the memory that a process holds, in MB; 0 where the system
// does not tell.
func resident(b *testing.B, pid int) float64 {
	buf, err := os.ReadFile(filepath.Join("/proc", fmt.Sprint(pid), "status"))
	m := rss.FindSubmatch(buf)
	if err != nil || m == nil {
		return 0
	}
	var kb float64
	_, _ = fmt.Sscan(string(m[1]), &kb)
	return kb / 1000
}

// spawned starts the binary, and ends it when it has answered initialize.
func spawned(b *testing.B, path string) {
	cmd := exec.Command(binary, flags(path)...)
	cmd.Env = environ(b.TempDir())
	in, _ := cmd.StdinPipe()
	out, _ := cmd.StdoutPipe()
	if err := cmd.Start(); err != nil {
		b.Fatal(err)
	}
	fmt.Fprintln(in, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`)
	if _, err := bufio.NewReader(out).ReadString('\n'); err != nil {
		b.Fatal(err)
	}
	go func() { _ = in.Close(); _ = cmd.Wait() }() // ends when its input does
}
