package adapter

import (
	"context"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/domdebugger"
	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/extension"
)

// clicks are the listeners that make an element one to click on.
var clicks = map[string]bool{"click": true, "dblclick": true, "mousedown": true, "mouseup": true, "pointerdown": true, "pointerup": true,
	"contextmenu": true, "dragstart": true, "dragover": true, "drop": true}

// discoverLimit is how many new nodes are handed to the page script at one time;
// a page with more has tables of controls, which are known without.
const discoverLimit = 300

// longList is how many listeners make a list that is only asked for when there
// is reason to: Chrome takes 20 ms for a thousand.
const longList = 200

// maxWalks is how often a walk is made again: closed shadow roots come to light,
// and then the listeners in them.
const maxWalks = 2

// walked is what the page script says of a walk over a document, besides what it
// was walked for.
type walked struct {
	Next  int  `json:"next"`  // the next free number of refs
	Hosts int  `json:"hosts"` // elements that may have a closed shadow root
	Roots int  `json:"roots"` // shadow roots whose listeners are not known
	News  bool `json:"news"`  // elements have come since the last walk
}

func (w walked) walk() walked { return w }

// walk evaluates a script that walks over a frame's document and tells what is
// there, with what only Chrome knows. The script is made for the next free
// number of refs.
func walk[T interface{ walk() walked }](ctx context.Context, p *Page, f *frame, script func(next int) string) (T, error) {
	s, world, err := p.world(ctx, f)
	if err != nil {
		var none T
		return none, err
	}
	// What only Chrome knows comes first where the document is new. Later it is
	// asked at the same time, or after the walk where the list is long, and the
	// walk made again only if it told something.
	document, fresh, long := p.familiar(f)
	var listeners func() bool
	if !long {
		listeners = p.listeners(ctx, f, s, world, document)
	}
	if fresh {
		listeners()
	}
	t, err := ask[T](ctx, p, f, script(0))
	if err != nil {
		return t, err
	}
	if long && t.walk().News {
		listeners = p.listeners(ctx, f, s, world, document)
	}
	again := !fresh && listeners != nil && listeners()
	for range maxWalks {
		w := t.walk()
		if w.Hosts > 0 {
			again = p.adopt(ctx, s, world) || again
		}
		if w.Roots > 0 {
			again = p.shadowListeners(ctx, f, s, world) || again
		}
		if !again {
			break
		}
		if t, err = ask[T](ctx, p, f, script(w.Next)); err != nil {
			return t, err
		}
		again = false
	}
	p.numbered(f, t.walk().Next)
	return t, nil
}

// familiar returns the object of a frame's document, whether it was never looked
// at, and whether its list of listeners is long.
func (p *Page) familiar(f *frame) (document runtime.RemoteObjectID, fresh, long bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	return f.document, f.marked == nil, len(f.marked) > longList
}

// heed learns what listens in a frame that may not have been looked at, and reports
// whether there was something new.
func (p *Page) heed(ctx context.Context, f *frame) bool {
	s, world, err := p.world(ctx, f)
	if err != nil {
		return false
	}
	document, _, _ := p.familiar(f)
	return p.listeners(ctx, f, s, world, document)()
}

// listeners asks Chrome for the real listeners in a document or a shadow root,
// and returns what hands the elements that are new to the page script and tells
// whether there were any. Where Chrome does not answer, the page script goes by
// what it sees. The root is an object of the page's own world, whose listeners
// they are. Chrome is not asked to pierce: a renderer that handed out what it
// then names crashes when a popup of its page is attached.
func (p *Page) listeners(ctx context.Context, f *frame, s *session, world realm, root runtime.RemoteObjectID) func() bool {
	wait := start(ctx, s, domdebugger.GetEventListeners, domdebugger.GetEventListenersParams{ObjectID: root, Depth: new(int64(-1))})
	return func() bool {
		res, err := wait()
		if err != nil {
			return false
		}
		nodes := p.unmarked(f, world, res.Listeners)
		if len(nodes) == 0 {
			return false
		}
		handles := p.resolve(ctx, s, world, nodes)
		if len(handles) == 0 {
			return false
		}
		_, err = call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
			ObjectID: handles[0].ObjectID, FunctionDeclaration: "function(...nodes) { " + extension.PageObject + ".listens(...nodes) }", Arguments: handles, Silent: new(true)})
		release(s, handles)
		return err == nil
	}
}

// shadowListeners does the same for the shadow roots that the page script has
// come upon.
func (p *Page) shadowListeners(ctx context.Context, f *frame, s *session, world realm) (found bool) {
	seen, err := p.elements(ctx, s, world, expression("roots"))
	if err != nil {
		return false
	}
	defer release(s, seen)
	p.mu.Lock()
	main := f.main
	p.mu.Unlock()
	roots := p.resolve(ctx, s, main, p.backend(ctx, s, seen))
	defer release(s, roots)
	waits := make([]func() bool, len(roots))
	for i, root := range roots {
		waits[i] = p.listeners(ctx, f, s, world, root.ObjectID)
	}
	for _, wait := range waits {
		found = wait() || found
	}
	return found
}

