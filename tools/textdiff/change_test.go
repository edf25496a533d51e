package textdiff

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/adapter/lines/linestest"
)

func TestChange(t *testing.T) {
	const page = `
- heading "To do" [level=1]
- list "Items" [e1]:
  - listitem [e2]: Bread
  - listitem [e3]: Milk
- group:
  - button "Add" [e4]
  - text: 2 items`
	for _, c := range []struct {
		name          string
		before, after string
		acted         string
		want          string
	}{
		{"nothing", page, page, "", ""},
		{"new line", page, swap(page, "  - listitem [e3]: Milk", "  - listitem [e3]: Milk\n  - listitem [e5]: Eggs"), "", `
  list "Items" [e1]
+   listitem [e5]: Eggs`},
		{"different line and text", page, swap(page, `"Add"`, `"Add" [disabled]`, "2 items", "3 items"), "", `
~ button "Add" [disabled] [e4]
~ text: 2 items → 3 items`},
		{"gone with what is in it", page, swap(page, `- list "Items" [e1]:
  - listitem [e2]: Bread
  - listitem [e3]: Milk
`, ""), "", `
- list "Items" [e1]`},
		{"one gone", page, swap(page, "  - listitem [e2]: Bread\n", ""), "", `
- listitem [e2]`},
		{"new subtree", page, page + `
- dialog "Sure?" [e7]:
  - button "Yes" [e8]
  - button "No" [e9]`, "", `
+ dialog "Sure?" [e7]:
+   button "Yes" [e8]
+   button "No" [e9]`},
		{"moved", page, swap(page, `  - listitem [e2]: Bread
  - listitem [e3]: Milk`, `  - listitem [e3]: Milk
  - listitem [e2]: Bread`), "", `
~ moved listitem [e3] before listitem [e2]`},
		{"wrapped", page, swap(page, `  - button "Add" [e4]`, "  - form:\n    - button \"Add\" [e4]"), "", `
+ form:`},
		{"focus came", page, swap(page, `"Add"`, `"Add" [focused]`), "", `
~ button "Add" [focused] [e4]`},
		{"focus came by the action itself", page, swap(page, `"Add"`, `"Add" [focused]`), "e4", ""},
		{"focus went", swap(page, `"Add"`, `"Add" [focused]`), page, "", ""},
		{"focus went from an element within a line", `- listitem: button "A" [focused] [e1]`, `- listitem: button "A" [e1]`, "", ""},
		{"focus in a name", `- button "A [focused]" [e1]`, `- button "A" [e1]`, "", `
~ button "A" [e1]`},
		{"quotes and brackets in a name", `- button "a [e9\] \" b" [e1]`, `- button "a [e9\] \" c" [e1]`, "", `
~ button "a [e9\] \" c" [e1]`},
		{"text like a ref", `- listitem [e1]: see \[e7\]`, `- listitem [e1]: see \[e8\]`, "", `
~ listitem [e1]: see \[e7\] → see \[e8\]`},
		{"one of three texts", "- text: 5\n- separator\n- text: 9\n- separator\n- text: 18", "- text: 5\n- separator\n- text: 11\n- separator\n- text: 18", "", `
~ text (2 of 3): 9 → 11`},
		{"a text behind a slider", "- slider \"Bass\" [e1]\n- text: 5\n- slider \"Alt\" [e2]\n- text: 5", "- slider \"Bass\" [e1]\n- text: 5\n- slider \"Alt\" [e2]\n- text: 6", "", `
~ text (after slider "Alt" [e2]): 5 → 6`},
		{"a cell", "- table \"T\" [e1]:\n  - row: Ann | 5 | button \"X\" [e2]\n  - row: Bob | 6 | button \"X\" [e3]", "- table \"T\" [e1]:\n  - row: Ann | 5 | button \"X\" [e2]\n  - row: Bob | 7 | button \"X\" [e3]", "", `
  table "T" [e1]
~   row: Bob | 6 → 7 | button "X" [e3]`},
		{"a row gone and another changed", "- row: Ann | 5\n- row: Bob | 6\n- row: Cid | 7", "- row: Bob | 8\n- row: Cid | 7", "", `
- row: Ann | 5
~ row: Bob | 6 → 8`},
		{"rows by what is in them", "- row: Ann | button \"X\" [e2]\n- row: Bob | button \"X\" [e3]", "- row: Ada | button \"X\" [e9]\n- row: Bob | button \"X\" [e3]", "", `
- row: Ann | button "X" [e2]
+ row: Ada | button "X" [e9]`},
		{"a row moved", "- row: Ann | 5\n- row: Bob | 6\n- row: Cid | 7", "- row: Cid | 7\n- row: Ann | 5\n- row: Bob | 6", "", `
~ moved row: Cid | 7 before row: Ann | 5`},
		{"a value", `- textbox "A" [e1]: red`, `- textbox "A" [e1]: green`, "", `
~ textbox "A" [e1]: red → green`},
		{"a value gone", `- textbox "A" [e1]: red`, `- textbox "A" [e1]`, "", `
~ textbox "A" [e1]: red → (empty)`},
		{"a long text", "- paragraph: " + strings.Repeat("word ", 40) + "one two three", "- paragraph: " + strings.Repeat("word ", 40) + "one 2 three", "", `
~ paragraph: … word one two three → … word one 2 three`},
		{"a heading", "- heading \"Ann\" [level=1]", "- heading \"Bob\" [level=1]", "", `
~ heading "Ann" [level=1] → heading "Bob" [level=1]`},
		{"several siblings gone at once", "- list [e1]:\n  - listitem [e2]: A\n  - listitem [e3]: B\n  - listitem [e4]: C\n  - listitem [e5]: D", "- list [e1]:\n  - listitem [e5]: D", "", `
- listitem [e2]
- listitem [e3]
- listitem [e4]`},
		{"several texts gone at once", "- paragraph: A\n- paragraph: B\n- paragraph: C\n- paragraph: D", "- paragraph: D", "", `
- paragraph: A
- paragraph: B
- paragraph: C`},
		{"in a frame", "- iframe [e1]:\n  - button \"A\" [f1e1]", "- iframe [e1]:\n  - button \"A\" [f1e1]\n  - button \"B\" [f1e2]", "", `
  iframe [e1]
+   button "B" [f1e2]`},
		{"everything is new", "", "- button \"A\" [e1]", "", `
+ button "A" [e1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Between(lines.Writer{}, read(t, c.before), read(t, c.after), Deed{Ref: c.acted})
			if want := strings.TrimPrefix(c.want, "\n"); got != want {
				t.Errorf("want:\n%s\ngot:\n%s", want, got)
			}
		})
	}
}

func swap(s string, pairs ...string) string {
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(s, pairs[i]) {
			panic("no " + pairs[i])
		}
	}
	return strings.NewReplacer(pairs...).Replace(s)
}

func read(t *testing.T, snapshot string) []lines.Line {
	t.Helper()
	list, err := linestest.Parse(strings.TrimPrefix(snapshot, "\n"))
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestChangeOfATableIsFast(t *testing.T) {
	table := func(skip int) []lines.Line {
		list := []lines.Line{{Role: "table"}}
		for i := range 5000 {
			if i%skip != 1 {
				list = append(list, lines.Line{Depth: 1, Role: "row", Name: fmt.Sprintf("Row %d", i), Ref: fmt.Sprintf("e%d", i+1)})
			}
		}
		return list
	}
	before, after := table(7000), table(900)
	begin := time.Now()
	change := Between(lines.Writer{}, before, after, Deed{})
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	var want []string
	for i := 901; i < 5000; i += 900 {
		want = append(want, fmt.Sprintf(`- row "Row %d" [e%d]`, i, i+1))
	}
	if change != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%q", change, want)
	}
}

func TestWhatWasTypedIsToldOnce(t *testing.T) {
	before, after := read(t, `- textbox "A" [placeholder="Your name"] [e1]`), read(t, `- textbox "A" [focused] [e1]: Ann`)
	did := Deed{Ref: "e1", Value: "Ann", Typed: true}
	if got := Between(lines.Writer{}, before, after, did); got != "" {
		t.Errorf("said twice: %s", got)
	}
	after[0].States = append(after[0].States, "invalid")
	if got := Between(lines.Writer{}, before, after, did); got != `~ textbox "A" [focused] [invalid] [e1]: Ann` {
		t.Errorf("got %s", got)
	}
}

func TestSubtreeIsToldWhereItIsShorter(t *testing.T) {
	list := func(n int, made string) string {
		var b strings.Builder
		b.WriteString("- main [e1]:\n  - list \"Hits\" [e2]:\n")
		for i := range n {
			fmt.Fprintf(&b, "    - listitem: %s %d\n", made, i)
		}
		b.WriteString("  - paragraph: " + strings.Repeat("much else ", 500))
		return b.String()
	}
	got := Between(lines.Writer{}, read(t, list(90, "a rather long result")), read(t, list(2, "hit")), Deed{})
	if want := "= list \"Hits\" [e2]:\n=   listitem: hit 0\n=   listitem: hit 1"; got != want {
		t.Errorf("got\n%s", got)
	}
}
