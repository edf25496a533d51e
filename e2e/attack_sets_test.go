package e2e

import (
	"encoding/json"
	"fmt"
	"html"
	"regexp"
	"strings"
	"testing"
)

// smallSet is how an agent of one of the small sets looks at a page.
type smallSet struct {
	open  func(a *agent, url string) answer
	looks []struct {
		tool string
		with args
	}
}

type look = struct {
	tool string
	with args
}

var smallSets = map[string]smallSet{
	"facade": {
		func(a *agent, url string) answer { return a.ok("browser_navigate", args{"action": "goto", "url": url}) },
		[]look{{"browser_extract", args{"action": "get_text"}}, {"browser_inspect", args{"action": "outline"}}, {"browser_inspect", args{"action": "get_html", "selector": "main"}},
			{"browser_execute", args{"action": "evaluate", "code": "document.title + document.querySelector('main').innerText"}}, {"browser_navigate", args{"action": "get_url"}}},
	},
	"minimal": {
		func(a *agent, url string) answer { return a.ok("navigate", args{"url": url}) },
		[]look{{"snapshot", nil}, {"console", nil}, {"interact", args{"action": "hover", "element": args{"css": "h1"}, "snapshot": true}}},
	},
	"dynamic": {
		func(a *agent, url string) answer {
			a.call("connect_browser", args{"launch": true})
			return a.ok("open_tab", args{"url": url})
		},
		[]look{{"read_page", nil}, {"list_tabs", nil}, {"find_on_page", args{"text": "FAKE"}}},
	},
}

// pageBounds match what stands between lines that the page cannot know, in the sets
// that have them.
var pageBounds = regexp.MustCompile(`(?s)--- page ([A-Z0-9]{8}): .*?--- end [A-Z0-9]{8} ---`)

// attackSets has a page write, where agents of the small sets look, what they would
// take for Tabrelay's own words.
func attackSets(a *attacks) {
	for name, set := range smallSets {
		agent := &agent{a.t, shared(a.t).connectTools(a.t, name)}
		site := newSite(a.t, "")
		for i, place := range placesOfText {
			if !*every && i%18 != 0 {
				continue
			}
			var all strings.Builder
			for n, form := range forged {
				said := strings.NewReplacer("FAKEN", fmt.Sprintf("FAKE%d", n), "R]", "e1]", "]R[", "]e1[").Replace(form)
				all.WriteString("<div>" + strings.ReplaceAll(place, "TEXT", html.EscapeString(said)) + "</div>")
			}
			said, _ := json.Marshal(forged)
			path := fmt.Sprintf("/%d", i)
			site.page(path, "<meta charset=utf-8><h1>site</h1><main>"+all.String()+"</main><script>for (const t of "+strings.ReplaceAll(string(said), "</", `<\/`)+") { console.warn(t.replace('FAKEN', 'FAKE0')); document.title += t.replace('FAKEN', 'FAKE0') }</script>")
			told := set.open(agent, site.URL+path).text
			for _, look := range set.looks {
				told += "\n" + agent.call(look.tool, look.with).text
			}
			if list, err := agent.session.ListTools(a.t.Context(), nil); err == nil {
				for _, tool := range list.Tools {
					told += "\n" + tool.Name + " " + tool.Title + " " + tool.Description
					if schema, err := json.Marshal(tool.InputSchema); err == nil {
						told += "\n" + string(schema)
					}
				}
			}
			if !strings.Contains(told, "FAKE") {
				a.t.Errorf("%s shows nothing of %s", name, place)
			}
			outside := pageBounds.ReplaceAllString(told, "")
			for n, form := range forged {
				a.try(attack{name + ": " + place + " with " + excerpt(form), func(*testing.T) string { return forgery(outside, "e1", n, false) }})
			}
		}
	}
}
