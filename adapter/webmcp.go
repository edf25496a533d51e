package adapter

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/cdproto/webmcp"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// Declared is a tool that a page declares by itself, through WebMCP. All words
// in it are the page's and nothing to trust.
type Declared struct {
	Name        string
	Description string
	Schema      []byte // of the input, as the page wrote it; nil where it wrote none
	// Consequential tells that the page itself says that it is no small thing.
	Consequential bool
	// Manual tells that it is a form which the person submits: an invocation
	// fills it, and is answered when they did.
	Manual bool
	Frame  string // the address of the frame that declares it; "" for the main one

	frame   cdp.FrameID
	session target.SessionID
	form    bool // it is a form, and no script's
}

const (
	declaredLimit = 200     // tools of a page
	invokedLimit  = 1 << 20 // bytes of an answer, or of a schema
)

// declared are the tools of a page and what runs of them. Page.mu guards it.
type declared struct {
	tools    []Declared
	runs     map[string]*Invocation
	asking   int // invocations that have no id yet
	early    map[string]*webmcp.EventToolResponded
	stirring chan struct{} // closed and replaced when what the page offers may have changed
}

// Declared returns the tools that the page declares by now, those of the main
// frame first, there those of its scripts before its forms, and by their names:
// in which order the browser tells of them changes from load to load. It has none
// where the connection was not made with Options.WebMCP, or the browser knows
// nothing of it.
func (p *Page) Declared() []Declared {
	p.mu.Lock()
	defer p.mu.Unlock()
	list := slices.DeleteFunc(slices.Clone(p.declared.tools), func(d Declared) bool {
		return p.outside(p.tree.frames[d.frame]) != nil
	})
	slices.SortStableFunc(list, func(a, b Declared) int {
		if c := strings.Compare(a.Frame, b.Frame); c != 0 {
			return c
		}
		if a.form != b.form {
			if b.form {
				return -1
			}
			return 1
		}
		return strings.Compare(a.Name, b.Name)
	})
	return list
}

// listenToTools asks the page's own session to tell of declared tools, where they are wanted;
// the returned function waits until it does. Browsers that know nothing of it
// refuse, and are left in peace.
func (p *Page) listenToTools(ctx context.Context, s *session) (wait func()) {
	if !p.browser.opts.WebMCP {
		return func() {}
	}
	enabled := start(ctx, s, webmcp.Enable, cdp.Empty{})
	return func() { _, _ = enabled() }
}

// listenAgain makes a session tell its tools once more: those of a document that
// comes back from the browser's cache are not told by themselves.
func (p *Page) listenAgain(s *session) {
	if p.browser.opts.WebMCP {
		post(s, webmcp.Disable, cdp.Empty{})
		post(s, webmcp.Enable, cdp.Empty{})
	}
}

// Invocation is a declared tool that was invoked.
type Invocation struct {
	// Static after construction.
	page    *Page
	session *session
	id      string
	tool    Declared
	done    chan struct{} // closed when it is over

	// Written before done is closed.
	output []byte
	err    error
}

