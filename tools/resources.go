package tools

import (
	"context"
	"fmt"
	"io"
	"mime"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// mostResources is how many of the files that were written last can be read.
	mostResources = 100
	// largestResource is how large such a file may be, in bytes.
	largestResource = 32 << 20
)

// published lets the client of a session read the files that were written for it, as
// resources: one on another machine has no other way to them.
func (s *Session) published(server *mcp.Server) func(path string) {
	return func(path string) {
		resource := resourceOf(path)
		uri := resource.URI
		s.mu.Lock()
		s.resources = append(slices.DeleteFunc(s.resources, func(old string) bool { return old == uri }), uri) // one that was cleared left its name
		n := max(0, len(s.resources)-mostResources)
		old := slices.Clone(s.resources[:n])
		s.resources = slices.Delete(s.resources, 0, n)
		s.mu.Unlock()
		server.RemoveResources(old...)
		server.AddResource(resource, func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			data, err := s.read(path)
			if err != nil {
				return nil, err
			}
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, MIMEType: resource.MIMEType, Blob: data}}}, nil
		})
	}
}

// resourceOf is what a client knows a file by.
func resourceOf(path string) *mcp.Resource {
	r := &mcp.Resource{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(filepath.ToSlash(path), "/")}).String(),
		Name: filepath.Base(path), MIMEType: mime.TypeByExtension(filepath.Ext(path))}
	if info, err := os.Stat(path); err == nil {
		r.Size = info.Size()
	}
	return r
}

// linksEra is the first version of the protocol that has links to resources.
const linksEra = "2025-06-18"

// writer is implemented by results that may have written files.
type writer interface{ files() []string }

// linked adds links to the files that a call wrote to what it answers.
func linked(r *mcp.CallToolRequest, a *Answer, told *mcp.CallToolResult) *mcp.CallToolResult {
	w, ok := a.Result.(writer)
	if !ok || r.ProtocolVersion() < linksEra {
		return told
	}
	for _, path := range w.files() {
		to := resourceOf(path)
		told.Content = append(told.Content, &mcp.ResourceLink{URI: to.URI, Name: to.Name, MIMEType: to.MIMEType, Size: &to.Size})
	}
	return told
}

// written is the list of a file, if there is one.
func written(path string) []string {
	if path == "" {
		return nil
	}
	return []string{path}
}

// read returns what is in a file of the output folder.
func (s *Session) read(path string) ([]byte, error) {
	root, err := s.openOutput()
	if err != nil {
		return nil, err
	}
	defer root.Close()
	within, err := filepath.Rel(resolved(s.opts.Output), path)
	if err != nil {
		return nil, err
	}
	f, err := root.Open(within)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, largestResource+1))
	if err == nil && len(data) > largestResource {
		err = fmt.Errorf("%s has more than %s: read it at its path", filepath.Base(path), size(largestResource))
	}
	return data, err
}
