package adapter

import (
	"context"
	"fmt"
	"strings"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"

	"github.com/tabrelay/tabrelay/extension"
)

// frame is a frame of a page. Page.mu guards it.
type frame struct {
	id       cdp.FrameID
	parent   cdp.FrameID
	owner    string // the ref of its iframe element in the parent
	url      string
	origin   string                     // of its document, as Chrome writes it
	session  *session                   // that of its process
	ordinal  int                        // names it in refs: f2 for 2; 0 is the main frame
	next     int                        // the number of the next ref; never used twice
	main     realm                      // the page's own
	world    realm                      // with the page script; zero until made
	made     realm                      // the last with the world's name that Chrome told of
	making   chan struct{}              // closed when who makes the world is done; nil while nobody does
	marked   map[cdp.BackendNodeID]bool // nodes that the page script knows to listen
	document runtime.RemoteObjectID     // in the page's own world
	reader   reader
	late     bool // it did not answer when it was read the last time
}

// tree holds the frames of a page. Page.mu guards it.
type tree struct {
	frames   map[cdp.FrameID]*frame
	root     cdp.FrameID // of the main one
	ordinals int         // of frames; the main frame has none
}

// prefix returns what stands before the refs of a frame: "" for the main one,
// else such as "f2", where frames are numbered as they are first shown; mu is
// held.
func (p *Page) prefix(f *frame) string {
	if p.isMain(f.id) {
		return ""
	}
	if f.ordinal == 0 {
		p.tree.ordinals++
		f.ordinal = p.tree.ordinals
	}
	return fmt.Sprintf("f%d", f.ordinal)
}

// frameOf returns the frame with an id, which it adds; mu is held.
func (p *Page) frameOf(id cdp.FrameID, s *session) *frame {
	f := p.tree.frames[id]
	if f == nil {
		f = &frame{id: id, next: 1}
		p.tree.frames[id] = f
	}
	if f.session == nil {
		f.session = s
	}
	return f
}

// frameOf returns the frame that a context of the session is in, nil where that
// is not known; mu is held.
func (at source) frameOf(context runtime.ExecutionContextID) *frame {
	for _, f := range at.page.tree.frames {
		if f.session == at.session && context != 0 && (f.main.id == context || f.made.id == context || f.world.id == context) {
			return f
		}
	}
	return nil
}

// mainFrame returns the main frame; mu is held.
func (p *Page) mainFrame() *frame { return p.frameOf(p.tree.root, p.session) }

// isMain reports whether a frame is the main one; mu is held.
func (p *Page) isMain(id cdp.FrameID) bool { return id == p.tree.root }

// rooted notes which frame is the main one; mu is held. Its id is the tab's own,
// unless a page that was prerendered took the tab over before anything was
// attached. Refs are numbered on.
func (p *Page) rooted(id cdp.FrameID) {
	if id == p.tree.root {
		return
	}
	if old := p.tree.frames[p.tree.root]; old != nil {
		f := p.tree.frames[id]
		f.next = max(f.next, old.next)
		p.fell(old)
	}
	for i := range p.declared.tools {
		if t := &p.declared.tools[i]; t.frame == id {
			t.Frame = ""
		}
	}
	p.tree.root = id
}

// plant notes a frame tree; mu is held.
func (p *Page) plant(s *session, tree *page.FrameTree) {
	p.seed(s, tree.Frame)
	for _, child := range tree.ChildFrames {
		p.plant(s, child)
	}
}

// seed notes a frame's document; mu is held.
func (p *Page) seed(s *session, fr *cdp.Frame) *frame {
	f := p.frameOf(fr.ID, s)
	f.session = s
	f.url, f.origin = fr.URL+fr.URLFragment, fr.SecurityOrigin
	if fr.ParentID != "" {
		f.parent = fr.ParentID
	}
	return f
}

func (at source) frameAttached(e *page.EventFrameAttached) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.frameOf(e.FrameID, at.session).parent = e.ParentFrameID
}

