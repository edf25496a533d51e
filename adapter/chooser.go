package adapter

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/page"
)

// Chooser is a file chooser that the page has asked for and that waits for its
// files.
type Chooser struct {
	Multiple bool   // it takes several
	Accept   string // what it says that it takes, such as image/*
}

// chooser is the state of file choosers; Page.mu guards it.
type chooser struct {
	watched bool // those that an action opens are kept from the person's screen
	frame   cdp.FrameID
	node    cdp.BackendNodeID // the input; 0 where none waits
	session *session
	open    *Chooser
}

// Chooser returns the file chooser that waits, or nil.
func (p *Page) Chooser() *Chooser {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.chooser.open
}

// expectChooser keeps file choosers that an action opens from coming up. It is
// sent ahead of the action, without waiting; Rest ends it, so that the person's
// own clicks open what they always do.
func (p *Page) expectChooser(s *session) {
	p.mu.Lock()
	on := p.chooser.watched
	p.chooser.watched = true
	sessions := p.processes(s)
	p.mu.Unlock()
	if on {
		return
	}
	for _, s := range sessions {
		post(s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{Enabled: true})
	}
}

// leaveChooser ends that.
func (p *Page) leaveChooser() {
	p.mu.Lock()
	on, s := p.chooser.watched, p.session
	p.chooser.watched = false
	sessions := p.processes(s)
	p.mu.Unlock()
	if !on || s == nil {
		return
	}
	for _, s := range sessions {
		post(s, page.SetInterceptFileChooserDialog, page.SetInterceptFileChooserDialogParams{})
	}
}

// processes returns the sessions of the page and of its frames elsewhere; mu is
// held.
func (p *Page) processes(s *session) []*session {
	list := []*session{s}
	seen := map[*session]bool{s: true}
	for _, f := range p.tree.frames {
		if f.session != nil && !seen[f.session] {
			seen[f.session] = true
			list = append(list, f.session)
		}
	}
	return list
}

func (at source) chooserOpens(e *page.EventFileChooserOpened) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	if e.BackendNodeID == 0 {
		return // showOpenFilePicker, which has no input to give files to
	}
	p.chooser.frame, p.chooser.node, p.chooser.session = e.FrameID, e.BackendNodeID, at.session
	p.chooser.open = &Chooser{Multiple: e.Mode == page.FileChooserOpenedModeSelectMultiple}
	p.broadcast()
}

// closeChooser forgets the chooser that waits; mu is held.
func (p *Page) closeChooser() { p.chooser.node, p.chooser.open, p.chooser.session = 0, nil, nil }

// chooserInput returns the frame and the ref of the input whose chooser waits.
func (p *Page) chooserInput(ctx context.Context) (*frame, string, error) {
	p.mu.Lock()
	f, node := p.tree.frames[p.chooser.frame], p.chooser.node
	p.mu.Unlock()
	if node == 0 || f == nil {
		return nil, "", fail(ErrInvalid, "give the ref or a selector of a file input, or click what opens the chooser first", "no file chooser is open, and no element is given")
	}
	s, world, err := p.world(ctx, f)
	if err != nil {
		return nil, "", err
	}
	object, err := call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: node, ExecutionContextID: world.id})
	if err != nil {
		return nil, "", fail(ErrStaleRef, "click what opens the chooser again", "the input of the file chooser is gone")
	}
	ref, err := p.refFor(ctx, f, s, object.Object.ObjectID)
	return f, ref, err
}
