package adapter

import "github.com/chromedp/cdproto/input"

// pointer is what is known of the mouse between calls, and of the drag under way.
// Page.mu guards it.
type pointer struct {
	held  int64                           // the buttons that are held down
	later *input.DispatchMouseEventParams // a release that waits for a dialog to close
	drag  *input.DragData                 // of a drag that the page began by itself, with a DataTransfer
}

// hold notes that a button is pressed, or released where bit is negative, and
// returns all that are held then.
func (m *pointer) hold(bit int64) int64 {
	if bit > 0 {
		m.held |= bit
	} else {
		m.held &^= -bit
	}
	return m.held
}

// releaseLater releases a button when the dialog that opened as it was pressed
// has closed.
func (p *Page) releaseLater(release input.DispatchMouseEventParams) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dialogs.open != nil {
		p.pointer.later = &release
	}
}

func (at source) dragIntercepted(e *input.EventDragIntercepted) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.pointer.drag = e.Data
	p.broadcast()
}
