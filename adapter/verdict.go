package adapter

import (
	"fmt"
	"strings"
)

// verdict turns what the page said into an error, or nil where all is well.
func (a *actor) verdict(r ready) error {
	switch r.State {
	case stateOK, stateSame:
		return nil
	case stateInvalid:
		return fail(ErrInvalid, `use CSS, text=…, role=button[name="Save"], or xpath=…`, "%s", r.Reason)
	case stateNone:
		text := "nothing matches " + a.element.said()
		if len(r.List) > 0 {
			text += "; near to it: " + strings.Join(r.List[:min(len(r.List), 3)], ", ")
		}
		return advise(ErrNotFound, AdviceLook, "%s", text)
	case stateMany:
		text := fmt.Sprintf("%d elements match %s: %s", r.Count, a.element.said(), strings.Join(r.List, ", "))
		if r.Count > len(r.List) {
			text += ", …"
		}
		return advise(ErrAmbiguous, AdviceGiveRef, "%s", text)
	case stateStale:
		text := a.element.said() + " is not in this document"
		switch {
		case r.Reason != "" && r.Count > 1:
			text = fmt.Sprintf("%s (%s) is gone, and several elements look like it", a.element.Ref, r.Reason)
		case r.Reason != "":
			text = fmt.Sprintf("%s (%s) is gone", a.element.Ref, r.Reason)
		}
		return advise(ErrStaleRef, AdviceLookAgain, "%s", text)
	case stateNot:
		who := r.Target
		if who == "" {
			who = a.element.said()
		}
		advice, hint := hindered(r.Reason)
		return &Error{Kind: ErrNotActionable, Text: fmt.Sprintf("%s: %s (waited %s)", who, r.Reason, a.limit), Advice: advice, Hint: hint}
	}
	return fmt.Errorf("the page script said %q", r.State)
}

// hindered returns what to do about what hinders an action.
func hindered(reason string) (Advice, string) {
	switch {
	case strings.HasPrefix(reason, "covered by"):
		return "", "close or move what covers it first, or scroll"
	case strings.HasPrefix(reason, "disabled"):
		return "", "something else has to be filled or chosen first"
	case strings.HasPrefix(reason, "readonly"):
		return "", "its value comes from elsewhere, such as a picker or a button beside it"
	case strings.HasPrefix(reason, "not visible"):
		return AdviceUncover, ""
	}
	return AdviceLook, ""
}
