package adapter

import "context"

// view is what of a document is shown, and whether it is shown at all. Lengths
// are in CSS pixels.
type view struct {
	Hidden     bool    `json:"hidden"`
	Focus      bool    `json:"focus"`
	Ratio      float64 `json:"ratio"`
	X          float64 `json:"x"`
	Y          float64 `json:"y"`
	Width      float64 `json:"width"`
	Height     float64 `json:"height"`
	PageWidth  float64 `json:"pageWidth"`
	PageHeight float64 `json:"pageHeight"`
}

// view asks the main frame.
func (a *actor) view(ctx context.Context) (view, error) {
	return ask[view](ctx, a.page, a.main(), expression("viewState"))
}
