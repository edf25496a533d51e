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
	a := own(t, "--output", root).agent(t)
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
		t.Fatal("written outside the output folder")
	}
}

// A site's bytes reach only new files of the output folder, which is the state's
// own unless another was given.
func TestB91Files(t *testing.T) {
	t.Parallel()
	server := own(t)
	a := server.agent(t)
	out := filepath.Join(server.state, "output")
	a.open(newSite(t, `<h1>picture</h1>`).URL)
	a.ok("browser_screenshot", args{"file": "shot.png"}).has(filepath.Join(out, "shot.png"))
	if err := os.WriteFile(filepath.Join(out, "shot.png"), []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	a.ok("browser_screenshot", args{"file": "shot.png"}).has(filepath.Join(out, "shot-2.png"))
	if text, err := os.ReadFile(filepath.Join(out, "shot.png")); err != nil || string(text) != "mine" {
		t.Errorf("the file that was there is now %.20q (%v)", text, err)
	}
	a.ok("browser_network", args{"har": "all.har"}).has("all.har")
	a.ok("browser_pdf", args{"file": "sub/page.pdf"}).has("sub")
	for name, want := range map[string]os.FileMode{".": 0o700, "shot-2.png": 0o600, "all.har": 0o600, "sub": 0o700, "sub/page.pdf": 0o600} {
		if info, err := os.Stat(filepath.Join(out, name)); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", name, info, err)
		}
	}
	for _, name := range []string{".mcp.json", ".git/hooks/pre-commit", "../relay.json", filepath.Join(server.state, "relay.json")} {
		a.fails("browser_screenshot", args{"file": name}).has("error:", "hint:")
	}
	a.fails("browser_upload", args{"selector": "h1", "files": []string{filepath.Join(server.state, "relay.json")}}).has("outside")
	if wd, err := os.Getwd(); err == nil {
		a.fails("browser_upload", args{"selector": "h1", "files": []string{filepath.Join(wd, "files_test.go")}}).has("--root")
	}
}
