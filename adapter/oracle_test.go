package adapter_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/tabrelay/tabrelay/extension"
)

// The shares of elements, in percent, on whose role and name the page script and
// Chrome's own accessibility tree must agree: without the disagreements on
// purpose, and with them.
const (
	oracleFloor     = 99.0
	oracleExplained = 99.9
)

// oracleBrowser is a bare headless Chromium with one tab.
type oracleBrowser struct {
	ctx context.Context
}

// newOracleBrowser starts Chromium for the test and ends it with the test.
func newOracleBrowser(t *testing.T) *oracleBrowser {
	t.Helper()
	path := ""
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome"} {
		if found, err := exec.LookPath(name); err == nil {
			path = found
			break
		}
	}
	if path == "" {
		if os.Getenv("CI") == "true" {
			t.Fatal("no Chromium on the PATH")
		}
		t.Skip("no Chromium on the PATH")
	}
	alloc, stop := chromedp.NewExecAllocator(t.Context(),
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck, chromedp.UserDataDir(t.TempDir()),
		chromedp.WindowSize(1280, 800),
		chromedp.Flag("disable-quic", true), chromedp.Flag("disable-background-networking", true),
		chromedp.Flag("disable-component-update", true), chromedp.Flag("disable-sync", true))
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(alloc)
	t.Cleanup(cancel)
	bounded, end := context.WithTimeout(ctx, 3*time.Minute)
	t.Cleanup(end)
	return &oracleBrowser{ctx: bounded}
}

// call sends one protocol command to the tab.
func (b *oracleBrowser) call(t *testing.T, method string, params, result any) {
	t.Helper()
	if params == nil {
		params = struct{}{}
	}
	if result == nil {
		result = new(json.RawMessage)
	}
	if err := chromedp.FromContext(b.ctx).Target.Call(b.ctx, method, params, result); err != nil {
		t.Fatalf("%s: %v", method, err)
	}
}

// open navigates and evaluates the page script in an isolated world, whose id it returns.
func (b *oracleBrowser) open(t *testing.T, url string) int64 {
	t.Helper()
	if err := chromedp.Do(b.ctx, chromedp.Navigate(url)); err != nil {
		t.Fatalf("open %s: %v", url, err)
	}
	return b.world(t)
}

// world makes the isolated world in the document that is loaded.
func (b *oracleBrowser) world(t *testing.T) int64 {
	t.Helper()
	var tree struct {
		FrameTree struct {
			Frame struct {
				ID string `json:"id"`
			} `json:"frame"`
		} `json:"frameTree"`
	}
	b.call(t, "Page.getFrameTree", nil, &tree)
	var made struct {
		ExecutionContextID int64 `json:"executionContextId"`
	}
	b.call(t, "Page.createIsolatedWorld", map[string]any{"frameId": tree.FrameTree.Frame.ID, "worldName": "tabrelay"}, &made)
	b.eval(t, made.ExecutionContextID, extension.PageScript()+"globalThis.tabrelay = "+extension.PageObject, nil)
	return made.ExecutionContextID
}

// eval evaluates in a world; a result, when wanted, comes by value.
func (b *oracleBrowser) eval(t *testing.T, world int64, expression string, result any) {
	t.Helper()
	params := map[string]any{"expression": expression, "returnByValue": result != nil, "awaitPromise": true}
	if world != 0 {
		params["contextId"] = world
	}
	var answer struct {
		Result struct {
			Value json.RawMessage `json:"value"`
		} `json:"result"`
		ExceptionDetails *struct {
			Text      string `json:"text"`
			Exception struct {
				Description string `json:"description"`
			} `json:"exception"`
		} `json:"exceptionDetails"`
	}
	b.call(t, "Runtime.evaluate", params, &answer)
	if answer.ExceptionDetails != nil {
		t.Fatalf("evaluate: %s %s", answer.ExceptionDetails.Text, answer.ExceptionDetails.Exception.Description)
	}
	if result != nil && len(answer.Result.Value) > 0 {
		if err := json.Unmarshal(answer.Result.Value, result); err != nil {
			t.Fatalf("evaluate: %v", err)
		}
	}
}

// oracleNode is what one side says about an element.
type oracleNode struct {
	Role    string `json:"role"`
	Name    string `json:"name"`
	Ignored bool   `json:"ignored"`
}

// oraclePair is one element as the page script and as Chrome tell it.
type oraclePair struct {
	What   string // the element's tag, attributes and first words
	Ours   oracleNode
	Chrome oracleNode
}

