package main

import (
	"errors"
	"log/slog"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

// What the command line says is the most that an agent gets.
func TestB90BrowserFlagsBindTheAgent(t *testing.T) {
	t.Setenv("TABRELAY_STATE", t.TempDir())
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	h.remember(relay.Browser{InstallID: "one", Name: "Chromium"}, true)
	h.remember(relay.Browser{InstallID: "two", Name: "Google Chrome", Label: "work"}, false)
	yes, no := true, false
	for _, c := range []struct {
		flags settings.Agent
		want  tools.Want
		text  string // of the refusal; empty where it is allowed
	}{
		{settings.Agent{}, tools.Want{Browser: "chromium-1"}, ""},
		{settings.Agent{}, tools.Want{Browser: "chromium", Profile: "x", Headless: &yes}, ""},
		{settings.Agent{Headless: true}, tools.Want{Headless: &yes}, ""},
		{settings.Agent{Headless: true}, tools.Want{Headless: &no}, "--headless"},
		{settings.Agent{Choice: settings.Choice{Profile: "ci"}}, tools.Want{Profile: "ci"}, ""},
		{settings.Agent{Choice: settings.Choice{Profile: "ci"}}, tools.Want{Profile: "bank"}, "--profile ci"},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "chromium"}, ""},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "chromium-1"}, ""},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "one"}, ""},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "work"}, "--browser chromium"},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "two"}, "--browser chromium"},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "chrome"}, "--browser chromium"},
		{settings.Agent{Choice: settings.Choice{Browser: "chromium"}}, tools.Want{Browser: "any"}, "--browser chromium"},
		{settings.Agent{Choice: settings.Choice{Browser: "chrome-beta"}}, tools.Want{Browser: "chrome"}, "--browser chrome-beta"},
		{settings.Agent{Choice: settings.Choice{Browser: "chrome"}}, tools.Want{Browser: "chrome-beta"}, ""},
		{settings.Agent{Choice: settings.Choice{Browser: "work"}}, tools.Want{Browser: "two"}, ""},
		{settings.Agent{Choice: settings.Choice{Browser: "work"}}, tools.Want{Browser: "chrome"}, "--browser work"},
		{settings.Agent{Choice: settings.Choice{Browser: "work"}}, tools.Want{Browser: "chromium-1"}, "--browser work"},
	} {
		err := h.seeker(c.flags).allows(c.want)
		failed, _ := errors.AsType[*tools.Error](err)
		if (err == nil) != (c.text == "") || err != nil && (failed.Kind != adapter.ErrBlocked || !strings.Contains(failed.Text+": "+failed.Help(), c.text)) {
			t.Errorf("%+v asks for %+v: %v", c.flags, c.want, err)
		}
	}
	// The person's own browser is none of those that --headless and --profile mean.
	for _, flags := range []settings.Agent{{Headless: true}, {Choice: settings.Choice{Profile: "ci"}}, {Headless: true, Choice: settings.Choice{Browser: "chromium", Profile: "ci"}}} {
		for _, name := range []string{"chromium-1", "one"} {
			if end, err := h.seeker(flags).connect(t.Context(), tools.Want{Browser: name}); !errors.Is(err, adapter.ErrBlocked) || !strings.Contains(err.Error(), "not allowed") {
				t.Errorf("%+v and %s: %s, %v", flags, name, end.Name, err)
			}
		}
	}
	bound := h.seeker(settings.Agent{Headless: true, Choice: settings.Choice{Profile: "ci"}})
	for _, want := range []tools.LaunchWant{{Headless: false}, {Headless: true, Profile: "bank"}} {
		if _, err := bound.launch(t.Context(), want); !errors.Is(err, adapter.ErrBlocked) {
			t.Errorf("launching %+v: %v", want, err)
		}
	}
	for _, key := range []managedKey{{Kind: "chromium", Profile: "ci"}, {Kind: "chromium", Headless: true, Profile: "bank"}, {Kind: "chromium", Headless: true}} {
		if bound.shares(key) {
			t.Errorf("it shares %+v", key)
		}
	}
	if !bound.shares(managedKey{Kind: "chromium", Headless: true, Profile: "ci"}) {
		t.Error("it does not share its own")
	}
}
