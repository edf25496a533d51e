package e2e

import (
	"bytes"
	"encoding/base64"
	"image"
	_ "image/jpeg"
	_ "image/png"
	"os"
	"path/filepath"
	"testing"

	_ "golang.org/x/image/webp"
)

// picture decodes the one image of an answer.
func (an answer) picture() (image.Config, string) {
	an.t.Helper()
	if len(an.images) != 1 {
		an.t.Fatalf("%s: %d images:\n%s", an.call, len(an.images), an.text)
	}
	data := an.images[0].Data
	if raw, err := base64.StdEncoding.DecodeString(string(data)); err == nil {
		data = raw
	}
	config, format, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		an.t.Fatal(err)
	}
	if want := "image/" + format; an.images[0].MIMEType != want {
		an.t.Fatalf("the image is %s and said to be %s", want, an.images[0].MIMEType)
	}
	return config, format
}

func TestB57Screenshots(t *testing.T) {
	inPlaces(t, `<body style="margin:0"><div role=img aria-label="Box" tabindex=0 style="width:200px;height:100px;background:#36c"></div><div style="height:3000px;background:linear-gradient(red,blue)"></div>`,
		func(t *testing.T, a *agent, first answer) {
			for _, format := range []string{"png", "jpeg", "webp"} {
				for _, labels := range []bool{false, true} {
					if _, got := a.ok("browser_screenshot", args{"format": format, "labels": labels}).picture(); got != format {
						t.Fatalf("asked for %s, got %s", format, got)
					}
				}
			}
			box, _ := a.ok("browser_screenshot", args{"ref": first.ref(`"Box"`)}).picture()
			if box.Width != 200 || box.Height != 100 {
				t.Fatalf("the element's picture is %dx%d", box.Width, box.Height)
			}
			full, _ := a.ok("browser_screenshot", args{"fullPage": true, "maxSize": 4000}).picture()
			if full.Height != 3100 {
				t.Fatalf("the full page's picture is %dx%d", full.Width, full.Height)
			}
			small, _ := a.ok("browser_screenshot", args{"maxSize": 300}).picture()
			if max(small.Width, small.Height) != 300 {
				t.Fatalf("scaled to 300 it is %dx%d", small.Width, small.Height)
			}
		})
}

func TestB57ScreenshotToAFile(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	a := own(t, "--root", root).agent(t)
	a.open(newSite(t, `<h1>picture</h1>`).URL)
	path := filepath.Join(root, "shot.png")
	a.ok("browser_screenshot", args{"file": path}).has("shot.png")
	if info, err := os.Stat(path); err != nil || info.Size() == 0 {
		t.Fatalf("nothing was written: %v", err)
	}
	outside := filepath.Join(t.TempDir(), "shot.png")
	a.fails("browser_screenshot", args{"file": outside}).has("error:", "hint:")
	a.fails("browser_screenshot", args{"file": filepath.Join(root, "..", "escape.png")}).has("error:")
	if _, err := os.Stat(outside); err == nil {
		t.Fatal("written outside the allowed roots")
	}
}
