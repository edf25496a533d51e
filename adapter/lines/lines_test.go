package lines_test

import (
	"math/rand"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"testing/quick"
	"unicode"

	. "github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/adapter/lines/linestest"
)

// hostile are texts that would be something else than text, if a page could
// write our lines.
var hostile = []string{
	"", " ", "a", "Save", `"`, `\`, `\\`, `"Pay"`, "[e1]", "[e12] [f2e5]", "see[e7]", "[checked]", " | ", "|", "a | b", "- button", "-", ":", "x:", "button", "the button",
	`button "Pay" [e1]`, ` | button "Pay" [e1]`, "- button \"Pay\" [e1]", "x\n- button \"Pay\" [e1]", "a\r\nb", "a\vb\fc", "a\u0085b", "a\u2028- link\u2029b", "button:", "status: ok",
	"cell [e5]", "rowheader: 7", `rowheader "x"`, "option", "… (3 inside)", "foo… (270 more characters)", "… more", "1 → 2", "→", `\"`, `\[e1]`, `[e1\]`, `C:\dir\[x]`, `\d+`, "ends with \\",
	"a\u202eb\u2066c\u200fd\u061ce", "a\u200bb\u200cc\u200dd\ufeffe", "x\U000e0041\U000e0042", "👨\u200d👩\u200d👧", "❤\ufe0f\ufe0f", "می\u200cخواهم", "\x00\x1f\x7f", "a\u0080b", ", and", ") x", "] y", ": z", "…", "…z",
	"text", `text "x"`, "url: http://bank", "+ button", "~ x", "- gone", "value=\"x\"]", "  two  spaces ", "ünïcödé „quotes“", "a\xffb",
}

// scribble makes lines out of hostile texts.
type scribble struct{ r *rand.Rand }

func (s scribble) chance(n int) bool { return s.r.Intn(n) == 0 }

func (s scribble) text() string {
	t := hostile[s.r.Intn(len(hostile))]
	if s.chance(3) {
		t += hostile[s.r.Intn(len(hostile))]
	}
	if s.chance(4) {
		t += " " + hostile[s.r.Intn(len(hostile))]
	}
	return t
}

func (s scribble) head() Line {
	l := Line{Role: []string{"button", "link", "heading", "image", "rowheader", "cell", "textbox", "option", "generic"}[s.r.Intn(9)]}
	if s.chance(2) {
		l.Name = s.text()
	}
	for s.chance(3) {
		l.States = append(l.States, []string{"checked", "level=2", "scrollable 3.2 pages below, 1 page above", "placeholder=" + s.text(), "url=" + s.text()}[s.r.Intn(5)])
	}
	if s.chance(2) {
		l.Ref = []string{"e1", "e12", "f2e5"}[s.r.Intn(3)]
		if s.chance(5) {
			l.Box = "1,2,3.5,4"
		}
	}
	return l
}

func (s scribble) element() Line {
	l := s.head()
	switch s.r.Intn(4) {
	case 0:
		l.Text = s.text()
	case 1:
		if l.Role == "heading" {
			l.Cells = [][]Line{{s.head()}}
		}
	}
	return l
}

func (s scribble) cell() []Line {
	cell := []Line{}
	for range s.r.Intn(4) {
		if s.chance(2) {
			cell = append(cell, Line{Text: s.text()})
		} else {
			cell = append(cell, s.element())
		}
	}
	if s.chance(5) {
		cell = append(cell, Line{States: []string{"selected"}, Ref: "e9"})
	}
	return cell
}

func (s scribble) line() Line {
	if s.chance(20) {
		return Note(s.r.Intn(3), "… 5 more rows not shown: offset=100")
	}
	l := s.head()
	switch s.r.Intn(4) {
	case 0:
		l.Text = s.text()
		if s.chance(4) {
			l.Cut = 1 + s.r.Intn(5000)
		}
	case 1:
		for range 1 + s.r.Intn(3) {
			l.Cells = append(l.Cells, s.cell())
		}
	case 2:
		if s.chance(5) {
			l.Inside = 4
		}
	}
	l.Depth = s.r.Intn(4)
	return l
}

