package tools

import (
	"context"
	"errors"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

// The kinds of failure that belong to a session rather than to a page. Those of
// pages are the adapter's.
var (
	ErrNotConnected              = errors.New("not connected")
	ErrAlreadyConnected          = errors.New("already connected")
	ErrBrowserNotAvailable       = errors.New("browser not available")
	ErrBrowserExecutableNotFound = errors.New("browser executable not found")
	ErrExtensionNotConnected     = errors.New("extension not connected")
	ErrFile                      = errors.New("file not allowed")
)

// Error is a failure with what to do about it. Options.Connect returns one to
// say more than a sentence.
type Error struct {
	// Kind is a sentinel of this package or of adapter; Unwrap returns it.
	Kind error
	// Text says what happened, in one line.
	Text string
	// Advice is what to do next; it may be empty.
	Advice adapter.Advice
	// Hint says what else there is to do, in words that every set of tools may
	// use; it may be empty.
	Hint string
	// Flag says which flags help whoever starts tabrelay; it may be empty. Agents of
	// the full set read it, others that they can ask that person.
	Flag string
	// Phase says how far a connection came: browser_not_launched, extension_missing, or
	// unknown, which is a browser of the person that does not come; else empty.
	Phase string
}

// Error returns the text, without the hint.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

// Help returns what to do, for whoever starts tabrelay.
func (e *Error) Help() string { return joined(e.Hint, e.Flag) }

// kinds names the failures for agents that branch on them.
var kinds = []struct {
	err  error
	name string
}{
	{ErrNotConnected, "NotConnected"},
	{ErrAlreadyConnected, "AlreadyConnected"},
	{ErrBrowserNotAvailable, "BrowserNotAvailable"},
	{ErrBrowserExecutableNotFound, "BrowserExecutableNotFound"},
	{ErrExtensionNotConnected, "ExtensionNotConnected"},
	{ErrFile, "Blocked"},
	{adapter.ErrPageNotFound, "PageNotFound"},
	{adapter.ErrStaleRef, "StaleRef"},
	{adapter.ErrNotFound, "ElementNotFound"},
	{adapter.ErrAmbiguous, "Ambiguous"},
	{adapter.ErrNotActionable, "NotActionable"},
	{adapter.ErrUnsupported, "UnsupportedOperation"},
	{adapter.ErrInvalid, "InvalidArgument"},
	{adapter.ErrTimeout, "Timeout"},
	{adapter.ErrNavigation, "NavigationFailed"},
	{adapter.ErrBlocked, "Blocked"},
	{adapter.ErrDialogOpen, "DialogOpen"},
	{adapter.ErrCrashed, "PageCrashed"},
	{adapter.ErrScript, "ScriptError"},
	{adapter.ErrConnectionLost, "ConnectionLost"},
	{adapter.ErrCancelled, "Cancelled"},
	{adapter.ErrPaused, "Paused"},
}

// failure is an error as an agent is told it.
type failure struct {
	Kind  string `json:"kind"`
	Text  string `json:"text"`
	Hint  string `json:"hint,omitempty"`
	Phase string `json:"phase,omitempty"`
	cause error
}

// errorText is how many characters an error has at the most: what it tells may
// be the page's own.
const errorText = 4000

// failureOf returns an error as it is told in a set of tools.
func failureOf(err error, set *profile) *failure {
	f := &failure{Kind: "Error", Text: lines.Clip(err.Error(), errorText), cause: err}
	if _, ok := errors.AsType[*adapter.Error](err); ok { // it may have the page's words
		f.Text = oneLine(f.Text)
	}
	for _, k := range kinds {
		if errors.Is(err, k.err) {
			f.Kind = k.name
			break
		}
	}
	var advice adapter.Advice
	flag := ""
	if e, ok := errors.AsType[*Error](err); ok {
		advice, f.Hint, f.Phase, flag = e.Advice, e.Hint, e.Phase, e.Flag
	} else if e, ok := errors.AsType[*adapter.Error](err); ok {
		advice, f.Hint, flag = e.Advice, e.Hint, e.Flag
	}
	if flag != "" {
		f.Hint = joined(f.Hint, set.words(told{flag, askStarter, askStarter, askStarter}))
	}
	switch {
	case f.Kind != "Error":
	case errors.Is(err, context.DeadlineExceeded):
		f.Kind, f.Text = "Timeout", "the call timed out"
		advice = adapter.AdviceMoreTime
	case errors.Is(err, context.Canceled):
		f.Kind, f.Text = "Canceled", "the call was canceled"
	}
	f.Hint = joined(f.Hint, set.advises(advice))
	return f
}

// Failed is the answer of a call that nobody carried out, as a set of tools writes it.
func Failed(set string, structured bool, err *Error) *mcp.CallToolResult {
	p := profileNamed(set)
	return p.encode(&tool{}, &Answer{set: p, Error: failureOf(err, p)}, structured)
}

// askStarter is told where flags would help, of which a set's agents know nothing.
const askStarter = "the person who starts tabrelay can change that"

// joined returns what is to be told, one after the other.
func joined(hint, advice string) string {
	if hint != "" && advice != "" {
		hint += "; "
	}
	return hint + advice
}

func invalid(format string, args ...any) error {
	return &Error{Kind: adapter.ErrInvalid, Text: fmt.Sprintf(format, args...)}
}
