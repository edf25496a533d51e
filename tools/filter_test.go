package tools

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestFilters holds that a tool that is kept out is neither listed nor run, in
// any set, and that the answer says by which flag.
func TestFilters(t *testing.T) {
	none := func(context.Context, Want) (Endpoint, error) {
		return Endpoint{}, &Error{Kind: ErrBrowserNotAvailable, Text: "no browser in this test"}
	}
	for _, c := range []struct {
		set     string
		filters []Filter
		offered []string
		refused map[string]string
	}{
		{"full", []Filter{{Allow: []string{"browser_tab_*", "browser_back"}, Deny: []string{"*_close"}}},
			[]string{"browser_back", "browser_tab_focus", "browser_tab_list", "browser_tab_open"},
			map[string]string{"browser_tab_close": "--deny-tools", "browser_click": "--allow-tools"}},
		{"full", []Filter{{Allow: []string{"browser_tab_*"}}, {Allow: []string{"browser_back", "*_open"}, Query: true}},
			[]string{"browser_tab_open"}, map[string]string{"browser_back": "--allow-tools", "browser_tab_list": "?allow-tools="}},
		{"facade", []Filter{{Deny: []string{"browser_[a-r]*"}}},
			[]string{"browser_session", "browser_storage", "web_search"}, map[string]string{"browser_execute": "--deny-tools"}},
		{"minimal", []Filter{{Allow: []string{"snapshot"}}}, []string{"snapshot"}, map[string]string{"interact": "--allow-tools"}},
	} {
		s := client(t, Options{Settings: Settings{Tools: c.set}, Filters: c.filters, Connect: none})
		list, err := s.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, tool := range list.Tools {
			names = append(names, tool.Name)
		}
		slices.Sort(names)
		if !slices.Equal(names, c.offered) {
			t.Errorf("%s %v offers %v", c.set, c.filters, names)
		}
		for name, flag := range c.refused {
			r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: name})
			if err != nil || !r.IsError {
				t.Errorf("%s: %v %v", name, r, err)
				continue
			}
			text := r.Content[0].(*mcp.TextContent).Text
			has(t, text, name+" is not available here", "use another listed tool")
			if strings.Contains(text, flag+" excludes it") != (c.set == "full") { // others know nothing of flags
				t.Errorf("%s: %s", name, text)
			}
		}
		if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: strings.Repeat("fly", 1<<19)}); err == nil || len(err.Error()) > 1000 || !strings.Contains(err.Error(), "call one that is listed") {
			t.Errorf("a tool that does not exist is called: %.2000v", err)
		}
	}
	// Where no tool connects, the first call does.
	s := client(t, Options{Filters: []Filter{{Deny: []string{"browser_connect"}}}, Connect: none})
	r, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "browser_tab_list"})
	if err != nil {
		t.Fatal(err)
	}
	has(t, r.Content[0].(*mcp.TextContent).Text, "no browser in this test")
}
