package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

const (
	// pageURI is where a client reads a page as a snapshot, or an element of it, so
	// that a person can hand it to the model without a call.
	pageURI         = "tabrelay://page/"
	pageTemplate    = pageURI + "{pageId}"
	elementTemplate = pageTemplate + "/{ref}"

	maxCompletions = 100 // as the protocol has it
	// lookupLimit bounds the wait for a call that works in the page.
	lookupLimit = time.Second
)

// servePages lets clients read pages as resources, where the session may take
// snapshots.
func (s *Session) servePages(server *mcp.Server) {
	t := s.profile.byName["browser_snapshot"]
	if t == nil || s.refused(t) != nil {
		return
	}
	const kind = "text/plain"
	read := func(ctx context.Context, r *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
		text, err := s.readPage(ctx, r.Params.URI)
		if err != nil {
			return nil, err
		}
		return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: r.Params.URI, MIMEType: kind, Text: text}}}, nil
	}
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: pageTemplate, Name: "page", Title: "Page", MIMEType: kind,
		Description: "An open page as a tree of elements with refs."}, read)
	server.AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: elementTemplate, Name: "element", Title: "Element", MIMEType: kind,
		Description: "An element of an open page, with what is in it."}, read)
}

// readPage returns the snapshot that an address of pageURI means. It opens nothing and
// connects to nothing.
func (s *Session) readPage(ctx context.Context, uri string) (string, error) {
	id, ref, _ := strings.Cut(strings.TrimPrefix(uri, pageURI), "/")
	if !slices.Contains(s.pageIDs(), id) {
		return "", mcp.ResourceNotFoundError(uri)
	}
	arguments, err := json.Marshal(map[string]string{"pageId": id, "ref": ref})
	if err != nil {
		return "", err
	}
	a := s.Call(ctx, "browser_snapshot", arguments)
	if a.Error != nil {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInternalError, Message: s.mask.Text(joined(a.Error.Text, a.Error.Hint))}
	}
	return strings.ToValidUTF8(s.mask.Text(a.Text()), "\ufffd"), nil
}

// complete completes the page ids and refs of the addresses of pages.
func (s *Session) complete(ctx context.Context, r *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	var values []string
	switch of, argument := r.Params.Ref, r.Params.Argument.Name; {
	case of.Type == "ref/prompt":
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown prompt %q", lines.Short(of.Name, titleLength))}
	case of.URI != pageTemplate && of.URI != elementTemplate:
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: fmt.Sprintf("unknown resource template %q", lines.Short(of.URI, titleLength))}
	case argument == "pageId":
		values = s.pageIDs()
	case argument == "ref" && r.Params.Context != nil:
		values = s.refs(ctx, r.Params.Context.Arguments["pageId"])
	}
	values = slices.DeleteFunc(values, func(v string) bool { return !strings.HasPrefix(v, r.Params.Argument.Value) })
	n := len(values)
	values = slices.Clip(values[:min(n, maxCompletions)])
	if values == nil {
		values = []string{}
	}
	return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: values, Total: n, HasMore: n > len(values)}}, nil
}

// pageIDs are those of the open pages that the agent sees, the active one first; none
// without a browser.
func (s *Session) pageIDs() (list []string) {
	s.mu.Lock()
	b := s.browser
	s.mu.Unlock()
	if b == nil || b.Err() != nil {
		return nil
	}
	for _, p := range s.pages(b) {
		if p.Active {
			list = slices.Insert(list, 0, p.ID)
		} else {
			list = append(list, p.ID)
		}
	}
	return list
}

// refs are those of the snapshot of a page that the agent saw last, in their order.
func (s *Session) refs(ctx context.Context, id string) (list []string) {
	s.mu.Lock()
	i := slices.IndexFunc(s.tabs, func(t *tab) bool { return t.id == id && !t.closed })
	if i < 0 {
		s.mu.Unlock()
		return nil
	}
	t := s.tabs[i]
	s.mu.Unlock()
	ctx, cancel := context.WithTimeout(ctx, lookupLimit)
	defer cancel()
	if t.take(ctx) != nil {
		return nil
	}
	defer t.release()
	for i := range t.seen {
		t.seen[i].Each(func(l *lines.Line) bool {
			if l.Ref != "" {
				list = append(list, l.Ref)
			}
			return true
		})
	}
	return list
}
