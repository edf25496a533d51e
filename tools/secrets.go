package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/secret"
)

// Vault holds an agent's secrets by their names.
type Vault map[string]secret.Secret

// ReadVault reads secrets in dotenv's form. Its errors hold no value.
func ReadVault(text string) (Vault, error) {
	list, err := secret.Parse(text)
	v := Vault{}
	for _, s := range list {
		if err := adapter.SecretSites(s.Sites).Check(); err != nil {
			return nil, fmt.Errorf("%s: %w; a value with a # in it stands in quotes", s.Name, err)
		}
		v[s.Name] = s
	}
	if err == nil && len(list) == 0 {
		err = errors.New("it has no secrets")
	}
	return v, err
}

func (v Vault) mask() *secret.Mask {
	list := make([]secret.Secret, 0, len(v))
	for _, name := range v.names() {
		list = append(list, v[name])
	}
	return secret.NewMask(list)
}

func (v Vault) names() []string { return slices.Sorted(maps.Keys(v)) }

// instructions returns what an agent with a set of tools is told of its secrets; ""
// where it has none, or no tool that types them.
func (v Vault) instructions(p *profile) string {
	if len(v) == 0 || p.follows {
		return ""
	}
	var list []string
	for _, name := range v.names() {
		list = append(list, name+" ("+strings.Join(v[name].Sites, ", ")+")")
	}
	return "\nSecrets: " + strings.Join(list, "; ") + ". To type one, give its name as secret, in place of text or value; it is typed on its sites only, and you never see it."
}

// typing returns what to type: the text that is given, or the secret of a name.
func (s *Session) typing(text, name string) (adapter.TypeOptions, error) {
	if name == "" {
		return adapter.TypeOptions{Text: text}, nil
	}
	known, ok := s.opts.Vault[name]
	if ok {
		return adapter.TypeOptions{Text: known.Value, Only: known.Sites}, nil
	}
	e := &Error{Kind: adapter.ErrInvalid, Text: fmt.Sprintf("there is no secret %q", lines.Short(name, nameLength)), Hint: "the secrets: " + strings.Join(s.opts.Vault.names(), ", ")}
	if len(s.opts.Vault) == 0 {
		e.Hint, e.Flag = "there are none: ask the person", "secrets are given with tabrelay --secrets FILE"
	}
	return adapter.TypeOptions{}, e
}

// oneText returns an error if a text is given in two ways.
func oneText(field, text, secret string) error {
	if text != "" && secret != "" {
		return invalid("%s and secret are both given: give one of them", field)
	}
	return nil
}

// Masked returns a text as the agent may read it.
func (s *Session) Masked(text string) string { return string(s.mask.Data([]byte(text))) }

// maskAt masks what a server's client is told, where there are secrets.
func (s *Session) maskAt(server *mcp.Server) {
	if s.mask != nil {
		server.AddReceivingMiddleware(s.masking)
		server.AddSendingMiddleware(s.maskedSending)
	}
}

// masking is a middleware that masks all that a client is told of calls and tools.
func (s *Session) masking(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		result, err := next(ctx, method, r)
		if failed, ok := errors.AsType[*jsonrpc.Error](err); ok {
			told := *failed
			told.Message = s.mask.Text(told.Message)
			return result, &told
		}
		switch result := result.(type) {
		case *mcp.CallToolResult:
			return s.maskedAnswer(result), err
		case *mcp.ListToolsResult:
			return s.maskedList(result), err
		}
		return result, err
	}
}

// maskedSending is a middleware that masks what a client is told during a call.
func (s *Session) maskedSending(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
		if p, ok := r.GetParams().(*mcp.ProgressNotificationParams); ok {
			p.Message = s.mask.Text(p.Message)
		}
		return next(ctx, method, r)
	}
}

func (s *Session) maskedAnswer(r *mcp.CallToolResult) *mcp.CallToolResult {
	told := *r
	told.Content = slices.Clone(r.Content)
	for i, c := range told.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			now := *text
			if strings.HasPrefix(text.Text, "{") && json.Valid([]byte(text.Text)) {
				now.Text = string(s.mask.JSON([]byte(text.Text)))
			} else {
				now.Text = s.mask.Text(text.Text)
			}
			told.Content[i] = &now
		}
	}
	if r.StructuredContent != nil {
		told.StructuredContent = s.maskedJSON(r.StructuredContent)
	}
	return &told
}

// maskedList masks what is told of a page's tools.
func (s *Session) maskedList(r *mcp.ListToolsResult) *mcp.ListToolsResult {
	told := *r
	told.Tools = slices.Clone(r.Tools)
	for i, t := range told.Tools {
		if own := s.toolNamed(t.Name); own != nil && own.page == nil {
			continue // a secret may be a word that ours are described with
		}
		now := *t
		now.Title, now.Description, now.InputSchema = s.mask.Text(t.Title), s.mask.Text(t.Description), s.maskedJSON(t.InputSchema)
		told.Tools[i] = &now
	}
	return &told
}

func (s *Session) maskedJSON(v any) json.RawMessage {
	data, err := lines.Marshal(v)
	if err != nil {
		return json.RawMessage(`{}`)
	}
	return s.mask.JSON(data)
}

// withSecrets declares the arguments that name secrets, too, to an agent that has some.
func (s *Session) withSecrets(d *mcp.Tool, t *tool) *mcp.Tool {
	if len(s.opts.Vault) > 0 && t.page == nil {
		d.InputSchema = t.takes().Instead()
	}
	return d
}
