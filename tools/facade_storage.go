package tools

import (
	"cmp"
	"context"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/tabrelay/tabrelay/adapter"
)

var storageTool = tool{
	name: "browser_storage", kind: onPatience,
	destructive: true, duringDialog: true,
	doc: "List and clear downloads and screenshots; wait for a download.",
	body: do(func(ctx context.Context, c *call, a *facadeStorageArgs) (browserResponse, error) {
		s := c.session
		switch a.Action {
		case "list_screenshots":
			return s.listScreenshots()
		case "clear_screenshots":
			return s.clearScreenshots()
		}
		b, err := s.connection(ctx)
		if err != nil {
			return browserResponse{}, err
		}
		c.browser = b
		switch a.Action {
		case "list_downloads":
			list := s.downloaded(b)
			return browserResponse{Data: map[string]any{"downloads": list, "count": len(list)}}, nil
		case "clear_downloads":
			return s.clearDownloads(b)
		case "wait_for_download":
			return s.waitForDownload(ctx, b, a.Filename)
		}
		return s.setDownloadBehavior(ctx, b, a)
	}),
}

type facadeStorageArgs struct {
	Action   string  `json:"action" enum:"list_downloads,clear_downloads,wait_for_download,list_screenshots,clear_screenshots,set_download_behavior"`
	Filename string  `json:"filename,omitempty" doc:"part of the name"`
	Timeout  float64 `json:"timeout,omitempty" doc:"seconds" min:"0" default:"30"`
	Behavior string  `json:"behavior,omitempty" enum:"allow,deny,allowAndName,default" default:"allow"`
	Path     string  `json:"download_path,omitempty" doc:"downloads are copied here"`
}

func (a *facadeStorageArgs) limit() int {
	if a.Action == "wait_for_download" {
		return milliseconds(a.Timeout, 30)
	}
	return 0
}

func (s *Session) listScreenshots() (browserResponse, error) {
	list := []storedFile{}
	err := s.screenshots(func(_ *os.Root, name string, info fs.FileInfo) error {
		list = append(list, entryOf(s.screenshotPath(name), info))
		return nil
	})
	return browserResponse{Data: map[string]any{"screenshots": list, "count": len(list)}}, err
}

func (s *Session) clearScreenshots() (browserResponse, error) {
	n := 0
	err := s.screenshots(func(root *os.Root, name string, _ fs.FileInfo) error {
		if err := root.Remove(name); err != nil {
			return err
		}
		n++
		return nil
	})
	return browserResponse{Data: map[string]any{"cleared": n}}, err
}

// Saving is what becomes of an agent's downloads.
type Saving struct {
	Denied bool   `json:"denied,omitempty"` // they are canceled
	Folder string `json:"folder,omitempty"` // to which they are copied when they are complete; "" for none
	ByGUID bool   `json:"byGuid,omitempty"` // the copies are named by it
}

// saving returns what becomes of downloads; sets that cannot change it leave them
// alone.
func (s *Session) saving() Saving {
	i := s.instances
	if i == nil {
		return Saving{}
	}
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.saving
}

// ownFolder is where copies go that are named by their GUID, unless a folder is
// given.
const ownFolder = "downloads"

// setDownloadBehavior refuses downloads, or says where they are copied to, and
// by which name: an extension has no say in where Chrome saves.
func (s *Session) setDownloadBehavior(ctx context.Context, b *adapter.Browser, a *facadeStorageArgs) (browserResponse, error) {
	behavior := cmp.Or(a.Behavior, "allow")
	as := Saving{ByGUID: behavior == "allowAndName", Denied: behavior == "deny"}
	folder := a.Path
	if as.ByGUID {
		folder = cmp.Or(folder, ownFolder)
	}
	if folder != "" && (behavior == "allow" || as.ByGUID) {
		within, err := s.place(filepath.Join(folder, "any"))
		if err != nil {
			return browserResponse{}, &Error{Kind: ErrFile, Text: fmt.Sprintf("download_path %q cannot be used: it is not within the folder for files", folder),
				Hint: "give the name of a folder, which is made in " + cmp.Or(resolved(s.opts.Output), "it") + ", or leave it out"}
		}
		as.Folder = filepath.Dir(filepath.Join(resolved(s.opts.Output), within))
	}
	if err := s.instances.save(ctx, as); err != nil {
		return browserResponse{}, err
	}
	v := browserResponse{Data: map[string]any{"behavior": behavior}}
	switch {
	case as.Denied:
		v.put("path", nil)
		v.put("note", "downloads from your tabs are canceled")
	case as.Folder == "":
		v.put("path", s.downloadFolder(b))
		v.put("note", "downloads go where the browser's settings say; Chrome does not let extensions change that")
	default:
		v.put("path", as.Folder)
		v.put("note", "the browser saves where its settings say; each download is copied to path when it is complete")
	}
	return v, nil
}

// downloadFolder is where the browser saved last, as far as it is known.
func (s *Session) downloadFolder(b *adapter.Browser) any {
	all, _ := b.Downloads(0)
	for i := len(all) - 1; i >= 0; i-- {
		if all[i].Path != "" {
			return filepath.Dir(all[i].Path)
		}
	}
	return nil
}
