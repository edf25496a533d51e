package adapter

import (
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
)

// firstFrame is how long a screencast may take to send its first frame.
const firstFrame = 100 * time.Millisecond

// draws makes a hidden page that believes itself visible draw, until stop: a
// screencast asks for frames, which nobody looks at. On a busy machine Chrome now
// and then starts one that never sends a frame. Starting it again does not help;
// taking a screenshot does.
func draws(s *session) (stop func()) {
	small := page.CaptureScreenshotParams{
		Format: page.CaptureScreenshotFormatJpeg, Quality: new(int64(1)), Clip: &page.Viewport{Width: 16, Height: 16, Scale: 1},
	}
	late := time.AfterFunc(firstFrame, func() { post(s, page.CaptureScreenshot, small) })
	s.late.Store(late)
	post(s, page.StartScreencast, page.StartScreencastParams{Format: page.StartScreencastFormatJpeg, Quality: new(int64(1)), MaxWidth: 16, MaxHeight: 16})
	return func() {
		late.Stop()
		post(s, page.StopScreencast, cdp.Empty{})
	}
}

// drawn hears of a frame of a screencast.
func (at source) drawn() {
	if late := at.session.late.Load(); late != nil {
		late.Stop()
	}
}