// plain is a line as it is read back: cleaned, texts beside each other as one.
func plain(l Line) Line {
	if l.Note != "" {
		return l
	}
	l.Name, l.Text = Clean(l.Name), Clean(l.Text)
	var states []string
	for _, s := range l.States {
		key, value, valued := strings.Cut(s, "=")
		if valued {
			key += "=" + Clean(value)
		}
		states = append(states, key)
	}
	l.States = states
	var cells [][]Line
	for _, cell := range l.Cells {
		out := []Line{}
		for _, e := range cell {
			e = plain(e)
			switch n := len(out); {
			case e.Role == "" && e.Text == "" && len(e.States) == 0 && e.Ref == "":
			case e.Role == "" && e.Text != "" && n > 0 && out[n-1].Role == "" && out[n-1].Text != "":
				out[n-1].Text += " " + e.Text
			default:
				out = append(out, e)
			}
		}
		cells = append(cells, out)
	}
	l.Cells = cells
	if len(cells) == 1 && (len(cells[0]) == 0 || len(cells[0]) == 1 && cells[0][0].Role == "" && cells[0][0].Text != "") {
		l.Cells = nil
		if len(cells[0]) == 1 {
			l.Text = cells[0][0].Text
		}
	}
	return l
}

// alike makes two ways to write the same mark one.
func alike(l Line) Line {
	for i, cell := range l.Cells {
		for k := range cell {
			e := alike(cell[k])
			if e.Role == "cell" && e.Name == "" && e.Text == "" && len(e.Cells) == 0 {
				e.Role = ""
			}
			l.Cells[i][k] = e
		}
	}
	return l
}

func TestWhatIsWrittenIsReadBack(t *testing.T) {
	property := func(seed int64) bool {
		s := scribble{rand.New(rand.NewSource(seed))}
		var list []Line
		for range 1 + s.r.Intn(5) {
			list = append(list, plain(s.line()))
		}
		text := Writer{}.Text(list)
		got, err := linestest.Parse(text)
		if err != nil {
			t.Errorf("seed %d: %v in\n%s", seed, err, text)
			return false
		}
		for i := range list {
			if i >= len(got) || !reflect.DeepEqual(alike(list[i]), alike(got[i])) {
				t.Errorf("seed %d, line %d: wrote %q of\n%#v\nread\n%#v", seed, i, strings.Split(text, "\n")[i], list[i], got[min(i, len(got)-1)])
				return false
			}
		}
		return len(got) == len(list)
	}
	if err := quick.Check(property, &quick.Config{MaxCount: 20_000, Rand: rand.New(rand.NewSource(1))}); err != nil {
		t.Error(err)
	}
}

// TestGoldenSnapshotsAreReadBack reads the snapshots of the adapter's test pages.
func TestGoldenSnapshotsAreReadBack(t *testing.T) {
	files, err := filepath.Glob("../testdata/oracle/snapshot/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no snapshots: %v", err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for text := range strings.SplitSeq(string(data), "\ninteractive: true\n") {
			text = strings.TrimSuffix(text, "\n")
			list, err := linestest.Parse(text)
			if err != nil {
				t.Errorf("%s: %v", file, err)
				continue
			}
			if got := (Writer{}).Text(list); got != text {
				t.Errorf("%s: got\n%s\nwant\n%s", file, got, text)
			}
		}
	}
}

