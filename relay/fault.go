package relay

import (
	"encoding/json"
	"fmt"
	"strconv"
)

// CDP's error codes, as Chrome numbers them.
const (
	codeParse   = -32700
	codeRequest = -32600
	codeMethod  = -32601
	codeParams  = -32602
	codeServer  = -32000
	codeSession = -32001

	// Our own, of the numbers that servers may give: a client can tell these
	// failures apart without their words. extension/fault.js has the same.
	codeCrashed      = -32050 // the page's renderer
	codeClosed       = -32051 // the tab
	codeUnrun        = -32052 // the tab, with its browser
	codeCancelled    = -32053 // the person took the tab back
	codeLost         = -32054 // the extension, while the command ran
	codeReplaced     = -32055 // its connection, by a newer one
	codeAway         = -32056 // the extension, for now
	codeGone         = -32057 // the browser
	codeBlocked      = -32058 // another extension keeps the debugger out
	codeUnshared     = -32059 // the person does not share the tab
	codeDisconnected = -32060 // the person disconnected the browser
	codeSwapped      = -32061 // the tab's page, while the command ran
	// Of the extension, as it stands: -32062, the person is asked whether agents may
	// use a site, and the command did not run.
	codeRefused  = -32063 // the person does not let agents use the site, or a program the browser
	codeWithheld = -32064 // the tab came to a site that agents may not use
	codePaused   = -32065 // the person paused who sent the command
	codeOver     = -32066 // the person took the tab over, for a while

	// Why a socket is closed.
	closeUpdate  = 4001 // the extension speaks another protocol
	closeReplace = 4002 // a newer socket of the same profile took over
	closeGone    = 4003 // the browser did not come back in time
	closeProof   = 4004 // one end did not prove that it holds the key
	closeFlood   = 4005 // the client sends more than the browser takes
)

// fault is a CDP error. One that came from the browser is kept as raw,
// and spliced as it stands.
type fault struct {
	code    int
	message string
	raw     []byte
}

func failure(code int, format string, args ...any) *fault {
	return &fault{code: code, message: fmt.Sprintf(format, args...)}
}

func (f *fault) append(b []byte) []byte {
	if f.raw != nil {
		return append(b, f.raw...)
	}
	b = append(b, `{"code":`...)
	b = strconv.AppendInt(b, int64(f.code), 10)
	b = append(b, `,"message":`...)
	b = appendString(b, f.message)
	return append(b, '}')
}

// appendString appends s as a JSON string.
func appendString(b []byte, s string) []byte {
	quoted, err := json.Marshal(s)
	if err != nil { // cannot happen: every Go string has a JSON form
		return append(b, `""`...)
	}
	return append(b, quoted...)
}

func object(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		return []byte("{}")
	}
	return b
}

var (
	faultFile      = &fault{code: codeServer, message: "file: addresses are refused unless the client's address says files=allow"}
	faultPrivate   = &fault{code: codeServer, message: "only files that are not hidden are given to a page, none of Tabrelay's or a browser's own folders, and no folders, unless the client's address says files=allow"}
	faultNoSession = &fault{code: codeSession, message: "Session with given id not found."}
	faultNoTarget  = &fault{code: codeParams, message: "No target with given id found"}
	faultCrashed   = &fault{code: codeCrashed, message: "Target crashed. Reload or navigate the page to revive it."}
	faultClosed    = &fault{code: codeClosed, message: "Target closed"}
	faultUnrun     = &fault{code: codeUnrun, message: "Target closed: it is gone with its browser, and the command did not run"}
	faultLost      = &fault{code: codeLost, message: "connection to the browser's extension was lost while the command ran; look at the page before doing it again"}
	faultAway      = &fault{code: codeAway, message: "the command did not run: the browser's extension is disconnected, so the browser was closed or is restarting; try again in a moment"}
	faultGone      = &fault{code: codeGone, message: "browser disconnected: its extension did not come back in time; start the browser or reload the extension, then connect again"}
	faultLeft      = &fault{code: codeGone, message: "browser disconnected: the person closed it"}
	faultReplaced  = &fault{code: codeReplaced, message: "connection to the browser's extension was replaced by a newer one while the command ran; look at the page before doing it again"}
)
