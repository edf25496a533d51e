package lines_test

import (
	"testing"

	. "github.com/tabrelay/tabrelay/adapter/lines"
)

// TestWhatShowsNothing holds what is left of texts that hide something or look like another
// one: a line of text, a text of several lines, and one of ours.
func TestWhatShowsNothing(t *testing.T) {
	for _, c := range []struct{ in, clean, plain, visible string }{
		{"plain words", "plain words", "plain words", "plain words"},
		{" a  b ", "a b", " a  b ", " a  b "},
		{"a ", "a", "a ", "a "},
		{"a\tb\nc", "a b c", "a\tb\nc", "a\tb\nc"},
		{"a\r\nb", "a b", "a\nb", "a\nb"},
		{"a\rb\vc\fd", "a b c d", "a\nb\nc\nd", "a b c d"},
		{"a\u0085b\u2028c\u2029d", "a b c d", "a\nb\nc\nd", "a b c d"},
		{"a\x00b\x1b[31m", "a b [31m", "ab[31m", "ab[31m"},
		{"a\u00a0b\u3000c", "a b c", "a\u00a0b\u3000c", "a\u00a0b\u3000c"},
		{"a\u200bb\u202ec\ufeff", "abc", "abc", "abc"},
		{"a\u034fb\u115fc\u1160\u17b4\u2800\u3164\uffa0", "abc", "abc", "abc"},
		{"a\U000e0041\U000e007fb\U0001fffe\ufdd0\ufff0c", "abc", "abc", "abc"},
		{"a\ufffcb\ufffd", "a\ufffcb\ufffd", "a\ufffcb\ufffd", "a\ufffcb\ufffd"},
		// Joiners and the choice of a variant stay where they change what is seen.
		{"\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469", "\U0001f468\u200d\U0001f469"},
		{"\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525", "\u2764\ufe0f\u200d\U0001f525"},
		{"\u0646\u200c\u0645", "\u0646\u200c\u0645", "\u0646\u200c\u0645", "\u0646\u200c\u0645"},
		{"a\u200db\u200c", "ab", "ab", "ab"},
		{"\ufe0fa \ufe0fb\ufe01", "a b", "a b", "a b"},
		{"\u2764 \u200d\U0001f525", "\u2764 \U0001f525", "\u2764 \U0001f525", "\u2764 \U0001f525"},
		{"\u200b\ufe0fx", "x", "x", "x"},
		{"", "", "", ""},
		{"\u200b", "", "", ""},
	} {
		for name, got := range map[string][2]string{"Clean": {Clean(c.in), c.clean}, "Plain": {Plain(c.in), c.plain}, "Visible": {Visible(c.in), c.visible}} {
			if got[0] != got[1] {
				t.Errorf("%s(%+q) is %+q, want %+q", name, c.in, got[0], got[1])
			}
		}
	}
}

// TestJSON holds that what shows nothing is written as what it is.
func TestJSON(t *testing.T) {
	for in, want := range map[string]string{
		`{"a":"b ü 漢"}`:                          `{"a":"b ü 漢"}`,
		"\"\u200b\u202e\u2028\u2029\u0085\x7f\"": `"\u200b\u202e\u2028\u2029\u0085\u007f"`,
		"\"\U000e0041\U0001f600\"":               `"\udb40\udc41` + "\U0001f600" + `"`,
		"{\n\t\"a\": 1\n}":                       "{\n\t\"a\": 1\n}",
	} {
		if got := JSON(in); got != want {
			t.Errorf("JSON(%+q) is %+q, want %+q", in, got, want)
		}
	}
}

// TestMarksOfTexts holds which characters of a page get a backslash, so that none
// reads like one of ours.
func TestMarksOfTexts(t *testing.T) {
	for in, want := range map[string]string{
		"a - b":              "a - b",
		"- a":                `\- a`,
		"-a":                 "-a",
		"[e1] a[0]":          `\[e1\] a[0]`,
		"see [x]":            `see \[x]`,
		"a | b|c":            `a \| b|c`,
		"a → b →c":           `a \→ b →c`,
		`"a"`:                `\"a"`,
		`button "Save"`:      `button \"Save"`,
		`word "Save"`:        `word "Save"`,
		"button: x":          `button\: x`,
		"hint: x":            "hint: x",
		"button:x":           "button:x",
		"… (3 more) (4)":     `… \(3 more) (4)`,
		`\`:                  `\`,
		`C:\dir`:             `C:\dir`,
		`\[ \"`:              `\\[ \\"`,
		"f1e2] e3] fe2] e] ": `f1e2] e3] fe2] e]`,
	} {
		if got := (Writer{}).Line(Line{Role: "text", Text: in}); got != "text: "+want {
			t.Errorf("%q is written %q, want %q", in, got, "text: "+want)
		}
	}
}

func TestNumbersAndPlaceholders(t *testing.T) {
	for want, l := range map[string]Line{
		"list: … (1 inside)":                            {Role: "list", Inside: 1},
		"list: … (999 inside)":                          {Role: "list", Inside: 999},
		"list: … (123,456 inside)":                      {Role: "list", Inside: 123456},
		"list: … (1,234,567 inside)":                    {Role: "list", Inside: 1234567},
		`textbox [placeholder="Name"]`:                  {Role: "textbox", States: []string{"placeholder=Name"}},
		`heading [level=2] [x="a b"]`:                   {Role: "heading", States: []string{"level=2", "x=a b"}},
		`generic "Made up"`:                             {Role: "made up", Name: "Made up"},
		"text: x… (1,000 more characters)":              {Role: "text", Text: "x", Cut: 1000},
		"text [e7]: x… (1,000 more characters: ref=e7)": {Role: "text", Ref: "e7", Text: "x", Cut: 1000},
	} {
		if got := (Writer{}).Line(l); got != want {
			t.Errorf("%+v is written %q, want %q", l, got, want)
		}
	}
}
