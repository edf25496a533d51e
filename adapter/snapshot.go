package adapter

import (
	"cmp"
	"context"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// SnapshotOptions choose what a snapshot shows.
type SnapshotOptions struct {
	Ref         string // only what is within this element
	Depth       int    // levels below the root; 0 for all
	Interactive bool   // only interactive elements, and what leads to them
	All         bool   // every element with a role or a name
	Boxes       bool   // the rectangle of each element, in CSS pixels of the page's view
	URLs        bool   // the addresses of links
	Offset      int    // characters to skip, as a cut snapshot said
	Limit       int    // characters of text; a sensible bound if 0
	Busy        bool   // also what the page is busy with

	origin origin // of the frame
}

// Snapshot is what a page shows, an element or a text a line.
type Snapshot struct {
	Lines []lines.Line
	Title string
	URL   string
	// More says what was left out for space and how to get it; empty when
	// nothing was.
	More string
	// Busy is what the page is still busy with, if it says so and was asked.
	Busy string
}

// Text is the snapshot as it is read.
func (s *Snapshot) Text() string { return lines.Writer{}.Text(s.Lines) }

// snapshotLimit is how many characters of text a snapshot has at the most.
const snapshotLimit = 60_000

// frameWait is how long a snapshot waits for a frame that is being loaded.
const frameWait = 300 * time.Millisecond

// frameRequest and frameLines are what the page script takes and gives.
type frameRequest struct {
	Prefix      string  `json:"prefix"`
	Next        int     `json:"next"`
	Scope       string  `json:"scope,omitzero"`
	Depth       int     `json:"depth,omitzero"`
	Interactive bool    `json:"interactive,omitzero"`
	All         bool    `json:"all,omitzero"`
	Boxes       *origin `json:"boxes,omitzero"`
	URLs        bool    `json:"urls,omitzero"`
	Offset      int     `json:"offset,omitzero"`
	Limit       int     `json:"limit,omitzero"`
	Busy        bool    `json:"busy,omitzero"`
}

// origin is where a frame's corner lies in the page's view, in CSS pixels, and how
// much it is scaled; zero is the page itself.
type origin struct {
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	Scale float64 `json:"scale,omitzero"` // 1 if 0

	Width  float64 `json:"width,omitzero"` // of the frame's content, unscaled
	Height float64 `json:"height,omitzero"`
}

// minFrameText is how many characters a frame has at the least, however many
// there are.
const minFrameText = 2_000

// inFrame returns the options for a frame within f, in the element of a ref that
// stands at a depth; false where nothing of it is to be shown.
func (p *Page) inFrame(ctx context.Context, f *frame, ref string, depth, frames int, o SnapshotOptions) (SnapshotOptions, bool) {
	if o.Depth > 0 {
		if o.Depth -= depth; o.Depth <= 0 {
			return o, false
		}
	}
	o.Busy = false
	whole := o.Ref != "" // a frame that is asked for by itself has all the space
	o.Ref, o.Offset = "", 0
	if !whole || frames > 1 {
		o.Limit = max(cmp.Or(o.Limit, snapshotLimit)/frames, minFrameText)
	}
	if !o.Boxes {
		return o, true
	}
	corner, err := ask[*origin](ctx, p, f, expression("frameCorner", ref))
	if err != nil || corner == nil {
		return o, false
	}
	around, scale := o.origin, cmp.Or(o.origin.Scale, 1)
	o.origin = origin{X: around.X + corner.X*scale, Y: around.Y + corner.Y*scale, Scale: scale * corner.Scale}
	return o, true
}

type frameLines struct {
	walked
	Lines string `json:"lines"`
	Title string `json:"title"`
	URL   string `json:"url"`
	More  string `json:"more"`
	Busy  string `json:"busy"`
}

// Snapshot returns what the page shows, its frames in their places. Refs in it are
// good until their elements are gone. It fails with ErrStaleRef where the scope
// is unknown.
func (p *Page) Snapshot(ctx context.Context, o SnapshotOptions) (*Snapshot, error) {
	if _, err := p.attached(ctx); err != nil {
		return nil, err
	}
	ctx, stop, err := p.running(ctx)
	if err != nil {
		return nil, err
	}
	defer stop()
	f, err := p.frameOfRef(o.Ref)
	if err != nil {
		return nil, err
	}
	t, list, err := p.read(ctx, f, o)
	if err != nil {
		return nil, p.reason(err)
	}
	return &Snapshot{Lines: list, Title: t.Title, URL: t.URL, More: t.More, Busy: t.Busy}, nil
}

// read returns a frame's lines, with those of the frames in it.
func (p *Page) read(ctx context.Context, f *frame, o SnapshotOptions) (frameLines, []lines.Line, error) {
	t, err := p.ownLines(ctx, f, o)
	if err != nil {
		return t, nil, err
	}
	list, err := lines.Decode(t.Lines)
	if err != nil {
		return t, nil, err
	}
	var frames []int // the lines of frames
	for i, l := range list {
		if l.Role == "iframe" {
			frames = append(frames, i)
		}
	}
	if len(frames) == 0 {
		return t, list, nil
	}
	inner := make([][]lines.Line, len(frames))
	var wg sync.WaitGroup
	for i, at := range frames {
		wg.Go(func() { inner[i] = p.readFrame(ctx, f, list[at], len(frames), o) })
	}
	wg.Wait()
	var all []lines.Line
	from := 0
	for i, at := range frames {
		all = append(all, list[from:at+1]...)
		from = at + 1
		for _, l := range inner[i] {
			l.Depth += list[at].Depth + 1
			all = append(all, l)
		}
	}
	return t, append(all, list[from:]...), nil
}

// readFrame returns the lines of the frame that a line shows, one of many in f.
func (p *Page) readFrame(ctx context.Context, f *frame, l lines.Line, many int, o SnapshotOptions) []lines.Line {
	child, err := p.childFrame(ctx, f, l.Ref)
	if err != nil || child == nil {
		return nil // it is gone, or shows nothing that can be read
	}
	o, ok := p.inFrame(ctx, f, l.Ref, l.Depth+1, many, o)
	if !ok {
		return nil
	}
	within, done := p.reading(ctx, child)
	t, list, err := p.read(within, child, o)
	if done(err) {
		return []lines.Line{lines.Note(0, "… this frame does not answer")}
	}
	if err == nil && t.More != "" {
		list = append(list, lines.Note(0, "… more in this frame not shown: scope with ref="+l.Ref+", or search"))
	}
	return list
}

// ownLines returns the lines of a frame without the frames in it.
func (p *Page) ownLines(ctx context.Context, f *frame, o SnapshotOptions) (frameLines, error) {
	p.mu.Lock()
	request := frameRequest{
		Prefix: p.prefix(f), Next: f.next, Scope: o.Ref, Depth: o.Depth, Interactive: o.Interactive, All: o.All,
		URLs: o.URLs, Offset: o.Offset, Limit: cmp.Or(o.Limit, snapshotLimit), Busy: o.Busy,
	}
	if o.Boxes {
		request.Boxes = &o.origin
	}
	p.mu.Unlock()
	return walk[frameLines](ctx, p, f, func(next int) string {
		request.Next = max(request.Next, next)
		return expression("snapshot", request)
	})
}

// childFrame returns the frame within the iframe element of a ref, once its
// document can be read; nil when it does not come in time.
func (p *Page) childFrame(ctx context.Context, f *frame, ref string) (*frame, error) {
	s, world, err := p.world(ctx, f)
	if err != nil {
		return nil, err
	}
	res, err := call(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: expression("element", ref), ObjectGroup: objects}))
	if err != nil || res.Result.ObjectID == "" {
		return nil, err
	}
	node, err := call(ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: res.Result.ObjectID})
	post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: res.Result.ObjectID})
	if err != nil || node.Node.FrameID == "" {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, frameWait)
	defer cancel()
	var child *frame
	err = p.await(ctx, func() bool {
		child = p.tree.frames[node.Node.FrameID]
		return child != nil && child.session != nil
	})
	if err != nil {
		return nil, nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	child.parent, child.owner = f.id, ref
	return child, nil
}

