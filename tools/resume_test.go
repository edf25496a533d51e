package tools

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
)

// resumed is a session of another process that goes on where one ended.
func resumed(t *testing.T, from *agent, claims *Claims) *agent {
	t.Helper()
	wire, err := json.Marshal(from.s.Record())
	if err != nil {
		t.Fatal(err)
	}
	var r Record
	if err := json.Unmarshal(wire, &r); err != nil {
		t.Fatal(err)
	}
	url := browserURL(t)
	s := newSession(Options{Claims: claims, Connect: func(context.Context, Want) (Endpoint, error) {
		return Endpoint{URL: url, Name: "Chromium"}, nil
	}})
	t.Cleanup(func() { _ = s.Close() })
	s.Resume(r)
	return &agent{t, s}
}

// What an agent had, it has in another process, too: its pages by their ids, which
// are given to no others, and nobody else may take them meanwhile.
func TestB67Resume(t *testing.T) {
	base := site(t, map[string]string{"/": `<title>P</title><h1>page</h1>`})
	one := newAgent(t, Options{Claims: &Claims{}})
	opens := func(a *agent, path string) string {
		t.Helper()
		return a.call("browser_tab_open", args{"url": base + path}).Result.(opened).ID
	}
	first, second, gone := opens(one, "/?first"), opens(one, "/?second"), opens(one, "/?gone")
	one.ok("browser_tab_close", args{"pageId": gone})
	one.ok("browser_tab_focus", args{"pageId": first})
	theirs := newAgent(t, Options{Claims: one.s.opts.Claims})
	opens(theirs, "/?theirs")

	claims := &Claims{}
	again := resumed(t, one, claims)
	// The agent has not called yet, and another one comes first.
	two := newAgent(t, Options{Claims: claims})
	has(t, two.ok("browser_tab_list", nil), "?theirs") // whose agent did not come back
	lacks(t, two.ok("browser_tab_list", nil), "?first", "?second")

	has(t, again.ok("browser_snapshot", nil), "?first") // the active one
	has(t, again.ok("browser_snapshot", args{"pageId": second}), "?second")
	again.fails("PageNotFound", "browser_snapshot", args{"pageId": gone})
	if id := opens(again, "/?new"); slices.Contains([]string{first, second, gone}, id) {
		t.Errorf("%s is given twice", id)
	}
	lacks(t, two.ok("browser_tab_list", nil), "?first", "?second", "?new")
	// What it opened in the process before closes with it.
	again.s.CloseTabs(t.Context())
	awaitTabs(t, two.s.browser, func(list []adapter.Tab) bool {
		return !slices.ContainsFunc(list, func(t adapter.Tab) bool {
			return strings.HasSuffix(t.URL, "?first") || strings.HasSuffix(t.URL, "?new")
		})
	})
	text := two.ok("browser_tab_list", nil)
	lacks(t, text, "?first", "?second", "?new")
	has(t, text, "?theirs")
}

// Pages that an agent only saw, and did not use, are free for others.
func TestB67ResumeHoldsWhatWasHeld(t *testing.T) {
	claims := &Claims{}
	s := newSession(Options{Claims: claims})
	s.Resume(Record{Count: 7, Active: "t5", Tabs: []RecordedPage{{ID: "t5", Target: "A", Held: true, Mine: true}, {ID: "t7", Target: "B", Opener: "A"}}})
	if !claims.has("A", s) || claims.has("B", s) {
		t.Error("it holds the wrong ones")
	}
	if r := s.Record(); r.Count != 7 || r.Active != "t5" || len(r.Tabs) != 2 || !r.Tabs[0].Held || !r.Tabs[0].Mine || r.Tabs[1].Held || r.Tabs[1].Opener != "A" {
		t.Errorf("%+v", r)
	}
}
