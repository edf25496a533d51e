package e2e

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tiktoken-go/tokenizer"
)

// The pages of a small shop, which keeps count of what was done in it.
const (
	shopStart = `<!doctype html><title>Tea house</title><header><a href=/>Tea house</a> <a href=/about>About</a> <a href=/basket>Basket</a></header>
<h1>What would you like?</h1><form action=/search role=search><label>Search <input name=q type=search></label><button>Find</button></form>
<p>More than forty sorts of tea, packed by hand.</p><ul><li><a href=/new>New this week</a><li><a href=/sale>Sale</a></ul>`
	shopFound = `<!doctype html><title>Found</title><h1>Three results for darjeeling</h1><ol>
<li><a href=/item>Darjeeling First Flush</a><p>Light, from the spring.</p><li><a href=/other>Darjeeling Second Flush</a><p>Darker, from the summer.</p>
<li><a href=/cup>Cup, Darjeeling blue</a><p>Holds a quarter of a litre.</p></ol>`
	shopItem = `<!doctype html><title>Darjeeling First Flush</title><h1>Darjeeling First Flush</h1>
<table><caption>Prices</caption><tr><th>Weight<th>Price<tr><td>100 g<td>7.20<tr><td>250 g<td>16.50<tr><td>1 kg<td>61.00</table>
<fieldset><legend>Settings</legend><label><input type=checkbox id=gift>Wrap as a gift</label><label><input type=checkbox id=news checked>Send me news</label></fieldset>
<button id=order>Order</button><p role=status id=state>Nothing is ordered.</p>
<script>
const state = document.getElementById('state'), gift = document.getElementById('gift'), news = document.getElementById('news');
let ordered = 'nothing';
const tell = () => {
  state.textContent = 'Ordered ' + ordered + ', gift ' + (gift.checked ? 'yes' : 'no') + ', news ' + (news.checked ? 'yes' : 'no');
  fetch('/state', {method: 'POST', body: state.textContent});
};
gift.onchange = news.onchange = tell;
document.getElementById('order').onclick = () => { if (confirm('Order 100 g for 7.20?')) { ordered = '100 g'; console.warn('stock is low: 3 left'); } tell(); };
</script>`
	shopEnd = "Ordered 100 g, gift yes, news no"
)

// toldTools is where an answer says that tools came or went.
var toldTools = regexp.MustCompile(`tools: [+−]`)

// scripted is a script under way in one set of tools, with what it costs.
type scripted struct {
	*agent
	calls         int
	bytes, tokens int
	listed        struct{ bytes, tokens int } // of these, what the lists of tools cost
	tools         []*mcp.Tool                 // as they were last listed
	last          answer
	refs          []string // of an answer before
	codec         tokenizer.Codec
}

// does makes a call, counts it, and expects some parts in the answer.
func (r *scripted) does(tool string, with args, parts ...string) {
	r.t.Helper()
	request, err := json.Marshal(map[string]any{"name": tool, "arguments": with})
	if err != nil {
		r.t.Fatal(err)
	}
	r.last = r.ok(tool, with).has(parts...)
	r.calls++
	r.cost(string(request), r.last.text)
	if toldTools.MatchString(r.last.text) {
		r.list()
	}
}

// list reads the tools, as a client does at first and whenever they are others.
func (r *scripted) list() {
	r.t.Helper()
	list, err := r.session.ListTools(r.t.Context(), nil)
	if err != nil {
		r.t.Fatal(err)
	}
	text, err := json.Marshal(list.Tools)
	if err != nil {
		r.t.Fatal(err)
	}
	bytes, tokens := r.bytes, r.tokens
	r.cost(string(text))
	r.listed.bytes, r.listed.tokens = r.listed.bytes+r.bytes-bytes, r.listed.tokens+r.tokens-tokens
	r.tools = list.Tools
}

// item returns the tool that opens an item, and the item's index, as the tool's
// description tells it.
func (r *scripted) item(name string) (tool string, index int) {
	r.t.Helper()
	for _, tool := range r.tools {
		for _, m := range toldItem.FindAllStringSubmatch(tool.Description, -1) {
			if strings.HasPrefix(tool.Name, "open_") && strings.HasPrefix(m[2], name) {
				index, _ := strconv.Atoi(m[1])
				return tool.Name, index
			}
		}
	}
	r.t.Fatalf("no tool opens %q", name)
	return "", 0
}

func (r *scripted) cost(texts ...string) {
	for _, text := range texts {
		n, err := r.codec.Count(text)
		if err != nil {
			r.t.Fatal(err)
		}
		r.bytes, r.tokens = r.bytes+len(text), r.tokens+n
	}
}

// element returns the ref of the last answer's line that has all the texts, in
// a snapshot's or in a table's form.
func (r *scripted) element(texts ...string) string {
	r.t.Helper()
	line := strings.TrimSpace(r.last.line(texts...))
	if m := refPattern.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	ref, _, _ := strings.Cut(line, ",")
	return ref
}