// markElements numbers every element of the frame, shadow trees included, and
// says what the page script makes of each.
const markElements = `(() => {
	const out = [];
	const visit = (element) => {
		const skipped = element.closest('head, script, style, template');
		if (!skipped) {
			const shallow = element.cloneNode(false).outerHTML ?? '';
			const text = (element.textContent ?? '').replace(/\s+/g, ' ').slice(0, 40);
			out.push({what: shallow.replace(/<\/[^<]*$/, '').slice(0, 140) + text, ...tabrelay.inspect(element)});
			element.setAttribute('data-oracle-index', String(out.length - 1));
		}
		for (const child of element.children) visit(child);
		for (const child of element.shadowRoot?.children ?? []) visit(child);
	};
	visit(document.body);
	return out;
})()`

// pairs walks the page that is open.
func (b *oracleBrowser) pairs(t *testing.T, world int64) []oraclePair {
	t.Helper()
	var ours []struct {
		What string `json:"what"`
		oracleNode
	}
	b.eval(t, world, markElements, &ours)
	index := b.indexByNode(t)
	var tree struct {
		Nodes []struct {
			BackendDOMNodeID int64 `json:"backendDOMNodeId"`
			Ignored          bool  `json:"ignored"`
			Role             struct {
				Value string `json:"value"`
			} `json:"role"`
			Name struct {
				Value any `json:"value"`
			} `json:"name"`
		} `json:"nodes"`
	}
	b.call(t, "Accessibility.getFullAXTree", nil, &tree)
	chrome := make(map[int]oracleNode)
	for _, node := range tree.Nodes {
		at, ok := index[node.BackendDOMNodeID]
		if !ok {
			continue
		}
		name, _ := node.Name.Value.(string)
		chrome[at] = oracleNode{Role: node.Role.Value, Name: name, Ignored: node.Ignored}
	}
	var pairs []oraclePair
	for i, one := range ours {
		theirs, ok := chrome[i]
		if !ok {
			theirs.Ignored = true
		}
		pairs = append(pairs, oraclePair{What: one.What, Ours: one.oracleNode, Chrome: theirs})
	}
	return pairs
}

// indexByNode reads the marks back, by backend node id.
func (b *oracleBrowser) indexByNode(t *testing.T) map[int64]int {
	t.Helper()
	type domNode struct {
		BackendNodeID int64             `json:"backendNodeId"`
		Attributes    []string          `json:"attributes"`
		Children      []json.RawMessage `json:"children"`
		ShadowRoots   []json.RawMessage `json:"shadowRoots"`
	}
	var document struct {
		Root json.RawMessage `json:"root"`
	}
	b.call(t, "DOM.getDocument", map[string]any{"depth": -1, "pierce": true}, &document)
	index := make(map[int64]int)
	queue := []json.RawMessage{document.Root}
	for len(queue) > 0 {
		var node domNode
		if err := json.Unmarshal(queue[0], &node); err != nil {
			t.Fatalf("document: %v", err)
		}
		queue = append(queue[1:], slices.Concat(node.Children, node.ShadowRoots)...)
		for i := 0; i+1 < len(node.Attributes); i += 2 {
			if node.Attributes[i] != "data-oracle-index" {
				continue
			}
			var at int
			if _, err := fmt.Sscan(node.Attributes[i+1], &at); err == nil {
				index[node.BackendNodeID] = at
			}
		}
	}
	return index
}

// chromeRoles gives Chrome's own words in ours. Words that mean "nothing to
// tell" are empty.
var chromeRoles = map[string]string{
	"none": "", "generic": "", "presentation": "", "LayoutTable": "", "LayoutTableRow": "", "LayoutTableCell": "",
	"LabelText": "", "Legend": "", "Figcaption": "", "Abbr": "", "Pre": "", "Section": "", "RootWebArea": "",
	"LineBreak": "", "Ruby": "", "RubyAnnotation": "", "Details": "group", "DisclosureTriangle": "button",
	"DescriptionList": "", "DescriptionListTerm": "term", "DescriptionListDetail": "definition",
	"Iframe": "iframe", "IframePresentational": "iframe", "Video": "video", "Audio": "audio", "Canvas": "canvas",
	"SvgRoot": "image", "img": "image", "ColorWell": "button", "Date": "textbox", "DateTime": "textbox",
	"InputTime": "textbox", "MenuListPopup": "", "MenuListOption": "option", "EmbeddedObject": "embed",
	"PluginObject": "object", "MathMLMath": "math", "ListMarker": "", "directory": "list",
	"sectionheader": "", "sectionfooter": "", "rowgroup": "", "ImageMap": "", "StaticText": "",
}

