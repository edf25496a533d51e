package e2e

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write golden files anew")

// examplesFile is what the manual shows of each tool.
const examplesFile = "../tools/testdata/examples.txt"

// example is a call of the story that the manual's examples are taken from.
type example struct {
	tool   string
	with   string // the arguments, as JSON; REF:text stands for the ref of the first element with that text
	silent bool   // it only leads to the next one, and is not shown
}

const teaPage = `<!doctype html><title>Tea shop</title><h1>Tea</h1>
<label>Search <input id=q></label>
<label>Sort by <select id=sort><option>name<option>price</select></label>
<ul aria-label=Teas><li>Assam <button onclick="n.textContent=+n.textContent+1">Add</button></li><li>Sencha</li></ul>
<p>In the basket: <output id=n>0</output></p>
<button id=empty onclick="confirm('Empty the basket?')&&(n.textContent=0)" onmouseover="this.title='All of it'">Empty</button>
<a href=/order>Order</a> <a href=/prices>Prices</a>
<script>console.warn('the shop closes at six'); fetch('/stock'); document.cookie = 'shop=tea'; localStorage.seen = 'assam'</script>`

const orderPage = `<!doctype html><title>Order</title><h1>Order</h1>
<label style="position:absolute;left:20px;top:80px">Name <input id=name></label> <label>Gift <input type=checkbox id=gift></label> <label>Day <input type=date id=day></label>
<label>List <input type=file id=list></label>
<div id=note role=group aria-label=Note style="width:200px;height:60px" ondragover="event.preventDefault()" ondrop="event.preventDefault();this.textContent=event.dataTransfer.getData('text')">Drop text here</div>
<style>li { height: 30px; width: 100px; list-style: none }</style>
<ul aria-label=Wishes id=wishes><li draggable=true id=first>Cup</li><li id=last ondragover="event.preventDefault()" ondrop="wishes.append(first)">Pot</li></ul>
<p style="margin-top:1500px">Thank you</p>`

// story uses each tool once, in an order in which each finds what it needs.
var story = []example{
	{tool: "browser_connect", with: `{"browser":"chromium"}`},
	{tool: "browser_tab_open", with: `{"url":"SITE"}`},
	{tool: "browser_click", with: `{"ref":"REF:Add"}`},
	{tool: "browser_type", with: `{"selector":"#q","text":"green"}`},
	{tool: "browser_press", with: `{"keys":"Control+A Delete"}`},
	{tool: "browser_select", with: `{"selector":"#sort","values":["price"]}`},
	{tool: "browser_hover", with: `{"selector":"text=Empty"}`},
	{tool: "browser_click", with: `{"selector":"text=Empty"}`, silent: true},
	{tool: "browser_dialog", with: `{"action":"accept"}`},
	{tool: "browser_snapshot", with: `{"interactive":true}`},
	{tool: "browser_find", with: `{"text":"assam","context":1}`},
	{tool: "browser_content", with: `{"selector":"ul"}`},
	{tool: "browser_evaluate", with: `{"script":"(list) => list.children.length","selector":"ul"}`},
	{tool: "browser_screenshot", with: `{"selector":"h1","file":"tea.png"}`},
	{tool: "browser_pdf", with: `{"file":"tea.pdf"}`},
	{tool: "browser_console", with: `{"level":"warning"}`},
	{tool: "browser_network", with: `{"filter":"stock"}`},
	{tool: "browser_request", with: `{"id":"REQUEST","part":"response"}`},
	{tool: "browser_cookies", with: `{"action":"get"}`},
	{tool: "browser_storage", with: `{"action":"get"}`},
	{tool: "browser_navigate", with: `{"url":"SITE/order"}`},
	{tool: "browser_fill_form", with: `{"fields":[{"selector":"#name","value":"Ada"},{"selector":"#gift","value":"true"},{"selector":"#day","value":"2026-12-24"}]}`},
	{tool: "browser_upload", with: `{"selector":"#list","files":["list.txt"]}`},
	{tool: "browser_drop", with: `{"selector":"#note","text":"for my aunt"}`},
	{tool: "browser_drag", with: `{"selector":"#first","toSelector":"#last"}`},
	{tool: "browser_mouse", with: `{"action":"click","x":80,"y":90}`},
	{tool: "browser_scroll", with: `{"to":"bottom"}`},
	{tool: "browser_wait", with: `{"text":"Thank you"}`},
	{tool: "browser_trace", with: `{"action":"start"}`},
	{tool: "browser_trace", with: `{"action":"stop"}`, silent: true},
	{tool: "browser_route", with: `{"action":"add","pattern":"/stock","body":"sold out"}`},
	{tool: "browser_set_headers", with: `{"headers":{"X-Shop":"tea"}}`},
	{tool: "browser_set_geolocation", with: `{"latitude":48.1,"longitude":11.6}`},
	{tool: "browser_set_timezone", with: `{"timezone":"Asia/Tokyo"}`},
	{tool: "browser_set_locale", with: `{"locale":"de-DE"}`},
	{tool: "browser_set_device", with: `{"width":800,"height":600,"colorScheme":"dark"}`},
	{tool: "browser_batch", with: `{"steps":[{"tool":"browser_type","arguments":{"find":{"role":"textbox","name":"Name"},"text":"Eve","clear":true}},{"tool":"browser_click","arguments":{"find":{"role":"checkbox","name":"Gift"}}}]}`},
	{tool: "browser_back", with: `{"snapshot":"none"}`},
	{tool: "browser_forward", with: `{"snapshot":"none"}`},
	{tool: "browser_reload", with: `{"snapshot":"none"}`},
	{tool: "browser_set_offline", with: `{"offline":true}`},
	{tool: "browser_set_offline", with: `{"offline":false}`, silent: true},
	{tool: "browser_navigate", with: `{"url":"SITE"}`, silent: true},
	{tool: "browser_click", with: `{"selector":"text=Prices"}`, silent: true},
	{tool: "browser_downloads", with: `{"action":"wait","name":"prices"}`},
	{tool: "browser_tab_open", with: `{"url":"SITE/order"}`, silent: true},
	{tool: "browser_tab_list", with: ``},
	{tool: "browser_tab_focus", with: `{"pageId":"t1"}`},
	{tool: "browser_tab_close", with: `{"pageId":"t2"}`},
	{tool: "browser_disconnect", with: ``},
}

