package tools

import (
	"cmp"
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/textdiff"
)

var inspection = []tool{
	{
		name: "browser_snapshot", kind: onPatience,
		readOnly: true, openWorld: true, repeatable: true,
		doc: "Show the page as a tree of elements with refs.",
		body: do(func(ctx context.Context, c *call, a *snapshotArgs) (snapshot, error) {
			snap, err := c.page.Snapshot(ctx, adapter.SnapshotOptions{
				Ref: a.Ref, Depth: a.Depth, Interactive: a.Interactive, All: a.All, Boxes: a.Boxes, URLs: a.URLs, Offset: a.Offset,
			})
			if err != nil {
				return snapshot{}, err
			}
			return c.saw(a, snap), nil
		}),
	},
	{
		name: "browser_screenshot", kind: onPatience,
		openWorld: true, repeatable: true,
		doc: "Take a screenshot of the page or an element.",
		body: do(func(ctx context.Context, c *call, a *screenshotArgs) (picture, error) {
			if a.MaxSize == 0 {
				a.MaxSize = 1568
			}
			if a.File != "" { // before anything is done for nothing
				if _, err := c.session.place(a.File); err != nil {
					return picture{}, err
				}
			}
			img, err := c.page.Screenshot(ctx, adapter.ScreenshotOptions{
				Element: a.target(), FullPage: a.FullPage, Format: cmp.Or(a.Format, "png"), Quality: a.Quality, MaxSize: a.MaxSize, Labels: a.Labels,
			})
			if err != nil {
				return picture{}, err
			}
			v := picture{Width: img.Width, Height: img.Height, Scale: img.Scale, image: img}
			if a.File == "" && len(img.Data) > largestPicture && c.session.opts.Output != "" {
				_, kind, _ := strings.Cut(img.MIME, "/")
				a.File, v.large = "screenshot-"+time.Now().Format("20060102-150405")+"."+kind, true
			}
			if a.File != "" {
				v.File, err = c.session.write(a.File, img.Data)
			}
			return v, err
		}),
	},
	{
		name: "browser_evaluate", kind: onElement, deed: evaluates,
		destructive: true, openWorld: true,
		doc: "Run JavaScript in the page and return its value.",
		body: do(func(ctx context.Context, c *call, a *evaluateArgs) (evaluated, error) {
			v, err := c.page.Evaluate(ctx, a.Script, a.target())
			return evaluated{Value: bounded(v.Text, resultLimit), Notes: v.Notes}, err
		}),
	},
	{
		name: "browser_console", kind: onElement,
		readOnly: true, openWorld: true, duringDialog: true, repeatable: true,
		doc: "Read the console since the page's last navigation.",
		body: do(func(_ context.Context, c *call, a *consoleArgs) (messages, error) {
			level, _ := adapter.ParseLevel(cmp.Or(a.Level, "info"))
			list, dropped, last := c.page.Console(0)
			v := messages{Dropped: dropped, Messages: []message{}}
			for _, m := range list {
				if m.Level >= level && (m.Fresh || a.All) {
					v.Messages = append(v.Messages, message{Level: m.Level.String(), Text: bounded(m.Text, messageLength), Place: lines.Short(m.Place, addressLength)})
				}
			}
			v.cut()
			c.tab.console = last
			if a.Clear {
				c.page.ClearConsole()
			}
			return v, nil
		}),
	},
}

// resultLimit is how many bytes of a script's value, or of console messages, an
// answer has at the most.
const resultLimit = 40_000

// messageLength is how many bytes of one message of the console are told.
const messageLength = 4000

type snapshotArgs struct {
	Ref         string `json:"ref,omitempty" doc:"only this element"`
	Depth       int    `json:"depth,omitempty" min:"1"`
	Interactive bool   `json:"interactive,omitempty" doc:"only interactive elements"`
	All         bool   `json:"all,omitempty" doc:"also elements without text or name"`
	Boxes       bool   `json:"boxes,omitempty"`
	URLs        bool   `json:"urls,omitempty"`
	Diff        bool   `json:"diff,omitempty" doc:"only what changed since the last one"`
	Offset      int    `json:"offset,omitempty" doc:"resume at this offset" min:"0"`
	onPage
}

// usual reports whether it is the same that actions compare with.
func (a *snapshotArgs) usual() bool {
	return a.Ref == "" && a.Depth == 0 && !a.Interactive && !a.All && !a.Boxes && !a.URLs && a.Offset == 0
}

// saw makes the answer of a snapshot that was asked for.
func (c *call) saw(a *snapshotArgs, snap *adapter.Snapshot) snapshot {
	text := c.session.writer().Text(snap.Lines)
	v := snapshot{page: text, More: snap.More}
	if !a.usual() {
		return v
	}
	t := c.tab
	if a.Diff && t.shown {
		change := textdiff.Between(c.session.writer(), t.seen, snap.Lines, textdiff.Deed{})
		if len(change)*100 <= len(text)*changeShare {
			v = snapshot{changes: cmp.Or(change, "none")}
		}
	}
	t.saw(c.session, snap)
	return v
}

