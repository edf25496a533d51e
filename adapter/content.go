package adapter

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"net/url"
	"strings"
	"unicode/utf8"

	"codeberg.org/readeck/go-readability"
	"github.com/JohannesKaufmann/html-to-markdown/v2/converter"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/base"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/commonmark"
	"github.com/JohannesKaufmann/html-to-markdown/v2/plugin/table"
)

// ContentOptions say what of a page is told, and how.
type ContentOptions struct {
	Selector string // only what it matches
	Format   string // markdown, text, html or links
	Offset   int    // bytes to skip, as the part before said
	Whole    bool   // in one part
	// Masked returns a text as it may be told; nil for as it is. It gets the whole
	// text: an offset may lie within what it masks.
	Masked func(string) string
}

// Content is a part of what a page says.
type Content struct {
	Text  string
	Title string
	URL   string
	// Main tells that the page's main content was taken, without what is
	// around it.
	Main bool
	// Next is the offset of the next part, 0 where this is the last.
	Next, Total int
}

const (
	contentPart   = 20_000 // bytes of a part
	contentFrames = 20     // frames that are read
	mainShare     = 0.4    // of a page's text that its main content has at least
)

// Content tells what the page says, in parts of about 20 KB. Markdown of a whole
// page is that of its main content, where it has one. It fails with ErrNotFound
// where the selector matches nothing.
func (p *Page) Content(ctx context.Context, o ContentOptions) (Content, error) {
	format := cmp.Or(strings.ToLower(o.Format), "markdown")
	if _, err := p.attached(ctx); err != nil {
		return Content{}, err
	}
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return Content{}, err
	}
	defer stop()
	var c Content
	var text string
	switch format {
	case "text", "links":
		c.Title, text, err = p.plainContent(ctx, o, format)
	case "markdown", "html":
		c, text, err = p.richContent(ctx, o, format)
	default:
		return Content{}, fail(ErrInvalid, "use markdown, text, html or links", "%q is not a format", o.Format)
	}
	if err != nil {
		return Content{}, p.reason(err)
	}
	c.URL = p.URL()
	if o.Masked != nil {
		text = o.Masked(text)
	}
	if o.Whole {
		c.Text = strings.ToValidUTF8(text, "\ufffd")
		c.Total = len(c.Text)
		return c, nil
	}
	return c.part(text, o.Offset)
}

// part cuts the part at an offset out of the text, at the end of a line.
func (c Content) part(text string, offset int) (Content, error) {
	text = strings.ToValidUTF8(text, "\ufffd")
	c.Total = len(text)
	if offset > 0 && offset >= len(text) {
		return c, fail(ErrInvalid, "start with offset 0", "offset %d is beyond the end: the content has %d bytes", offset, len(text))
	}
	for offset > 0 && !utf8.RuneStart(text[offset]) {
		offset--
	}
	rest := text[offset:]
	if len(rest) <= contentPart {
		c.Text = rest
		return c, nil
	}
	end := contentPart
	if at := strings.LastIndexByte(rest[:end], '\n'); at > contentPart/2 {
		end = at + 1
	}
	for !utf8.RuneStart(rest[end]) {
		end--
	}
	c.Text, c.Next = rest[:end], offset+end
	return c, nil
}

// frameContent is what the page script gives of a frame.
type frameContent struct {
	HTML   string   `json:"html"`
	Text   int      `json:"text"`
	Frames []string `json:"frames"`
	Cut    bool     `json:"cut"`
	Next   int      `json:"next"`
	Title  string   `json:"title"`
	URL    string   `json:"url"`
	Count  int      `json:"count"` // of the elements that are meant
}

// wholeHTML returns the HTML of a frame with those of the frames in it.
func (p *Page) wholeHTML(ctx context.Context, f *frame, selector string, left *int) (frameContent, error) {
	p.mu.Lock()
	q := map[string]any{"prefix": p.prefix(f), "next": f.next, "selector": selector}
	p.mu.Unlock()
	c, err := ask[frameContent](ctx, p, f, expression("contentOf", q))
	if err != nil {
		return c, err
	}
	p.numbered(f, c.Next)
	if c.Count == 0 {
		if err := (Element{Selector: selector}).missing(); err != nil {
			return c, err
		}
	}
	for i, ref := range c.Frames {
		mark := fmt.Sprintf(`<div id="tabrelay-frame-%d"></div>`, i)
		inner := ""
		if *left--; *left >= 0 {
			if child, err := p.childFrame(ctx, f, ref); err == nil && child != nil {
				within, done := p.reading(ctx, child)
				cc, err := p.wholeHTML(within, child, "", left)
				if done(err); err == nil {
					inner = "<div>" + cc.HTML + "</div>"
					c.Text += cc.Text
				}
			}
		}
		c.HTML = strings.Replace(c.HTML, mark, inner, 1)
		progress(ctx, float64(i+1), float64(len(c.Frames)), "frames read")
	}
	return c, context.Cause(ctx)
}

