package adapter_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/extension"
)

var updateOracle = flag.Bool("update-oracle", false, "write the golden snapshots of testdata/oracle/snapshot")

// oracleShot is a snapshot's answer, as far as tests read it.
type oracleShot struct {
	Lines string `json:"lines"`
	Next  int    `json:"next"`
	Total int    `json:"total"`
	Shown int    `json:"shown"`
	More  string `json:"more"`
	Hosts int    `json:"hosts"`

	Text string // as it is read
}

// objection returns what the page script objects to in a script.
func (b *oracleBrowser) objection(t *testing.T, world int64, script string) (text string) {
	t.Helper()
	b.eval(t, world, `(() => { try { `+script+` } catch (problem) { return problem } })()`, &text)
	return text
}

// snapshot takes a snapshot by a script.
func (b *oracleBrowser) snapshot(t *testing.T, world int64, script string) (shot oracleShot) {
	t.Helper()
	b.eval(t, world, script, &shot)
	list, err := lines.Decode(shot.Lines)
	if err != nil {
		t.Fatal(err)
	}
	shot.Text = lines.Writer{}.Text(list)
	return shot
}

// TestOracleSnapshotPages holds the text of a page beside the page: name.html, name.txt.
func TestOracleSnapshotPages(t *testing.T) {
	browser := newOracleBrowser(t)
	server := httptest.NewServer(http.FileServer(http.Dir("testdata/oracle/snapshot")))
	defer server.Close()
	pages, err := filepath.Glob("testdata/oracle/snapshot/*.html")
	if err != nil || len(pages) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	for _, page := range pages {
		t.Run(strings.TrimSuffix(filepath.Base(page), ".html"), func(t *testing.T) {
			world := browser.open(t, server.URL+"/"+filepath.Base(page))
			var got strings.Builder
			for _, options := range []string{"", "interactive: true"} {
				shot := browser.snapshot(t, world, "tabrelay.snapshot({next: 1, "+options+"})")
				if options != "" {
					got.WriteString("\n" + options + "\n")
				}
				got.WriteString(shot.Text + "\n")
				if shot.More != "" {
					got.WriteString(shot.More + "\n")
				}
			}
			golden := strings.TrimSuffix(page, ".html") + ".txt"
			if *updateOracle {
				if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			want, err := os.ReadFile(golden)
			if err != nil {
				t.Fatalf("%v: run with -update-oracle", err)
			}
			if got.String() != string(want) {
				t.Errorf("snapshot:\n%s\nwant:\n%s", got.String(), want)
			}
		})
	}
}

// TestOracleSnapshotCost reports what a snapshot costs, and holds bounds far above it.
func TestOracleSnapshotCost(t *testing.T) {
	browser := newOracleBrowser(t)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		if r.URL.Path == "/small" {
			io.WriteString(w, `<!doctype html><title>Small</title><h1>Small</h1><nav><a href="#1">One</a> <a href="#2">Two</a></nav>
				<p>Some text</p><form><label>Name <input></label><button>Send</button></form><ul><li>a</li><li>b</li><li>c</li></ul>`)
			return
		}
		rows, _ := strconv.Atoi(strings.TrimPrefix(r.URL.Path, "/"))
		io.WriteString(w, `<!doctype html><title>Rows</title><table><thead><tr><th>A<th>B<th>C<th>D<th>E</tr></thead><tbody>`)
		for row := range rows {
			io.WriteString(w, "<tr>")
			for cell := range 5 {
				fmt.Fprintf(w, `<td><a href="/item/%d/%d">Item %d.%d</a> <button>Edit %d</button></td>`, row, cell, row, cell, row)
			}
			io.WriteString(w, "</tr>")
		}
		io.WriteString(w, `</tbody></table>`)
	}))
	defer server.Close()
	for _, page := range []struct {
		path, options string
		bound         time.Duration
	}{
		{"/small", "", 50 * time.Millisecond},
		{"/1000", "", 500 * time.Millisecond},
		{"/5000", "", time.Second},
	} {
		world := browser.open(t, server.URL+page.path)
		script := "tabrelay.snapshot({next: 1, " + page.options + "})"
		var shot oracleShot
		var times []time.Duration
		for range 21 {
			start := time.Now()
			browser.eval(t, world, script, &shot)
			times = append(times, time.Since(start))
		}
		slices.Sort(times)
		shot = browser.snapshot(t, world, script)
		wire, err := json.Marshal(shot.Lines)
		if err != nil {
			t.Fatal(err)
		}
		median := times[len(times)/2]
		var inner float64
		browser.eval(t, world, "(() => { const from = performance.now(); for (let i = 0; i < 5; i++) "+script+"; return (performance.now() - from) / 5 })()", &inner)
		t.Logf("%-6s %-16s %7.1f ms over CDP, %7.2f ms in the page, first %7.1f ms, %8d bytes, %d on the wire, total %d %s", page.path, page.options,
			float64(median.Microseconds())/1000, inner, float64(times[len(times)-1].Microseconds())/1000, len(shot.Text), len(wire), shot.Total, shot.More)
		if len(wire)*100 > len(shot.Text)*115 {
			t.Errorf("%s has %d bytes on the wire for %d of text", page.path, len(wire), len(shot.Text))
		}
		if median > 10*page.bound { // a machine that is busy with other tests is slow
			t.Errorf("%s takes %v; the bound is %v", page.path, median, page.bound)
		}
	}
}

