package adapter

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	_ "image/jpeg" // to read sizes
	_ "image/png"
	"math"
	"strings"
	"time"

	"github.com/chromedp/cdproto/cdp"
	jsonv2 "github.com/chromedp/cdproto/cdp/jsonv2"
	"github.com/chromedp/cdproto/page"
)

// ScreenshotOptions say what to take a picture of; the zero value is what is in
// view, as PNG.
type ScreenshotOptions struct {
	Element
	FullPage bool
	Format   string // png, jpeg or webp
	Quality  int    // 1 to 100, for jpeg and webp; 80 if 0
	MaxSize  int    // longest side in pixels; 1568 if 0
	Labels   bool   // boxes with refs are drawn onto the picture
}

// Image is a picture of a page.
type Image struct {
	Data          []byte
	MIME          string
	Width, Height int     // pixels
	Scale         float64 // pixels of the picture for one CSS pixel
}

const (
	imageSize  = 1568   // longest side in pixels
	pageHeight = 16_384 // CSS pixels of a whole page
)

// Screenshot takes a picture of the page, also in a hidden tab, which stays so.
func (p *Page) Screenshot(ctx context.Context, o ScreenshotOptions) (Image, error) {
	format := strings.ToLower(cmp.Or(o.Format, "png"))
	if format == "jpg" {
		format = "jpeg"
	}
	if format != "png" && format != "jpeg" && format != "webp" {
		return Image{}, fail(ErrInvalid, "use png, jpeg or webp", "%q is not a format", o.Format)
	}
	if o.Quality < 0 || o.Quality > 100 || o.MaxSize < 0 {
		return Image{}, fail(ErrInvalid, "quality is 1 to 100, maxSize at least 1", "quality or maxSize is out of range")
	}
	if o.FullPage && !o.Element.zero() {
		return Image{}, fail(ErrInvalid, "give one of them", "both an element and fullPage are given")
	}
	var img Image
	_, err := p.perform(ctx, o.Element, "shot", func(ctx context.Context, a *actor) error {
		area, err := a.area(ctx, o)
		if err != nil {
			return err
		}
		painted := o.Labels || len(area.private) > 0
		taken := format
		if painted && format == "webp" {
			taken = "png"
		}
		shot := page.CaptureScreenshotParams{Format: page.CaptureScreenshotFormat(taken), OptimizeForSpeed: new(true)}
		if taken != "png" {
			shot.Quality = new(int64(cmp.Or(o.Quality, 80)))
		}
		most := float64(cmp.Or(o.MaxSize, imageSize))
		scale := min(1, most/(max(area.width, area.height)*area.ratio))
		if area.clip || scale < 1 {
			zoom, err := a.zoom(ctx)
			if err != nil {
				return err
			}
			shot.Clip = &page.Viewport{X: area.x * zoom, Y: area.y * zoom, Width: area.width * zoom, Height: area.height * zoom, Scale: scale}
			shot.CaptureBeyondViewport = new(area.clip)
		}
		progress(ctx, 0, 2, "taking the screenshot")
		data, err := a.capture(ctx, shot, area)
		if err != nil {
			return err
		}
		progress(ctx, 1, 2, "picture taken")
		img = Image{Data: data, MIME: "image/" + format, Scale: scale * area.ratio}
		img.Width, img.Height = int(math.Round(area.width*img.Scale)), int(math.Round(area.height*img.Scale))
		if c, _, err := image.DecodeConfig(bytes.NewReader(data)); err == nil {
			img.Width, img.Height = c.Width, c.Height
		}
		if !painted {
			return nil
		}
		var list []label
		if o.Labels {
			list, err = p.labels(ctx, area)
		}
		if err == nil {
			img, err = paint(img, area, area.private, list, cmp.Or(o.Quality, 80))
		}
		if err == nil && taken != format {
			img.Data, err = a.webp(ctx, img.Data, cmp.Or(o.Quality, 80))
		}
		return err
	})
	if err == nil && img.Data == nil { // a dialog stands in the way
		err = p.reason(errors.New("no screenshot could be taken"))
	}
	return img, err
}

