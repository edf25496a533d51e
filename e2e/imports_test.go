package e2e

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	module = "github.com/tabrelay/tabrelay/"
	in     = "cmd/internal/" // the rooms of the command
)

// layers is the table of docs/architecture.md: what of the project a package
// may import, and which modules of others.
var layers = map[string]struct{ ours, others []string }{
	"extension":               {},
	"extension/bundle":        {others: []string{"github.com/evanw/esbuild/pkg"}},
	"relay":                   {others: []string{"github.com/gorilla/websocket"}},
	"adapter":                 {ours: []string{"extension", "adapter/keyboard", "adapter/lines", "adapter/trace"}, others: []string{"github.com/chromedp/chromedp", "github.com/chromedp/cdproto", "codeberg.org/readeck/go-readability", "github.com/JohannesKaufmann/html-to-markdown/v2", "golang.org/x/image", "golang.org/x/net"}},
	"tools/schema":            {ours: []string{"adapter/lines"}},
	"tools/secret":            {},
	"tools/textdiff":          {ours: []string{"adapter/lines"}, others: []string{"github.com/aymanbagabas/go-udiff"}},
	"tools/toon":              {},
	"tools":                   {ours: []string{"adapter", "adapter/lines", "adapter/trace", "tools/schema", "tools/secret", "tools/textdiff", "tools/toon"}, others: []string{"github.com/modelcontextprotocol/go-sdk", "go.yaml.in/yaml/v3"}},
	"adapter/keyboard":        {others: []string{"github.com/chromedp/chromedp/kb"}},
	"adapter/lines":           {},
	"adapter/trace":           {},
	"adapter/lines/linestest": {ours: []string{"adapter/lines"}},
	"cmd/tabrelay":            {ours: []string{"extension", "relay", "adapter", "adapter/lines", "tools", in + "browser", in + "daemon", in + "doctor", in + "fleet", in + "front", in + "process", in + "release", in + "history", in + "settings", in + "setup", in + "shell", in + "state"}, others: []string{"github.com/alecthomas/kong", "github.com/modelcontextprotocol/go-sdk"}},

	in + "browser":  {ours: []string{"extension", in + "process", in + "state"}, others: []string{"github.com/gofrs/flock", "github.com/google/uuid", "golang.org/x/sys"}},
	in + "daemon":   {ours: []string{"adapter/lines", "tools", in + "process", in + "release", in + "settings", in + "state"}, others: []string{"github.com/gofrs/flock", "github.com/google/uuid"}},
	in + "doctor":   {ours: []string{in + "browser", in + "daemon", in + "release", in + "settings", in + "state"}, others: []string{"golang.org/x/sys"}},
	in + "fleet":    {ours: []string{in + "state"}, others: []string{"github.com/gorilla/websocket", "github.com/nats-io/nats.go"}},
	in + "front":    {ours: []string{"adapter", "tools", in + "daemon", in + "release", in + "settings", in + "state"}, others: []string{"golang.org/x/sys"}},
	in + "history":  {ours: []string{in + "state"}},
	in + "settings": {ours: []string{"tools", in + "browser", in + "state"}, others: []string{"github.com/alecthomas/kong"}},
	in + "setup":    {ours: []string{in + "state"}, others: []string{"github.com/adrg/xdg", "github.com/aymanbagabas/go-udiff"}},
	in + "shell":    {ours: []string{in + "daemon", in + "release", in + "settings"}, others: []string{"github.com/modelcontextprotocol/go-sdk"}},
	in + "state":    {others: []string{"github.com/adrg/xdg", "github.com/gofrs/flock", "github.com/google/uuid"}},
	in + "process":  {others: []string{"golang.org/x/sys"}},
	in + "release":  {others: []string{"golang.org/x/mod"}},
	"packaging":     {ours: []string{"extension"}, others: []string{"github.com/CycloneDX/cyclonedx-go", "github.com/google/rpmpack", "github.com/google/uuid"}},
	"e2e/freeport":  {},
	"e2e/fuzz":      {},
	"e2e/recording": {},
	"e2e/standin":   {others: []string{"github.com/gorilla/websocket"}},
	"e2e/peers":     {others: []string{"github.com/modelcontextprotocol/go-sdk", "github.com/tiktoken-go/tokenizer"}},
	"e2e":           {ours: []string{"extension", "relay", "adapter", "tools"}, others: []string{"github.com/modelcontextprotocol/go-sdk", "github.com/gorilla/websocket", "github.com/chromedp/chromedp", "github.com/chromedp/cdproto"}},
}

func TestLayersMeetOnlyAtProtocols(t *testing.T) {
	out, err := exec.Command("go", "list", "-f", "{{.ImportPath}} {{join .Imports \" \"}}", "../...").Output()
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(out)) {
		fields := strings.Fields(line)
		pkg := strings.TrimPrefix(fields[0], module)
		layer, ok := layers[pkg]
		if !ok {
			t.Errorf("package %s is not in the table of layers", pkg)
			continue
		}
		for _, path := range fields[1:] {
			if own, ok := strings.CutPrefix(path, module); ok {
				if !slices.Contains(layer.ours, own) {
					t.Errorf("%s imports %s", pkg, own)
				}
			} else if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") && !slices.ContainsFunc(layer.others, func(m string) bool { return path == m || strings.HasPrefix(path, m+"/") }) {
				t.Errorf("%s imports %s", pkg, path)
			}
		}
	}
}

// toolNames are the names of tools, and of an argument that only they have.
var toolNames = regexp.MustCompile(`\b(browser_[a-z_]+|connect_browser|list_tabs|open_tab|focus_tab|close_tab|read_page|answer_dialog|call_page_tool|timeoutMs)\b`)

// TestOnlyToolsNameTools holds that what stands below the tools names none: each
// set has other names for what helps.
func TestOnlyToolsNameTools(t *testing.T) {
	for _, room := range []string{"../adapter", "../relay", "../extension"} {
		err := filepath.WalkDir(room, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".js") {
				return err
			}
			text, err := os.ReadFile(path)
			if name := toolNames.Find(text); name != nil {
				t.Errorf("%s names %s", path, name)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// TestFailuresHaveOneNumber holds that who makes a failure and who explains it
// know it by the same number.
func TestFailuresHaveOneNumber(t *testing.T) {
	numbers := func(path string) (list []string) {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		list = regexp.MustCompile(`-320[56]\d`).FindAllString(string(text), -1)
		slices.Sort(list)
		return slices.Compact(list)
	}
	relay, adapter, docs := numbers("../relay/fault.go"), numbers("../adapter/refusal.go"), numbers("../docs/protocol.md")
	if len(relay) == 0 || !slices.Equal(relay, adapter) || !slices.Equal(relay, docs) {
		t.Errorf("relay %v, adapter %v, docs %v", relay, adapter, docs)
	}
	for _, n := range numbers("../extension/fault.js") {
		if !slices.Contains(relay, n) {
			t.Errorf("the relay does not know %s of the extension", n)
		}
	}
}
