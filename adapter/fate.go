package adapter

import "errors"

// fate is why nothing can run in a page, now or for good. Page.mu guards it.
type fate struct {
	ended     error // why the tab is gone
	dead      bool  // the renderer crashed
	denied    error // what the next use of the page must be told, once
	cancelled bool  // the person took the debugger off, and nobody has used the page since
}

// use takes what must be told before the page is used again.
func (f *fate) use() error {
	err := f.denied
	if f.denied = nil; err == nil {
		f.cancelled = false
	}
	return err
}

// refused hears that a command failed. That the person pressed Cancel is told
// once, maybe to a command that the outcome of the call does not hang on: what
// runs ends, or else what comes next is told.
func (p *Page) refused(err error) {
	if !errors.Is(err, ErrCancelled) && !errors.Is(err, ErrPageLost) {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if errors.Is(err, ErrPageLost) { // that it is gone is told next
		p.fate.ended = err
		return
	}
	p.awake.end() // nothing may ask for the tab again only to end it
	p.chooser.watched = false
	if len(p.active) == 0 && !p.fate.cancelled { // else it is told already: several were on their way
		p.fate.denied = err
	}
	p.fate.cancelled = true
	p.interrupt(err)
}

// hindrance returns why nothing can run in the page now, or nil; mu is held.
func (p *Page) hindrance() error {
	switch {
	case p.fate.ended != nil:
		return p.fate.ended
	case p.fate.dead:
		return advise(ErrCrashed, AdviceRevive, "the page crashed")
	case p.dialogs.open != nil:
		return p.dialogs.open.Blocking()
	}
	return nil
}

// reason returns what is known to be behind err.
func (p *Page) reason(err error) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if h := p.hindrance(); h != nil && err != nil {
		return h
	}
	return err
}
