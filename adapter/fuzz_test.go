package adapter

import (
	"errors"
	"net/url"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzKeys holds that keys are understood, or refused in one line.
func FuzzKeys(f *testing.F) {
	for _, s := range []string{"Enter", "Control+Shift+A", "Escape Escape", "+", "Control++", " ", "é", "F13", "Control+", "\x00"} {
		f.Add(s)
	}
	fuzz.Run(f, func(t *testing.T, text string) {
		list, err := chords(text)
		if err == nil && len(list) != max(1, len(strings.Fields(text))) {
			t.Fatalf("%q is %d keys", text, len(list))
		}
		if err != nil && !errors.Is(err, ErrInvalid) {
			t.Fatalf("%q: %v", text, err)
		}
	})
}

// FuzzAddress holds that nothing but what may be opened is, and that an address
// that was completed stays as it is.
func FuzzAddress(f *testing.F) {
	for _, s := range []string{"example.org", "localhost:8080/x", "http://a", "FILE:///x", " javascript:1", "about:blank#x", "view-source:http://a", "java\nscript:1", "[::1]:80", "data:,x", "//x"} {
		f.Add(s)
	}
	b := &Browser{}
	fuzz.Run(f, func(t *testing.T, text string) {
		whole, err := b.completed(text)
		if err != nil {
			return
		}
		scheme, _, _ := strings.Cut(strings.ToLower(whole), ":")
		if strings.Trim(scheme, "abcdefghijklmnopqrstuvwxyz") != "" || !strings.Contains(" http https data blob about ", " "+scheme+" ") {
			t.Fatalf("%q may be opened as %q", text, whole)
		}
		if again, err := b.completed(whole); err != nil || again != whole {
			t.Fatalf("%q became %q, and that %q (%v)", text, whole, again, err)
		}
	})
}

// FuzzSites holds that a pattern that is taken matches its own host, and that one
// that blocks keeps out whatever one that allows lets in.
func FuzzSites(f *testing.F) {
	f.Add("example.com", "https://a.example.com./")
	f.Add("*.example.com:8443", "http://user@example.com:8443/x")
	f.Add("[::1]:80", "blob:http://[::1]/x")
	fuzz.Run(f, func(t *testing.T, pattern, address string) {
		list := []string{pattern}
		if err := (Sites{Allow: list}).Check(); err != nil {
			return
		}
		u, err := url.Parse(strings.TrimPrefix(address, "blob:"))
		if err != nil || u.Hostname() == "" || !strings.Contains(" http https ws wss ", " "+u.Scheme+" ") {
			return
		}
		allowed, blocked := Sites{Allow: list}.refusal(address) == "", Sites{Block: list}.refusal(address) != ""
		if both := (Sites{Allow: list, Block: list}); allowed != blocked || allowed && both.refusal(address) == "" {
			t.Fatalf("%q and %q: allowed %v, blocked %v", pattern, address, allowed, blocked)
		}
	})
}

// FuzzSelector asks a page for what any selector means: an element, or an error
// that says what is wrong with the selector, and the page is as it was.
func FuzzSelector(f *testing.F) {
	for _, s := range []string{"#save", "text=Save", `role=button[name="Save"]`, "xpath=//button", "text=/s(a/i", `text="Save"i`, "role=", "css=>>", "//*[", "role=button[name=/(/]", `\`, "text='"} {
		f.Add(s)
	}
	p := newTab(f, newBrowser(f, Options{}), true)
	if _, err := p.Navigate(f.Context(), `data:text/html,<button id=save>Save</button><p>Save <b>all</b>`, ""); err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, selector string) {
		if selector == "" || len(selector) > 10_000 {
			return
		}
		_, err := p.Examine(t.Context(), Element{Selector: selector}, "")
		for _, expected := range []error{ErrInvalid, ErrNotFound, ErrAmbiguous, ErrNotActionable} {
			if errors.Is(err, expected) {
				err = nil
			}
		}
		if err != nil {
			t.Fatalf("%q: %v", selector, err)
		}
	})
}
