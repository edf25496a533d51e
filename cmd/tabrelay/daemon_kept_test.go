package main

import (
	"testing"

	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/tools"
)

// What a session began with holds; what is as usual was not asked for.
func TestOtherSetting(t *testing.T) {
	t.Setenv("TABRELAY_STATE", t.TempDir())
	made := func(change func(*settings.Agent)) settings.Agent {
		a := settings.Agent{Settings: tools.Settings{Snapshot: "diff", Cookies: "page"}, OnExit: "leave"}
		change(&a)
		a, err := a.Resolved()
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	plain := func(*settings.Agent) {}
	quiet := func(a *settings.Agent) { a.Headless = true }
	for name, c := range map[string]struct {
		has, wants func(*settings.Agent)
		want       string
	}{
		"the same":              {quiet, quiet, ""},
		"less said":             {quiet, plain, ""},
		"more said":             {plain, quiet, "headless"},
		"another value":         {func(a *settings.Agent) { a.Profile = "a" }, func(a *settings.Agent) { a.Profile = "b" }, "profile"},
		"another list":          {plain, func(a *settings.Agent) { a.AllowSites = []string{"example.com"} }, "allowSites"},
		"back to what is usual": {func(a *settings.Agent) { a.Snapshot = "full" }, plain, ""},
		"another display":       {plain, func(a *settings.Agent) { a.Display = []string{"DISPLAY=:9"} }, ""},
	} {
		if got := otherSetting(made(c.has), made(c.wants)); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