// scriptSteps are what each script does, one after the other.
var scriptSteps = []string{"open the site", "find the search form", "fill it in", "submit it", "open a result", "read a table",
	"order, and answer the dialog", "tick settings", "read the console", "read the end state"}

// A script does the steps as an agent would that knows a set of tools; an empty
// step is one whose outcome the answers before had already told. A set that is
// added gets its own.
var scripts = []struct {
	set   string
	steps []func(r *scripted, site string)
}{
	{"full", []func(r *scripted, site string){
		func(r *scripted, site string) {
			r.does("browser_connect", nil)
			r.does("browser_navigate", args{"url": site}, "Tea house")
		},
		func(r *scripted, _ string) { r.element("searchbox") },
		func(r *scripted, _ string) {
			r.does("browser_type", args{"ref": r.element("searchbox"), "text": "darjeeling", "submit": true}, "Three results")
		},
		func(*scripted, string) {},
		func(r *scripted, _ string) {
			r.does("browser_click", args{"ref": r.element("link", "First Flush")}, "Settings")
		},
		func(r *scripted, _ string) { r.last.has("100 g | 7.20") },
		func(r *scripted, _ string) {
			r.refs = []string{r.element("Wrap"), r.element("Send me")}
			r.does("browser_click", args{"ref": r.element("button", "Order")}, "dialog: confirm", "7.20?")
			r.does("browser_dialog", args{"action": "accept"}, "Ordered 100 g")
		},
		func(r *scripted, _ string) {
			r.does("browser_fill_form", args{"fields": []args{{"ref": r.refs[0], "value": "true"}, {"ref": r.refs[1], "value": "false"}}})
		},
		func(r *scripted, _ string) {
			end := r.last
			r.does("browser_console", nil, "stock is low")
			r.last = end
		},
		func(r *scripted, _ string) { r.last.has(shopEnd) },
	}},
	{"facade", []func(r *scripted, site string){
		func(r *scripted, site string) { r.does("browser_navigate", args{"action": "goto", "url": site}, site) },
		func(r *scripted, _ string) {
			r.does("browser_inspect", args{"action": "get_html", "selector": "form"}, "search", "Find")
		},
		func(r *scripted, _ string) {
			r.does("browser_interact", args{"action": "type", "selector": "input[name=q]", "text": "darjeeling"}, "typed")
		},
		func(r *scripted, _ string) {
			r.does("browser_interact", args{"action": "press", "key": "Enter"}, "/search?q=")
		},
		func(r *scripted, _ string) {
			r.does("browser_extract", args{"action": "get_text"}, "a: Darjeeling First Flush")
			r.does("browser_interact", args{"action": "click", "selector": "text=Darjeeling First Flush"}, "/item")
		},
		func(r *scripted, _ string) { r.does("browser_extract", args{"action": "get_text"}, "td: 7.20", "gift") },
		func(r *scripted, _ string) {
			r.does("browser_interact", args{"action": "click", "selector": "#order"}, "dialog", "7.20?")
			r.does("browser_interact", args{"action": "press", "key": "Enter"}, "accepted", "stock is low")
		},
		func(r *scripted, _ string) {
			r.does("browser_interact", args{"action": "click", "selector": "text=Wrap as a gift"}, "clicked")
			r.does("browser_interact", args{"action": "click", "selector": "text=Send me news"}, "clicked")
		},
		func(*scripted, string) {}, // the dialog's answer told it
		func(r *scripted, _ string) {
			r.does("browser_extract", args{"action": "get_text", "selector": "[role=status]"}, shopEnd)
		},
	}},
	{"minimal", []func(r *scripted, site string){
		func(r *scripted, site string) { r.does("navigate", args{"url": site}, "Tea house") },
		func(r *scripted, _ string) { r.does("snapshot", nil, "searchbox") },
		func(r *scripted, _ string) {
			r.does("interact", args{"action": "type", "element": args{"ref": r.element("searchbox")}, "text": "darjeeling"}, "true")
		},
		func(r *scripted, _ string) {
			r.does("interact", args{"action": "press", "key": "Enter", "snapshot": true}, "Three results")
		},
		func(r *scripted, _ string) {
			r.does("interact", args{"action": "click", "element": args{"ref": r.element("link", "First Flush")}, "snapshot": true}, "Order")
		},
		func(r *scripted, _ string) { r.last.has("100 g | 7.20") },
		func(r *scripted, _ string) {
			r.does("interact", args{"action": "click", "element": args{"ref": r.element("button,Order")}}, "dialog", "7.20?")
			r.does("interact", args{"action": "press", "key": "Enter"}, "true")
		},
		func(r *scripted, _ string) {
			r.does("interact", args{"action": "click", "element": args{"role": "checkbox", "name": "Wrap as a gift"}}, "true")
			r.does("interact", args{"action": "click", "element": args{"role": "checkbox", "name": "Send me news"}, "snapshot": true}, "true")
		},
		func(r *scripted, _ string) {
			end := r.last
			r.does("console", nil, "stock is low")
			r.last = end
		},
		func(r *scripted, _ string) { r.last.has(shopEnd) },
	}},
	{"dynamic", []func(r *scripted, site string){
		func(r *scripted, site string) {
			r.does("connect_browser", args{"launch": true}, `"connected":true`)
			r.does("open_tab", args{"url": site}, "Tea house", "+search")
		},
		func(*scripted, string) {}, // it is a tool
		func(r *scripted, _ string) {
			r.does("search", args{"query": "darjeeling"}, "Three results")
		},
		func(*scripted, string) {},
		func(r *scripted, _ string) {
			tool, index := r.item("Darjeeling First Flush")
			r.does(tool, args{"index": index}, "Settings")
		},
		func(r *scripted, _ string) { r.last.has("100 g | 7.20") },
		func(r *scripted, _ string) {
			r.does("order", nil, "dialog", "7.20?")
			r.does("answer_dialog", args{"accept": true}, "Ordered 100 g", "stock is low")
		},
		func(r *scripted, _ string) {
			r.does("settings", args{"wrap_as_a_gift": true, "send_me_news": false})
		},
		func(*scripted, string) {}, // the dialog's answer told it
		func(r *scripted, _ string) { r.last.has(shopEnd) },
	}},
}

