package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestB82EditorsOfEveryTag holds that an editor is told with its text and a ref,
// whatever its tag and whether it has the focus, and that text which is seen and
// hidden from ARIA is shown, marked and found.
func TestB82EditorsOfEveryTag(t *testing.T) {
	t.Parallel()
	tags := []string{"div", "span", "p", "pre", "h2", "section", "article", "blockquote", "li", "td", "dd", "figcaption", "b", "code", "my-editor", "a", "main", "label", "button"}
	var html strings.Builder
	for i, tag := range tags {
		start, end := "", ""
		switch tag {
		case "li":
			start, end = "<ul>", "</ul>"
		case "td":
			start, end = "<table><tr>", "</tr></table>"
		case "dd":
			start, end = "<dl>", "</dl>"
		}
		value := []string{"", "=true", "=plaintext-only"}[i%3]
		fmt.Fprintf(&html, "%s<%s contenteditable%s id=of-%s>draft %s.</%s>%s\n", start, tag, value, tag, tag, tag, end)
	}
	html.WriteString(`<div aria-hidden=true>visible to eyes alone</div>`)
	a := newAgent(t)
	an := a.open(newSite(t, html.String()).URL)
	for _, tag := range tags {
		ref := an.ref("draft " + tag + ".")
		a.ok("browser_click", args{"ref": ref})
		if focused := a.value("document.activeElement.id"); focused != `"of-`+tag+`"` {
			t.Errorf("%s: the focus is in %s", tag, focused)
		}
		if now := a.ok("browser_snapshot", nil).ref("draft " + tag + "."); now != ref {
			t.Errorf("%s is %s with the focus, %s without", tag, now, ref)
		}
	}
	if line := an.line("visible to eyes alone"); !strings.Contains(line, "aria-hidden") {
		t.Errorf("it is told as %q", line)
	}
	a.ok("browser_find", args{"text": "eyes alone"}).has("visible to eyes alone", "aria-hidden")
}