// backend returns Chrome's own ids of nodes, by which they are found in another
// world.
func (p *Page) backend(ctx context.Context, s *session, objects []*runtime.CallArgument) (ids []cdp.BackendNodeID) {
	waits := make([]func() (dom.DescribeNodeResult, error), len(objects))
	for i, o := range objects {
		waits[i] = start(ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: o.ObjectID})
	}
	for _, wait := range waits {
		if res, err := wait(); err == nil {
			ids = append(ids, res.Node.BackendNodeID)
		}
	}
	return ids
}

// unmarked returns the nodes with listeners that the page script does not know,
// and notes them as known.
func (p *Page) unmarked(f *frame, world realm, list []*domdebugger.EventListener) (nodes []cdp.BackendNodeID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if f.world != world {
		return nil
	}
	if f.marked == nil {
		f.marked = map[cdp.BackendNodeID]bool{}
	}
	for _, l := range list {
		if id := l.BackendNodeID; clicks[l.Type] && id != 0 && !f.marked[id] {
			f.marked[id] = true
			if len(nodes) < discoverLimit {
				nodes = append(nodes, id)
			}
		}
	}
	return nodes
}

// resolve returns the objects of nodes in a world, those that are still there.
// They are in no group: of an object in one, Chrome hands out all handlers of its
// listeners with their sources, and holds them.
func (p *Page) resolve(ctx context.Context, s *session, world realm, nodes []cdp.BackendNodeID) []*runtime.CallArgument {
	waits := make([]func() (dom.ResolveNodeResult, error), len(nodes))
	for i, id := range nodes {
		waits[i] = start(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: id, ExecutionContextID: world.id})
	}
	var args []*runtime.CallArgument
	for _, wait := range waits {
		if res, err := wait(); err == nil && res.Object != nil {
			args = append(args, &runtime.CallArgument{ObjectID: res.Object.ObjectID})
		}
	}
	return args
}

func release(s *session, handles []*runtime.CallArgument) {
	for _, h := range handles {
		post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: h.ObjectID})
	}
}

// adopt hands over the closed shadow roots of elements that may have one, as
// often as such roots hold more of them.
func (p *Page) adopt(ctx context.Context, s *session, world realm) (adopted bool) {
	for range 8 { // levels of nesting
		hosts, err := p.elements(ctx, s, world, expression("hosts"))
		if err != nil || len(hosts) == 0 {
			return adopted
		}
		found := false
		for _, host := range hosts {
			node, err := call(ctx, s, dom.DescribeNode, dom.DescribeNodeParams{ObjectID: host.ObjectID, Depth: new(int64(1)), Pierce: new(true)})
			if err != nil {
				continue
			}
			for _, root := range node.Node.ShadowRoots {
				if root.ShadowRootType != cdp.ShadowRootTypeClosed {
					continue
				}
				handles := p.resolve(ctx, s, world, []cdp.BackendNodeID{root.BackendNodeID})
				if len(handles) == 0 {
					continue
				}
				_, err := call(ctx, s, runtime.CallFunctionOn, runtime.CallFunctionOnParams{
					ObjectID: host.ObjectID, FunctionDeclaration: "function(root) { " + extension.PageObject + ".adopt(this, root) }", Arguments: handles, Silent: new(true)})
				release(s, handles)
				found = found || err == nil
			}
		}
		release(s, hosts)
		adopted = adopted || found
		if !found {
			return adopted
		}
	}
	return adopted
}

// elements evaluates an expression whose value is an array of objects, and
// returns them. The caller releases them.
func (p *Page) elements(ctx context.Context, s *session, world realm, expression string) ([]*runtime.CallArgument, error) {
	res, err := call(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{
		Expression: "(() => { const list = " + expression + "; return list.length ? list : null })()", ObjectGroup: objects}))
	if err != nil || res.Result.ObjectID == "" {
		return nil, err
	}
	defer post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: res.Result.ObjectID})
	props, err := call(ctx, s, runtime.GetProperties, runtime.GetPropertiesParams{ObjectID: res.Result.ObjectID, OwnProperties: new(true)})
	if err != nil {
		return nil, err
	}
	var list []*runtime.CallArgument
	for _, q := range props.Result {
		if q.Enumerable && q.Value != nil && q.Value.ObjectID != "" {
			list = append(list, &runtime.CallArgument{ObjectID: q.Value.ObjectID})
		}
	}
	return list, nil
}
