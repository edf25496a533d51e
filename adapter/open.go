package adapter

import (
	"context"
	"errors"
	"strings"

	"github.com/chromedp/cdproto/target"
)

// Open opens a tab for an address, in front of the others if front is set. The
// tab is empty until Navigate goes to the address; only a data: address is there
// from the beginning, since Chrome lets no extension navigate to one.
func (b *Browser) Open(ctx context.Context, front bool, address string) (*Page, error) {
	begin := "about:blank"
	if strings.HasPrefix(strings.ToLower(address), "data:") {
		begin = address
	}
	id, err := b.create(ctx, target.CreateTargetParams{URL: begin, Background: new(!front)})
	if err != nil {
		return nil, err
	}
	p, err := b.arrived(ctx, id, begin)
	if ctx.Err() != nil {
		b.unwanted(id)
	}
	return p, err
}

// create makes a tab. One that comes when nobody waits for it any more is closed
// again: no agent would know of it.
func (b *Browser) create(ctx context.Context, params target.CreateTargetParams) (string, error) {
	type made struct {
		id  string
		err error
	}
	done := make(chan made, 1)
	b.conn.wg.Go(func() { // ends with the answer, or the connection
		res, err := call(context.WithoutCancel(ctx), b.root, target.CreateTarget, params)
		done <- made{string(res.TargetID), err}
		if err == nil && ctx.Err() != nil {
			b.unwanted(string(res.TargetID))
		}
	})
	select {
	case m := <-done:
		return m.id, m.err
	case <-ctx.Done():
		return "", context.Cause(ctx)
	}
}

func (b *Browser) unwanted(id string) {
	post(b.root, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
}

// arrived returns the page of a new tab when it is there and attached.
func (b *Browser) arrived(ctx context.Context, id, begin string) (*Page, error) {
	if err := b.wait(ctx, func() bool { return b.index(id) >= 0 }); err != nil {
		return nil, err
	}
	p, err := b.Page(id)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.begun = begin
	p.mu.Unlock()
	_, err = p.attached(ctx)
	return p, err
}

// Front brings a tab to the front of its window, for the person to see.
func (b *Browser) Front(ctx context.Context, id string) error {
	_, err := call(ctx, b.root, target.ActivateTarget, target.ActivateTargetParams{TargetID: target.ID(id)})
	return err
}

// CloseTab closes a tab and returns when it is gone, or with ErrDialogOpen when
// the page asks before it goes.
func (b *Browser) CloseTab(ctx context.Context, id string) error {
	err := b.closeTab(ctx, id)
	if errors.Is(err, ErrConnectionLost) && b.Err() == nil {
		// Its attachment went first, or the command was lost; to close it twice does no harm.
		if err = b.closeTab(ctx, id); errors.Is(err, ErrPageNotFound) {
			return nil
		}
	}
	return err
}

func (b *Browser) closeTab(ctx context.Context, id string) error {
	p, err := b.Page(id)
	if err != nil {
		return err
	}
	run, stop, err := p.running(ctx)
	if err != nil && !errors.Is(err, ErrCrashed) {
		return err
	}
	if err == nil {
		defer stop()
	} else {
		run = ctx // a crashed page has nothing to ask
	}
	p.mu.Lock()
	p.dialogs.closing = true
	p.mu.Unlock()
	gone := func() bool { return b.index(id) < 0 }
	_, err = call(run, b.root, target.CloseTarget, target.CloseTargetParams{TargetID: target.ID(id)})
	if err == nil {
		err = b.wait(run, gone)
	}
	if errors.Is(err, ErrPageNotFound) {
		err = b.wait(ctx, gone) // its attachment went first
	}
	return err
}

// Gone returns when the page's tab is not listed any more, which is told after
// what failed for it.
func (p *Page) Gone(ctx context.Context) error {
	return p.browser.wait(ctx, func() bool { return p.browser.index(p.id) < 0 })
}
