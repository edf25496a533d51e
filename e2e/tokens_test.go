package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tiktoken-go/tokenizer"
)

// What the snapshots of all pages in testdata/pages may cost together: what was
// measured (60,270 and 19,335) and 3 %.
const (
	pageBytesLimit  = 62_000
	pageTokensLimit = 19_900
)

// otherBytes is what Playwright MCP 0.0.83 took for each page, once.
var otherBytes = map[string]int{
	"article": 19_580, "calendar": 15_825, "dashboard": 16_344, "docs": 16_676, "login": 7_228,
	"mail": 14_549, "search": 18_921, "settings": 10_907, "shop": 20_451, "table": 17_051,
}

// listActing lists what can be acted on in a page, found without the page
// script: the data-act of each, or where one that should have it has none, its
// markup.
const listActing = `(() => {
	const kinds = 'a[href], button, input:not([type=hidden]), select, textarea, summary, [onclick], [tabindex], [contenteditable=true], ' +
		['button', 'link', 'checkbox', 'radio', 'switch', 'tab', 'menuitem', 'combobox', 'option', 'textbox', 'slider'].map(r => '[role=' + r + ']').join();
	const seen = e => e.checkVisibility({visibilityProperty: true}) && !e.closest('[inert]');
	const begins = e => getComputedStyle(e).cursor === 'pointer' && getComputedStyle(e.parentElement).cursor !== 'pointer';
	const acting = [...document.body.querySelectorAll('*')].filter(e => seen(e) && (e.dataset.act || e.matches(kinds) || begins(e)));
	return acting.filter(e => !(e.localName === 'label' && e.control && seen(e.control))).map(e => e.dataset.act || e.outerHTML.slice(0, 200));
})()`

// TestSnapshotsOfUsualPages holds what the snapshots of ten usual pages cost, and
// that each leads to everything that can be acted on.
func TestSnapshotsOfUsualPages(t *testing.T) {
	t.Parallel()
	codec, err := tokenizer.Get(tokenizer.O200kBase)
	if err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob("testdata/pages/*.html")
	if err != nil || len(files) == 0 {
		t.Fatalf("no pages: %v", err)
	}
	s := newSite(t, "")
	a := newAgent(t)
	a.open(s.URL)
	var bytes, tokens int
	var costs strings.Builder
	for _, file := range files {
		html, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".html")
		s.page("/"+name, string(html))
		a.ok("browser_navigate", args{"url": s.URL + "/" + name})
		an := a.ok("browser_snapshot", nil)
		count, err := codec.Count(an.text)
		if err != nil {
			t.Fatal(err)
		}
		if 2*len(an.text) > otherBytes[name] {
			t.Errorf("%s has %d bytes, more than half of %d", name, len(an.text), otherBytes[name])
		}
		bytes, tokens = bytes+len(an.text), tokens+count
		fmt.Fprintf(&costs, "%-10s %6d bytes %6d tokens\n", name, len(an.text), count)
		a.reaches(name, an)
	}
	t.Logf("\n%s%-10s %6d bytes %6d tokens", costs.String(), "sum", bytes, tokens)
	if bytes > pageBytesLimit || tokens > pageTokensLimit {
		t.Errorf("the snapshots have %d bytes and %d tokens, more than %d and %d", bytes, tokens, pageBytesLimit, pageTokensLimit)
	}
}

// reaches fails the test where something that can be acted on is no element of
// one of the snapshot's refs.
func (a *agent) reaches(page string, snapshot answer) {
	a.t.Helper()
	var acting []string
	if err := json.Unmarshal([]byte(a.value(listActing)), &acting); err != nil || len(acting) == 0 {
		a.t.Fatalf("%s: %v: nothing acts", page, err)
	}
	for _, ref := range refPattern.FindAllStringSubmatch(snapshot.text, -1) {
		text := a.ok("browser_evaluate", args{"script": "(e) => e.dataset.act || ''", "ref": ref[1]}).text
		first, _, _ := strings.Cut(strings.TrimPrefix(text, "result: "), "\n")
		var id string
		if err := json.Unmarshal([]byte(first), &id); err != nil {
			a.t.Fatalf("%s: %s: %v: %s", page, ref[1], err, text)
		}
		acting = slices.DeleteFunc(acting, func(other string) bool { return other == id })
	}
	for _, missing := range acting {
		markup := a.value(fmt.Sprintf("document.querySelector('[data-act=%q]')?.outerHTML.slice(0, 300) ?? ''", missing))
		a.t.Errorf("%s: no ref leads to %s %s", page, missing, markup)
	}
}
