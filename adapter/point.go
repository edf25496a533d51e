package adapter

import (
	"context"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"

	"github.com/tabrelay/tabrelay/extension"
)

// at returns the point of the element in the coordinates of the page's view. It
// brings the frames around the element into view.
func (a *actor) at(ctx context.Context) (x, y float64, err error) {
	p := a.page
	x, y = a.ready.X, a.ready.Y
	if a.grip != nil && a.ready.Box != nil {
		x, y = a.ready.Box.X+a.grip.X, a.ready.Box.Y+a.grip.Y
	}
	p.mu.Lock()
	root := p.tree.root
	p.mu.Unlock()
	for f := a.frame; f.id != root; {
		parent, ref, err := p.ownerOf(ctx, f)
		if err != nil {
			return 0, 0, err
		}
		for first := true; ; first = false {
			p.mu.Lock()
			q := prepareRequest{Prefix: p.prefix(parent), Next: parent.next, Ref: ref, X: x, Y: y}
			p.mu.Unlock()
			r, err := ask[ready](ctx, p, parent, expression("lift", q))
			if err != nil {
				return 0, 0, a.objects(err)
			}
			p.numbered(parent, r.Next)
			if r.Objection.passes() && first && r.Hidden {
				if err := p.wake(ctx, a.session); err != nil {
					return 0, 0, err
				}
				continue
			}
			if r.Objection != nil {
				return 0, 0, a.objects(r.Objection)
			}
			x, y = r.X, r.Y
			break
		}
		f = parent
	}
	return x, y, nil
}

// ownerOf returns the frame around a frame and the ref of its element there.
func (p *Page) ownerOf(ctx context.Context, f *frame) (*frame, string, error) {
	p.mu.Lock()
	parent, ref := p.tree.frames[f.parent], f.owner
	p.mu.Unlock()
	if parent == nil {
		return nil, "", advise(ErrStaleRef, AdviceLookAgain, "the frame is gone")
	}
	if ref != "" {
		return parent, ref, nil
	}
	s, world, err := p.world(ctx, parent)
	if err != nil {
		return nil, "", err
	}
	owner, err := call(ctx, s, dom.GetFrameOwner, dom.GetFrameOwnerParams{FrameID: f.id})
	if err != nil {
		return nil, "", err
	}
	object, err := call(ctx, s, dom.ResolveNode, dom.ResolveNodeParams{BackendNodeID: owner.BackendNodeID, ExecutionContextID: world.id})
	if err != nil {
		return nil, "", err
	}
	if ref, err = p.refFor(ctx, parent, s, object.Object.ObjectID); err != nil {
		return nil, "", err
	}
	p.mu.Lock()
	f.owner = ref
	p.mu.Unlock()
	return parent, ref, nil
}

// refFor returns the ref of an element in a frame, which may get its first one,
// and releases the object.
func (p *Page) refFor(ctx context.Context, f *frame, s *session, object runtime.RemoteObjectID) (string, error) {
	p.mu.Lock()
	q := marshal(prepareRequest{Prefix: p.prefix(f), Next: f.next})
	p.mu.Unlock()
	res, err := function[struct {
		Ref  string `json:"ref"`
		Next int    `json:"next"`
	}](ctx, s, object, "function(q) { return "+extension.PageObject+".refFor(this, q) }", q)
	post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: object})
	if err != nil {
		return "", err
	}
	p.numbered(f, res.Next)
	return res.Ref, nil
}
