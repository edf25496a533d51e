package tools

import (
	"fmt"
	"strings"
	"testing"
	"time"
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
~ text: 3 items`},
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
  list "Items" [e1]
+   listitem [e3]: Milk`},
		{"wrapped", page, swap(page, `  - button "Add" [e4]`, "  - form:\n    - button \"Add\" [e4]"), "", `
+ form:`},
		{"focus came", page, swap(page, `"Add"`, `"Add" [focused]`), "", `
~ button "Add" [focused] [e4]`},
		{"focus came by the action itself", page, swap(page, `"Add"`, `"Add" [focused]`), "e4", ""},
		{"focus went", swap(page, `"Add"`, `"Add" [focused]`), page, "", ""},
		{"focus went from an element within a line", `- listitem: button "A" [focused] [e1]`, `- listitem: button "A" [e1]`, "", ""},
		{"focus in a name", `- button "A [focused]" [e1]`, `- button "A" [e1]`, "", `
~ button "A" [e1]`},
		{"quotes and brackets in a name", `- button "a [e9] \" b" [e1]`, `- button "a [e9] \" c" [e1]`, "", `
~ button "a [e9] \" c" [e1]`},
		{"text like a ref", "- listitem [e1]: see [e7]", "- listitem [e1]: see [e8]", "", `
~ listitem [e1]: see [e8]`},
		{"in a frame", "- iframe [e1]:\n  - button \"A\" [f1e1]", "- iframe [e1]:\n  - button \"A\" [f1e1]\n  - button \"B\" [f1e2]", "", `
  iframe [e1]
+   button "B" [f1e2]`},
		{"everything is new", "", "- button \"A\" [e1]", "", `
+ button "A" [e1]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := changeBetween(strings.TrimPrefix(c.before, "\n"), strings.TrimPrefix(c.after, "\n"), c.acted)
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

func TestChangeOfATableIsFast(t *testing.T) {
	table := func(skip int) string {
		var b strings.Builder
		for i := range 5000 {
			if i%skip != 0 {
				fmt.Fprintf(&b, "  - row \"Row %d\" [e%d]\n", i, i+1)
			}
		}
		return b.String()
	}
	before, after := "- table:\n"+table(7000), "- table:\n"+table(900)
	begin := time.Now()
	change := changeBetween(before, after, "")
	if took := time.Since(begin); took > 5*time.Second {
		t.Errorf("took %s", took)
	}
	if got := strings.Count(change, "\n"); got > 20 {
		t.Errorf("%d lines", got)
	}
}
