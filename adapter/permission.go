package adapter

import (
	"context"
	"crypto/rand"
	"errors"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
)

// awaitSite is a command of the relay's own, for what the person says of a site.
var awaitSite = cdp.Command[siteParams, siteVerdict]{Method: "Tabrelay.awaitSite"}

// awaitConfirmation is a command of the relay's own, for what the person says of a
// thing that is about to be done.
var awaitConfirmation = cdp.Command[confirmation, siteVerdict]{Method: "Tabrelay.awaitConfirmation"}

type confirmation struct {
	Question string `json:"question"` // names it
	Deed     string `json:"deed"`
	Wait     int64  `json:"wait"` // ms in all from now on
}

// withheldEvent is an event of the relay's own: a tab shows a site that the person
// has to be asked for, or does no more.
const withheldEvent = "Tabrelay.withheld"

type withheldTab struct {
	Tab  string `json:"targetId"`
	Site string `json:"site"` // "" where it does no more
}

type siteParams struct {
	Site string `json:"site"`
}

// hintWithheld is what to do about a tab that came to such a site.
const hintWithheld = "call again to have the person asked, or navigate elsewhere"

type siteVerdict struct {
	Verdict string `json:"verdict"` // allowed, refused, or unasked while there is none
}

// withheld notes for which site the person has to be asked before a tab is used;
// "" is none. What runs in the tab's page ends.
func (b *Browser) withheld(tab, site string) {
	b.mu.Lock()
	if b.kept[tab] = site; site == "" {
		delete(b.kept, tab)
	}
	p := b.pages[tab]
	b.broadcast()
	b.mu.Unlock()
	if p == nil || site == "" {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	// Nothing more is told of what was under way.
	p.loading.starting, p.loading.dom, p.loading.loaded = false, true, true
	p.traffic.reset()
	p.exchanges.reset()
	p.interrupt(fail(errWithheld, hintWithheld, "the tab came to %s, which the person has not allowed", site))
}

// Withheld returns the site that the person has to be asked for: the one that the
// page shows, or for which a command was refused with err, which may be nil. It is
// "" where there is none.
func (p *Page) Withheld(err error) string {
	if errors.Is(err, ErrAsked) {
		return siteAsked(err)
	}
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	return p.browser.kept[p.id]
}

// Confirm asks the person who uses the browser whether something may be done, in words
// of the caller's, and reports whether they said yes. The question stands until the
// deadline of ctx, which it must have. It fails where the browser asks nobody.
func (b *Browser) Confirm(ctx context.Context, deed string) (bool, error) {
	until, _ := ctx.Deadline()
	for q := (confirmation{Question: rand.Text(), Deed: deed}); ; {
		q.Wait = max(time.Until(until).Milliseconds(), 0)
		if ctx.Err() != nil || q.Wait == 0 {
			q.Wait = 0 // nobody waits for what they say
			post(b.root, awaitConfirmation, q)
			return false, context.DeadlineExceeded
		}
		v, err := call(ctx, b.root, awaitConfirmation, q)
		switch {
		case err != nil && ctx.Err() == nil:
			return false, err
		case err == nil && v.Verdict != "unasked":
			return v.Verdict == "allowed", nil
		}
	}
}

// renew ends the attachment, and the next use attaches again: what the tab came to
// meanwhile was not told.
func (p *Page) renew() {
	p.mu.Lock()
	s := p.session
	p.mu.Unlock()
	if s != nil {
		p.detach(s.id)
		post(p.browser.root, target.DetachFromTarget, target.DetachFromTargetParams{SessionID: s.id})
	}
}

// Permitted asks the person whether agents may use a site, once however often it
// is called, and returns when they allow it, nil at once where they did. It fails
// with ErrBlocked when they do not, or are asked too much already, and with ErrAsked
// when the time of ctx is up.
func (p *Page) Permitted(ctx context.Context, site string) error {
	was := p.Withheld(nil) != ""
	for {
		v, err := call(ctx, p.browser.root, awaitSite, siteParams{site})
		switch {
		case ctx.Err() != nil && !errors.Is(context.Cause(ctx), context.Canceled):
			return fail(ErrAsked, "ask the person to answer Tabrelay's question, then call again", "nothing was done: the person has not answered yet whether agents may use %s", site)
		case err != nil:
			return err
		case v.Verdict == "unasked":
			continue // the question stands
		}
		p.browser.withheld(p.id, "")
		if v.Verdict != "allowed" {
			return fail(ErrBlocked, "use another site, or ask them to allow it in the Tabrelay panel", "the person does not let agents use %s", site)
		}
		if was {
			p.renew()
		}
		return nil
	}
}