func (at source) frameDetached(e *page.EventFrameDetached) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	f := p.tree.frames[e.FrameID]
	if f == nil {
		return
	}
	if e.Reason == page.FrameDetachedReasonSwap { // it goes on in another process
		if f.session == at.session {
			f.session, f.world, f.main = nil, realm{}, realm{}
		}
		p.undeclare(func(t Declared) bool { return t.frame == f.id && t.session == at.session.id })
		return
	}
	p.fell(f)
}

// fell forgets a frame and those within it; mu is held.
func (p *Page) fell(f *frame) {
	delete(p.tree.frames, f.id)
	p.undeclareFrame(f.id)
	for _, child := range p.tree.frames {
		if child.parent == f.id {
			p.fell(child)
		}
	}
}

func (at source) contextCreated(e *runtime.EventExecutionContextCreated) {
	var aux struct {
		FrameID   cdp.FrameID `json:"frameId"`
		IsDefault bool        `json:"isDefault"`
	}
	if jsonv2.Unmarshal(e.Context.AuxData, &aux) != nil || aux.FrameID == "" {
		return
	}
	p := at.page
	r := realm{e.Context.ID, e.Context.UniqueID}
	p.mu.Lock()
	defer p.mu.Unlock()
	if !aux.IsDefault {
		if f := p.tree.frames[aux.FrameID]; f != nil && e.Context.Name == p.browser.world {
			f.made = r
		}
		return
	}
	f := p.frameOf(aux.FrameID, at.session)
	f.session, f.main, f.world, f.made = at.session, r, realm{}, realm{}
	if f.url == "" { // its document came before anybody listened, and is told later
		f.origin = e.Context.Origin
	}
	if p.chooser.frame == f.id {
		p.closeChooser()
	}
	p.broadcast()
}

func (at source) contextsCleared(*runtime.EventExecutionContextsCleared) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.tree.frames {
		if f.session == at.session {
			f.main, f.world = realm{}, realm{}
		}
	}
}

func (at source) childAttached(e *target.EventAttachedToTarget) {
	p := at.page
	conn := p.browser.conn
	s := conn.session(e.SessionID, p.handle)
	if e.TargetInfo.Type != "iframe" {
		// Workers are not driven; one that waits is let go.
		post(s, runtime.RunIfWaitingForDebugger, cdp.Empty{})
		return
	}
	p.mu.Lock()
	f := p.frameOf(cdp.FrameID(e.TargetInfo.TargetID), s)
	f.session, f.world, f.main = s, realm{}, realm{}
	if parent := cdp.FrameID(e.TargetInfo.ParentFrameID); parent != "" {
		f.parent = parent
	}
	p.broadcast()
	p.mu.Unlock()
	p.enableChild(s)
}

func (at source) childDetached(e *target.EventDetachedFromTarget) {
	p := at.page
	p.browser.conn.end(e.SessionID, advise(ErrStaleRef, AdviceLookAgain, "the frame is gone"))
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, f := range p.tree.frames {
		if f.session != nil && f.session.id == e.SessionID {
			f.session, f.world, f.main = nil, realm{}, realm{}
		}
	}
	p.undeclareSession(e.SessionID)
	p.broadcast()
}

