// Package doctor finds out why tabrelay does not work on a machine, and what mends
// it.
//
//	for _, f := range doctor.Examine(ctx, doctor.ThisMachine(dir)) {
//		fmt.Println(f.Level, f.Check, f.Text, f.Mend)
//	}
//
// Looking changes nothing and starts nothing. What can be mended without taking
// anything from anybody, Finding.Fix mends.
package doctor

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/tabrelay/tabrelay/cmd/internal/browser"
	"github.com/tabrelay/tabrelay/cmd/internal/daemon"
	"github.com/tabrelay/tabrelay/cmd/internal/release"
	"github.com/tabrelay/tabrelay/cmd/internal/settings"
	"github.com/tabrelay/tabrelay/cmd/internal/state"
)

// The levels of a finding.
const (
	OK      = "ok"
	Note    = "note"    // it works, and may not be what the person expects
	Warning = "warning" // it works, but not as it should
	Failure = "error"   // something does not work
)

// Finding is one thing that was looked at.
type Finding struct {
	Check string `json:"check"`
	Level string `json:"level"` // OK, Note, Warning or Failure
	Text  string `json:"text"`
	Mend  string `json:"mend,omitempty"` // the command, or what to do where there is none
	Fixed bool   `json:"fixed,omitempty"`

	// Fix does what Mend says; nil where that is the person's to decide.
	Fix func(context.Context) error `json:"-"`
}

// Machine is where the examination takes place.
type Machine struct {
	Dir     string // the state folder
	Choice  settings.Choice
	Config  string // the configuration file, or ""
	Misread error  // what its flags have wrong
	Program release.Build

	Installed func() []browser.Installed
	Sandbox   func() error                             // why a browser has none
	Free      func(dir string) (bytes uint64, ok bool) // on the disk of a folder
	Display   bool                                     // windows can be opened
}

// ThisMachine is the machine that this process runs on.
func ThisMachine(dir string) Machine {
	return Machine{Dir: dir, Program: release.This(), Installed: browser.All, Sandbox: browser.Sandbox, Free: free, Display: browser.HasDisplay(nil)}
}

// examination is one under way.
type examination struct {
	Machine
	found  []Finding
	state  *state.State    // nil where it cannot be read
	status *daemon.Status  // nil where no daemon answers
	copied bool            // the extension was written for the person's own browser
	who    *daemon.Contact // nil where no daemon runs
}

func (e *examination) add(f Finding) { e.found = append(e.found, f) }

func (e *examination) ok(check, format string, args ...any) {
	e.add(Finding{Check: check, Level: OK, Text: fmt.Sprintf(format, args...)})
}

// Examine looks at everything, in the order in which things depend on each other.
func Examine(ctx context.Context, m Machine) []Finding {
	e := &examination{Machine: m}
	e.settings()
	e.browsers()
	e.sandbox()
	e.folder()
	e.disk()
	e.daemon(ctx)
	e.port(ctx)
	e.extension()
	e.connections()
	return e.found
}

// Broken reports whether something does not work.
func Broken(found []Finding) bool {
	for _, f := range found {
		if f.Level == Failure && !f.Fixed {
			return true
		}
	}
	return false
}

// Mend fixes what can be fixed, and notes that in the findings.
func Mend(ctx context.Context, found []Finding) {
	for i, f := range found {
		if f.Fix == nil {
			continue
		}
		if err := f.Fix(ctx); err != nil {
			found[i].Text += fmt.Sprintf("; --fix did not help: %v", err)
			continue
		}
		found[i].Fixed = true
	}
}

// Print prints findings for a person.
func Print(w io.Writer, found []Finding) error {
	for _, f := range found {
		mark := map[string]string{OK: "ok", Note: "note", Warning: "warn", Failure: "FAIL"}[f.Level]
		if f.Fixed {
			mark = "fixed"
		}
		if _, err := fmt.Fprintf(w, "%-5s  %-9s  %s\n", mark, f.Check, f.Text); err != nil {
			return err
		}
		if f.Mend != "" && !f.Fixed {
			fmt.Fprintf(w, "                  → %s\n", f.Mend)
		}
	}
	return nil
}

// age says how long ago something was, roughly.
func age(t time.Time) string {
	n, unit := int(time.Since(t).Minutes()), "minute"
	switch {
	case n >= 48*60:
		n, unit = n/60/24, "day"
	case n >= 60:
		n, unit = n/60, "hour"
	}
	if n != 1 {
		unit += "s"
	}
	return fmt.Sprintf("%d %s", n, unit)
}
