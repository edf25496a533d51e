package adapter

import (
	"context"
	_ "embed"
	"time"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
)

// Place is where a page believes to be, in degrees and meters.
type Place struct {
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
	Accuracy  float64 `json:"accuracy"`
}

// placeScript is a function of a place, or of null to undo. Chrome's own
// override asks the person for a permission that only its browser target can
// grant, which chrome.debugger does not reach; so the page's geolocation object
// answers, in each document before its scripts run.
//
//go:embed place.js
var placeScript string

// placeLimit bounds what is done to a frame while nobody waits.
const placeLimit = 5 * time.Second

// SetGeolocation makes the page believe to be at a place, and to be allowed to
// know; nil undoes it.
func (p *Page) SetGeolocation(ctx context.Context, at *Place) error {
	if at != nil {
		switch {
		case at.Latitude < -90 || at.Latitude > 90:
			return fail(ErrInvalid, "give degrees, north is positive", "latitude must be -90 to 90")
		case at.Longitude < -180 || at.Longitude > 180:
			return fail(ErrInvalid, "give degrees, east is positive", "longitude must be -180 to 180")
		case at.Accuracy < 0:
			return fail(ErrInvalid, "give meters", "accuracy must not be negative")
		}
	}
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return err
	}
	defer stop()
	if err := p.change(ctx, func(t *settings) []order {
		t.place = at
		return nil
	}); err != nil {
		return err
	}
	p.mu.Lock()
	others := p.others()
	p.mu.Unlock()
	for _, other := range others {
		p.browser.conn.wg.Go(func() { p.bring(other, at) }) // ends by its limit
	}
	return p.reason(p.put(ctx, s, at))
}

// bring is put for a session that nobody waits for.
func (p *Page) bring(s *session, at *Place) {
	ctx, cancel := context.WithTimeout(context.Background(), placeLimit)
	defer cancel()
	_ = p.put(ctx, s, at) // the frame may go meanwhile
}

// put brings a place into the documents of a session, those that are and those
// to come.
func (p *Page) put(ctx context.Context, s *session, at *Place) error {
	source := "(" + placeScript + ")(" + string(marshal(at)) + ")"
	s.placing.Lock()
	defer s.placing.Unlock()
	if s.placed != "" {
		_, err := call(ctx, s, page.RemoveScriptToEvaluateOnNewDocument, page.RemoveScriptToEvaluateOnNewDocumentParams{Identifier: s.placed})
		if err != nil {
			return err
		}
		s.placed = ""
	}
	if at != nil {
		res, err := call(ctx, s, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: source})
		if err != nil {
			return err
		}
		s.placed = res.Identifier
	}
	p.mu.Lock()
	var worlds []realm
	for _, f := range p.tree.frames {
		if f.session == s && f.main.id != 0 {
			worlds = append(worlds, f.main)
		}
	}
	p.mu.Unlock()
	for _, w := range worlds {
		params := w.run(runtime.EvaluateParams{Expression: source, Silent: new(true)})
		if _, err := call(ctx, s, runtime.Evaluate, params); err != nil && !contextGone(err) {
			return err
		}
	}
	return nil
}