// openText opens a page given as text.
func openText(t *testing.T, browser *oracleBrowser, page string) int64 {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		io.WriteString(w, "<!doctype html><title>Page</title>"+page)
	}))
	t.Cleanup(server.Close)
	return browser.open(t, server.URL)
}

// shoot takes a snapshot.
func shoot(t *testing.T, browser *oracleBrowser, world int64, options string) oracleShot {
	t.Helper()
	return browser.snapshot(t, world, "tabrelay.snapshot({"+options+"})")
}

func wantText(t *testing.T, got oracleShot, want string) {
	t.Helper()
	if got.Text != want {
		t.Errorf("got:\n%s\nwant:\n%s", got.Text, want)
	}
}

func TestOracleSnapshotParts(t *testing.T) {
	browser := newOracleBrowser(t)

	t.Run("B17 depth, scope, unknown ref", func(t *testing.T) {
		world := openText(t, browser, `<main><ul><li>a <button>A</button></li><li>b</li></ul></main><p>out</p>`)
		wantText(t, shoot(t, browser, world, "next: 12"), "- main [e12]:\n  - list [e13]:\n    - listitem: a | button \"A\" [e14]\n    - listitem: b\n- paragraph: out")
		wantText(t, shoot(t, browser, world, "depth: 2"), "- main [e12]:\n  - list [e13]: … (4 inside)\n- paragraph: out")
		wantText(t, shoot(t, browser, world, `scope: "e13", interactive: true`), "- listitem \"a A\": button \"A\" [e14]")
		if got := browser.objection(t, world, `tabrelay.snapshot({scope: "e99"})`); got != `{"code":"gone","who":"e99"}` {
			t.Errorf("an unknown ref: %s", got)
		}
	})

	t.Run("B15 closed shadow root", func(t *testing.T) {
		world := openText(t, browser, `<x-host>light</x-host><script>
			document.querySelector('x-host').attachShadow({mode: 'closed'}).innerHTML = '<button>Inside</button><slot></slot>'</script>`)
		if got := shoot(t, browser, world, ""); got.Hosts != 1 || strings.Contains(got.Text, "Inside") {
			t.Fatalf("before: %+v", got)
		}
		adoptClosed(t, browser, world)
		got := shoot(t, browser, world, "")
		wantText(t, got, "- button \"Inside\" [e1]\n- text: light")
		if got.Hosts != 0 {
			t.Errorf("%d hosts are still open questions", got.Hosts)
		}
	})

	t.Run("B13 frames", func(t *testing.T) {
		world := openText(t, browser, `<p>Before</p><main><iframe title="A" srcdoc="a"></iframe><iframe srcdoc="b" style="display:none"></iframe><iframe srcdoc="c" style="visibility:hidden"></iframe></main><iframe srcdoc="d"></iframe>`)
		got := shoot(t, browser, world, "")
		wantText(t, got, "- paragraph: Before\n- main [e1]:\n  - iframe \"A\" [e2]\n- iframe [e3]")
	})

	t.Run("B18 boxes", func(t *testing.T) {
		world := openText(t, browser, `<style>body{margin:0}button{position:absolute;left:10px;top:20px;width:30.5px;height:40px}</style><button>B</button>`)
		wantText(t, shoot(t, browser, world, "boxes: true"), `- button "B" [e1] [box=10,20,30.5,40]`)
		wantText(t, shoot(t, browser, world, "boxes: {x: 100, y: 5, scale: 2}"), `- button "B" [e1] [box=120,45,61,80]`)
	})

	t.Run("B19 B20 refs live as long as their elements", func(t *testing.T) {
		world := openText(t, browser, `<button id="a">One</button>`)
		shoot(t, browser, world, "next: 5")
		browser.eval(t, 0, `a.textContent = 'Two'; a.insertAdjacentHTML('beforebegin', '<button>New</button>')`, nil)
		wantText(t, shoot(t, browser, world, "next: 3"), "- button \"New\" [e6]\n- button \"Two\" [e5]")
		var twin struct {
			Count int
			Same  bool
		}
		browser.eval(t, 0, `a.outerHTML = '<button id="a">Two</button>'`, nil)
		browser.eval(t, world, `(() => { const gone = tabrelay.element('e5') === null; const twin = tabrelay.twin('e5'); return {count: twin.count, same: gone && twin.element.id === 'a' && tabrelay.element('e5') === twin.element} })()`, &twin)
		if twin.Count != 1 || !twin.Same {
			t.Errorf("twin: %+v", twin)
		}
		browser.eval(t, 0, `a.outerHTML = '<button>Two</button><button>Two</button>'`, nil)
		browser.eval(t, world, `(() => { const twin = tabrelay.twin('e5'); return {count: twin.count, same: twin.element !== null} })()`, &twin)
		if twin.Count != 2 || twin.Same {
			t.Errorf("two twins: %+v", twin)
		}
		browser.eval(t, world, extension.PageScript(), nil) // a second evaluation changes nothing
		if got := shoot(t, browser, world, "prefix: 'f2'"); !strings.Contains(got.Text, "[f2e6]") {
			t.Errorf("after a second evaluation:\n%s", got.Text)
		}
	})

	t.Run("B24 bounded, and goes on", func(t *testing.T) {
		world := openText(t, browser, `<ul></ul><script>for (let i = 0; i < 300; i++) document.querySelector('ul').insertAdjacentHTML('beforeend', '<li>Item ' + i + '</li>')</script>`)
		whole := shoot(t, browser, world, "")
		if whole.Total != len(whole.Text)+1 || whole.More != "" {
			t.Errorf("whole: total %d, %d bytes, more %q", whole.Total, len(whole.Text), whole.More)
		}
		var text []string
		for offset := 0; ; {
			part := shoot(t, browser, world, fmt.Sprintf("offset: %d, limit: 1000", offset))
			if len(part.Text) > 1000 {
				t.Fatalf("%d characters", len(part.Text))
			}
			text = append(text, part.Text)
			if part.More == "" {
				break
			}
			_, after, ok := strings.Cut(part.More, "offset=")
			if !ok || !strings.Contains(part.More, "more items not shown: scope with ref=e1") {
				t.Fatalf("more: %q", part.More)
			}
			next, err := strconv.Atoi(after)
			if err != nil || next <= offset {
				t.Fatalf("more: %q", part.More)
			}
			offset = next
		}
		if joined := strings.Join(text, "\n"); joined != whole.Text {
			t.Errorf("the parts are not the whole: %d and %d bytes", len(joined), len(whole.Text))
		}
	})

	t.Run("B26 search", func(t *testing.T) {
		world := openText(t, browser, `<main><ul><li>Apple</li><li>Pear <button>Buy</button></li><li>Plum</li></ul></main>`)
		var found struct {
			Lines, Error string
			Count        int
		}
		browser.eval(t, world, `tabrelay.search({text: 'buy', context: 0})`, &found)
		list, err := lines.Decode(found.Lines)
		if err != nil {
			t.Fatal(err)
		}
		text := lines.Writer{}.Text(list)
		if want := "- main [e1]:\n  - list [e2]:\n    …\n    - listitem:\n      - text: Pear\n      - button \"Buy\" [e3]"; found.Count != 1 || text != want {
			t.Errorf("got %d:\n%s\nwant:\n%s", found.Count, text, want)
		}
		browser.eval(t, world, `tabrelay.search({regex: '^listitem', flags: 'i'})`, &found)
		if found.Count != 3 {
			t.Errorf("%d items", found.Count)
		}
		if got := browser.objection(t, world, `tabrelay.search({regex: '('})`); !strings.Contains(got, `"code":"search-regex"`) {
			t.Errorf("a broken expression: %s", got)
		}
	})

	t.Run("B82 search of what ARIA hides", func(t *testing.T) {
		world := openText(t, browser, `<div aria-hidden="true"><div>const a</div><div>print b</div></div>`)
		var found struct {
			Lines string
			Count int
		}
		browser.eval(t, world, `tabrelay.search({text: 'print b', context: 0})`, &found)
		if found.Count != 1 || !strings.Contains(found.Lines, "aria-hidden") || !strings.Contains(found.Lines, "print b") {
			t.Errorf("got %d: %q", found.Count, found.Lines)
		}
		if browser.eval(t, world, `tabrelay.search({text: 'text'})`, &found); found.Count != 0 {
			t.Error("the word of its role is found")
		}
	})

	t.Run("B71 listeners", func(t *testing.T) {
		world := openText(t, browser, `<div id="app"><div id="x">Act</div><span id="y" class="icon-gear" style="display:inline-block;width:9px;height:9px"></span><button>1</button><button>2</button><button>3</button></div>`)
		browser.eval(t, world, `tabrelay.listens(document, document.body, app, x, y)`, nil)
		wantText(t, shoot(t, browser, world, ""), "- clickable \"Act\" [e1]\n- clickable \"icon gear\" [e2]\n- button \"1\" [e3]\n- button \"2\" [e4]\n- button \"3\" [e5]")
		var said string
		browser.eval(t, world, `tabrelay.describe(x)`, &said)
		if said != `clickable "Act" [e1]` {
			t.Errorf("describe: %s", said)
		}
	})

	t.Run("names that shadow the document's own", func(t *testing.T) {
		world := openText(t, browser, `<p>Fine <i onclick="1">click</i></p>`)
		browser.eval(t, 0, `for (const name of ['querySelector', 'querySelectorAll', 'body', 'title', 'activeElement', 'getElementById', 'styleSheets', 'documentElement', 'scrollingElement', 'adoptedStyleSheets', 'baseURI', 'location', 'createElement']) {
			const form = document.createElementNS('http://www.w3.org/1999/xhtml', 'form'); form.name = name; document.lastChild.lastChild.append(form) }`, nil)
		if got := shoot(t, browser, world, "urls: true, interactive: true"); got.Text != `- clickable "click" [e1]` {
			t.Errorf("got:\n%s", got.Text)
		}
	})

	t.Run("nested deeper than the stack", func(t *testing.T) {
		world := openText(t, browser, `<button id="b">x</button><div id="d"></div><button>After</button>`)
		browser.eval(t, 0, `for (const top of [b, d]) { let at = top; for (let i = 0; i < 2500; i++) at = at.appendChild(document.createElement('span')) }`, nil)
		wantText(t, shoot(t, browser, world, ""), "- button \"x\" [e1]\n- button \"After\" [e2]")
		var count int
		browser.eval(t, 0, `b.remove()`, nil)
		browser.eval(t, world, `tabrelay.twin('e1').count`, &count)
		if count != 0 {
			t.Errorf("%d twins", count)
		}
	})

	t.Run("modal dialog", func(t *testing.T) {
		world := openText(t, browser, `<button>Behind</button><dialog aria-label="Ask"><button>Yes</button></dialog><script>document.querySelector('dialog').showModal()</script>`)
		wantText(t, shoot(t, browser, world, ""), "- dialog \"Ask\" [modal] [e1]:\n  - button \"Yes\" [focused] [e2]")
	})
}

