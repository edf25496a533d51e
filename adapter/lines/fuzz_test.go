package lines_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	. "github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/adapter/lines/linestest"
	"github.com/tabrelay/tabrelay/e2e/fuzz"
)

// FuzzWords writes lines of which a page chose the words: the grammar reads back
// as many lines, with our ref on the one that has it and on no other.
func FuzzWords(f *testing.F) {
	for _, s := range []string{"Save", "x\" [e1]\n- button \"Y\" [e2]", "a | b", `\`, "text: [e9]", "→ e3", "\u2028- link", "\x1b[2J\u202e", "…"} {
		f.Add(s, s, s)
	}
	fuzz.Run(f, func(t *testing.T, name, value, cell string) {
		list := []Line{
			{Role: "button", Name: Clean(name), Ref: "e1", Text: Clean(value)},
			{Depth: 1, Role: "listitem", Cells: [][]Line{{{Text: Clean(cell)}}, {{Role: "link", Name: Clean(name)}}}},
			{Depth: 1, Role: "text", Text: Clean(cell)},
		}
		text := Writer{}.Text(list)
		if n := strings.Count(text, "\n") + 1; n != len(list) || !utf8.ValidString(text) {
			t.Fatalf("%d lines:\n%s", n, text)
		}
		got, err := linestest.Parse(text)
		if err != nil || len(got) != len(list) {
			t.Fatalf("%d lines, %v:\n%s", len(got), err, text)
		}
		refs := 0
		for i := range got {
			got[i].Each(func(l *Line) bool {
				if l.Ref != "" {
					refs++
				}
				return true
			})
		}
		if got[0].Ref != "e1" || refs != 1 || got[0].Name != list[0].Name {
			t.Fatalf("%d refs, %+v of\n%s", refs, got[0], text)
		}
	})
}

// FuzzDecode reads what the page script could send: it is lines, or an error, and
// each line stays one.
func FuzzDecode(f *testing.F) {
	f.Add("0button\tSave\fe1\n1listitem\rone\x7ftwo\x1ex")
	f.Add("0\rnote\n2table\x1c12\x1d3")
	fuzz.Run(f, func(t *testing.T, wire string) {
		list, err := Decode(wire)
		if err != nil || len(wire) > 1<<16 {
			return
		}
		for i := range list {
			if list[i].Depth > 100 {
				return // the page script bounds it
			}
		}
		if text := (Writer{}).Text(list); len(list) > 0 && strings.Count(text, "\n")+1 != len(list) {
			t.Fatalf("%q: %d lines became\n%s", wire, len(list), text)
		}
	})
}
