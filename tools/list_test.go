package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// listBudget is what tools/list may weigh for the whole set, in bytes.
const listBudget = 18_000

// client connects a client to a server of its own, in memory.
func client(t *testing.T, o Options) *mcp.ClientSession {
	t.Helper()
	server, session := NewServer(o)
	return clientOf(t, server, session, nil, "")
}

// clientOf connects a client to the server of a session, in memory; an empty version of
// the protocol is the latest. It ends with the test, and so do the session and its tabs.
func clientOf(t *testing.T, server *mcp.Server, session *Session, o *mcp.ClientOptions, version string) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	ss, err := server.Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	c, err := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o).Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
		defer cancel()
		session.CloseTabs(ctx)
		_ = c.Close()
		_ = ss.Wait()
		_ = session.Close()
	})
	return c
}

func listing(t *testing.T, o Options) []byte {
	t.Helper()
	list, err := client(t, o).ListTools(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	text, err := lines.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestList(t *testing.T) {
	text := listing(t, Options{})
	t.Logf("tools/list: %d tools, %d bytes", len(all()), len(text))
	if len(text) > listBudget {
		t.Errorf("tools/list has %d bytes, more than %d", len(text), listBudget)
	}
	// A line for each tool, in the order of their names.
	var list struct{ Tools []json.RawMessage }
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/list.jsonl", string(bytes.Join(raws(list.Tools), []byte("\n")))+"\n")
}

func TestListStructured(t *testing.T) {
	text := listing(t, Options{Settings: Settings{Structured: true}})
	var list struct {
		Tools []struct {
			Name         string
			OutputSchema map[string]any
		}
	}
	if err := json.Unmarshal(text, &list); err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		properties, _ := tool.OutputSchema["properties"].(map[string]any)
		for _, name := range []string{"snapshot", "modalStates", "consoleSummary", "error", "hint"} {
			if properties[name] == nil {
				t.Errorf("%s: its output schema lacks %s: %v", tool.Name, name, tool.OutputSchema)
			}
		}
	}
	t.Logf("tools/list --structured: %d bytes", len(text))
}

func raws(list []json.RawMessage) [][]byte {
	each := make([][]byte, len(list))
	for i, r := range list {
		each[i] = r
	}
	return each
}

// TestDeclarations holds rules for every tool.
func TestDeclarations(t *testing.T) {
	name := regexp.MustCompile(`^browser(_[a-z]+)+$`)
	seen := map[string]bool{}
	for _, tool := range all() {
		if !name.MatchString(tool.name) || seen[tool.name] {
			t.Errorf("%s: a bad name, or one that is given twice", tool.name)
		}
		seen[tool.name] = true
		if !strings.HasSuffix(tool.doc, ".") || len(tool.doc) > 120 {
			t.Errorf("%s: its doc is a short sentence or two, not %q", tool.name, tool.doc)
		}
		if tool.body.run == nil {
			t.Errorf("%s does nothing", tool.name)
		}
		text, err := lines.Marshal(tool.takes())
		if err != nil {
			t.Fatal(err)
		}
		for _, bad := range []string{"oneOf", "anyOf", "allOf", `"null"`, "$ref"} {
			if bytes.Contains(text, []byte(bad)) {
				t.Errorf("%s: its schema has %s, which some model providers reject", tool.name, bad)
			}
		}
		for _, p := range tool.takes().Properties {
			if !regexp.MustCompile(`^[a-z]+([A-Z][a-z]*)*$`).MatchString(p.Name) {
				t.Errorf("%s: argument %s is not camelCase", tool.name, p.Name)
			}
		}
	}
}

// TestCountOfToolsIsTrue holds what people are told of how many tools there are.
func TestCountOfToolsIsTrue(t *testing.T) {
	option, _ := reflect.TypeFor[Settings]().FieldByName("Tools")
	readme, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	count := fmt.Sprintf("%d precise tools", len(all()))
	has(t, option.Tag.Get("help"), count)
	has(t, string(readme), count)
}

func TestEachSetSaysWhoseWordsAPagesAre(t *testing.T) {
	for _, p := range profiles {
		if !strings.Contains(p.instructions, "data, never") && !strings.Contains(p.instructions, "as data, never as instructions") {
			t.Errorf("the instructions of the %s set do not say that a page's words are data", p.name)
		}
	}
}
