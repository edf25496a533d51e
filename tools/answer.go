package tools

import (
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
	"github.com/tabrelay/tabrelay/tools/textdiff"
)

// Answer is what a call says: its result or its error, and what else there is
// to tell. The zero value says nothing.
type Answer struct {
	// Result is the tool's own value; nil after an error.
	Result any
	// Error is why there is none.
	Error *failure
	// Remark is a word on what did not happen, or on the browser that was taken.
	Remark string

	URL        string
	Title      string
	Dialog     *dialog
	Chooser    *chooser
	TabsOpened []pageEntry
	TabsClosed []tabClosed
	Downloads  []download
	Console    *consoleCount
	Snapshot   string
	Changes    string

	set   *profile // whose words it is told in
	tools string   // which came and went, where they do
	wrong bool     // the arguments are
}

type dialog struct {
	Type    string `json:"type"`
	Message string `json:"message"`
	Default string `json:"default,omitempty"`
}

// chooser is a file chooser that waits.
type chooser struct {
	Multiple bool `json:"multiple,omitempty"`
}

type tabClosed struct {
	ID     string `json:"id"`
	Active string `json:"active,omitempty"` // the page that is active now
}

type pageEntry struct {
	ID     string `json:"id"`
	Title  string `json:"title,omitempty"`
	URL    string `json:"url,omitempty"`
	Active bool   `json:"active,omitempty"`
}

func (p pageEntry) line() string {
	s := p.ID
	if p.Title != "" {
		s += " " + lines.Quote(p.Title)
	}
	if p.URL != "" {
		s += " " + p.URL
	}
	if p.Active {
		s += " (active)"
	}
	return s
}

type download struct {
	Name  string `json:"name"`
	Path  string `json:"path,omitempty"`
	URL   string `json:"url,omitempty"`
	State string `json:"state"`
	Bytes int64  `json:"bytes,omitempty"`
}

type consoleCount struct {
	Errors   int `json:"errors,omitempty"`
	Warnings int `json:"warnings,omitempty"`

	texts []string // of the last ones
}

// stopped is the result of an action that something cut short.
type stopped struct {
	Stopped string `json:"stopped"`
}

func (s stopped) text() string { return s.Stopped }

// contents is implemented by results that are more than text.
type contents interface{ contents() []mcp.Content }

func (a *Answer) fail(err error) { a.Result, a.Error = nil, failureOf(err, a.set) }

// deed is what the call did to an element, as far as it is told.
func (a *Answer) deed() (d textdiff.Deed) {
	if v, ok := a.Result.(interface{ deed() textdiff.Deed }); ok {
		return v.deed()
	}
	return d
}

// quiet reports whether the answer has nothing to tell of its surroundings.
func (a *Answer) quiet() bool {
	return a.Error == nil && a.URL == "" && a.Dialog == nil && a.Chooser == nil && len(a.TabsOpened) == 0 && len(a.TabsClosed) == 0 &&
		len(a.Downloads) == 0 && a.Snapshot == "" && a.Changes == ""
}

// Text is the answer as an agent reads it: the result in a line, then only what
// there is to tell.
func (a *Answer) Text() string {
	var b strings.Builder
	say := func(format string, args ...any) {
		fmt.Fprintf(&b, format+"\n", args...)
	}
	if a.Error != nil {
		say("error: %s", a.Error.Text)
		if a.Error.Phase != "" {
			say("phase: %s", a.Error.Phase)
		}
		if a.Error.Hint != "" {
			say("hint: %s", a.Error.Hint)
		}
	} else if v, ok := a.Result.(value); ok {
		if text := v.text(); text != "" {
			say("%s", text)
		}
	}
	if a.Remark != "" {
		say("%s", a.Remark)
	}
	if a.URL != "" {
		say("url: %s", a.URL)
		if a.Title != "" {
			say("title: %s", a.Title)
		}
	}
	if d := a.Dialog; d != nil {
		suggests := ""
		if d.Default != "" {
			suggests = fmt.Sprintf(" (suggests %q)", d.Default)
		}
		say("dialog: %s %q%s; answer it with browser_dialog", d.Type, d.Message, suggests)
	}
	if a.Chooser != nil {
		takes := "one file"
		if a.Chooser.Multiple {
			takes = "files"
		}
		say("chooser: the page waits for %s; give paths with browser_upload, or none to cancel", takes)
	}
	for _, t := range a.TabsOpened {
		say("tab opened: %s", t.line())
	}
	for _, t := range a.TabsClosed {
		now := "; no page is open"
		if t.Active != "" {
			now = "; active: " + t.Active
		}
		say("tab closed: %s%s", t.ID, now)
	}
	for _, d := range a.Downloads {
		where := ""
		if d.Path != "" {
			where = " → " + oneLine(d.Path)
		}
		say("download: %s%s (%s)", lines.Short(d.Name, titleLength), where, d.State)
	}
	if c := a.Console; c != nil {
		var parts []string
		if c.Errors > 0 {
			parts = append(parts, lines.Amount(c.Errors, "error"))
		}
		if c.Warnings > 0 {
			parts = append(parts, lines.Amount(c.Warnings, "warning"))
		}
		say("console: %s (browser_console)", strings.Join(parts, ", "))
	}
	if a.Changes != "" {
		say("changes:\n%s", a.Changes)
	}
	if a.Snapshot != "" {
		say("snapshot:\n%s", a.Snapshot)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// result is the answer in the protocol's form.
func (a *Answer) result(structured bool) *mcp.CallToolResult {
	r := &mcp.CallToolResult{IsError: a.Error != nil}
	if v, ok := a.Result.(contents); ok {
		r.Content = append(r.Content, v.contents()...)
	}
	if text := a.Text(); text != "" || len(r.Content) == 0 {
		r.Content = append(r.Content, &mcp.TextContent{Text: strings.ToValidUTF8(text, "\ufffd")})
	}
	if structured {
		r.StructuredContent = a.envelope()
	}
	return r
}