// Invoke invokes a declared tool. The browser does not hold the input against
// the tool's schema: the caller does. It fails with ErrNotFound where the page
// does not declare it any more. A tool that begins although ctx has ended is
// cancelled.
func (p *Page) Invoke(ctx context.Context, tool Declared, input []byte) (*Invocation, error) {
	caller := ctx
	ctx, _, stop, err := p.work(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	if err := p.confirmedForm(ctx, tool); err != nil {
		return nil, p.reason(err)
	}
	gone := fail(ErrNotFound, "", "the page no longer declares %q", tool.Name)
	p.mu.Lock()
	d := &p.declared
	i := d.index(tool)
	var s *session
	if f := p.tree.frames[tool.frame]; f != nil && i >= 0 && p.outside(f) == nil {
		s = f.session
	}
	if s == nil {
		p.mu.Unlock()
		return nil, gone
	}
	d.asking++
	p.mu.Unlock()
	begun := make(chan error, 1)
	v := &Invocation{page: p, session: s, tool: tool, done: make(chan struct{})}
	p.browser.conn.wg.Go(func() { begun <- v.begin(context.WithoutCancel(ctx), input) }) // ends by beginLimit
	select {
	case err := <-begun:
		if err != nil {
			return nil, p.reason(err)
		}
		return v, nil
	case <-ctx.Done():
		if caller.Err() != nil { // and not because a dialog opened
			p.browser.conn.wg.Go(func() { // ends with begin
				if <-begun == nil {
					v.Cancel()
				}
			})
		}
		return nil, p.reason(context.Cause(ctx))
	}
}

// index returns where a tool of the same frame and name is, or -1; Page.mu is held.
func (d *declared) index(tool Declared) int {
	return slices.IndexFunc(d.tools, func(t Declared) bool { return t.frame == tool.frame && t.Name == tool.Name })
}

// confirmedForm is confirmed for a declared form that the browser sends by itself. As with
// the mouse at a point, any such field in its frame counts.
func (p *Page) confirmedForm(ctx context.Context, tool Declared) error {
	p.mu.Lock()
	f, i := p.tree.frames[tool.frame], p.declared.index(tool)
	sent := f != nil && i >= 0 && p.declared.tools[i].form && !p.declared.tools[i].Manual
	p.mu.Unlock()
	if !sent {
		return nil
	}
	return p.confirmed(ctx, f, "", byAny, "“"+lines.Short(tool.Name, 80)+"”")
}

// beginLimit bounds how long a page may take to begin with a tool, after its
// caller has gone.
const beginLimit = time.Minute

// begin asks the browser to run the tool, and notes what it calls the run.
func (v *Invocation) begin(ctx context.Context, input []byte) error {
	ctx, cancel := context.WithTimeout(ctx, beginLimit)
	defer cancel()
	res, err := call(ctx, v.session, webmcp.InvokeTool, webmcp.InvokeToolParams{FrameID: v.tool.frame, ToolName: v.tool.Name, Input: input})
	p, d := v.page, &v.page.declared
	p.mu.Lock()
	defer p.mu.Unlock()
	if v.id = res.InvocationID; err == nil {
		if e := d.early[v.key()]; e != nil {
			v.finish(e)
		} else {
			if d.runs == nil {
				d.runs = map[string]*Invocation{}
			}
			d.runs[v.key()] = v
		}
	}
	if d.asking--; d.asking == 0 {
		d.early = nil
	}
	return err
}

// key tells invocations of different processes apart.
func (v *Invocation) key() string { return string(v.session.id) + " " + v.id }

// Done is closed when the tool has answered.
func (v *Invocation) Done() <-chan struct{} { return v.done }

// Wait returns what the tool answered, as JSON; nil where it answered nothing,
// or its document went away while it ran. It fails with ErrScript where the tool threw an
// error, and with ErrCancelled where it was cancelled. A wait that ends before
// leaves the invocation as it is.
func (v *Invocation) Wait(ctx context.Context) ([]byte, error) {
	run, stop, err := v.page.running(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	select {
	case <-v.done:
		return v.output, v.err
	case <-run.Done():
		return nil, context.Cause(run)
	case <-v.page.browser.conn.done:
		return nil, v.page.browser.conn.err
	}
}

// Cancel gives an invocation up; one that is over stays so.
func (v *Invocation) Cancel() {
	select {
	case <-v.done:
	default:
		post(v.session, webmcp.CancelInvocation, webmcp.CancelInvocationParams{InvocationID: v.id})
	}
}

// finish ends an invocation with what the browser tells; mu is held.
func (v *Invocation) finish(e *webmcp.EventToolResponded) {
	switch e.Status {
	case webmcp.InvocationStatusCompleted:
		v.output = e.Output
		if string(v.output) == "null" {
			v.output = nil
		}
		if len(v.output) > invokedLimit {
			v.output, v.err = nil, fail(ErrScript, "", "the tool returned %d bytes; the maximum is %d", len(v.output), invokedLimit)
		}
	case webmcp.InvocationStatusCanceled:
		v.err = fail(ErrCancelled, "", "the tool was cancelled")
	default:
		text := e.ErrorText
		if e.Exception != nil {
			switch {
			case e.Exception.Description != "":
				text = e.Exception.Description
			case len(e.Exception.Value) > 0:
				text = string(e.Exception.Value)
			}
		}
		if text == "" {
			text = "the tool failed without a message"
		}
		v.err = fail(ErrScript, "", "%s", text)
	}
	close(v.done)
}

func (at source) toolsAdded(e *webmcp.EventToolsAdded) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	d := &p.declared
	for _, t := range e.Tools {
		if t == nil || len(t.InputSchema) > invokedLimit {
			continue
		}
		n := Declared{Name: t.Name, Description: t.Description, Schema: slices.Clone([]byte(t.InputSchema)), frame: t.FrameID, session: at.session.id}
		n.form = t.BackendNodeID != 0
		n.Manual = n.form
		if a := t.Annotations; a != nil {
			n.Consequential = a.Consequential
			n.Manual = n.Manual && !a.Autosubmit
		}
		if !p.isMain(t.FrameID) {
			n.Frame = "a frame"
			if f := p.tree.frames[t.FrameID]; f != nil && f.url != "" {
				n.Frame = f.url
			}
		}
		// Who attaches anew is told again of what there is.
		switch i := d.index(n); {
		case i >= 0:
			d.tools[i] = n
		case len(d.tools) < declaredLimit:
			d.tools = append(d.tools, n)
		}
	}
	p.stir()
}

func (at source) toolsRemoved(e *webmcp.EventToolsRemoved) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.declared.tools = slices.DeleteFunc(p.declared.tools, func(o Declared) bool {
		return slices.ContainsFunc(e.Tools, func(t *webmcp.RemovedTool) bool { return t.FrameID == o.frame && t.Name == o.Name })
	})
	p.stir()
}

// toolResponded ends an invocation of ours; those of the page itself are none
// of our business.
func (at source) toolResponded(e *webmcp.EventToolResponded) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	d := &p.declared
	key := string(at.session.id) + " " + e.InvocationID
	if v := d.runs[key]; v != nil {
		delete(d.runs, key)
		v.finish(e)
		p.stir()
	} else if d.asking > 0 && len(d.early) < 8 {
		if d.early == nil {
			d.early = map[string]*webmcp.EventToolResponded{}
		}
		d.early[key] = e
	}
}

// undeclare forgets the tools that match, of which the browser does not say that they
// are gone, and ends what runs of them; mu is held.
func (p *Page) undeclare(match func(Declared) bool) {
	d := &p.declared
	d.tools = slices.DeleteFunc(d.tools, match)
	for key, v := range d.runs {
		if match(v.tool) {
			delete(d.runs, key)
			close(v.done)
		}
	}
	p.stir()
}

// undeclareFrame forgets the tools of a frame's document; mu is held.
func (p *Page) undeclareFrame(id cdp.FrameID) {
	p.undeclare(func(t Declared) bool { return t.frame == id })
}

// undeclareSession forgets the tools of a process; mu is held.
func (p *Page) undeclareSession(id target.SessionID) {
	p.undeclare(func(t Declared) bool { return t.session == id })
}
