package tools

import (
	"cmp"
	"context"
	"errors"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var inspectTool = tool{
	name: "browser_inspect", kind: onPatience,
	readOnly: true, openWorld: true, repeatable: true,
	doc: "Inspect HTML and attributes.",
	body: do(func(ctx context.Context, c *call, a *facadeInspectArgs) (browserResponse, error) {
		switch a.Action {
		case "outline":
			return a.outline(ctx, c)
		case "exists", "get_attribute":
			return a.look(ctx, c)
		}
		limits := c.session.opts.Config.Limits
		out, err := c.page.Outline(ctx, adapter.OutlineOptions{
			Element: a.target(), Depth: level(a.MaxDepth), Collapse: level(a.CollapseDepth), Ellipsis: orUsual(a.Ellipsis, limits.HTML.Ellipsis),
		})
		if err != nil {
			return browserResponse{}, err
		}
		out.Text = c.session.Masked(out.Text)
		return outlined(out, &chunkArgs{}, limits.HTML, limits)
	}),
}

var extractTool = tool{
	name: "browser_extract", kind: onPatience,
	readOnly: true, openWorld: true, repeatable: true,
	doc: "Read the page's text, or its site's cookies.",
	body: do(func(ctx context.Context, c *call, a *facadeExtractArgs) (browserResponse, error) {
		if a.Action == "get_cookies" {
			list, note, err := c.cookies(ctx)
			if err != nil {
				return browserResponse{}, err
			}
			v := browserResponse{Cookies: []facadeCookie{}}
			for _, o := range c.readableCookies(list) {
				v.Cookies = append(v.Cookies, facadeCookie(o))
			}
			v.put("count", len(list))
			v.put("note", note)
			return v, nil
		}
		limits := c.session.opts.Config.Limits
		out, err := c.page.Outline(ctx, adapter.OutlineOptions{
			Element: a.target(), Text: true, Depth: level(a.MaxDepth), Collapse: -1, Ellipsis: orUsual(a.Ellipsis, limits.Text.Ellipsis),
			TagNames: a.TagNames == nil || *a.TagNames, Invisible: a.SkipHidden != nil && !*a.SkipHidden,
		})
		if err != nil {
			return browserResponse{}, err
		}
		out.Text = c.session.Masked(out.Text)
		return outlined(out, &a.chunkArgs, limits.Text, limits)
	}),
}

type facadeInspectArgs struct {
	Action string `json:"action" enum:"get_html,exists,get_attribute,outline"`
	facadeElement
	MaxDepth      *int   `json:"max_depth,omitempty" min:"0"`
	CollapseDepth *int   `json:"collapse_depth,omitempty" doc:"summarize from this level" min:"0"`
	Ellipsis      *int   `json:"ellipsize_text_after,omitempty" doc:"0: never" min:"0" default:"128"`
	Attribute     string `json:"attribute,omitempty"`
	facadePage
}

func (a *facadeInspectArgs) target() adapter.Element {
	return adapter.Element{Ref: a.Ref, Selector: a.Selector}
}

func (a *facadeInspectArgs) check() error {
	need := a.Action
	switch {
	case a.Action == "outline" && a.Selector != "":
		return invalid("outline covers the page, or the element of a ref; it takes no selector")
	case a.Action == "get_html", a.Action == "outline":
		need = ""
	}
	if err := a.given(need); err != nil {
		return err
	}
	if a.Action == "get_attribute" && a.Attribute == "" {
		return missing("attribute", "get_attribute")
	}
	return nil
}

// outline answers with a snapshot, whose refs other actions take.
func (a *facadeInspectArgs) outline(ctx context.Context, c *call) (browserResponse, error) {
	o := adapter.SnapshotOptions{Ref: a.Ref, Depth: max(0, level(a.MaxDepth))}
	snap, err := c.page.Snapshot(ctx, o)
	if err != nil {
		return browserResponse{}, err
	}
	text := c.session.writer().Text(snap.Lines)
	v := browserResponse{Text: &text, sized: sizes(len(text), len(text), snap.More != "")}
	if snap.More != "" {
		v.put("note", "the page has more: give ref, selector or max_depth")
	}
	return v, nil
}

// look answers what is asked of an element.
func (a *facadeInspectArgs) look(ctx context.Context, c *call) (browserResponse, error) {
	e, err := c.page.Examine(ctx, a.target(), a.Attribute)
	gone := errors.Is(err, adapter.ErrStaleRef)
	if err != nil && !(gone && a.Action == "exists") {
		return browserResponse{}, err
	}
	v := browserResponse{Data: map[string]any{}}
	if a.Action == "exists" {
		v.put("exists", e.Count > 0)
		if e.Count > 0 {
			v.put("count", e.Count)
			v.put("visible", e.Visible > 0)
		}
		return v, nil
	}
	if e.Count == 0 {
		return v, &Error{Kind: adapter.ErrNotFound, Text: "nothing matches " + cmp.Or(a.Selector, a.Ref), Advice: adapter.AdviceLook}
	}
	v.put("value", nil)
	if e.HasValue {
		v.put("value", e.Value)
	}
	v.put("target", e.Target)
	if e.Count > 1 {
		v.put("note", "of the first of "+lines.Amount(e.Count, "element")+" that match")
	}
	return v, nil
}

type facadeExtractArgs struct {
	Action string `json:"action" enum:"get_text,get_cookies"`
	facadeElement
	chunkArgs
	Ellipsis   *int  `json:"ellipsize_text_after,omitempty" doc:"0: never" min:"0" default:"128"`
	TagNames   *bool `json:"include_tag_names,omitempty" default:"true"`
	SkipHidden *bool `json:"skip_hidden,omitempty" default:"true"`
	MaxDepth   *int  `json:"max_depth,omitempty" min:"0"`
	facadePage
}

func (a *facadeExtractArgs) target() adapter.Element {
	return adapter.Element{Ref: a.Ref, Selector: a.Selector}
}

func (a *facadeExtractArgs) check() error { return a.given("") }

// cookies returns those of the page's site, or all of an instance that was launched,
// and a note that says which.
func (c *call) cookies(ctx context.Context) ([]adapter.Cookie, string, error) {
	if i := c.session.instances; i != nil && i.home != c.session {
		list, err := c.page.Jar(ctx)
		return list, "all cookies of this instance", err
	}
	list, err := c.page.Cookies(ctx, "")
	return list, "only the cookies that the browser sends to this page; those of other sites are never shown", err
}

// facadeCookie is a cookie as agents read it.
type facadeCookie struct {
	Name     string  `json:"name"`
	Value    string  `json:"value"`
	Domain   string  `json:"domain"`
	Path     string  `json:"path"`
	Expires  float64 `json:"expires,omitempty"` // seconds since 1970; none for a session's
	Secure   bool    `json:"secure"`
	HTTPOnly bool    `json:"httpOnly"`
	SameSite string  `json:"sameSite,omitempty"`
}

// outlined answers with a part of an outline.
func outlined(out adapter.Outline, a *chunkArgs, l textLimits, limits facadeLimits) (browserResponse, error) {
	var v browserResponse
	text, size, chunk, err := a.part(out.Text, l, limits.Chunks.Max)
	if err != nil {
		return v, err
	}
	v.Text, v.sized, v.chunked = &text, size, chunk
	if out.Count > 1 {
		v.put("count", out.Count)
	}
	if out.Frames > 0 {
		v.put("frames", out.Frames)
		v.put("note", "frames are not included: give a selector such as iframe >> body")
	}
	if out.Cut {
		v.put("note", "the page is too long to read at once: give a selector")
	}
	return v, nil
}

// level is a depth; -1 is none.
func level(n *int) int {
	if n == nil {
		return -1
	}
	return *n
}

func orUsual(n *int, usual int) int {
	if n == nil {
		return usual
	}
	return *n
}
