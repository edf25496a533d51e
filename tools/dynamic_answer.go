package tools

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// shownLimit is how much of a page's change an answer of this set shows, in
// bytes: what it cannot be acted on by, it need not show at length.
const shownLimit = 6000

// dynamicResult writes an answer. A tool of our own answers JSON, as its
// specification says, and what else there is to tell in a text of its own; a
// page's tool answers text, with the page's words between two lines that no page can
// forge.
func dynamicResult(t *tool, a *Answer, structured bool) *mcp.CallToolResult {
	r := &mcp.CallToolResult{IsError: a.Error != nil}
	add := func(text string) {
		r.Content = append(r.Content, &mcp.TextContent{Text: strings.ToValidUTF8(text, "\ufffd")})
	}
	if t.page != nil {
		add(a.pageText(t))
		return r
	}
	var v any = a.Result
	if f := a.Error; f != nil {
		told := map[string]string{"error": f.Text}
		if f.Hint != "" {
			told["hint"] = f.Hint
		}
		v = told
	}
	text, err := lines.Marshal(v)
	if err != nil {
		text = []byte(`{"error":"the answer could not be written"}`)
	}
	add(string(text))
	if structured && a.Error == nil {
		r.StructuredContent = v
	}
	if more := a.around(true); more != "" {
		add(more)
	}
	return r
}

// around tells what else happened; core says that the tool's own answer tells
// of tabs.
func (a *Answer) around(core bool) string {
	var b strings.Builder
	say := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	if a.URL != "" && !core {
		say("url: %s", lines.Short(a.URL, 2000))
	}
	if a.Dialog != nil {
		say("dialog: %s; %s answers it", adapter.Blocked(a.Dialog.Type), dialogTool)
	}
	if a.Chooser != nil {
		say("the page is waiting for a file, which this set of tools cannot provide; the person can")
	}
	if !core {
		for _, t := range a.TabsOpened {
			say("tab opened: %s (focus_tab to work there)", strings.TrimPrefix(t.ID, "t"))
		}
		for _, t := range a.TabsClosed {
			say("tab closed: %s", strings.TrimPrefix(t.ID, "t"))
		}
	}
	for _, d := range a.Downloads {
		where := ""
		if d.Path != "" {
			where = " → " + lines.Short(d.Path, 500)
		}
		say("download: %q%s (%s)", lines.Short(d.Name, 100), where, d.State)
	}
	if a.tools != "" {
		say("tools: %s", a.tools)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// failureLength is how much of why a call failed is told, in characters.
const failureLength = 1000

// pageFailures are the kinds of failure that tell of it in the page's words, such
// as what it calls the things to choose from; what of them is ours.
var pageFailures = map[string]string{
	"InvalidArgument": "it does not accept these arguments",
	"ElementNotFound": "its element was not found",
	"Ambiguous":       "several elements match",
	"StaleRef":        "its element is gone",
	"NotActionable":   "the page does not allow it",
	"Timeout":         "it took too long",
	"DialogOpen":      "a dialog is open and stops the page; " + dialogTool + " answers it",
	"ScriptError":     "the page's own code failed",
}

// pageText writes the answer of a page's tool.
func (a *Answer) pageText(t *tool) string {
	var ours, page []string
	switch v := a.Result.(type) {
	case pageTaken:
		ours = append(ours, v.Did)
		if v.Said != "" {
			page = append(page, v.Said)
		}
	case stopped:
		ours = append(ours, v.Stopped)
	}
	if f := a.Error; f != nil {
		if why, told := pageFailures[f.Kind]; told && !(t.page.untold && f.Kind == "InvalidArgument") {
			ours = append(ours, "error: "+t.name+": "+why)
			page = append(page, lines.Short(f.Text, failureLength))
			if f.Hint != "" {
				page = append(page, "hint: "+lines.Short(f.Hint, failureLength))
			}
		} else {
			ours = append(ours, "error: "+lines.Short(f.Text, failureLength))
			if f.Hint != "" {
				ours = append(ours, "hint: "+lines.Short(f.Hint, failureLength))
			}
		}
	}
	if more := a.around(false); more != "" {
		ours = append(ours, more)
	}
	if d := a.Dialog; d != nil {
		page = append(page, "dialog: "+bounded(d.Message, failureLength))
		if d.Default != "" {
			page = append(page, "it suggests: "+bounded(d.Default, failureLength))
		}
	}
	for _, t := range a.TabsOpened {
		page = append(page, fmt.Sprintf("tab %s: %s %s", strings.TrimPrefix(t.ID, "t"), lines.Short(t.Title, titleLength), lines.Short(t.URL, addressLength)))
	}
	if n := a.Console; n != nil {
		for _, text := range n.texts {
			page = append(page, "console: "+lines.Short(text, consoleText))
		}
	}
	if a.Changes != "" {
		page = append(page, "changes:\n"+shorten(a.Changes))
	}
	if a.Snapshot != "" {
		page = append(page, "the page now:\n"+shorten(a.Snapshot))
	}
	if len(page) > 0 {
		ours = append(ours, fence(strings.Join(page, "\n")))
	}
	return strings.Join(ours, "\n")
}

// shorten makes what a page shows fit an answer.
func shorten(text string) string {
	if len(text) <= shownLimit {
		return text
	}
	end := len(lines.Head(text, shownLimit))
	if i := strings.LastIndexByte(text[:end], '\n'); i > shownLimit/2 {
		end = i
	}
	return text[:end] + "\n… " + strconv.Itoa(len(text)-end) + " bytes more: " + contentTool + " reads the page"
}
