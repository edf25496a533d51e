package adapter

import (
	"context"

	"github.com/chromedp/cdproto/input"
)

// DropOptions say what is dropped; at least one of them.
type DropOptions struct {
	Files []string // paths within Options.Roots
	Text  string
	HTML  string
}

// Drop drops files, a text or HTML onto an element, as if they came from another
// window. It fails with ErrNotActionable where the element does not accept them.
func (p *Page) Drop(ctx context.Context, e Element, o DropOptions) (Done, error) {
	if len(o.Files) == 0 && o.Text == "" && o.HTML == "" {
		return Done{}, fail(ErrInvalid, "give files, text or html", "there is nothing to drop")
	}
	list, err := p.browser.allowed(o.Files)
	if err != nil {
		return Done{}, err
	}
	for _, g := range list {
		if g.dir {
			return Done{}, fail(ErrInvalid, "give the files in it", "%s is a folder", g.path)
		}
	}
	return p.perform(ctx, e, "drop", func(ctx context.Context, a *actor) error {
		if err := a.prepare(ctx); err != nil {
			return err
		}
		refused := advise(ErrNotActionable, AdviceUpload, "%s does not accept this drop", a.done.Target)
		if len(list) > 0 {
			if a.ready.Kind == "file" && o.Text == "" && o.HTML == "" { // it takes files by itself
				a.sent = true
				return a.give(ctx, list)
			}
			if err := a.send(ctx, list); err != nil {
				return err
			}
			a.sent = true
			res, err := ask[struct {
				Accepted bool `json:"accepted"`
				Dropped  bool `json:"dropped"`
			}](ctx, p, a.frame, expression("dropParcels", map[string]any{"ref": a.ready.Ref, "x": a.ready.X, "y": a.ready.Y, "text": o.Text, "html": o.HTML}))
			if err == nil && !res.Dropped {
				err = refused
			}
			return err
		}
		if err := a.wake(ctx, a.ready, a.frame); err != nil {
			return err
		}
		x, y, err := a.at(ctx)
		if err != nil {
			return err
		}
		if _, err := ask[bool](ctx, p, a.frame, expression("watchDrag", "", "")); err != nil {
			return err
		}
		data := &input.DragData{Items: []*input.DragDataItem{}, DragOperationsMask: 1}
		if o.Text != "" {
			data.Items = append(data.Items, &input.DragDataItem{MimeType: "text/plain", Data: o.Text})
		}
		if o.HTML != "" {
			data.Items = append(data.Items, &input.DragDataItem{MimeType: "text/html", Data: o.HTML})
		}
		g := &drag{actor: a, x: x, y: y, data: data, taken: true, frames: []*frame{a.frame}}
		a.sent = true
		for _, kind := range []input.DispatchDragEventType{input.DispatchDragEventTypeDragEnter, input.DispatchDragEventTypeDragOver, input.DispatchDragEventTypeDragOver} {
			if err := g.carry(ctx, kind, x, y); err != nil {
				g.drop(err)
				return err
			}
		}
		if err := g.release(ctx); err != nil {
			g.drop(err)
			return err
		}
		if g.refused {
			return refused
		}
		return nil
	})
}