// The costs may grow by so much, in percent, before the table is to be written
// anew: addresses have ports of other lengths.
const scriptTolerance = 3

// TestSetsRunOneScript holds that each set of tools does the same ten steps with
// the same outcome, and what that costs: the list of tools, as often as it is
// read, the requests and the answers.
func TestSetsRunOneScript(t *testing.T) {
	t.Parallel()
	server := own(t)
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	ends := make(chan string, 16)
	s := newSite(t, shopStart).page("/search", shopFound).page("/item", shopItem).handle("/state", func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		ends <- string(text)
	})
	rows := []string{"| set | tools/list, bytes / tokens | calls | requests and answers, bytes / tokens | sum, bytes / tokens |\n|---|---|---|---|---|\n"}
	for _, script := range scripts {
		if len(script.steps) != len(scriptSteps) {
			t.Fatalf("%s has %d steps, not %d", script.set, len(script.steps), len(scriptSteps))
		}
		r := &scripted{agent: &agent{t, server.connectTools(t, script.set)}, codec: codec}
		r.list()
		for i, step := range script.steps {
			calls, tokens := r.calls, r.tokens
			step(r, s.URL)
			t.Logf("%s: %s: %d calls, %d tokens", script.set, scriptSteps[i], r.calls-calls, r.tokens-tokens)
		}
		var told []string
		for len(told) < 3 { // one for the order, one for each setting
			select {
			case text := <-ends:
				told = append(told, text)
			case <-time.After(callLimit):
				t.Fatalf("%s: the page told %q", script.set, told)
			}
		}
		if !slices.Contains(told, shopEnd) {
			t.Errorf("%s: the page told %q", script.set, told)
		}
		rows = append(rows, fmt.Sprintf("| %s | %d / %d | %d | %d / %d | %d / %d |\n", script.set, r.listed.bytes, r.listed.tokens, r.calls,
			r.bytes-r.listed.bytes, r.tokens-r.listed.tokens, r.bytes, r.tokens))
	}
	t.Logf("\n%s", strings.Join(rows, ""))
	holdScripts(t, rows)
}

var number = regexp.MustCompile(`\d+`)

// holdScripts compares the rows with those of docs/benchmarks.md.
func holdScripts(t *testing.T, rows []string) {
	t.Helper()
	const file = "../docs/benchmarks.md"
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	begin := strings.Index(string(text), rows[0])
	if begin < 0 {
		t.Fatalf("%s has no table that begins with\n%s", file, rows[0])
	}
	table, rest, _ := strings.Cut(string(text)[begin:], "\n\n")
	if *update {
		if err := os.WriteFile(file, []byte(string(text)[:begin]+strings.Join(rows, "")+"\n"+rest), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	told := slices.Collect(strings.Lines(table))[2:]
	if len(told) != len(rows)-1 {
		t.Fatalf("%s tells of %d sets, not %d: run this test with -update", file, len(told), len(rows)-1)
	}
	for i, row := range rows[1:] {
		was, is := number.FindAllString(told[i], -1), number.FindAllString(row, -1)
		for j := range is {
			a, _ := strconv.Atoi(was[j])
			b, _ := strconv.Atoi(is[j])
			if b*100 > a*(100+scriptTolerance) || b*100 < a*(100-scriptTolerance) {
				t.Errorf("%s says\n%snow it is\n%srun this test with -update", file, told[i], row)
				break
			}
		}
	}
}
