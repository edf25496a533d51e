package adapter

import (
	"cmp"
	"errors"
	"strings"

	"github.com/chromedp/cdproto"
)

// What the browser's side refuses is known in two ways: the relay numbers its
// failures, Chrome has one number for nearly all and is known by its words. No
// other file knows of either.

// refusal is what an error of the browser's side means.
type refusal struct {
	kind   error
	text   string // instead of the browser's, if it is not empty
	advice Advice
	hint   string
}

var (
	refusedCrashed  = refusal{ErrCrashed, "the page crashed", AdviceRevive, ""}
	refusedClosed   = refusal{ErrPageNotFound, "the tab was closed", AdviceListPages, ""}
	refusedUnshared = refusal{ErrPageNotFound, "the tab is not shared any more", AdviceShare, ""}
	refusedSwapped  = refusal{errSwapped, "the tab's page was replaced while the command ran", AdviceCheck, ""}

	refusedDisconnected = refusal{ErrConnectionLost, "the person disconnected this browser", "", "ask them to press Connect in the Tabrelay popup, then connect again"}
)

// numberedRefusals are the failures of the relay and the extension, by their codes.
var numberedRefusals = map[int64]refusal{
	-32050: refusedCrashed,
	-32051: refusedClosed,
	-32052: {ErrPageLost, "the tab was closed: its browser ended, or its extension was reloaded", AdviceListPages, ""},
	-32053: {ErrCancelled, "the person took this tab back: ask them to share it again", AdviceShare, ""},
	-32054: {ErrConnectionLost, "the connection to the browser was lost while the call ran", AdviceCheck, ""},
	-32055: {ErrConnectionLost, "the connection to the browser was replaced while the call ran", AdviceCheck, ""},
	-32056: {ErrTimeout, "the browser does not answer: it was closed, or its extension is being restarted", "", "call again in a moment; a browser that was closed has to be started again"},
	-32057: {ErrConnectionLost, "the browser is gone", AdviceReconnect, ""},
	-32058: {ErrBlocked, "", "", "the person can close that extension's menu, or turn it off for this site"},
	-32059: refusedUnshared,
	-32060: refusedDisconnected,
	-32061: refusedSwapped,
	-32062: {ErrAsked, "", "", "ask the person to answer Tabrelay's question, then call again"},
	-32063: {ErrBlocked, "", "", "use another site, or ask them to allow it in the Tabrelay panel"},
	-32064: {errWithheld, "", "", hintWithheld},
	-32065: {ErrPaused, "the person paused agents", "", "nothing runs until they press Resume in Tabrelay: ask them, or wait"},
	-32066: {ErrCancelled, "the person took this tab over and is using it", "", "wait until they hand it back, or ask them; other pages can be used meanwhile"},
}

// Chrome's words, in its errors.
const (
	saysCrashed     = "Target crashed"
	saysClosed      = "Target closed"
	saysKept        = "Cannot access a" // chrome:// URL, for one
	saysDetached    = "Detached while handling command"
	saysNoContext   = "Cannot find context"
	saysNoUnique    = "uniqueContextId not found"
	saysDestroyed   = "context was destroyed"
	saysNavigated   = "Inspected target navigated"
	saysNoNode      = "No node found" // at a point
	saysNoFrame     = "No frame for given id"
	saysInterrupted = "terminated"
	saysNoMethod    = "wasn't found"
	saysNoPrinting  = "not implemented"
	saysNoFiles     = "Not allowed" // to the extension
	saysNoCommand   = "not allowed"
	saysBadZone     = "Invalid timezone"
	saysBadLocale   = "Invalid locale"
	saysInEffect    = "already in effect" // in the same process
	saysTracing     = "already been started"
	saysInvalid     = "Invalid"
	saysSanitizing  = "Sanitizing" // of a cookie

	saysDisconnected = "the person disconnected it"                  // the relay, in a close frame
	saysAsked        = "the person is asked whether agents may use " // the extension, before the site
)

// siteAsked is the site that the person is asked for, as an ErrAsked says it.
func siteAsked(err error) string {
	said := err.Error()
	_, after, _ := strings.Cut(said, saysAsked)
	site, _, _ := strings.Cut(after, " ")
	return site
}

// wordedRefusals are Chrome's failures, by their words.
var wordedRefusals = []struct {
	words string
	refusal
}{
	{saysCrashed, refusedCrashed},
	{saysClosed, refusedClosed},
	{saysDisconnected, refusedDisconnected},
	{saysDetached, refusedSwapped},
	{saysKept, refusal{ErrBlocked, "", "", "the browser keeps this page to itself; navigate elsewhere"}},
}

// explained turns an error of the browser's side into one that says what to do,
// where it is one that is known.
func explained(e *cdproto.Error) error {
	r, ok := numberedRefusals[e.Code]
	for _, w := range wordedRefusals {
		if !ok && strings.Contains(e.Message, w.words) {
			r, ok = w.refusal, true
		}
	}
	if !ok {
		return e
	}
	return &Error{Kind: r.kind, Text: cmp.Or(r.text, e.Message), Advice: r.advice, Hint: r.hint}
}

// says reports whether Chrome refused with one of some words.
func says(err error, words ...string) bool {
	e, ok := errors.AsType[*cdproto.Error](err)
	if !ok {
		return false
	}
	for _, w := range words {
		if strings.Contains(e.Message, w) {
			return true
		}
	}
	return false
}

// nothingRan reports whether a script met no execution context to run in.
func nothingRan(err error) bool { return says(err, saysNoContext, saysNoUnique) }

// contextGone reports whether an execution context went away under a command.
func contextGone(err error) bool {
	return nothingRan(err) || errors.Is(err, errSwapped) || says(err, saysDestroyed, saysNavigated, saysNoFrame)
}

// stopped reports whether Chrome ended a script because its time was over.
func stopped(err error) bool { return says(err, saysInterrupted) }
