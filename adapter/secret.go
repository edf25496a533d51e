package adapter

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"slices"
	"strings"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// SecretSites are the sites that a secret may be typed into: patterns as of Sites,
// meant with https, or http where a pattern begins with http:// or means this
// computer. Nil says that a text is no secret.
type SecretSites []string

// Check returns an error that says which pattern is the first invalid one. It gives
// its number alone: in a file the pattern may be the rest of a value.
func (s SecretSites) Check() error {
	for i, pattern := range s {
		if checkPattern("", strings.TrimPrefix(pattern, "http://"), true) != nil {
			return fmt.Errorf("site %d is not a host such as example.com or *.example.com, or anyone can have a site under it, as under co.uk", i+1)
		}
	}
	return nil
}

// include reports whether a document of an origin may get the secret.
func (s SecretSites) include(origin string) bool {
	u, err := url.Parse(origin)
	if err != nil || u.Hostname() == "" {
		return false // such as null, of a sandboxed frame
	}
	ip := net.ParseIP(u.Hostname())
	local := u.Hostname() == "localhost" || strings.HasSuffix(u.Hostname(), ".localhost") || ip != nil && ip.IsLoopback()
	return slices.ContainsFunc(s, func(pattern string) bool {
		host, plain := strings.CutPrefix(pattern, "http://")
		return (u.Scheme == "https" || u.Scheme == "http" && (plain || local)) && matches(host, u)
	})
}

// enterSecret enters a secret into the element. The document with the field and
// all documents around it must be of its sites. The page script puts it in: input
// events would go to whichever frame has the focus by then.
func (a *actor) enterSecret(ctx context.Context, o TypeOptions) error {
	switch a.ready.Kind {
	case "field", "editor", "proxy":
	default:
		return advise(ErrInvalid, AdviceLook, "%s is not a text field: a secret is typed into text fields only", a.done.Target)
	}
	if o.Slowly {
		return fail(ErrInvalid, "leave out slowly", "a secret is not typed key by key")
	}
	origins, err := ask[[]string](ctx, a.page, a.frame, expression("origins"))
	if err != nil {
		return err
	}
	for _, origin := range origins {
		if !o.Only.include(origin) {
			return fail(ErrBlocked, "use a page of "+strings.Join(o.Only, " or "), "this secret is not for %s", lines.Clip(origin, 100))
		}
	}
	a.sent = true
	put, err := ask[bool](ctx, a.page, a.frame, expression("putSecret", map[string]any{"text": o.Text, "clear": o.Clear}))
	if err != nil {
		return err
	}
	if !put {
		return advise(ErrNotActionable, AdviceLook, "%s lost the focus: nothing was typed", a.done.Target)
	}
	t, err := a.typed(ctx, o)
	if err != nil {
		return err
	}
	t.Told, t.Value = false, ""
	return a.report(t, o)
}
