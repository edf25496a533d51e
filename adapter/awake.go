package adapter

import (
	"context"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
)

const (
	// awakeFor is how long a page behind stays awake when nothing works in it.
	awakeFor = 3 * time.Second
	// firstFrame is how long a screencast may take to send its first frame, or a screenshot to be answered.
	firstFrame = 100 * time.Millisecond
	// wakeLimit is how long a page may take to wake, beside clients that keep its browser busy.
	wakeLimit = 20 * time.Second
	// pictureLimit is how long a change of the size waits for a picture that is being taken.
	pictureLimit = time.Second
)

// awake is how a page behind behaves as one in front: it believes that it is seen
// and has the focus, and draws. Page.mu guards it.
type awake struct {
	on    bool
	until time.Time   // unless something works in the page then
	sleep *time.Timer // ends it; set while on
	late  *time.Timer // helps a screencast that has not drawn yet; set while on
}

// rest has the page stay awake for a time from now; Page.mu is held.
func (a *awake) rest() {
	if a.on {
		a.until = time.Now().Add(awakeFor)
		a.sleep.Reset(awakeFor)
	}
}

// end forgets that the page is awake; Page.mu is held.
func (a *awake) end() {
	if a.on {
		a.sleep.Stop()
		a.late.Stop()
	}
	*a = awake{}
}

// wake makes the page behave as one in front, until nothing has worked in it for
// awakeFor. In a hidden tab a mouse move would else wait for a frame that never
// comes. The answer reports a failure with the next command: what follows in the
// session comes after it anyhow.
func (p *Page) wake(ctx context.Context, s *session) error {
	p.mu.Lock()
	on := p.awake.on
	if !on {
		p.awake = awake{on: true, sleep: time.AfterFunc(awakeFor, p.doze), late: time.AfterFunc(firstFrame, func() { p.drawOnce(s) })}
	}
	p.awake.rest()
	p.mu.Unlock()
	if on {
		return nil
	}
	// Another call may rely on it, though this one ends meanwhile.
	done := make(chan error, 1)
	go func() { // ends with the connection, or by its limit
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), wakeLimit)
		defer cancel()
		_, err := call(ctx, s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true})
		p.mu.Lock()
		defer p.mu.Unlock()
		switch {
		case err != nil:
			p.sleep()
		case p.awake.on:
			// A screencast asks for frames, which nobody looks at.
			post(s, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 16, MaxHeight: 16})
		}
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// tinyShot is a picture that nobody looks at.
var tinyShot = page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormatJpeg, Quality: new(int64(1)), OptimizeForSpeed: new(true)}

// drawOnce makes a screencast send its first frame. On a busy machine Chrome now
// and then starts one that never does. Starting it again does not help; taking a
// screenshot does. It returns when that is taken.
func (p *Page) drawOnce(s *session) {
	p.drawing <- struct{}{}
	defer func() { <-p.drawing }()
	ctx, cancel := context.WithTimeout(context.Background(), pictureLimit)
	defer cancel()
	_, _ = call(ctx, s, page.CaptureScreenshot, tinyShot)
}

// drawn hears of a frame of a screencast.
func (at source) drawn() {
	at.page.mu.Lock()
	defer at.page.mu.Unlock()
	if at.page.awake.on {
		at.page.awake.late.Stop()
	}
}

// Rest says that a call in the page is over: a page behind goes to sleep some
// seconds later, unless something else works in it. It sends without waiting.
func (p *Page) Rest(context.Context) {
	p.mu.Lock()
	p.awake.rest()
	p.mu.Unlock()
	p.leaveChooser()
}

// doze lets the page sleep, unless something works in it or did just now.
func (p *Page) doze() {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case len(p.active) > 0:
		p.awake.rest()
	case !time.Now().Before(p.awake.until):
		p.sleep()
	}
}

// sleep lets the page be what it is; mu is held.
func (p *Page) sleep() {
	s, on := p.session, p.awake.on
	p.awake.end()
	if on && s != nil {
		post(s, page.StopScreencast, cdp.Empty{})
		post(s, emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: false})
	}
}
