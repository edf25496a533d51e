package adapter

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"
)

// label is an element with a ref and where it is, in CSS pixels of the page.
type label struct {
	ref string
	box
}

// labels returns what can be acted on, as a snapshot tells it.
func (p *Page) labels(ctx context.Context, at area) ([]label, error) {
	f, err := p.frameOfRef("")
	if err != nil {
		return nil, err
	}
	_, shown, err := p.read(ctx, f, SnapshotOptions{Interactive: true, Boxes: true})
	if err != nil {
		return nil, err
	}
	var list []label
	for _, l := range shown {
		var b box
		if n, err := fmt.Sscanf(l.Box, "%g,%g,%g,%g", &b.X, &b.Y, &b.Width, &b.Height); n == 4 && err == nil {
			b.X, b.Y = b.X+at.viewX, b.Y+at.viewY
			list = append(list, label{l.Ref, b})
		}
	}
	return list, nil
}

// labelColors tell neighbours apart.
var labelColors = []color.RGBA{{0xd5, 0x1f, 0x2d, 0xff}, {0x1b, 0x5f, 0xc1, 0xff}, {0x1a, 0x7f, 0x37, 0xff}, {0x8a, 0x3f, 0xb5, 0xff}, {0xb3, 0x54, 0x00, 0xff}}

// paint covers the private parts of a picture of an area of the page, and draws
// boxes with refs onto it; the page is not touched.
func paint(img Image, at area, private []box, list []label, quality int) (Image, error) {
	src, format, err := image.Decode(bytes.NewReader(img.Data))
	if err != nil {
		return img, fmt.Errorf("paint: %w", err)
	}
	b := src.Bounds()
	dst := image.NewRGBA(b)
	draw.Draw(dst, b, src, b.Min, draw.Src)
	for _, p := range private {
		draw.Draw(dst, p.pixels(at, img.Scale), image.NewUniform(coverColor), image.Point{}, draw.Src)
	}
	for i, l := range list {
		r := l.pixels(at, img.Scale)
		if r.Intersect(b).Empty() {
			continue
		}
		drawLabel(dst, r, l.ref, labelColors[i%len(labelColors)])
	}
	var out bytes.Buffer
	if format == "jpeg" {
		err = jpeg.Encode(&out, dst, &jpeg.Options{Quality: quality})
	} else {
		err = png.Encode(&out, dst)
	}
	img.Data = out.Bytes()
	return img, err
}

// pixels returns where a box of the page lies in a picture of an area of it.
func (b box) pixels(at area, scale float64) image.Rectangle {
	return image.Rect(
		int(math.Floor((b.X-at.x)*scale)), int(math.Floor((b.Y-at.y)*scale)),
		int(math.Ceil((b.X+b.Width-at.x)*scale)), int(math.Ceil((b.Y+b.Height-at.y)*scale)))
}

func drawLabel(dst *image.RGBA, r image.Rectangle, text string, c color.RGBA) {
	fill := image.NewUniform(c)
	for _, edge := range []image.Rectangle{
		{r.Min, image.Pt(r.Max.X, r.Min.Y+1)}, {image.Pt(r.Min.X, r.Max.Y-1), r.Max},
		{r.Min, image.Pt(r.Min.X+1, r.Max.Y)}, {image.Pt(r.Max.X-1, r.Min.Y), r.Max},
	} {
		draw.Draw(dst, edge, fill, image.Point{}, draw.Src)
	}
	face := basicfont.Face7x13
	width, height := 7*len(text)+2, 12
	// Above the box where there is room, else within it.
	x, y := max(min(r.Min.X, dst.Rect.Max.X-width), 0), r.Min.Y-height
	if y < 0 {
		y = max(r.Min.Y, 0)
	}
	draw.Draw(dst, image.Rect(x, y, x+width, y+height), fill, image.Point{}, draw.Src)
	d := font.Drawer{Dst: dst, Src: image.White, Face: face, Dot: fixed.P(x+1, y+height-2)}
	d.DrawString(text)
}
