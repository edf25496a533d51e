package adapter

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const objectionModule = "../extension/page/objection.js"

// TestObjectionsAreComplete compares the codes that the page script knows with
// the sentences that there are for them, and with what its modules object.
func TestObjectionsAreComplete(t *testing.T) {
	module, err := os.ReadFile(objectionModule)
	if err != nil {
		t.Fatal(err)
	}
	text, _, ok := strings.Cut(string(module), "} Code\n")
	if !ok {
		t.Fatalf("%s lists no codes", objectionModule)
	}
	var codes []string
	for _, m := range regexp.MustCompile(`'([a-z-]+)'`).FindAllStringSubmatch(text, -1) {
		codes = append(codes, m[1])
	}
	slices.Sort(codes)
	if told := slices.Sorted(maps.Keys(objections)); !slices.Equal(codes, told) {
		t.Errorf("the page script knows %q\nthe table has %q", codes, told)
	}
	var script strings.Builder
	files, _ := filepath.Glob("../extension/page/*/*.js")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		script.Write(source)
	}
	for _, code := range codes {
		if !strings.Contains(script.String(), "'"+code+"'") {
			t.Errorf("no module objects with %q", code)
		}
	}
	o := objection{Who: "who", About: "about", Why: "why", List: []string{"a"}, Count: 2}
	for code, e := range objections {
		o.Code = code
		told := o.told()
		if told.Kind == nil || told.Text == "" || (told.Advice == "") == (told.Hint == "") || strings.ContainsAny(told.Text+told.Hint, "{}") {
			t.Errorf("%s: %+v becomes %+v", code, e, told)
		}
	}
}

func TestObjectionSaysWhatItIsAbout(t *testing.T) {
	for _, c := range []struct {
		o          objection
		text, hint string
	}{
		{objection{Code: "none", Who: `"#a"`}, `nothing matches "#a"`, ""},
		{objection{Code: "none", Who: `"#a"`, List: []string{"w", "x", "y", "z"}}, `nothing matches "#a"; closest matches: w, x, y`, ""},
		{objection{Code: "many", Who: `"a"`, List: []string{"x", "y"}, Count: 12}, `12 elements match "a": x, y, …`, ""},
		{objection{Code: "covered", Who: "button [e1]", About: "{who}", waited: "5s"}, "button [e1]: covered by {who} (waited 5s)", "close or move what covers it first, or scroll"},
		{objection{Code: "no-option", Who: "list [e1]", About: "Huge", List: []string{`"S"`, `"L"`}, Count: 9}, `list [e1]: no option "Huge"`, `choose among "S", "L" and 7 more`},
		{objection{Code: "no-option", Who: "list [e1]"}, `list [e1]: no option ""`, "choose among no options: the list is empty"},
		{objection{Code: "item-none", Who: `"Fruit"`, Index: 7, Count: 3}, `there is no item 7: "Fruit" has 3, counting from 0`, "look at the list's current items"},
	} {
		if e := c.o.told(); e.Text != c.text || e.Hint != c.hint && c.hint != "" {
			t.Errorf("%+v: %q, %q", c.o, e.Text, e.Hint)
		}
	}
}

// TestWordsOfErrorsAreKnownInOneFile keeps the browser's words in refusal.go.
func TestWordsOfErrorsAreKnownInOneFile(t *testing.T) {
	matching := regexp.MustCompile(`strings\.\w+\(\w+\.Error\(\)`)
	files, _ := filepath.Glob("*.go")
	for _, file := range files {
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := matching.FindString(string(source)); found != "" && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s: %s: give it a code, or a constant in refusal.go", file, found)
		}
	}
}
