package adapter

import (
	"bytes"
	"context"
	"io"
	"regexp"
	"strings"

	cdpio "github.com/chromedp/cdproto/io"
	"github.com/chromedp/cdproto/page"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// PDFOptions say how a page is printed; the zero value is A4, upright.
type PDFOptions struct {
	Format    string // A3, A4, A5, Letter, Legal or Tabloid
	Landscape bool
}

// paper is in inches.
var paper = map[string][2]float64{
	"": {8.27, 11.69}, "a3": {11.69, 16.54}, "a4": {8.27, 11.69}, "a5": {5.83, 8.27},
	"letter": {8.5, 11}, "legal": {8.5, 14}, "tabloid": {11, 17},
}

// PDF prints the page, with its backgrounds, and writes it to w piece by piece;
// progress, which may be nil, is told the bytes so far. It returns how many pages
// and bytes they are. It prints on no printer and shows no window.
func (p *Page) PDF(ctx context.Context, o PDFOptions, w io.Writer, progress func(int64)) (pages int, size int64, _ error) {
	sheet, ok := paper[strings.ToLower(o.Format)]
	if !ok {
		return 0, 0, fail(ErrInvalid, "use A3, A4, A5, Letter, Legal or Tabloid", "%q is not a paper format", lines.Clip(o.Format, 40))
	}
	ctx, s, stop, err := p.work(ctx)
	if err != nil {
		return 0, 0, err
	}
	defer stop()
	defer p.conceal(ctx)()
	res, err := call(ctx, s, page.PrintToPDF, page.PrintToPDFParams{
		Landscape: new(o.Landscape), PaperWidth: sheet[0], PaperHeight: sheet[1], PrintBackground: new(true),
		TransferMode: page.PrintToPDFTransferModeReturnAsStream,
	})
	if err != nil {
		if says(err, saysNoMethod, saysNoCommand, saysNoPrinting) {
			return 0, 0, advise(ErrUnsupported, AdvicePicture, "this browser cannot print to PDF: %v", err)
		}
		return 0, 0, p.reason(err)
	}
	defer post(s, cdpio.Close, cdpio.CloseParams{Handle: res.Stream})
	var count pageCounter
	for {
		part, err := call(ctx, s, cdpio.Read, cdpio.ReadParams{Handle: res.Stream, Size: 1 << 20})
		if err != nil {
			return 0, 0, p.reason(err)
		}
		if _, err := w.Write(part.Data); err != nil {
			return 0, 0, err
		}
		count.write(part.Data)
		if size += int64(len(part.Data)); progress != nil {
			progress(size)
		}
		if part.EOF {
			return count.pages, size, nil
		}
	}
}

// pageCounter counts the page objects of a PDF, which Chrome writes in the open.
type pageCounter struct {
	pages int
	rest  []byte // the end of the last piece, which may go on
}

var pageObject = regexp.MustCompile(`/Type\s*/Page[^s]`)

func (c *pageCounter) write(data []byte) {
	buf := append(c.rest, data...)
	end := 0
	for _, m := range pageObject.FindAllIndex(buf, -1) {
		c.pages++
		end = m[1]
	}
	c.rest = bytes.Clone(buf[max(end, len(buf)-20):])
}
