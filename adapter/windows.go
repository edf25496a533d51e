package adapter

import "github.com/chromedp/cdproto/page"

// windows are those that a page opens: one event says that a window was asked for,
// another, which comes by itself, that there is a new tab. Page.mu guards it.
type windows struct {
	asked   int             // of all there ever were
	named   int             // those of them that are to show an address
	arrived int             // tabs that came while the page was attached
	blanks  map[string]bool // tabs that came of it and do not show their address yet
}

// ask notes that a window was asked for, and whether it is to show an address.
func (w *windows) ask(named bool) {
	w.asked++
	if named {
		w.named++
	}
}

// awaited reports whether some window that was asked for since then has not come,
// or does not show its address.
func (w *windows) awaited(since windows) bool {
	return w.asked-since.asked > w.arrived-since.arrived || w.named > since.named && len(w.blanks) > 0
}

func (at source) windowOpens(e *page.EventWindowOpen) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.windows.ask(!blank(e.URL))
	p.broadcast()
}

// tabArrived notes that the browser has a new tab, which the page may have
// asked for; blank is set where it did and the tab does not show its address
// yet.
func (p *Page) tabArrived(id string, blank bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.windows.arrived++
	if blank {
		p.windows.blanks[id] = true
	}
	p.broadcast()
}

// tabNamed notes that a tab which the page opened shows an address, or is gone.
func (p *Page) tabNamed(id string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.windows.blanks[id] {
		delete(p.windows.blanks, id)
		p.broadcast()
	}
}
