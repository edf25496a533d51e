package tools

import (
	"context"
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"time"

	"github.com/tabrelay/tabrelay/adapter"
)

var captureTool = tool{
	name: "browser_capture", kind: onPatience,
	openWorld: true, repeatable: true,
	doc: "Take a screenshot and save it to a file.",
	body: do(func(ctx context.Context, c *call, a *facadeCaptureArgs) (browserResponse, error) {
		save := a.Save == nil || *a.Save
		name := newScreenshot(a.Action)
		o := adapter.ScreenshotOptions{Element: a.target(), FullPage: a.FullPage}
		if save {
			o.MaxSize = 16_384 // nobody reads its bytes as tokens
			if _, err := c.session.place(name); err != nil {
				return browserResponse{}, &Error{Kind: ErrFile, Text: err.Error(), Hint: "give save_to_disk: false"}
			}
		}
		if a.Action == "screenshot" {
			o.Element = adapter.Element{}
		}
		img, err := c.page.Screenshot(ctx, o)
		if err != nil {
			return browserResponse{}, err
		}
		v := browserResponse{Data: map[string]any{"width": img.Width, "height": img.Height}}
		if !save {
			v.Screenshot = base64.StdEncoding.EncodeToString(img.Data)
			v.put("format", "base64")
			if img.Scale != 0 && img.Scale < 1 {
				v.put("scale", img.Scale)
				v.put("note", "the screenshot is scaled down; save_to_disk keeps every pixel")
			}
			return v, nil
		}
		file, err := c.session.write(name, img.Data)
		if err != nil {
			return browserResponse{}, err
		}
		v.put("filepath", file)
		v.put("filename", filepath.Base(file))
		v.put("format", "png")
		v.put("saved", true)
		return v, nil
	}),
}

type facadeCaptureArgs struct {
	Action string `json:"action" enum:"screenshot,element_screenshot"`
	facadeElement
	FullPage bool  `json:"full_page,omitempty" default:"false"`
	Save     *bool `json:"save_to_disk,omitempty" doc:"false: as base64" default:"true"`
	facadePage
}

func (a *facadeCaptureArgs) target() adapter.Element {
	return adapter.Element{Ref: a.Ref, Selector: a.Selector}
}

func (a *facadeCaptureArgs) check() error {
	if a.Action == "element_screenshot" {
		return a.given(a.Action)
	}
	return a.given("")
}

// screenshotFolder is in the output folder.
const screenshotFolder = "screenshots"

// screenshotName is what names of ours look like; other files in the folder are
// nobody's to delete.
var screenshotName = regexp.MustCompile(`^(screenshot|element)-\d{8}-\d{6}-[A-Z2-7]{6}\.png$`)

func newScreenshot(action string) string {
	kind := "screenshot"
	if action == "element_screenshot" {
		kind = "element"
	}
	return path.Join(screenshotFolder, fmt.Sprintf("%s-%s-%s.png", kind, time.Now().Format("20060102-150405"), rand.Text()[:6]))
}

// storedFile is a file as lists tell it.
type storedFile struct {
	Name     string `json:"name"`
	Path     string `json:"path,omitempty"`
	Size     int64  `json:"size"`
	Modified string `json:"modified,omitempty"`
	State    string `json:"state,omitempty"` // of a download that is not complete
	URL      string `json:"url,omitempty"`
}

func entryOf(file string, info fs.FileInfo) storedFile {
	return storedFile{Name: info.Name(), Path: file, Size: info.Size(), Modified: info.ModTime().UTC().Format(time.RFC3339)}
}

// screenshots calls back for each screenshot that was saved; the folder is
// opened as a root, so that no link leads out of it.
func (s *Session) screenshots(visit func(root *os.Root, name string, info fs.FileInfo) error) error {
	if s.opts.Output == "" {
		return nil
	}
	first, err := s.openOutput()
	if err != nil {
		return err
	}
	defer first.Close()
	folder, err := first.OpenRoot(screenshotFolder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("screenshots: %w", err)
	}
	defer folder.Close()
	entries, err := fs.ReadDir(folder.FS(), ".")
	if err != nil {
		return fmt.Errorf("screenshots: %w", err)
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil || !info.Mode().IsRegular() || !screenshotName.MatchString(e.Name()) {
			continue
		}
		if err := visit(folder, e.Name(), info); err != nil {
			return fmt.Errorf("screenshots: %w", err)
		}
	}
	return nil
}

// screenshotPath is where a screenshot is.
func (s *Session) screenshotPath(name string) string {
	return filepath.Join(resolved(s.opts.Output), screenshotFolder, name)
}
