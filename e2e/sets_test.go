package e2e

import (
	"strings"
	"testing"
)

// TestSetsOfTools holds that agents of one server each choose their set of
// tools, and that each set drives the same kind of page.
func TestSetsOfTools(t *testing.T) {
	t.Parallel()
	server := own(t)
	s := newSite(t, `<title>Start</title><button onclick="document.title='pressed'">Go</button>`)
	for set, want := range map[string]int{"full": 44, "facade": 10, "minimal": 4} {
		a := &agent{t, server.connectTools(t, set)}
		list, err := a.session.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(list.Tools) != want {
			t.Errorf("%s lists %d tools, want %d", set, len(list.Tools), want)
		}
		switch set {
		case "full":
			a.ok("browser_connect", nil)
			a.open(s.URL)
			a.ok("browser_click", args{"selector": "button"})
			if v := a.value("document.title"); v != `"pressed"` {
				t.Errorf("full: %s", v)
			}
		case "facade":
			a.ok("browser_navigate", args{"action": "goto", "url": s.URL}).has(`"success":true`)
			a.ok("browser_interact", args{"action": "click", "selector": "button"}).has(`"success":true`, "clicked")
			a.ok("browser_execute", args{"action": "evaluate", "code": "document.title"}).has("pressed")
		case "minimal":
			a.ok("navigate", args{"url": s.URL}).has("title: Start")
			an := a.ok("interact", args{"action": "click", "element": args{"role": "button", "name": "Go"}, "snapshot": true})
			if !strings.Contains(an.text, "title: pressed") {
				t.Errorf("minimal: %s", an.text)
			}
		}
	}
}
