package tools

import (
	"bytes"
	"context"
	"fmt"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
	"github.com/tabrelay/tabrelay/adapter/lines"
)

var printing = []tool{
	{
		name: "browser_pdf", kind: onPatience,
		openWorld: true, repeatable: true,
		doc: "Print the page to a PDF file.",
		body: do(func(ctx context.Context, c *call, a *pdfArgs) (printed, error) {
			file := a.File
			if file == "" {
				file = "page-" + time.Now().Format("20060102-150405") + ".pdf"
			}
			if _, err := c.session.place(file); err != nil { // before anything is done for nothing
				return printed{}, err
			}
			var b bytes.Buffer
			progress(ctx, "printing", 0)
			pages, n, err := c.page.PDF(ctx, adapter.PDFOptions{Format: a.Format, Landscape: a.Landscape}, &b, func(n int64) {
				progress(ctx, size(n)+" printed", float64(n))
			})
			if err != nil {
				return printed{}, err
			}
			v := printed{Pages: pages, Size: n}
			v.File, err = c.session.write(file, b.Bytes())
			return v, err
		}),
	},
}

type pdfArgs struct {
	File      string `json:"file,omitempty"`
	Format    string `json:"format,omitempty" enum:"A3,A4,A5,Letter,Legal,Tabloid" default:"A4"`
	Landscape bool   `json:"landscape,omitempty"`
	onPage
}

type printed struct {
	File  string `json:"file"`
	Pages int    `json:"pages"`
	Size  int64  `json:"size"`
}

func (v printed) files() []string { return written(v.File) }

func (v printed) text() string {
	return fmt.Sprintf("written to %s (%s, %s)", v.File, lines.Amount(v.Pages, "page"), size(v.Size))
}
