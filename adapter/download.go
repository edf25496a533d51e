package adapter

import (
	"context"
	"path/filepath"
	"slices"
	"time"

	"github.com/chromedp/cdproto/browser"
)

// Download is a file that the browser fetches or has fetched.
type Download struct {
	Seq   int    // counts up from 1 over the connection's life; changes with the state
	GUID  string // Chrome's own id
	URL   string
	Name  string // the file's name, without a folder
	Path  string // where it is, when it is complete and known
	State string // inProgress, completed or canceled
	Bytes int64  // received so far
	Total int64  // 0 when unknown
}

// downloads are the downloads of a connection; Browser.mu guards them.
type downloads struct {
	list    []*Download
	seq     int
	begun   int
	refused bool
}

// downloadsLimit is how many downloads are remembered.
const downloadsLimit = 256

// Downloads returns the downloads that began or changed their state after the
// change numbered since, and the number of the last change.
func (b *Browser) Downloads(since int) ([]Download, int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	var list []Download
	for _, d := range b.saved.list {
		if d.Seq > since {
			list = append(list, *d)
		}
	}
	return list, b.saved.seq
}

// RefuseDownloads makes the browser end each download that begins in the
// connection's tabs, or accept downloads again.
func (b *Browser) RefuseDownloads(ctx context.Context, refuse bool) error {
	b.mu.Lock()
	same := b.saved.refused == refuse
	b.mu.Unlock()
	if same {
		return nil
	}
	if _, err := call(ctx, b.root, browser.SetDownloadBehavior, downloadBehaviour(refuse)); err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved.refused = refuse
	return nil
}

// downloadBehaviour asks for news of downloads, which Chrome gives to the root
// session alone and wants a behaviour with: "default" leaves the person's choice
// as it is.
func downloadBehaviour(refuse bool) browser.SetDownloadBehaviorParams {
	behaviour := browser.SetDownloadBehaviorBehaviorDefault
	if refuse {
		behaviour = browser.SetDownloadBehaviorBehaviorDeny
	}
	return browser.SetDownloadBehaviorParams{Behavior: behaviour, EventsEnabled: new(true)}
}

// ForgetDownload takes a download from the list, as when its file was deleted.
func (b *Browser) ForgetDownload(guid string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved.list = slices.DeleteFunc(b.saved.list, func(d *Download) bool { return d.GUID == guid })
}

func (b *Browser) downloadBegins(e *browser.EventDownloadWillBegin) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.saved.seq++
	b.saved.begun++
	b.saved.list = append(b.saved.list, &Download{
		Seq: b.saved.seq, GUID: e.GUID, URL: e.URL, Name: filepath.Base(e.SuggestedFilename),
		State: string(browser.DownloadProgressStateInProgress),
	})
	if n := len(b.saved.list); n > downloadsLimit {
		b.saved.list = slices.Delete(b.saved.list, 0, n-downloadsLimit)
	}
	b.broadcast()
}

// downloadBegins notes that a download began in the page, which comes in its
// order among the page's events.
func (at source) downloadBegins(*struct{}) {
	p := at.page
	p.mu.Lock()
	defer p.mu.Unlock()
	p.saving++
	p.broadcast()
}

func (b *Browser) downloadMoves(e *browser.EventDownloadProgress) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, d := range b.saved.list {
		if d.GUID != e.GUID {
			continue
		}
		d.Bytes, d.Total = int64(e.ReceivedBytes), int64(e.TotalBytes)
		if e.FilePath != "" {
			d.Path, d.Name = e.FilePath, filepath.Base(e.FilePath)
		}
		if state := string(e.State); state != d.State {
			b.saved.seq++
			d.State, d.Seq = state, b.saved.seq
			b.broadcast()
		}
	}
}

// downloadTold is how long the news of a download may lag behind the answer to
// the navigation that began it.
const downloadTold = 2 * time.Second

// downloadsBegun returns how many downloads have begun.
func (b *Browser) downloadsBegun() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.saved.begun
}

// heardOfDownload waits until more than before downloads have begun: they are
// told on another way than the answer to a navigation, and may come later.
func (b *Browser) heardOfDownload(ctx context.Context, before int) {
	ctx, cancel := context.WithTimeout(ctx, downloadTold)
	defer cancel()
	_ = b.wait(ctx, func() bool { return b.saved.begun > before })
}