func (p *Page) richContent(ctx context.Context, o ContentOptions, format string) (Content, string, error) {
	frames, e, err := p.framesFor(ctx, Element{Selector: o.Selector})
	if err != nil {
		return Content{}, "", err
	}
	left := contentFrames
	c, err := p.wholeHTML(ctx, frames[0], e.Selector, &left)
	if err != nil {
		return Content{}, "", err
	}
	out := Content{Title: c.Title}
	if format == "html" {
		return out, c.HTML, nil
	}
	progress(ctx, 0, 0, "converting to Markdown")
	html := c.HTML
	if o.Selector == "" {
		if main, ok := mainContent(c); ok {
			html, out.Main = main, true
		}
	}
	md, err := markdown(ctx, html, c.URL)
	return out, md, err
}

// mainContent returns the main content of a page where that is most of it.
func mainContent(c frameContent) (string, bool) {
	at, err := url.Parse(c.URL)
	if err != nil || c.Text < 500 {
		return "", false
	}
	parser := readability.NewParser()
	parser.KeepClasses = false
	a, err := parser.Parse(strings.NewReader("<html><head><title></title></head><body>"+c.HTML+"</body></html>"), at)
	if err != nil || a.Node == nil || float64(len(strings.Join(strings.Fields(a.TextContent), " "))) < mainShare*float64(c.Text) {
		return "", false
	}
	return a.Content, true
}

func markdown(ctx context.Context, html, at string) (string, error) {
	conv := converter.NewConverter(converter.WithPlugins(
		base.NewBasePlugin(),
		commonmark.NewCommonmarkPlugin(commonmark.WithListEndComment(false)),
		table.NewTablePlugin(table.WithHeaderPromotion(true), table.WithCellPaddingBehavior(table.CellPaddingBehaviorMinimal), table.WithNewlineBehavior(table.NewlineBehaviorPreserve)),
	))
	md, err := conv.ConvertString(html, converter.WithDomain(at), converter.WithContext(ctx))
	if err != nil {
		return "", fmt.Errorf("convert to Markdown: %w", err)
	}
	return strings.TrimSpace(md), nil
}

// plainContent returns the title of the page, and the text or the links of it and
// its frames.
func (p *Page) plainContent(ctx context.Context, o ContentOptions, format string) (title, text string, _ error) {
	frames, e, err := p.framesFor(ctx, Element{Selector: o.Selector})
	if err != nil {
		return "", "", err
	}
	if o.Selector != "" {
		frames = frames[:1]
	}
	var b bytes.Buffer
	for i, f := range frames[:min(len(frames), contentFrames)] {
		within, done := p.reading(ctx, f)
		c, err := ask[struct {
			Text  string      `json:"text"`
			Title string      `json:"title"`
			Links [][2]string `json:"links"`
			Count int         `json:"count"`
		}](within, p, f, expression("plainContent", map[string]any{"selector": e.Selector}))
		if done(err); err != nil && i > 0 && context.Cause(ctx) == nil {
			continue // it went away, or hangs
		}
		if err == nil && c.Count == 0 {
			err = Element{Selector: o.Selector}.missing()
		}
		if err != nil {
			return "", "", err
		}
		if i == 0 {
			title = c.Title
		}
		if format == "text" {
			if text := strings.TrimSpace(c.Text); text != "" {
				b.WriteString(text + "\n")
			}
			continue
		}
		for _, l := range c.Links {
			fmt.Fprintf(&b, "- [%s](%s)\n", strings.NewReplacer("[", `\[`, "]", `\]`).Replace(l[0]), l[1])
		}
	}
	return title, strings.TrimSpace(b.String()), nil
}
