package adapter

import (
	"context"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/browser"

	"github.com/tabrelay/tabrelay/adapter/lines"
)

// DownloadEnds returns when a download has ended that changed after the change
// numbered since, or with an error when the connection has.
func (b *Browser) DownloadEnds(since int) error {
	return b.wait(context.Background(), func() bool {
		return slices.ContainsFunc(b.saved.list, func(d *Download) bool {
			return d.Seq > since && d.State != string(browser.DownloadProgressStateInProgress)
		})
	})
}

// AwaitDownload returns a download that has ended, well or not, and changed
// after the change numbered since: one of this name, or else one whose name or
// address contains it; any for "". One that is under way is waited for, or else the
// next one; at ctx's end it fails with ErrTimeout, which tells how far it came.
func (b *Browser) AwaitDownload(ctx context.Context, name string, since int) (Download, error) {
	var found, moving *Download
	err := b.wait(ctx, func() bool {
		found, moving = nil, nil
		exact := name != "" && slices.ContainsFunc(b.saved.list, func(d *Download) bool { return d.Seq > since && strings.EqualFold(d.Name, name) })
		for _, d := range b.saved.list {
			if d.Seq <= since || exact && !strings.EqualFold(d.Name, name) || !strings.Contains(strings.ToLower(d.Name), strings.ToLower(name)) && !strings.Contains(d.URL, name) {
				continue
			}
			if d.State == string(browser.DownloadProgressStateInProgress) {
				moving = d
			} else {
				found = d
			}
		}
		return moving == nil && found != nil
	})
	if err == nil {
		b.mu.Lock()
		defer b.mu.Unlock()
		return *found, nil
	}
	if ctx.Err() == nil || context.Cause(ctx) != context.DeadlineExceeded {
		return Download{}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if moving != nil {
		return Download{}, advise(ErrTimeout, AdviceMoreTime, "%s is still in progress, %d of %d bytes", moving.Name, moving.Bytes, moving.Total)
	}
	what := "no download started"
	if name != "" {
		what = "no download named " + lines.Clip(name, 80) + " started"
	}
	return Download{}, fail(ErrTimeout, "click what starts it first; list shows past downloads", "%s in time", what)
}
