package adapter

import (
	"context"
	"time"
)

// leaveLimit bounds what is done to pages before a connection is closed.
const leaveLimit = 2 * time.Second

// leave takes out of the pages what outlives a connection: a recording, the
// object that tells the place, and in hidden tabs the size. It waits until that
// is done or the limit is over.
func (b *Browser) leave(limit time.Duration) {
	b.mu.Lock()
	var pages []*Page
	for _, p := range b.pages {
		pages = append(pages, p)
	}
	b.mu.Unlock()
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	for _, p := range pages {
		p.cancelTrace(true)
		p.mu.Lock()
		placed, sized, s, others := p.settings.place != nil, p.settings.device.sized(), p.session, p.others()
		p.mu.Unlock()
		if s == nil {
			continue
		}
		if placed {
			for _, s := range append(others, s) {
				_ = p.put(ctx, s, nil)
			}
		}
		if sized {
			p.mu.Lock()
			p.sleep() // one that draws would keep the size when the debugger goes
			p.mu.Unlock()
			_ = p.setDevice(ctx, Device{})
		}
	}
}