// world returns the session and the realm that hold the page script
// in a frame; both are made when there is none.
func (p *Page) world(ctx context.Context, f *frame) (*session, realm, error) {
	p.mu.Lock()
	if err := p.outside(f); err != nil {
		p.mu.Unlock()
		return nil, realm{}, err
	}
	for f.world.id == 0 && f.making != nil { // another call makes it
		making := f.making
		p.mu.Unlock()
		select {
		case <-making:
		case <-ctx.Done():
			return nil, realm{}, context.Cause(ctx)
		}
		p.mu.Lock()
	}
	s, world, main := f.session, f.world, f.main
	if world.id != 0 || s == nil {
		p.mu.Unlock()
		if world.id != 0 {
			return s, world, nil
		}
		return nil, realm{}, advise(ErrStaleRef, AdviceLookAgain, "the frame is gone or still loading")
	}
	made := make(chan struct{})
	f.making = made
	p.mu.Unlock()
	defer func() {
		p.mu.Lock()
		if f.making == made {
			f.making = nil
		}
		p.mu.Unlock()
		close(made)
	}()
	res, err := call(ctx, s, page.CreateIsolatedWorld, page.CreateIsolatedWorldParams{FrameID: f.id, WorldName: p.browser.world})
	if err != nil {
		return nil, realm{}, err
	}
	world = realm{id: res.ExecutionContextID}
	p.mu.Lock()
	if f.session == s && f.made.id == world.id { // it was told before it was answered
		world = f.made
	}
	p.mu.Unlock()
	script := start(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: extension.PageScript(), Silent: new(true)}))
	// Chrome tells the listeners of one world, that of the object it is asked
	// about: the page's own. It is in no group, as those that resolve returns.
	document := start(ctx, s, runtime.Evaluate, main.run(runtime.EvaluateParams{Expression: "document", Silent: new(true)}))
	run, err := script()
	switch {
	case err != nil:
		return nil, realm{}, err
	case run.ExceptionDetails != nil:
		return nil, realm{}, exception(run.ExceptionDetails)
	}
	object, err := document()
	if err != nil {
		return nil, realm{}, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.session == s && f.main == main { // still the same document
		f.world, f.document, f.marked = world, object.Result.ObjectID, nil
	}
	return s, world, nil
}

// ask evaluates an expression of the page script in a frame and decodes its
// value. A document that goes away meanwhile is no failure: it asks once more.
// What the page script objects to is an *objection.
func ask[T any](ctx context.Context, p *Page, f *frame, expression string) (T, error) {
	for again := false; ; again = true {
		s, world, err := p.world(ctx, f)
		var v T
		if err == nil {
			params := world.run(runtime.EvaluateParams{Expression: expression, AwaitPromise: new(true), ReturnByValue: new(true)})
			var res runtime.EvaluateResult
			if res, err = call(ctx, s, runtime.Evaluate, params); err == nil {
				if o, ok := objectionIn(res.ExceptionDetails); ok {
					return v, o
				}
				v, err = came[T](res.Result, res.ExceptionDetails)
			}
		}
		if err != nil && !again && contextGone(err) {
			p.mu.Lock()
			if f.world == world {
				f.world = realm{}
			}
			p.mu.Unlock()
			continue
		}
		return v, err
	}
}

// askHere is ask of the document that the frame has now, and of no other; there is
// false where it has gone.
func askHere[T any](ctx context.Context, p *Page, f *frame, expression string) (v T, there bool, err error) {
	p.mu.Lock()
	s, world := f.session, f.world
	p.mu.Unlock()
	if s == nil || world.id == 0 {
		return v, false, nil
	}
	v, err = evaluate[T](ctx, s, world.run(runtime.EvaluateParams{Expression: expression}))
	return v, true, err
}

// evaluate runs an expression and decodes its value into T.
func evaluate[T any](ctx context.Context, s *session, params runtime.EvaluateParams) (T, error) {
	var v T
	params.ReturnByValue = new(true)
	res, err := call(ctx, s, runtime.Evaluate, params)
	if err != nil {
		return v, err
	}
	return came[T](res.Result, res.ExceptionDetails)
}

// exception turns what a script threw into an error.
func exception(e *runtime.ExceptionDetails) error {
	text := e.Text
	if e.Exception != nil {
		switch {
		case e.Exception.Description != "":
			text = e.Exception.Description
		case len(e.Exception.Value) > 0:
			text += " " + string(e.Exception.Value)
		}
	}
	return fail(ErrScript, "", "%s", text)
}

// expression renders a call of a function of the page script.
func expression(function string, args ...any) string {
	var sb strings.Builder
	sb.WriteString(extension.PageObject + "." + function + "(")
	for i, a := range args {
		if i > 0 {
			sb.WriteByte(',')
		}
		buf, err := jsonv2.Marshal(a, chromedp.DefaultMarshalOptions)
		if err != nil {
			buf = []byte("null")
		}
		sb.Write(buf)
	}
	return sb.String() + ")"
}
