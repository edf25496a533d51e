package adapter

import (
	"context"
	"slices"
	"time"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
)

// Dialog is an alert, confirm, prompt or beforeunload dialog that is open.
type Dialog struct {
	Type    string // alert, confirm, prompt or beforeunload
	Message string
	Default string // what a prompt suggests
}

// DialogAnswer is what to say to a dialog.
type DialogAnswer struct {
	Accept bool
	Text   string // for a prompt
}

// dialogs is the state of a page's dialogs; Page.mu guards it.
type dialogs struct {
	open  *Dialog
	armed []DialogAnswer // for those to come, in order

	closing bool // the tab closes, if the page lets it
}

// closeTime is how long a tab may take to close that its page lets go.
const closeTime = 2 * time.Second

// dialogArms is how many answers may be armed ahead.
const dialogArms = 16

// Blocking returns the error of what cannot be done while the dialog is open.
func (d *Dialog) Blocking() error {
	return advise(ErrDialogOpen, AdviceDialog, "%s", Blocked(d.Type))
}

// Blocked says that a dialog of a type stops its page.
func Blocked(dialog string) string {
	article := "a"
	if dialog == "alert" {
		article = "an"
	}
	return article + " " + dialog + " dialog is open and stops the page"
}

// Dialog returns the open dialog, or nil.
func (p *Page) Dialog() *Dialog {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.dialogs.open
}

// AnswerDialog answers the open dialog and returns it when it has closed.
func (p *Page) AnswerDialog(ctx context.Context, a DialogAnswer) (*Dialog, error) {
	p.mu.Lock()
	s, d := p.session, p.dialogs.open
	p.mu.Unlock()
	if d == nil || s == nil {
		return nil, fail(ErrInvalid, "arm it with next: true to answer the next one", "no dialog is open")
	}
	if _, err := call(ctx, s, page.HandleJavaScriptDialog, a.params()); err != nil {
		return nil, err
	}
	err := p.await(ctx, func() bool { return p.dialogs.open != d })
	p.mu.Lock()
	closes := d.Type == "beforeunload" && p.dialogs.closing
	p.dialogs.closing = false
	p.mu.Unlock()
	if closes && a.Accept && err == nil {
		soon, cancel := context.WithTimeout(ctx, closeTime)
		defer cancel()
		_ = p.Gone(soon) // or it is told with a later answer
	}
	return d, err
}

// ArmDialog keeps an answer for the next dialog, which then never stops the
// page; several are used in order.
func (p *Page) ArmDialog(ctx context.Context, a DialogAnswer) error {
	if _, err := p.attached(ctx); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.dialogs.armed) >= dialogArms {
		return fail(ErrInvalid, "", "%d answers are already armed", dialogArms)
	}
	p.dialogs.armed = append(p.dialogs.armed, a)
	return nil
}

func (a DialogAnswer) params() page.HandleJavaScriptDialogParams {
	params := page.HandleJavaScriptDialogParams{Accept: a.Accept}
	if a.Text != "" {
		params.PromptText = a.Text
	}
	return params
}

func (at source) dialogOpens(e *page.EventJavascriptDialogOpening) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	d := &Dialog{Type: string(e.Type), Message: e.Message, Default: e.DefaultPrompt}
	if at.keptOut(p.tree.frames[e.FrameID]) || p.browser.opts.Sites.refusal(e.URL) != "" {
		d.Message, d.Default = "", ""
	}
	if len(p.dialogs.armed) > 0 {
		post(at.session, page.HandleJavaScriptDialog, p.dialogs.armed[0].params())
		p.dialogs.armed = slices.Delete(p.dialogs.armed, 0, 1)
		return
	}
	p.dialogs.open = d
	p.stir()
	p.interrupt(d.Blocking())
}

func (at source) dialogCloses(*page.EventJavascriptDialogClosed) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.dialogs.open = nil
	p.stir()
	if p.pointer.later != nil {
		post(at.session, input.DispatchMouseEvent, *p.pointer.later)
		p.pointer.later = nil
	}
	p.broadcast()
}
