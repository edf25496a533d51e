package adapter

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
)

func begins(b *Browser, guid string) {
	b.downloadBegins(&browser.EventDownloadWillBegin{GUID: guid, URL: "http://one.test/" + guid, SuggestedFilename: guid + ".txt"})
}

func ends(b *Browser, guid string, state browser.DownloadProgressState) {
	b.downloadMoves(&browser.EventDownloadProgress{GUID: guid, ReceivedBytes: 3, TotalBytes: 3, State: state})
}

// One that is under way is waited for, though another has ended.
func TestAwaitDownload(t *testing.T) {
	b := newBrowser(t, Options{})
	over, cancel := context.WithDeadline(t.Context(), time.Unix(0, 0))
	defer cancel()
	await := func(ctx context.Context, name string, since int, want, wrong string) {
		t.Helper()
		d, err := b.AwaitDownload(ctx, name, since)
		if wrong == "" && (err != nil || d.GUID != want) || wrong != "" && (!errors.Is(err, ErrTimeout) || !strings.Contains(err.Error(), wrong)) {
			t.Errorf("%q since %d: %+v %v", name, since, d, err)
		}
	}
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	await(over, "", 0, "", "no download")
	begins(b, "first")
	begins(b, "second")
	ends(b, "first", browser.DownloadProgressStateCompleted)
	await(over, "", 0, "", "second.txt")
	await(ctx, "FIRST", 0, "first", "")
	await(over, "third", 0, "", "named third")
	since := b.saved.seq
	await(over, "first", since, "", "named first")
	told := make(chan Download, 1)
	go func() {
		d, _ := b.AwaitDownload(ctx, "", 0)
		told <- d
	}()
	ends(b, "second", browser.DownloadProgressStateCanceled)
	if d := <-told; d.GUID != "second" || d.State != "canceled" || d.Bytes != 3 {
		t.Errorf("%+v", d)
	}
	await(ctx, "/second", since, "second", "")

	// One of this very name goes before one that only contains it.
	for _, guid := range []string{"irst", "my-irst"} {
		begins(b, guid)
		ends(b, guid, browser.DownloadProgressStateCompleted)
	}
	await(ctx, "irst.txt", 0, "irst", "")
	await(ctx, "irst", 0, "my-irst", "")
}
