package tools

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/tabrelay/tabrelay/tools/schema"
)

// examples returns a call and its answer for each tool, as the end-to-end test
// TestExamples recorded them.
func examples(t *testing.T) map[string]string {
	t.Helper()
	text, err := os.ReadFile("testdata/examples.txt")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for part := range strings.SplitSeq("\n"+strings.TrimSpace(string(text)), "\n== ") {
		if part == "" {
			continue
		}
		call, answer, _ := strings.Cut(part, "\n")
		name, _, _ := strings.Cut(call, " ")
		if found[name] == "" {
			found[name] = "> " + call + "\n" + answer
		}
	}
	return found
}

// TestManual keeps docs/tools.md as the declarations are, and as tools answer.
func TestManual(t *testing.T) {
	shown := examples(t)
	var b strings.Builder
	b.WriteString(`# The tools

What an agent can call. An element is a ` + "`ref`" + ` from a snapshot (such as ` + "`e12`" + `, in a frame ` + "`f2e5`" + `) or a ` + "`selector`" + `: CSS, ` +
		"`text=…`, `role=button[name=\"Save\"]`, `xpath=…`" + `, or a chain of them that enters frames, such as ` + "`iframe#pay >> #card`" + `; one of the two. ` + "`pageId`" + ` is such as ` + "`t2`" + `, or else the active page. ` +
		"`timeoutMs`" + ` bounds a call. ` + "`snapshot`" + ` says what an action tells of the page: its change (` + "`diff`" + `), the whole page (` + "`full`" + `) or nothing (` + "`none`" + `).

An answer is text: the result in a line, then only what there is to tell: ` +
		"`url:`, `title:`, `dialog:`, `chooser:`, `tab opened:`, `tab closed:`, `download:`, `console:`, `changes:` or `snapshot:`" + `. In changes a line begins with ` +
		"`+`" + ` for what is new, ` + "`~`" + ` for what is different, ` + "`-`" + ` for what is gone. An error begins with ` + "`error:`, then `hint:`" + ` says what to do.

In brackets stands what a tool does: *reads* changes nothing, *destructive* may undo or overwrite something, *repeats* may be called again without further effect, *dialog* works also while a dialog is open. Below each tool stands a call, and what a browser answered.
`)
	for _, g := range []struct {
		title string
		tools []tool
	}{
		{"Connection", connecting}, {"Tabs", tabs}, {"Navigation", navigation},
		{"Interaction", interaction}, {"Pointer", pointing}, {"Forms", forms}, {"Inspection", inspection}, {"Content", reading}, {"Performance", performance}, {"Waiting", waiting},
		{"Network", network}, {"Cookies and storage", state}, {"Settings", emulation}, {"Downloads", downloads}, {"Print", printing}, {"Several at once", batching},
	} {
		fmt.Fprintf(&b, "\n## %s\n", g.title)
		for _, tool := range g.tools {
			fmt.Fprintf(&b, "\n### %s\n%s *(%s)*\n", tool.name, tool.doc, doings(&tool))
			takes := tool.takes()
			if len(takes.Properties) > 0 {
				b.WriteString("\n| argument | type | |\n|---|---|---|\n")
			}
			for _, p := range takes.Properties {
				kind := typeText(p.Schema)
				if takes.Requires(p.Name) {
					kind += ", required"
				}
				fmt.Fprintf(&b, "| `%s` | %s | %s |\n", p.Name, kind, meaning(p.Schema))
			}
			if shown[tool.name] == "" {
				t.Errorf("%s has no example: add a call to the story in e2e/examples_test.go, and run it with -update", tool.name)
			}
			fmt.Fprintf(&b, "\n```\n%s\n```\n", shown[tool.name])
		}
	}
	golden(t, "../docs/tools.md", b.String())
}

// doings says what a tool does, for the manual.
func doings(t *tool) string {
	var words []string
	for _, f := range []struct {
		is   bool
		word string
	}{{t.readOnly, "reads"}, {!t.readOnly && !t.destructive, "acts"}, {t.destructive, "destructive"}, {t.idempotent, "repeats"}, {t.duringDialog, "dialog"}} {
		if f.is {
			words = append(words, f.word)
		}
	}
	return strings.Join(words, ", ")
}

func typeText(s *schema.Schema) string {
	if s.Items != nil {
		return s.Type + " of " + s.Items.Type
	}
	return s.Type
}

func meaning(s *schema.Schema) string {
	var parts []string
	if s.Description != "" {
		parts = append(parts, strings.ReplaceAll(s.Description, "|", `\|`))
	}
	enum := s.Enum
	if s.Items != nil {
		enum = s.Items.Enum
	}
	if enum != nil {
		words := make([]string, len(enum))
		for i, v := range enum {
			words[i] = fmt.Sprintf("`%v`", v)
		}
		parts = append(parts, strings.Join(words, ", "))
	}
	if s.Default != nil {
		parts = append(parts, fmt.Sprintf("default `%v`", s.Default))
	}
	return strings.Join(parts, "; ")
}
