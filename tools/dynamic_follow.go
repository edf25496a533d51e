package tools

import (
	"context"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

const (
	// A page that changes is looked at when its content is there, for which it has
	// loadingTime, and when it has been still for quietTime, or has changed for
	// restlessTime.
	loadingTime  = 3 * time.Second
	quietTime    = 60 * time.Millisecond
	restlessTime = 600 * time.Millisecond
	// Between two looks at a document that goes on changing.
	leastPause = 200 * time.Millisecond
	mostPause  = 10 * time.Second
	// watchTime bounds one wait for a change.
	watchTime = time.Minute
)

// begin marks that a call is under way: until its end, which looks at the page
// by itself, the follower stands back, so that a client is told once.
func (d *dynamic) begin() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.busy++
}

func (d *dynamic) end() {
	d.mu.Lock()
	d.busy--
	d.turns++
	missed := d.busy == 0 && d.missed
	if missed {
		d.missed = false
	}
	d.mu.Unlock()
	if missed {
		d.rouse()
	}
}

// idle reports whether no call is under way; one that is will make up for it.
func (d *dynamic) idle() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.missed = d.missed || d.busy > 0
	return d.busy == 0
}

// rouse makes the follower look again.
func (d *dynamic) rouse() {
	select {
	case d.wake <- struct{}{}:
	default:
	}
}

// follow keeps the list in line with what happens without a call. It ends with
// the connection, which puts the state back to the beginning.
func (d *dynamic) follow(b *adapter.Browser) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	var watched *adapter.Page
	var moving <-chan struct{}
	stop := cancel
	for look := false; ; {
		changed, stirring := b.Changed(), d.stirring(b)
		if d.idle() {
			d.update(ctx, look)
		}
		if p := d.focusedPage(b); p != watched {
			if watched != nil {
				stop()
			}
			if watched, moving = p, nil; p != nil {
				moving, stop = d.watch(ctx, p)
			}
		}
		select {
		case <-b.Done():
			d.lost(b)
			return
		case <-changed:
			select {
			case <-stirring: // both at once, as a navigation does
				look = true
				d.awaitStill(b)
			default:
				look = false
			}
		case <-d.wake:
			look = true
		case <-stirring:
			look = true
			d.awaitStill(b)
		case <-moving:
			look = true
			d.awaitStill(b)
		}
	}
}

// watch tells of changes within a document, which no event tells of: a page may
// draw itself long after it was loaded. The longer they are of no matter to the
// agent, the more time passes from one look to the next, so that a clock in a page
// costs it little.
func (d *dynamic) watch(ctx context.Context, p *adapter.Page) (<-chan struct{}, context.CancelFunc) {
	ctx, stop := context.WithCancel(ctx)
	moving := make(chan struct{})
	go func() { // ends with ctx
		pause, seen := leastPause, d.turn()
		for {
			stirring := p.Stirring()
			limited, cancel := context.WithTimeout(ctx, watchTime+inspectLimit)
			wait, err := p.Changing(limited, watchTime)
			if err == nil {
				// What changed before the wait began, this look sees.
				select {
				case moving <- struct{}{}:
				case <-ctx.Done():
					cancel()
					return
				}
			}
			timer := time.NewTimer(pause)
			select {
			case <-timer.C:
			case <-ctx.Done():
			}
			if err == nil {
				_, err = wait()
			}
			cancel()
			if err != nil { // such as a dialog, or another document
				timer.Reset(mostPause)
				select {
				case <-stirring:
				case <-timer.C:
				case <-ctx.Done():
				}
			}
			timer.Stop()
			if ctx.Err() != nil {
				return
			}
			if now := d.turn(); now != seen {
				pause, seen = leastPause, now
			} else {
				pause = min(2*pause, mostPause)
			}
		}
	}()
	return moving, stop
}

// turn is another one after each call and each change of the list.
func (d *dynamic) turn() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.turns
}

// focusedPage returns the focused page; nil where none is, or it is gone.
func (d *dynamic) focusedPage(b *adapter.Browser) *adapter.Page {
	d.mu.Lock()
	focused := d.focused
	d.mu.Unlock()
	if focused == nil {
		return nil
	}
	p, err := b.Page(focused.target)
	if err != nil || p.Crashed() {
		return nil
	}
	return p
}

// stirring is closed when the focused page changes; nil where none is.
func (d *dynamic) stirring(b *adapter.Browser) <-chan struct{} {
	if p := d.focusedPage(b); p != nil {
		return p.Stirring()
	}
	return nil
}

// awaitStill returns when there is reason to look at the focused page: its content is
// there, and it has been still for a moment.
func (d *dynamic) awaitStill(b *adapter.Browser) {
	late := time.NewTimer(loadingTime)
	defer late.Stop()
	for {
		changed, stirring := b.Changed(), d.stirring(b)
		p := d.focusedPage(b)
		if p == nil || p.Dialog() != nil {
			return
		}
		if p.Ready() {
			break
		}
		select {
		case <-changed:
		case <-stirring:
		case <-late.C:
			return
		case <-b.Done():
			return
		}
	}
	limit := time.NewTimer(restlessTime)
	defer limit.Stop()
	for {
		quiet := time.NewTimer(quietTime)
		select {
		case <-d.stirring(b):
			quiet.Stop()
		case <-quiet.C:
			return
		case <-limit.C:
			quiet.Stop()
			return
		case <-b.Done():
			quiet.Stop()
			return
		}
	}
}
