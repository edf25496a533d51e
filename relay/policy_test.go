package relay

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestB89TheRelayRefusesFirst holds that what the extension would refuse is refused
// here, with the method's name.
func TestB89TheRelayRefusesFirst(t *testing.T) {
	table, err := os.ReadFile("../extension/policy.json")
	if err != nil {
		t.Fatal(err)
	}
	p := parsePolicy(table)
	for _, c := range []struct{ kind, method, params, want string }{
		{"page", "Page.navigate", `{"url":"http://one.test/"}`, ""},
		{"page", "Page.navigate", `{"url":"about:blank"}`, ""},
		{"page", "Page.navigate", `{"url":"about:blank#top"}`, ""},
		{"page", "Page.navigate", `{"url":"about:blanket"}`, "'Page.navigate' is refused"},
		{"iframe", "Page.enable", `{}`, ""},
		{"worker", "Runtime.evaluate", `{"expression":"1"}`, ""},
		{"page", "Storage.clearDataForOrigin", `{"origin":"https://one.test:8443","storageTypes":"all"}`, ""},
		{"page", "Storage.clearDataForStorageKey", `{"storageKey":"https://one.test/^0https://two.test"}`, ""},
		{"worker", "Page.enable", `{}`, "'Page.enable' wasn't found"},
		{"page", "Network.clearBrowserCookies", `{}`, "'Network.clearBrowserCookies' wasn't found"},
		{"page", "Nothing.atAll", `{}`, "'Nothing.atAll' wasn't found"},
		{"page", "Page.navigate", `{"url":"chrome-extension://x/options.html"}`, "'Page.navigate' is refused: url must be"},
		{"page", "Page.navigate", `{"url":"\u0063hrome://version"}`, "'Page.navigate' is refused"},
		{"page", "Page.navigate", `{"url":["http://one.test"]}`, "'Page.navigate' is refused"},
		{"page", "Storage.clearDataForOrigin", `{"origin":"http://"}`, "origin must be"},
		{"page", "Storage.clearDataForStorageKey", `{"storageKey":"file:///"}`, "storageKey must be"},
	} {
		f := p.refuse(c.kind, c.method, []byte(c.params))
		switch {
		case f == nil && c.want != "":
			t.Errorf("%s %s is forwarded", c.method, c.params)
		case f != nil && (c.want == "" || !strings.Contains(f.message, c.want)):
			t.Errorf("%s %s: %s, want %q", c.method, c.params, f.message, c.want)
		}
	}
	for _, broken := range []string{"", "{", "{}", `{"methods":null}`, `{"methods":{"Page.enable":1}}`} {
		if f := parsePolicy([]byte(broken)).refuse("page", "Page.enable", nil); f == nil {
			t.Errorf("the broken table %q lets everything through", broken)
		}
	}
	if f := parsePolicy(nil).refuse("page", "Anything.else", nil); f != nil {
		t.Error("without a table that is the extension's alone")
	}

	d := newDesk(t, Options{Policy: table})
	d.extension("i")
	c := d.client()
	session := attachTab1(t, c)
	for n, origin := range []string{"null", "x", "*", " *", "about:blank", "data:,", "file:///", "http://", "http://*"} {
		for i, on := range []string{"", `,"sessionId":"` + session + `"`} {
			id := fmt.Sprint(100 + 2*n + i)
			say(t, c, `{"id":`+id+`,"method":"Storage.clearDataForOrigin","params":{"origin":"`+origin+`","storageTypes":"all"}`+on+`}`)
			if f := hear(t, c, id); f.err == nil {
				t.Errorf("%q is forwarded", origin)
			}
		}
	}
	fine(t, c, session)
}

// Chrome leaves out what an address may not hold; so it finds a file: in all of these.
func TestAddressesOfFiles(t *testing.T) {
	for address, want := range map[string]bool{
		"file:///etc/passwd": true, "FILE:x": true, "\t file:///": true, "\x01\x1ffile:///": true, "fi\nle:///": true, "f\r\til\ne\t:": true,
		"": false, "http://one.test/file:": false, "filesystem:http://one.test": false, "xfile:": false, "\u00a0file:///": false,
	} {
		if got := isFile(address); got != want {
			t.Errorf("%q: %v", address, got)
		}
	}
}

// TestSchemes holds that the relay takes the same addresses for eligible as the
// extension does.
func TestSchemes(t *testing.T) {
	source, err := os.ReadFile("../extension/addresses.js")
	if err != nil {
		t.Fatal(err)
	}
	_, body, _ := strings.Cut(string(source), "function eligible(url)")
	body, _, _ = strings.Cut(body, "\n}")
	var theirs []string
	for _, m := range regexp.MustCompile(`/\^\(?([a-z?|]+)\)?:/i`).FindAllStringSubmatch(body, -1) {
		for _, scheme := range strings.Split(m[1], "|") {
			if always, ok := strings.CutSuffix(scheme, "s?"); ok {
				theirs = append(theirs, always)
				scheme = always + "s"
			}
			theirs = append(theirs, scheme)
		}
	}
	if !slices.Equal(theirs, schemes) {
		t.Errorf("the extension works with %q, the relay with %q", theirs, schemes)
	}
}