// area is the part of a page that a picture shows, in its CSS pixels.
type area struct {
	x, y, width, height float64
	viewX, viewY        float64 // where the view begins
	clip                bool    // not just what is in view
	hidden, painted     bool
	ratio               float64 // device pixels for one CSS pixel
	private             []box   // of the page: what must not be seen
}

func (a *actor) area(ctx context.Context, o ScreenshotOptions) (area, error) {
	var r area
	var x, y float64
	if !o.Element.zero() {
		if err := a.prepare(ctx); err != nil {
			return r, err
		}
		box := a.ready.Box
		a.ready.X, a.ready.Y = a.ready.X+box.Width/2, a.ready.Y+box.Height/2
		var err error
		if x, y, err = a.at(ctx); err != nil {
			return r, err
		}
		r.width, r.height, r.clip = max(box.Width, 1), max(box.Height, 1), true
		x, y = x-r.width/2, y-r.height/2
	}
	view, err := ask[struct {
		view
		Painted bool  `json:"painted"`
		Private []box `json:"private"`
	}](ctx, a.page, a.main(), expression("viewToShow"))
	if err != nil {
		return r, err
	}
	r.painted = view.Painted
	r.private = a.privateIn(ctx, view.Private, view.X, view.Y)
	a.page.mu.Lock()
	r.hidden = view.Hidden || a.page.awake.on // which makes it look visible
	a.page.mu.Unlock()
	r.ratio, r.viewX, r.viewY = view.Ratio, view.X, view.Y
	switch {
	case r.clip:
		r.x, r.y = x+view.X, y+view.Y
	case o.FullPage:
		r.width, r.height, r.clip = max(view.PageWidth, view.Width), min(max(view.PageHeight, view.Height), pageHeight), true
	default:
		r.x, r.y, r.width, r.height = view.X, view.Y, view.Width, view.Height
	}
	return r, nil
}

// zoom returns by how much the person has zoomed the page: a clip is in the
// pixels of an unzoomed one.
func (a *actor) zoom(ctx context.Context) (float64, error) {
	m, err := call(ctx, a.session, page.GetLayoutMetrics, cdp.Empty{})
	if err != nil || m.CSSVisualViewport == nil {
		return 1, err
	}
	return cmp.Or(m.CSSVisualViewport.Zoom, 1), nil
}

// capture takes the picture. A hidden tab draws nothing by itself, and may have drawn nothing yet.
func (a *actor) capture(ctx context.Context, shot page.CaptureScreenshotParams, area area) ([]byte, error) {
	if !area.hidden {
		res, err := call(ctx, a.session, page.CaptureScreenshot, shot)
		return res.Data, err
	}
	if err := a.page.wake(ctx, a.session); err != nil {
		return nil, err
	}
	if !area.painted {
		if _, err := ask[jsonv2.Value](ctx, a.page, a.main(), expression("firstPaint")); err != nil {
			return nil, err
		}
	}
	res, err := a.page.shootBehind(ctx, a.session, shot)
	return res.Data, err
}

// shootBehind takes a screenshot of a hidden tab. There Chrome may wait for a frame that
// never comes, until another is asked for.
func (p *Page) shootBehind(ctx context.Context, s *session, shot page.CaptureScreenshotParams) (page.CaptureScreenshotResult, error) {
	over, cancel := context.WithCancel(ctx)
	defer cancel()
	go p.askForFrames(over, s)
	return call(ctx, s, page.CaptureScreenshot, shot)
}

// askForFrames takes pictures that nobody looks at until ctx ends, unless another takes
// some. No size is changed before all of them are answered, or pictureLimit has passed.
// They have no clip: Chrome would take the clip that is in force for the page's own size.
func (p *Page) askForFrames(ctx context.Context, s *session) {
	again := time.NewTicker(firstFrame)
	defer again.Stop()
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	var asked []func() (page.CaptureScreenshotResult, error)
	for {
		select {
		case <-again.C:
			if len(asked) == 0 {
				select {
				case p.drawing <- struct{}{}:
					defer func() { <-p.drawing }()
				default:
					continue
				}
			}
			asked = append(asked, start(late, s, page.CaptureScreenshot, tinyShot))
		case <-ctx.Done():
			limit := time.AfterFunc(pictureLimit, cancel)
			defer limit.Stop()
			for _, answered := range asked {
				_, _ = answered()
			}
			return
		}
	}
}