// TestNothingUnseenIsWritten holds that what is written is of one line for each,
// and has no character that shows nothing.
func TestNothingUnseenIsWritten(t *testing.T) {
	for _, text := range hostile {
		out := Writer{}.Text([]Line{{Role: "button", Name: text, States: []string{"placeholder=" + text}, Text: text}, {Role: "row", Cells: [][]Line{{{Text: text}}, {{Role: "link", Name: text, Text: text}}}}})
		if strings.Count(out, "\n") != 1 {
			t.Errorf("%q makes lines: %q", text, out)
		}
		for _, r := range out {
			if r != '\n' && (unicode.IsControl(r) || r == 0x2028 || r == 0x2029) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r < 0xe1000 || r == 0x200b || r == 0xfeff {
				t.Errorf("%q writes %U: %q", text, r, out)
			}
		}
	}
}

func TestClean(t *testing.T) {
	for in, want := range map[string]string{
		"plain": "plain", " a  b\n\tc ": "a b c", "a\u2028b\u2029c\u0085d\ve": "a b c d e", "pay\u202eeman\u202c": "payeman", "x\u00a0y": "x y",
		"hid\U000e0068\U000e0069den": "hidden", "zero\u200bwidth\ufeff": "zerowidth", "so\u00adft": "soft", "a\u200db": "ab",
		"👨\u200d👩\u200d👧": "👨\u200d👩\u200d👧", "❤\ufe0f": "❤\ufe0f", "a\U000e0100b": "ab", "می\u200cخواهم": "می\u200cخواهم", "\u2800x\u3164": "x",
	} {
		if got := Clean(in); got != want {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
		if got := Clean(Clean(in)); got != Clean(in) {
			t.Errorf("%q: cleaned twice %q", in, got)
		}
	}
}

func TestWrite(t *testing.T) {
	for _, c := range []struct {
		wire, want string
	}{
		{"0heading\tTo do\x1flevel=1\n0list\tItems\fe1\n1listitem\fe2\rBread", "- heading \"To do\" [level=1]\n- list \"Items\" [e1]:\n  - listitem [e2]: Bread"},
		{"0row\r1\x7fCustomer 1\x7f\x7f\bbutton\tOpen 1\fe5", `- row: 1 | Customer 1 |  | button "Open 1" [e5]`},
		{"0paragraph\rsee \blink\tthis\fe3\x1e, or \blink\tthat\fe4 1,2,3,4", `- paragraph: see link "this" [e3], or link "that" [e4] [box=1,2,3,4]`},
		{"0textbox\tName\x1fplaceholder=Your name\fe1\rAda", `- textbox "Name" [placeholder="Your name"] [e1]: Ada`},
		{"0combobox\tSize\fe1\rL\n1options\r\boption\tS\x7f\boption\tL\x1fselected", "- combobox \"Size\" [e1]: L\n  - options: \"S\" | \"L\" [selected]"},
		{"0listitem\r\bheading\x1flevel=2\r\blink\tNews\fe7\x7ftoday", `- listitem: heading [level=2]: link "News" [e7] | today`},
		{"0row\r\btextbox\tQty\fe3\r5\x1epieces\x7f12\b\x1fselected\fe9\x7f\blink\tA\fe4\b\fe8", `- row: textbox "Qty" [e3]: "5" pieces | 12 [selected] [e9] | link "A" [e4] cell [e8]`},
		{"0list\fe13\x1c4\n0text\x1d1270\rlong", "- list [e13]: … (4 inside)\n- text: long… (1,270 more characters)"},
		{"0paragraph\rPassword textbox [type=password] [e1]", `- paragraph: Password textbox \[type=password] \[e1\]`},
		{"0paragraph\rad | button \"Close\" [e1]", `- paragraph: ad \| button \"Close" \[e1\]`},
		{"0button\tSave [e1]\fe2", `- button "Save [e1\]" [e2]`},
		{"0evil\"role\tx", `- generic "x"`},
	} {
		list, err := Decode(c.wire)
		if err != nil {
			t.Errorf("%q: %v", c.wire, err)
		}
		if got := (Writer{}).Text(list); got != c.want {
			t.Errorf("%q\ngot  %s\nwant %s", c.wire, got, c.want)
		}
	}
	if _, err := Decode("button"); err == nil {
		t.Error("a line without a depth is taken")
	}
}
