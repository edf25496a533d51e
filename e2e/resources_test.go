package e2e

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestResources has the client of one agent read what was written for it, and that of
// another not.
func TestResources(t *testing.T) {
	t.Parallel()
	s := shared(t)
	a, other := s.agent(t), &agent{t, s.connect(t)}
	a.open(newSite(t, `<h1>Here</h1>`).URL)
	a.ok("browser_screenshot", args{"file": "seen.png"})
	a.ok("browser_screenshot", args{"file": "seen.png"})
	list, err := a.session.ListResources(t.Context(), nil)
	if err != nil || len(list.Resources) != 2 {
		t.Fatal(list, err)
	}
	for _, r := range list.Resources {
		if r.MIMEType != "image/png" || !strings.HasPrefix(r.Name, "seen") {
			t.Errorf("%+v", r)
		}
		read, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI})
		if err != nil {
			t.Fatal(err)
		}
		file, err := os.ReadFile(filepath.FromSlash(strings.TrimPrefix(r.URI, "file://")))
		if err != nil || !bytes.Equal(read.Contents[0].Blob, file) || !bytes.HasPrefix(file, []byte("\x89PNG")) {
			t.Error(err, len(file))
		}
		if read, err := other.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: r.URI}); err == nil {
			t.Errorf("another agent reads it: %d bytes", len(read.Contents[0].Blob))
		}
	}
	if list, err := other.session.ListResources(t.Context(), nil); err != nil || len(list.Resources) != 0 {
		t.Error(list, err)
	}
	for _, uri := range []string{"file:///etc/passwd", strings.Replace(list.Resources[0].URI, "/seen", "/../mcpToken", 1), list.Resources[0].URI + "x"} {
		if read, err := a.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err == nil {
			t.Errorf("%s: %v", uri, read)
		}
	}
}