// adoptClosed does what the adapter does: it asks Chrome for the closed roots of
// the hosts that the page script suspects.
func adoptClosed(t *testing.T, browser *oracleBrowser, world int64) {
	t.Helper()
	var hosts struct {
		Result struct {
			ObjectID string `json:"objectId"`
		} `json:"result"`
	}
	browser.call(t, "Runtime.evaluate", map[string]any{"expression": "tabrelay.hosts()[0]", "contextId": world}, &hosts)
	var described struct {
		Node struct {
			ShadowRoots []struct {
				BackendNodeID int64 `json:"backendNodeId"`
			} `json:"shadowRoots"`
		} `json:"node"`
	}
	browser.call(t, "DOM.describeNode", map[string]any{"objectId": hosts.Result.ObjectID, "depth": 1, "pierce": true}, &described)
	if len(described.Node.ShadowRoots) == 0 {
		t.Fatal("Chrome shows no shadow root")
	}
	var resolved struct {
		Object struct {
			ObjectID string `json:"objectId"`
		} `json:"object"`
	}
	browser.call(t, "DOM.resolveNode", map[string]any{"backendNodeId": described.Node.ShadowRoots[0].BackendNodeID, "executionContextId": world}, &resolved)
	browser.call(t, "Runtime.callFunctionOn", map[string]any{
		"objectId": hosts.Result.ObjectID, "functionDeclaration": "function (root) { tabrelay.adopt(this, root) }",
		"arguments": []any{map[string]any{"objectId": resolved.Object.ObjectID}},
	}, nil)
}