// snapshot is what the envelope of an answer has a place for already.
type snapshot struct {
	More string `json:"more,omitempty"` // what was left out, and how to get it

	page, changes string
}

func (v snapshot) text() string {
	if v.changes == "none" {
		return "no changes"
	}
	return ""
}

func (v snapshot) fill(a *Answer) {
	if v.changes == "none" {
		return
	}
	a.Changes = v.changes
	if a.Snapshot = v.page; v.changes == "" {
		a.Snapshot = cmp.Or(v.page, "(the page shows nothing)")
		if v.More != "" {
			a.Snapshot += "\n" + v.More
		}
	}
}

type screenshotArgs struct {
	maybeElement
	FullPage bool   `json:"fullPage,omitempty"`
	Format   string `json:"format,omitempty" enum:"png,jpeg,webp" default:"png"`
	Quality  int    `json:"quality,omitempty" min:"1"`
	MaxSize  int    `json:"maxSize,omitempty" doc:"longest side in pixels" min:"16" default:"1568"`
	Labels   bool   `json:"labels,omitempty" doc:"draw boxes with refs"`
	File     string `json:"file,omitempty" doc:"save to this file instead"`
	onPage
}

// largestPicture is how many bytes a picture may have that is shown: models take 5 MB
// of base64.
const largestPicture = 5_000_000 / 4 * 3

// picture is a screenshot, in the answer or in a file.
type picture struct {
	Width  int     `json:"width"`
	Height int     `json:"height"`
	Scale  float64 `json:"scale,omitempty"` // pixels of the picture for one of the page
	File   string  `json:"file,omitempty"`

	image adapter.Image
	large bool // it is in a file because it would not be taken
}

func (v picture) text() string {
	s := fmt.Sprintf("%d×%d", v.Width, v.Height)
	if v.Scale != 0 && v.Scale != 1 {
		s += fmt.Sprintf(", scale %.3g", v.Scale)
	}
	if v.File != "" {
		if v.large {
			s += `, too large to be shown: format "jpeg" makes it smaller`
		}
		return "written to " + v.File + " (" + s + ")"
	}
	return "screenshot " + s
}

func (v picture) files() []string { return written(v.File) }

func (v picture) contents() []mcp.Content {
	if v.File != "" {
		return nil
	}
	return []mcp.Content{&mcp.ImageContent{Data: v.image.Data, MIMEType: v.image.MIME}}
}

type evaluateArgs struct {
	Script string `json:"script" doc:"an expression or a function; an element is its first argument"`
	maybeElement
	onSlowPage
}

type evaluated struct {
	Value string   `json:"value"` // JSON, or undefined
	Notes []string `json:"notes,omitempty"`
}

func (v evaluated) text() string {
	return strings.Join(append([]string{"result: " + lines.JSON(v.Value)}, v.Notes...), "\nnote: ")
}

type consoleArgs struct {
	Level string `json:"level,omitempty" doc:"this level and above" enum:"debug,info,warning,error" default:"info"`
	All   bool   `json:"all,omitempty" doc:"also from before the navigation"`
	Clear bool   `json:"clear,omitempty"`
	onPage
}

type message struct {
	Level string `json:"level"`
	Text  string `json:"text"`
	Place string `json:"place,omitempty"`
}

type messages struct {
	Messages []message `json:"messages"`
	Dropped  int       `json:"dropped,omitempty"` // older ones that there was no room for
}

// cut drops the oldest messages until the rest fits into an answer.
func (v *messages) cut() {
	size := 0
	for i := len(v.Messages) - 1; i >= 0; i-- {
		if size += len(v.Messages[i].Text) + len(v.Messages[i].Place) + 16; size > resultLimit {
			v.Dropped += i + 1
			v.Messages = v.Messages[i+1:]
			return
		}
	}
}

func (v messages) text() string {
	if len(v.Messages) == 0 {
		return "the console is empty"
	}
	var b strings.Builder
	if v.Dropped > 0 {
		fmt.Fprintf(&b, "(%s left out)\n", lines.Amount(v.Dropped, "older message"))
	}
	for _, m := range v.Messages {
		fmt.Fprintf(&b, "%s: %s", m.Level, oneLine(m.Text))
		if m.Place != "" && !strings.Contains(m.Text, m.Place) {
			fmt.Fprintf(&b, " (%s)", m.Place)
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// bounded cuts a text that is too long for an answer, and says so.
func bounded(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return lines.Head(s, limit) + fmt.Sprintf("… (%d bytes in all)", len(s))
}
