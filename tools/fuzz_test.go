package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzArguments gives a tool any arguments. Those that it takes are taken again as
// it understood them; of the others an error says briefly what is wrong.
func FuzzArguments(f *testing.F) {
	tools := all()
	for i := range tools {
		f.Add(uint16(i), []byte(`{"ref":"e1","url":"x","text":"a","action":"get","pageId":"t1"}`))
	}
	f.Add(uint16(0), []byte(`{"timeoutMs":1e999}`))
	f.Add(uint16(1), []byte(`{"ref":"e1","modifiers":["Shift",null]}`))
	fuzz.Run(f, func(t *testing.T, n uint16, raw []byte) {
		tool := &tools[int(n)%len(tools)]
		args, err := tool.decode(raw)
		if err != nil {
			if text := err.Error(); len(text) > 1000 || strings.Contains(text, "\n") {
				t.Fatalf("%s %q: %q", tool.name, raw, text)
			}
			return
		}
		said, err := json.Marshal(args)
		if err != nil {
			t.Fatalf("%s %q: %v", tool.name, raw, err)
		}
		again, err := tool.decode(said)
		if err != nil {
			t.Fatalf("%s took %q and not %q: %v", tool.name, raw, said, err)
		}
		if saidAgain, _ := json.Marshal(again); string(saidAgain) != string(said) {
			t.Fatalf("%s: %q became %q", tool.name, said, saidAgain)
		}
	})
}

// FuzzConfig holds that a configuration is read or refused in one line, and that
// limits are never negative.
func FuzzConfig(f *testing.F) {
	for _, text := range []string{"browser: chrome\nmcp:\n  tool_limits:\n    global_max_bytes: 10\n", "mcp: {web_search: {engine: own, engines: {own: \"https://x.test/?q={query}\"}}}",
		"a: &a [1]\nb: *a", "mcp: 7", "mcp:\n  unknown: 1", "\t", "a: b: c", "? [a]\n: b", "<<: {a: 1}", "!!binary x"} {
		f.Add([]byte(text))
	}
	fuzz.Run(f, func(t *testing.T, text []byte) {
		c, rest, err := parseConfig(text)
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Fatalf("%q: %q", text, err)
			}
			return
		}
		if _, ok := rest["mcp"]; ok {
			t.Fatalf("%q: mcp is taken for a flag", text)
		}
		if c.check() != nil {
			t.Fatalf("%q was taken", text)
		}
	})
}

// FuzzPatterns holds that a pattern that is taken is one for all names, and that
// a name is its own pattern.
func FuzzPatterns(f *testing.F) {
	f.Add("browser_*", "browser_click")
	f.Add("[", "x")
	fuzz.Run(f, func(t *testing.T, pattern, name string) {
		if (Filter{Allow: []string{pattern}}).Check("full") != nil {
			return
		}
		_ = matches(pattern, name)
		if !strings.ContainsAny(name, `*?[\`) && utf8.ValidString(name) && !matches(name, name) {
			t.Fatalf("%q is not %q", name, name)
		}
	})
}
