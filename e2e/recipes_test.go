package e2e

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// What docs/clients.md has for each client runs as it stands there.
func TestRecipesForClients(t *testing.T) {
	t.Parallel()
	needClients(t)
	doc, err := os.ReadFile("../docs/clients.md")
	if err != nil {
		t.Fatal(err)
	}
	tell := teller(t)
	out, _ := tell("cdp", "--json", "--listen", "0")
	var a given
	if err := json.Unmarshal([]byte(out), &a); err != nil {
		t.Fatalf("%v in %q", err, out)
	}
	fill := strings.NewReplacer("'ADDRESS'", "'"+a.URL+"'", "http://127.0.0.1:9222", a.URL, `"9222"`, `"`+a.URL+`"`, "https://example.com/", clientSite(t))
	blocks := regexp.MustCompile("(?s)## (\\w+)\n\n```(js|go)\n(.*?)```").FindAllStringSubmatch(string(doc), -1)
	if len(blocks) != 4 {
		t.Fatalf("%d recipes", len(blocks))
	}
	for _, block := range blocks {
		name, language, code := block[1], block[2], fill.Replace(block[3])
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
			defer cancel()
			cmd := exec.CommandContext(ctx, "node", "--input-type=module", "--eval", code)
			cmd.Dir = "clients"
			if language == "go" {
				cmd = exec.CommandContext(ctx, program(ctx, t, code))
			}
			if out, err := cmd.CombinedOutput(); err != nil || !strings.Contains(string(out), "Clients") {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// program builds statements of Go with this module's dependencies, and returns the
// path of what it built.
func program(ctx context.Context, t *testing.T, statements string) string {
	t.Helper()
	source := "package main\n\nimport (\n\"context\"\n\"fmt\"\n\"log\"\n\n\"github.com/chromedp/chromedp\"\n\"github.com/chromedp/chromedp/remote\"\n" +
		"\"github.com/go-rod/rod\"\n\"github.com/go-rod/rod/lib/launcher\"\n)\n\n" +
		"var ctx = context.Background()\nvar _, _, _, _, _ = log.Fatal, chromedp.Navigate, remote.NewAllocator, rod.New, launcher.MustResolveURL\n\n" +
		"func main() {\n" + statements + "}\n"
	folder := t.TempDir()
	file, overlay := filepath.Join(folder, "main.go"), filepath.Join(folder, "overlay.json")
	place, err := filepath.Abs("recipe/main.go") // which is there for the compiler alone
	if err != nil {
		t.Fatal(err)
	}
	replaced, err := json.Marshal(map[string]any{"Replace": map[string]string{place: file}})
	if err != nil {
		t.Fatal(err)
	}
	for path, content := range map[string][]byte{file: []byte(source), overlay: replaced} {
		if err := os.WriteFile(path, content, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	built := filepath.Join(folder, "recipe")
	build := exec.CommandContext(ctx, "go", "build", "-overlay", overlay, "-o", built, "./recipe")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	return built
}
