package adapter

import (
	"bytes"
	"errors"
	"image"
	"image/png"
	"testing"
	"time"
)

func TestScreenshot(t *testing.T) {
	s := open(t, `<body style="margin:0;background:#fff"><div id=r style="position:absolute;top:1000px;left:100px;width:200px;height:100px;background:#f00"></div><div style="height:3000px">`)
	s.is("scrollTo(0, 300), 0", "0")
	look := func(o ScreenshotOptions, x, y int) (Image, bool) {
		t.Helper()
		begin := time.Now()
		img, err := s.Screenshot(t.Context(), o)
		if err != nil {
			t.Fatalf("%+v: %v", o, err)
		}
		t.Logf("%+v: %dx%d %d bytes in %s", o, img.Width, img.Height, len(img.Data), time.Since(begin))
		if img.MIME == "image/webp" {
			return img, bytes.HasPrefix(img.Data, []byte("RIFF"))
		}
		m, _, err := image.Decode(bytes.NewReader(img.Data))
		if err != nil {
			t.Fatal(err)
		}
		r, g, _, _ := m.At(x, y).RGBA()
		return img, r > 0xe000 && g < 0x2000
	}
	w, h := viewOf(s)
	if img, red := look(ScreenshotOptions{}, 150, 710); img.Width != w || img.Height != h || h > 750 && !red {
		t.Errorf("%dx%d %t; view is %dx%d", img.Width, img.Height, red, w, h)
	}
	s.is("scrollTo(0, 800), 0", "0")
	if _, red := look(ScreenshotOptions{Format: "jpeg", Quality: 60}, 150, 250); !red {
		t.Error("not in view")
	}
	if img, red := look(ScreenshotOptions{MaxSize: 400}, 150*400/w, 250*400/w); img.Width != 400 || !red {
		t.Errorf("scaled: %dx%d %t", img.Width, img.Height, red)
	}
	if _, riff := look(ScreenshotOptions{Format: "webp"}, 0, 0); !riff {
		t.Error("no webp")
	}
	s.is("scrollTo(0, 0), 0", "0")
	if img, red := look(ScreenshotOptions{FullPage: true}, 150*1568/3000, 1050*1568/3000); img.Height != 1568 || !red {
		t.Errorf("whole: %dx%d %t", img.Width, img.Height, red)
	}
	if img, red := look(ScreenshotOptions{Element: Element{Selector: "#r"}}, 5, 5); img.Width != 200 || img.Height != 100 || !red {
		t.Errorf("element: %dx%d %t", img.Width, img.Height, red)
	}
	for _, o := range []ScreenshotOptions{{Format: "gif"}, {Quality: 200}, {FullPage: true, Element: Element{Selector: "#r"}}} {
		if _, err := s.Screenshot(t.Context(), o); !errors.Is(err, ErrInvalid) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func viewOf(s *stage) (w, h int) {
	v, err := evaluate[[]int](s.TB.Context(), s.session, evaluateOf("[innerWidth, innerHeight]"))
	if err != nil {
		s.Fatal(err)
	}
	return v[0], v[1]
}

func TestScreenshotHidden(t *testing.T) {
	s := openHidden(t, `<body style="background:#f00">`)
	for _, o := range []ScreenshotOptions{{}, {FullPage: true}, {MaxSize: 300}, {}} {
		begin := time.Now()
		img, err := s.Screenshot(t.Context(), o)
		if err != nil {
			t.Fatal(err)
		}
		m, err := png.Decode(bytes.NewReader(img.Data))
		if err != nil {
			t.Fatal(err)
		}
		if r, g, _, _ := m.At(100, 100).RGBA(); r < 0xe000 || g > 0x2000 {
			t.Error("not red")
		}
		t.Logf("%+v: %s", o, time.Since(begin))
	}
}

// TestScreenshotsOfATabThatSleeps takes pictures of what Chrome is slow to wake: about
// one of five waited for a frame that never came.
func TestScreenshotsOfATabThatSleeps(t *testing.T) {
	s := openHidden(t, `<h1>Tea</h1><body style="background:#f00">`)
	for range 12 {
		if _, err := s.Screenshot(t.Context(), ScreenshotOptions{Element: Element{Selector: "h1"}}); err != nil {
			t.Fatal(err)
		}
		s.mu.Lock()
		s.sleep()
		s.mu.Unlock()
	}
}