// objects is the group of the remote objects that the adapter holds.
const objects = "tabrelay"

// frameOfRef returns the frame whose element a ref names; "" is the main frame.
func (p *Page) frameOfRef(ref string) (*frame, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	n, ok := ordinal(ref)
	if !ok {
		return nil, advise(ErrInvalid, AdviceGiveElement, "%q is not a ref", ref)
	}
	if n == 0 {
		return p.mainFrame(), nil
	}
	for _, f := range p.tree.frames {
		if f.ordinal == n && f.session != nil {
			return f, nil
		}
	}
	return nil, advise(ErrStaleRef, AdviceLookAgain, "the frame of %s is gone", ref)
}

// ordinal returns the number of the frame in a ref: 0 for e12, 2 for f2e5.
func ordinal(ref string) (int, bool) {
	if ref == "" {
		return 0, true
	}
	rest, inFrame := strings.CutPrefix(ref, "f")
	n := 0
	if inFrame {
		digits, number, ok := strings.Cut(rest, "e")
		v, err := strconv.Atoi(digits)
		if !ok || err != nil || v <= 0 {
			return 0, false
		}
		n, rest = v, "e"+number
	}
	number, ok := strings.CutPrefix(rest, "e")
	if _, err := strconv.ParseUint(number, 10, 32); !ok || err != nil {
		return 0, false
	}
	return n, true
}
