package adapter

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/runtime"
)

const (
	parcelLimit = 50 << 20 // bytes of files that go through the page
	parcelPart  = 1 << 20  // bytes in one message
)

// Upload gives files to a file input, to the element that labels or holds one,
// or, when e is zero, to the file chooser that waits. Without files it closes
// the chooser, or empties the input. Files outside of Options.Roots are
// refused with ErrBlocked.
func (p *Page) Upload(ctx context.Context, e Element, files []string) (Done, error) {
	list, err := p.browser.allowed(files)
	if err != nil {
		return Done{}, err
	}
	return p.perform(ctx, e, "upload", func(ctx context.Context, a *actor) error {
		if err := a.input(ctx); err != nil {
			return err
		}
		a.sent = true
		takes, err := ask[*struct {
			Multiple bool   `json:"multiple"`
			Accept   string `json:"accept"`
			Folder   bool   `json:"folder"`
		}](ctx, p, a.frame, expression("takesFiles", a.ready.Ref))
		if err != nil {
			return err
		}
		if takes == nil {
			return fail(ErrInvalid, "give the ref of a file input, or click what opens the chooser first and leave the element out", "%s takes no files", a.done.Target)
		}
		if len(list) > 1 && !takes.Multiple {
			return fail(ErrInvalid, "give one file", "%s takes one file only, not %d", a.done.Target, len(list))
		}
		for _, g := range list {
			if g.dir != takes.Folder {
				what := map[bool]string{true: "a folder", false: "a file"}
				return fail(ErrInvalid, "give "+what[takes.Folder], "%s is %s", g.path, what[g.dir])
			}
		}
		waiting := p.Chooser() != nil && e.zero()
		if waiting && len(list) == 0 {
			p.mu.Lock()
			p.closeChooser()
			p.mu.Unlock()
			a.done.note("the file chooser was cancelled")
			_, err := ask[bool](ctx, p, a.frame, expression("cancelChooser", a.ready.Ref)+" ?? true")
			return err
		}
		if err := a.give(ctx, list); err != nil {
			return err
		}
		p.mu.Lock()
		p.closeChooser()
		p.mu.Unlock()
		names, err := ask[[]string](ctx, p, a.frame, expression("heldFiles", a.ready.Ref))
		if err != nil {
			return err
		}
		a.done.Value, a.done.HasValue = strings.Join(names, ", "), true
		return nil
	})
}

// input finds the file input: that of the chooser, or of the element.
func (a *actor) input(ctx context.Context) error {
	if !a.element.zero() {
		return a.prepare(ctx)
	}
	f, ref, err := a.page.chooserInput(ctx)
	if err != nil {
		return err
	}
	a.element = Element{Ref: ref}
	if err := a.prepare(ctx); err == nil {
		return nil
	}
	// An input that is not in the document can have a chooser as well.
	a.frame, a.ready = f, ready{Ref: ref, Kind: "file"}
	a.done.Target = "the file chooser"
	return nil
}

// give puts files into the input: Chrome reads them where it may, else their
// content goes through the page.
func (a *actor) give(ctx context.Context, list []given) error {
	p := a.page
	progress(ctx, 0, 0, "handing over files")
	if !p.browser.handOver {
		err := a.setFiles(ctx, list)
		if err == nil || !says(err, saysNoFiles) {
			return err
		}
	}
	for _, g := range list {
		if g.dir {
			return fail(ErrUnsupported, "the person can allow it: extension details, \"Allow access to file URLs\"", "the browser does not let the extension upload a folder")
		}
	}
	if err := a.send(ctx, list); err != nil {
		return err
	}
	ok, err := ask[bool](ctx, p, a.frame, expression("giveFiles", a.ready.Ref))
	if err == nil && !ok {
		err = advise(ErrStaleRef, AdviceLookAgain, "%s is gone", a.done.Target)
	}
	return err
}

func (a *actor) setFiles(ctx context.Context, list []given) error {
	paths := make([]string, len(list))
	for i, g := range list {
		paths[i] = g.path
	}
	s, world, err := a.page.world(ctx, a.frame)
	if err != nil {
		return err
	}
	res, err := call(ctx, s, runtime.Evaluate, world.run(runtime.EvaluateParams{Expression: expression("element", a.ready.Ref), ObjectGroup: objects}))
	if err != nil {
		return err
	}
	id := res.Result.ObjectID
	if id == "" {
		return advise(ErrStaleRef, AdviceLookAgain, "%s is gone", a.done.Target)
	}
	defer post(s, runtime.ReleaseObject, runtime.ReleaseObjectParams{ObjectID: id})
	_, err = call(ctx, s, dom.SetFileInputFiles, dom.SetFileInputFilesParams{Files: paths, ObjectID: id})
	return err
}

// send brings the content of files into the page, part by part, for the page
// script to build files of.
func (a *actor) send(ctx context.Context, list []given) error {
	p := a.page
	var total, sent int64
	for _, g := range list {
		total += g.size
	}
	if total > parcelLimit {
		return fail(ErrUnsupported, "give smaller files; or the person can allow larger ones: extension details, \"Allow access to file URLs\"",
			"%d MB of files exceed the %d MB that can go through the page", total>>20, parcelLimit>>20)
	}
	if _, err := ask[bool](ctx, p, a.frame, expression("clearParcels")+" ?? true"); err != nil {
		return err
	}
	for i, g := range list {
		f, err := os.Open(g.path)
		if err != nil {
			return fmt.Errorf("read %s: %w", g.path, err)
		}
		err = a.sendFile(ctx, i, f, func(n int) {
			sent += int64(n)
			progress(ctx, float64(sent), float64(total), "bytes of files sent")
		})
		f.Close()
		if err != nil {
			return err
		}
	}
	return nil
}

func (a *actor) sendFile(ctx context.Context, number int, f *os.File, tell func(int)) error {
	buf := make([]byte, parcelPart)
	kind := mime.TypeByExtension(filepath.Ext(f.Name()))
	for sent := 0; ; {
		n, err := io.ReadFull(f, buf)
		if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			return fmt.Errorf("read %s: %w", f.Name(), err)
		}
		last := err != nil
		if sent += n; sent > parcelLimit { // it grew
			return fail(ErrUnsupported, "", "%s grew while it was read", f.Name())
		}
		if kind == "" {
			kind = http.DetectContentType(buf[:n])
		}
		part := map[string]any{"file": number, "name": filepath.Base(f.Name()), "type": strings.ReplaceAll(kind, "; charset=utf-8", ""), "data": base64.StdEncoding.EncodeToString(buf[:n])}
		if _, err := ask[bool](ctx, a.page, a.frame, expression("addParcel", part)+" ?? true"); err != nil {
			return err
		}
		tell(n)
		if last {
			return nil
		}
	}
}