// TestExamples keeps the manual's examples what a browser really answers.
func TestExamples(t *testing.T) {
	t.Parallel()
	root, state := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(root, "list.txt"), []byte("cups\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	server, err := startServer(browser(t), state, "--root", root, "--output", root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(server.stop)
	a := &agent{t, server.connect(t)}
	s := newSite(t, teaPage).page("/order", orderPage)
	for path, body := range map[string]string{"/stock": `{"assam":7}`, "/prices": "assam,4\n"} {
		s.handle(path, func(w http.ResponseWriter, _ *http.Request) {
			if path == "/prices" {
				w.Header().Set("Content-Disposition", `attachment; filename="prices.csv"`)
			}
			_, _ = io.WriteString(w, body)
		})
	}
	steady := steadied(s.URL, root)
	var out strings.Builder
	var page, requests string
	for _, e := range story {
		with := args{}
		filled := strings.NewReplacer("SITE", s.URL, "REQUEST", firstWord(requests)).Replace(e.with)
		if _, text, ok := strings.Cut(filled, "REF:"); ok {
			text, _, _ = strings.Cut(text, `"`)
			filled = strings.Replace(filled, "REF:"+text, answer{t: t, call: e.tool, text: page}.ref(text), 1)
		}
		if filled != "" {
			if err := json.Unmarshal([]byte(filled), &with); err != nil {
				t.Fatalf("%s %s: %v", e.tool, filled, err)
			}
		}
		an := a.ok(e.tool, with)
		switch e.tool {
		case "browser_tab_open":
			page = an.text
		case "browser_network":
			requests = an.text
		}
		if !e.silent {
			fmt.Fprintf(&out, "== %s\n%s\n", strings.TrimSpace(e.tool+" "+steady(filled)), strings.TrimSpace(steady(an.text)))
		}
		if m := savedAt.FindStringSubmatch(an.text); m != nil {
			os.Remove(m[1])
		}
	}
	if *update {
		if err := os.WriteFile(examplesFile, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(examplesFile)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), out.String()); diff != "" {
		t.Errorf("%s is out of date (go test ./e2e -run TestExamples -update, then go test ./tools -update): %s", examplesFile, diff)
	}
}

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// steadied replaces what differs from run to run, and from machine to machine.
func steadied(site, root string) func(string) string {
	host := strings.TrimPrefix(site, "http://")
	fixed := strings.NewReplacer(site+"/", "http://tea.test/", site, "http://tea.test", host, "tea.test", root, "/files")
	changing := []struct {
		pattern *regexp.Regexp
		with    string
	}{
		{regexp.MustCompile(`Chromium [\d.]+`), "Chromium"},
		{regexp.MustCompile(`<<\d{9}\b`), "<<123456789"},
		{regexp.MustCompile(`\b\d{9}>>`), "123456789>>"},
		{regexp.MustCompile(`→ \S+/`), "→ /downloads/"},
		{regexp.MustCompile(`\b[\d.]+ ms\b`), "5 ms"},
		{regexp.MustCompile(`after [\d.]+(µs|ms|s)\b`), "after 5ms"},
		{regexp.MustCompile(`\b[\d.]+ kB\b`), "12 kB"},
		{regexp.MustCompile(`\(\d+×\d+\)`), "(600×40)"},
		{regexp.MustCompile(`[\d.]+ pages? above`), "2 pages above"},
	}
	return func(s string) string {
		s = fixed.Replace(s)
		for _, c := range changing {
			s = c.pattern.ReplaceAllString(s, c.with)
		}
		return s
	}
}
