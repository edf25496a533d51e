package doctor

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
)

// extension looks at the copy that the person's own browser loads.
func (e *examination) extension() {
	if e.state == nil {
		return
	}
	dir := browser.OwnFolder(e.Dir)
	w, err := browser.ReadWritten(dir, e.state)
	e.copied = err == nil
	again := func(context.Context) error { return browser.WriteOwn(io.Discard, e.state, "", nil) }
	switch {
	case errors.Is(err, fs.ErrNotExist):
		e.add(Finding{Check: "extension", Level: Note, Text: "not written yet: agents get a managed browser; for your own, with its logins:", Mend: "tabrelay extension"})
	case err != nil:
		e.add(Finding{Check: "extension", Level: Failure, Text: err.Error(), Mend: "tabrelay extension"})
	case !w.Paired:
		e.add(Finding{Check: "extension", Level: Failure, Text: fmt.Sprintf("the copy in %s has another port or key than this tabrelay: it cannot connect", dir),
			Mend: "tabrelay extension, then reload it in chrome://extensions", Fix: again})
	case !w.Current:
		e.add(Finding{Check: "extension", Level: Warning, Text: fmt.Sprintf("the copy in %s is version %s, written %s ago; this program has another, %s", dir, w.Version, age(w.At), browser.ExtensionVersion()),
			Mend: "tabrelay extension, then reload it in chrome://extensions", Fix: again})
	default:
		e.ok("extension", "%s in %s, written %s ago", w.Version, dir, age(w.At))
	}
	if e.status != nil && e.status.Refused != nil {
		e.add(Finding{Check: "extension", Level: Failure, Text: fmt.Sprintf("one was refused %s ago: %s", age(e.status.Refused.At), e.status.Refused.Why), Mend: "tabrelay extension, then reload it in chrome://extensions"})
	}
}

// connections looks whether each browser that is connected answers.
func (e *examination) connections() {
	if e.status == nil {
		return
	}
	own := false
	for _, b := range e.status.Browsers {
		name := strings.TrimPrefix(b.Called+", "+b.Name, ", ")
		own = own || !b.Managed
		switch {
		case !b.Connected:
			e.add(Finding{Check: "connected", Level: Warning, Text: name + " was connected and is away", Mend: "open that browser, and press Connect in the Tabrelay popup"})
		case b.Silent != "":
			e.add(Finding{Check: "connected", Level: Failure, Text: name + ": " + b.Silent, Mend: "reload the extension in chrome://extensions"})
		case !b.Managed && b.Extension != browser.ExtensionVersion():
			e.add(Finding{Check: "connected", Level: Warning, Text: fmt.Sprintf("%s answers in %.1f ms, with version %s of the extension; this program has %s", name, b.Answer, b.Extension, browser.ExtensionVersion()),
				Mend: "tabrelay extension, then reload it in chrome://extensions"})
		case b.Answer == 0: // the daemon is one that does not ask
			e.ok("connected", "%s is connected", name)
		default:
			e.ok("connected", "%s answers in %.1f ms", name, b.Answer)
		}
	}
	if e.copied && !own {
		e.add(Finding{Check: "connected", Level: Warning, Text: "no browser of yours is connected: the extension is not loaded, or its browser does not run",
			Mend: "open that browser; once, load " + browser.OwnFolder(e.Dir) + " in chrome://extensions with \"Load unpacked\""})
	}
}
