package shell

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"mime"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Writer writes answers for a person or, with JSON, for a program.
type Writer struct {
	Out  io.Writer
	JSON bool   // one line an answer
	File string // for a picture; empty for a new file, named after the tool
}

// part is a piece of an answer, as JSON shows it.
type part struct {
	Type string `json:"type"`
	Text string `json:"text,omitempty"`
	File string `json:"file,omitempty"` // where a picture was written
	MIME string `json:"mimeType,omitempty"`
	URI  string `json:"uri,omitempty"`
}

// Write writes what a tool answered, its pictures to files.
func (w *Writer) Write(tool string, answer *mcp.CallToolResult) error {
	var parts []part
	for _, c := range answer.Content {
		switch c := c.(type) {
		case *mcp.TextContent:
			parts = append(parts, part{Type: "text", Text: c.Text})
		case *mcp.ImageContent:
			path, err := w.keep(tool, c)
			if err != nil {
				return err
			}
			parts = append(parts, part{Type: "image", File: path, MIME: c.MIMEType})
		case *mcp.ResourceLink:
			parts = append(parts, part{Type: "resource_link", URI: c.URI, MIME: c.MIMEType})
		}
	}
	if w.JSON {
		return json.NewEncoder(w.Out).Encode(struct {
			IsError    bool   `json:"isError"`
			Content    []part `json:"content"`
			Structured any    `json:"structuredContent,omitempty"`
		}{answer.IsError, parts, answer.StructuredContent})
	}
	for _, p := range parts {
		if p.URI != "" && len(parts) > 1 { // the text names the file
			continue
		}
		text := p.Text
		switch {
		case p.File != "":
			text = "picture: " + p.File
		case p.URI != "":
			text = p.URI
		}
		if _, err := fmt.Fprintln(w.Out, strings.TrimSuffix(text, "\n")); err != nil {
			return err
		}
	}
	return nil
}

// keep writes a picture to a file and returns its path. A file that nobody named is
// never written over.
func (w *Writer) keep(tool string, image *mcp.ImageContent) (string, error) {
	if w.File != "" {
		if err := os.WriteFile(w.File, image.Data, 0o600); err != nil {
			return "", fmt.Errorf("picture: %w", err)
		}
		return filepath.Abs(w.File)
	}
	end := ".png"
	if image.MIMEType == "image/jpeg" {
		end = ".jpg"
	} else if ends, _ := mime.ExtensionsByType(image.MIMEType); len(ends) > 0 && image.MIMEType != "image/png" {
		end = ends[0]
	}
	for n := 1; ; n++ {
		name := tool + end
		if n > 1 {
			name = fmt.Sprintf("%s-%d%s", tool, n, end)
		}
		f, err := os.OpenFile(name, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("picture: %w", err)
		}
		_, err = f.Write(image.Data)
		if e := f.Close(); err == nil {
			err = e
		}
		if err != nil {
			return "", fmt.Errorf("picture: %w", err)
		}
		return filepath.Abs(name)
	}
}

// List lists tools, each with the first sentence of what it does.
func (w *Writer) List(list []*mcp.Tool) error {
	if w.JSON {
		return json.NewEncoder(w.Out).Encode(list)
	}
	width := 0
	for _, t := range list {
		width = max(width, len(t.Name))
	}
	for _, t := range list {
		first, _, cut := strings.Cut(t.Description, ". ")
		if cut {
			first += "."
		}
		first, _, _ = strings.Cut(first, "\n")
		if _, err := fmt.Fprintf(w.Out, "%-*s  %s\n", width, t.Name, first); err != nil {
			return err
		}
	}
	return nil
}

// Explain tells what a tool does, and its arguments.
func (w *Writer) Explain(t *mcp.Tool) error {
	if w.JSON {
		return json.NewEncoder(w.Out).Encode(t)
	}
	fmt.Fprintf(w.Out, "%s\n\n%s\n", t.Name, t.Description)
	schema, _ := t.InputSchema.(map[string]any)
	properties, _ := schema["properties"].(map[string]any)
	required, _ := schema["required"].([]any)
	if len(properties) > 0 {
		fmt.Fprintln(w.Out, "\nArguments:")
	}
	for _, name := range names(properties, required) {
		p, _ := properties[name].(map[string]any)
		about := valuesOf(p)
		if items, ok := p["items"].(map[string]any); ok {
			about = "list of " + valuesOf(items)
		}
		if isIn(required, name) {
			about += ", required"
		}
		text, _ := p["description"].(string)
		if _, err := fmt.Fprintln(w.Out, strings.TrimRight(fmt.Sprintf("  %s (%s)  %s", name, about, text), " ")); err != nil {
			return err
		}
	}
	return nil
}

// valuesOf says what an argument may be.
func valuesOf(schema map[string]any) string {
	if list, ok := schema["enum"].([]any); ok {
		return strings.ReplaceAll(strings.Trim(fmt.Sprint(list), "[]"), " ", "|")
	}
	return strings.Join(typesIn(schema), " or ")
}

// names are those of the arguments, the required ones first.
func names(properties map[string]any, required []any) []string {
	list := slices.Sorted(maps.Keys(properties))
	slices.SortStableFunc(list, func(a, b string) int {
		return cmp.Compare(btoi(!isIn(required, a)), btoi(!isIn(required, b)))
	})
	return list
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func isIn(list []any, name string) bool { return slices.Contains(list, any(name)) }
