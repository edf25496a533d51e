package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/relay"
	"github.com/tabrelay/tabrelay/tools"
)

func TestIsCalled(t *testing.T) {
	for _, c := range []struct {
		browser, name string
		want          bool
	}{
		{"Google Chrome", "", true},
		{"Google Chrome", "chrome", true},
		{"Google Chrome", "Chrome", true},
		{"Google Chrome", "google chrome", true},
		{"Google Chrome", "chromium", false},
		{"Google Chrome", "edge", false},
		{"Chromium", "chromium", true},
		{"Chromium", "chrome", false},
		{"Microsoft Edge", "edge", true},
		{"Brave", "brave", true},
		{"Brave", "chromium", false},
		{"Vivaldi", "vivaldi", true},
		{"Vivaldi", "chromium", false},
		{"Vivaldi", "any", true},
		{"Vivaldi", "INSTALL-1", true},
		{"Google Chrome", "chrome-beta", false},
	} {
		if got := isCalled(relay.Browser{Name: c.browser, InstallID: "install-1"}, c.name); got != c.want {
			t.Errorf("%s is called %q: %v", c.browser, c.name, got)
		}
	}
}

func TestBrowserErrors(t *testing.T) {
	for _, c := range []struct {
		err   error
		kind  error
		phase string
	}{
		{fmt.Errorf("%w: x", browser.ErrNotAvailable), tools.ErrBrowserNotAvailable, ""},
		{fmt.Errorf("%w: x", browser.ErrExecutable), tools.ErrBrowserExecutableNotFound, ""},
		{fmt.Errorf("%w: x", browser.ErrProfileName), adapter.ErrInvalid, ""},
		{fmt.Errorf("%w: x", browser.ErrDisplay), tools.ErrBrowserNotAvailable, ""},
		{&browser.Remedy{Err: fmt.Errorf("%w by another", browser.ErrProfileInUse)}, tools.ErrBrowserNotAvailable, ""},
		{errors.New("it ended"), tools.ErrExtensionNotConnected, "browser_not_launched"},
		{context.Canceled, context.Canceled, ""},
	} {
		err := browserError(c.err)
		if !errors.Is(err, c.kind) {
			t.Errorf("%v became %v", c.err, err)
		}
		if e, ok := errors.AsType[*tools.Error](err); ok && e.Phase != c.phase {
			t.Errorf("%v: phase %q", c.err, e.Phase)
		}
	}
}

// A managed browser is started once for all who want the same, is found by its
// hello, and leaves with the host.
func TestManagedBrowser(t *testing.T) {
	path := installed(t)
	t.Setenv("TABRELAY_STATE", t.TempDir())
	h, err := openHost(hostOptions{AnyPort: true, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	defer h.close()
	s := h.seeker(settings.Agent{Choice: settings.Choice{Browser: "chromium", BrowserPath: path.Path, NoSandbox: true}, Headless: true})
	ends := make(chan tools.Endpoint, 2)
	for range 2 {
		go func() {
			end, err := s.connect(t.Context(), tools.Want{})
			if err != nil {
				t.Error(err)
			}
			ends <- end
		}()
	}
	one, two := <-ends, <-ends
	if one.URL == "" || one.URL != two.URL || !strings.HasPrefix(one.Name, "Chromium ") || !strings.Contains(one.How, "tabrelay extension") {
		t.Errorf("got %q and %q, %s: %s", one.URL, two.URL, one.Name, one.How)
	}
	if _, err := s.connect(t.Context(), tools.Want{Browser: "netscape"}); !errors.Is(err, tools.ErrBrowserNotAvailable) {
		t.Errorf("a browser that nobody knows: %v", err)
	}
	// Where the person has a browser of their own that does not come, the same one
	// stands in for it, and says so; not where nobody asked.
	h.remember(relay.Browser{InstallID: "mine", Name: "Chromium"}, false)
	h.missed.Store(true)
	s = h.seeker(settings.Agent{Choice: settings.Choice{Browser: "chromium", BrowserPath: path.Path, NoSandbox: true}, Display: []string{}})
	if _, err := s.connect(t.Context(), tools.Want{Unasked: true}); !errors.Is(err, tools.ErrExtensionNotConnected) {
		t.Errorf("without being asked: %v", err)
	}
	three, err := s.connect(t.Context(), tools.Want{})
	if err != nil || !strings.Contains(three.How, "managed") || !strings.Contains(three.How, "the extension of your own browser did not connect") {
		t.Errorf("got %v: %s", err, three.How)
	}
	if _, err := s.connect(t.Context(), tools.Want{Unasked: true}); err != nil {
		t.Errorf("one that stood in before: %v", err)
	}
	h.close()
	<-one.Gone
}

// A browser's window opens where its agent is, not where the daemon was started.
func TestWindowsOpenAtTheAgents(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("no variables say it here")
	}
	t.Setenv("WAYLAND_DISPLAY", "")
	t.Setenv("DISPLAY", "")
	if browser.HasDisplay(nil) || browser.HasDisplay([]string{}) || browser.HasDisplay([]string{"XAUTHORITY=/x"}) {
		t.Error("there is a display where none is")
	}
	if !browser.HasDisplay([]string{"DISPLAY=:1"}) || !browser.HasDisplay([]string{"WAYLAND_DISPLAY=wayland-0"}) {
		t.Error("there is no display where one is")
	}
	t.Setenv("DISPLAY", ":7")
	t.Setenv("XAUTHORITY", "/old")
	env := browser.OnDisplay([]string{"DISPLAY=:9"})
	if slices.Contains(env, "DISPLAY=:7") || slices.Contains(env, "XAUTHORITY=/old") || !slices.Contains(env, "DISPLAY=:9") {
		t.Errorf("environment %v", env)
	}
	key := managedKey{Display: "DISPLAY=:9\nXAUTHORITY=/a b"}
	if got := key.env(); len(got) != 2 || got[1] != "XAUTHORITY=/a b" {
		t.Errorf("got %q", got)
	}
}