// plain reduces a role to what a reader of the tree can tell apart.
func plainRole(node oracleNode) string {
	if node.Ignored {
		return ""
	}
	if mapped, ok := chromeRoles[node.Role]; ok {
		return mapped
	}
	if strings.HasPrefix(node.Role, "MathML") {
		return "" // A formula's parts are told as its text.
	}
	return strings.ToLower(node.Role)
}

// plainName collapses white space; an element without a role has no name to compare.
func plainName(node oracleNode) string {
	if node.Ignored || node.Role == "LabelText" || strings.HasPrefix(node.Role, "LayoutTable") {
		return ""
	}
	return strings.Join(strings.Fields(node.Name), " ")
}

// justified are the disagreements on purpose, by the value of data-differs.
var justified = map[string]string{
	"editing-host":   "a host of editing is a text box to whoever types into it; Chrome calls it generic",
	"text-transform": "the page's own letters are told, which find and select by text use; Chrome tells the transformed",
	"file-title":     "the title tells files apart; Chrome names each by its button",
	"empty-label":    "an empty label or legend says nothing, so the title does",
	"figure":         "what a link shows is its name, also in a figure, where Chrome finds nothing",
	"second-summary": "only the first summary opens the details",
	"void-none":      "where the list's role none is void, its items stay",
	"named-table":    "a table that its author named is a table; Chrome may take it for layout all the same",
	"text-title":     "HTML names elements within a line by their title; Chrome does so for abbreviations alone",
	"image-title":    "HTML names an image without a text by its title; Chrome leaves it without a name",
	"wbr":            "a place to break a word is not a space",
	"option-group":   "a group of options has its label as its name, also in a select that shows it by itself",
	"shown-text":     "what acts on a click without a role is told by the text that it shows, before its title",
}

func TestOracle(t *testing.T) {
	browser := newOracleBrowser(t)
	files, err := filepath.Glob("testdata/oracle/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages in testdata/oracle: %v", err)
	}
	usual, err := filepath.Glob("../e2e/testdata/pages/*.html")
	if err != nil || len(usual) == 0 {
		t.Fatalf("no pages in e2e/testdata/pages: %v", err)
	}
	server := httptest.NewServer(http.FileServer(http.Dir("..")))
	defer server.Close()
	all, agreed := 0, 0
	excused, kinds := map[string]int{}, map[string]bool{}
	for _, file := range slices.Concat(files, usual) {
		file, err := filepath.Rel("..", filepath.Join("../adapter", file))
		if err != nil {
			t.Fatal(err)
		}
		world := browser.open(t, server.URL+"/"+filepath.ToSlash(file))
		for _, pair := range browser.pairs(t, world) {
			all++
			kinds[pair.What] = true
			if pair.Chrome.Role == "LabelText" {
				pair.Ours.Name = "" // A label's own name is told as its control's.
			}
			if plainRole(pair.Ours) == plainRole(pair.Chrome) && plainName(pair.Ours) == plainName(pair.Chrome) {
				agreed++
				continue
			}
			key := differs(pair.What)
			if justified[key] != "" {
				excused[key]++
			} else {
				key = "no reason known"
				t.Errorf("%s: %s differs: agree, or give its reason with data-differs", file, pair.What)
			}
			t.Logf("%s: %s (%s)\n\tours   %s %q\n\tchrome %s (%s) %q", file, pair.What, key,
				plainRole(pair.Ours), pair.Ours.Name, plainRole(pair.Chrome), pair.Chrome.Role, pair.Chrome.Name)
		}
	}
	explained := agreed
	for key, reason := range justified {
		explained += excused[key]
		t.Logf("%d on purpose: %s", excused[key], reason)
		if excused[key] == 0 {
			t.Errorf("nothing differs for the reason %s any more: take it out", key)
		}
	}
	share := func(part int) float64 { return 100 * float64(part) / float64(max(all, 1)) }
	t.Logf("oracle: %d of %d elements agree (%.2f %%), with those that differ on purpose %d (%.2f %%)", agreed, all, share(agreed), explained, share(explained))
	t.Logf("%d elements of distinct markup", len(kinds))
	if len(kinds) < 300 || share(agreed) < oracleFloor || share(explained) < oracleExplained {
		t.Errorf("wanted are %.1f %% that agree, and %.1f %% with those that differ on purpose", oracleFloor, oracleExplained)
	}
}

// differs returns the key of the reason for which an element differs from
// Chrome's tree; its own, or "".
func differs(what string) string {
	_, rest, ok := strings.Cut(what, `data-differs="`)
	if !ok {
		return ""
	}
	key, _, _ := strings.Cut(rest, `"`)
	return key
}
