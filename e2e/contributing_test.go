package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fenced matches a block of code in a document, with the file that it is for.
var fenced = regexp.MustCompile("(?ms)^( *)```go (\\S+)\n(.*?)^ *```$")

// TestContributing adds a tool as docs/contributing.md says, to a copy: the go
// command lays the changed files over those of the repository.
func TestContributing(t *testing.T) {
	t.Parallel()
	browser(t)
	document, err := os.ReadFile("../docs/contributing.md")
	if err != nil {
		t.Fatal(err)
	}
	copies := t.TempDir()
	over := map[string]string{}
	for _, block := range fenced.FindAllStringSubmatch(string(document), -1) {
		indent, name, code := block[1], block[2], block[3]
		code = strings.ReplaceAll("\n"+code, "\n"+indent, "\n")[1:]
		place, err := filepath.Abs("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		if there, err := os.ReadFile(place); err == nil { // a literal for the list of a group
			head := regexp.MustCompile(`(?m)^var \w+ = \[\]tool\{\n`)
			list := head.FindIndex(there)
			if list == nil {
				t.Fatalf("%s has no list of tools", name)
			}
			code = string(there[:list[1]]) + code + string(there[list[1]:])
		}
		over[place] = filepath.Join(copies, filepath.Base(name))
		if err := os.WriteFile(over[place], []byte(code), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if len(over) != 3 {
		t.Fatalf("%d files in the recipe, want 3", len(over))
	}
	overlay, err := json.Marshal(map[string]any{"Replace": over})
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(copies, "overlay.json")
	if err := os.WriteFile(file, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "go", "test", "-overlay", file, "-run", "^(TestExtent|TestDeclarations)$", "-v", "../tools").CombinedOutput()
	if err != nil || !strings.Contains(string(out), "--- PASS: TestExtent") {
		t.Fatalf("the tool of the recipe: %v\n%s", err, out)
	}
}
