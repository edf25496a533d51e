package adapter

import "fmt"

// Outcome says how much is known of what an action did.
type Outcome string

// The outcomes. An action that could not be made is an error instead.
const (
	// Happened: it was seen to happen, such as the click event at the element.
	Happened Outcome = "done"
	// Different: something else happened; Why says what.
	Different Outcome = "different"
	// Nothing happened; Why says why, as far as it is known.
	Nothing Outcome = "nothing"
	// Unknown: the input was sent, and Why says why nobody can tell what came of it.
	Unknown Outcome = "unknown"
)

// Done tells what an action did.
type Done struct {
	Outcome Outcome
	// Why explains every outcome but Happened, in a line.
	Why string
	// Target is the element as a snapshot shows it, such as button "Save" [e5].
	Target string
	// Ref is the element's; "" for the page.
	Ref string
	// Notes say what is worth knowing beyond success, a line each.
	Notes []string
	// Value is what a field holds afterwards, if HasValue; never a password.
	Value    string
	HasValue bool

	// Of a field, for reading it again.
	frame  *frame
	ref    string
	held   *string // what it held right afterwards, where that is not its value
	chosen bool    // an option of its list was
	typed  bool    // its value came by typing
}

func (d *Done) note(format string, args ...any) {
	d.Notes = append(d.Notes, fmt.Sprintf(format, args...))
}

// told are the notes, and before them why the outcome is another than expected.
func (d *Done) told() []string {
	if d.Why == "" {
		return d.Notes
	}
	return append([]string{d.Why}, d.Notes...)
}

// turnedOut sets an outcome other than Happened.
func (d *Done) turnedOut(o Outcome, format string, args ...any) {
	d.Outcome, d.Why = o, fmt.Sprintf(format, args...)
}
