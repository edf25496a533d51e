package adapter

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/runtime"
)

// What follows a page without acting on it.

// Stirring returns a channel that is closed when what the page offers may have
// changed: another document, more of it, a dialog, tools that it declares.
func (p *Page) Stirring() <-chan struct{} {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.declared.stirring == nil {
		p.declared.stirring = make(chan struct{})
	}
	return p.declared.stirring
}

// Changing begins to wait until something in the main frame's document changes,
// which the browser has no event for, or limit has passed: what is asked of the
// page afterwards is asked after that. It is for who follows a page and attaches
// none: it fails where the page is not attached.
func (p *Page) Changing(ctx context.Context, limit time.Duration) (wait func() (changed bool, _ error), err error) {
	p.mu.Lock()
	err = p.hindrance()
	f := p.tree.frames[cdp.FrameID(p.id)]
	if err == nil && (f == nil || p.session == nil || p.fate.cancelled) {
		err = fail(ErrStaleRef, "", "the page is not attached")
	}
	p.mu.Unlock()
	if err != nil {
		return nil, err
	}
	s, world, err := p.world(ctx, f)
	if err != nil {
		return nil, err
	}
	done := start(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: expression("change", limit.Milliseconds()), AwaitPromise: new(true), ReturnByValue: new(true)}))
	return func() (bool, error) {
		res, err := done()
		return err == nil && res.Result != nil && string(res.Result.Value) == "true", err
	}, nil
}

// Ready reports whether the content of the page's document is there.
func (p *Page) Ready() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.loading.dom
}

// stir wakes who follows what the page offers; mu is held.
func (p *Page) stir() {
	if p.declared.stirring != nil {
		close(p.declared.stirring)
		p.declared.stirring = nil
	}
}

// Attached reports whether the page is attached, so that looking at it asks
// nothing more of the browser. One that the person took the debugger off is not,
// until it is used again.
func (p *Page) Attached() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.session != nil && !p.fate.cancelled
}

// Closed reports whether the agent may see nothing of the page: it is the browser's
// own, or of a site that is kept out, or that the person has not allowed. All that
// can be done there is to leave.
func (p *Page) Closed() bool {
	return p.BrowsersOwn() || p.Withheld(nil) != "" || p.browser.opts.Sites.outside(p.URL()) != nil
}

// BrowsersOwn reports whether the tab shows a page of the browser's own or of an
// extension, which nobody but the person sees.
func (p *Page) BrowsersOwn() bool {
	p.browser.mu.Lock()
	defer p.browser.mu.Unlock()
	i := p.browser.index(p.id)
	if i < 0 {
		return false
	}
	scheme, _, ok := strings.Cut(p.browser.tabs[i].URL, ":")
	return ok && !slices.Contains([]string{"http", "https", "data", "blob", "about", "file"}, scheme)
}

// Crashed reports whether the page's process ended.
func (p *Page) Crashed() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.fate.dead
}
