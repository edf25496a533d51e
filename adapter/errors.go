package adapter

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// The kinds of failure that a caller may branch on, with errors.Is. Every error
// of this package that an agent can act on is an *Error of one of them.
var (
	ErrPageNotFound   = errors.New("page not found")
	ErrStaleRef       = errors.New("stale ref")
	ErrNotFound       = errors.New("element not found")
	ErrAmbiguous      = errors.New("several elements match")
	ErrNotActionable  = errors.New("element not actionable")
	ErrUnsupported    = errors.New("unsupported operation")
	ErrInvalid        = errors.New("invalid argument")
	ErrTimeout        = errors.New("timeout")
	ErrNavigation     = errors.New("navigation failed")
	ErrBlocked        = errors.New("blocked")
	ErrDialogOpen     = errors.New("dialog open")
	ErrCrashed        = errors.New("page crashed")
	ErrScript         = errors.New("script error")
	ErrConnectionLost = errors.New("connection lost")
	ErrPaused         = errors.New("paused by the person")
	ErrCancelled      = errors.New("cancelled by the person")
	// ErrUnconfirmed reports a form that was not sent, since AskFirst has the caller ask first.
	ErrUnconfirmed = errors.New("to be confirmed")
	// ErrAsked is of what did not run because the person is asked first.
	ErrAsked = errors.New("the person is asked")
)

// ErrPageLost is an ErrPageNotFound of a page that went with its browser, and not
// by what was done in it.
var ErrPageLost = fmt.Errorf("%w any more", ErrPageNotFound)

// errSwapped is an ErrConnectionLost of a page that another has taken the place
// of, for which the browser ends the attachment; the next command attaches anew.
var errSwapped = fmt.Errorf("%w with the page", ErrConnectionLost)

// errWithheld is an ErrBlocked of a page that came to a site that agents may not
// use, or not yet.
var errWithheld = fmt.Errorf("%w until the person allows it", ErrBlocked)

// Error is a failure with what to do about it.
type Error struct {
	// Kind is one of the sentinels above; Unwrap returns it.
	Kind error
	// Text says what happened, in one line.
	Text string
	// Advice is what to do next; it may be empty.
	Advice Advice
	// Hint says what to do about an argument, or on the person's side, in words
	// that name no tool; it may be empty.
	Hint string
	// Flag says what helps to who starts tabrelay, with flags; it may be empty.
	Flag string
}

// Error returns the text, without the hint.
func (e *Error) Error() string { return e.Text }

// Unwrap returns the kind.
func (e *Error) Unwrap() error { return e.Kind }

func fail(kind error, hint, format string, args ...any) *Error {
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...), Hint: hint}
}

func advise(kind error, advice Advice, format string, args ...any) *Error {
	return &Error{Kind: kind, Text: fmt.Sprintf(format, args...), Advice: advice}
}

// timeoutError tells a limit that ran out from a call that was given up.
func timeoutError(ctx context.Context, doing string, limit time.Duration) error {
	if cause := context.Cause(ctx); cause != nil && !errors.Is(cause, context.DeadlineExceeded) {
		return cause
	}
	return advise(ErrTimeout, AdviceMoreTime, "%s: timed out after %s", doing, limit)
}
