package adapter

import (
	"context"

	"github.com/chromedp/cdproto/emulation"
)

// emulate makes the page believe that it is seen and has the focus. In a hidden
// tab a mouse move would else wait for a frame that never comes. The answer
// reports a failure with the next command: what follows in the session comes
// after it anyhow.
func (p *Page) emulate(ctx context.Context, s *session) error {
	p.mu.Lock()
	on := p.emulated
	p.emulated = true
	p.mu.Unlock()
	if on {
		return nil
	}
	_, err := call(ctx, s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
	if err != nil {
		p.mu.Lock()
		p.emulated = false
		p.mu.Unlock()
	}
	return err
}

// believesSeen reports whether the page is made to believe that it is seen.
func (p *Page) believesSeen() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.emulated
}

// Rest ends what an action in a hidden tab had to turn on. It is called when
// the action and what it started are over; it sends without waiting.
func (p *Page) Rest(context.Context) {
	p.mu.Lock()
	s, on := p.session, p.emulated
	p.emulated = false
	p.mu.Unlock()
	if on && s != nil {
		post(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: false})
	}
	p.leaveChooser()
}
