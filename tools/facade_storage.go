package tools

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

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
	Path     string  `json:"download_path,omitempty" doc:"awaited downloads are copied here"`
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

// downloaded lists what the session's browser downloaded since it was connected
// and is still there, and what is under way.
func (s *Session) downloaded(b *adapter.Browser) []storedFile {
	list := []storedFile{}
	all, _ := b.Downloads(0)
	for _, d := range all {
		if info, ok := ours(d); ok {
			f := entryOf(d.Path, info)
			f.URL = d.URL
			list = append(list, f)
		} else if d.State != "completed" {
			list = append(list, storedFile{Name: d.Name, Size: d.Bytes, State: stateOf(d.State), URL: d.URL})
		}
	}
	return list
}

// ours reports whether a download's file is where it was put, and as long as it
// was: another one of its name is not.
func ours(d adapter.Download) (fs.FileInfo, bool) {
	if d.State != "completed" || !filepath.IsAbs(d.Path) {
		return nil, false
	}
	info, err := os.Lstat(d.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != d.Bytes {
		return nil, false
	}
	return info, true
}

// clearDownloads deletes the files of complete downloads of the session, and
// nothing else.
func (s *Session) clearDownloads(b *adapter.Browser) (browserResponse, error) {
	n := 0
	var failed error
	all, _ := b.Downloads(0)
	for _, d := range all {
		if _, ok := ours(d); !ok {
			continue
		}
		if err := os.Remove(d.Path); err != nil {
			failed = errors.Join(failed, err)
			continue
		}
		b.ForgetDownload(d.GUID) // the next one of its name is another
		n++
	}
	v := browserResponse{Data: map[string]any{"cleared": n, "note": "only files downloaded in this session; copies in a download_path are kept"}}
	if failed != nil {
		v.Error = failed.Error()
	}
	return v, nil
}

// waitForDownload waits for a download: one of a name, or the next one that was
// not waited for yet.
func (s *Session) waitForDownload(ctx context.Context, b *adapter.Browser, name string) (browserResponse, error) {
	since := 0
	if name == "" {
		since = s.awaited()
	}
	d, err := b.AwaitDownload(ctx, name, since)
	if errors.Is(err, adapter.ErrTimeout) {
		v := browserResponse{Error: err.Error(), Data: map[string]any{"found": false, "kind": "Timeout"}}
		if name != "" {
			v.put("filename", name)
		}
		return v, nil
	}
	if err != nil {
		return browserResponse{}, err
	}
	s.waitedFor(d)
	v := browserResponse{Data: map[string]any{"filename": d.Name, "filepath": d.Path, "found": d.State == "completed", "size": d.Bytes}}
	if d.State != "completed" {
		v.Error = "the download of " + d.Name + " was " + stateOf(d.State)
		return v, nil
	}
	saving := s.saving()
	if saving.Folder == "" {
		return v, nil
	}
	name = d.Name
	if saving.ByGUID {
		name = d.GUID
	}
	copied, err := s.copyIn(filepath.Join(saving.Folder, safeName(name)), d.Path)
	if err != nil {
		v.put("note", "it could not be copied: "+err.Error())
		return v, nil
	}
	v.put("filepath", copied)
	v.put("original", d.Path)
	return v, nil
}

// safeName is a download's name without folders and without a dot in front.
func safeName(name string) string {
	return cmp.Or(strings.TrimLeft(filepath.Base(name), "."), "download")
}

// Saving is what becomes of an agent's downloads.
type Saving struct {
	Denied bool   `json:"denied,omitempty"` // they are canceled
	Folder string `json:"folder,omitempty"` // to which those that are waited for are copied; "" for none
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

// setDownloadBehavior refuses downloads, or says where they are copied to, and
// by which name: an extension has no say in where Chrome saves.
func (s *Session) setDownloadBehavior(ctx context.Context, b *adapter.Browser, a *facadeStorageArgs) (browserResponse, error) {
	behavior := cmp.Or(a.Behavior, "allow")
	as := Saving{ByGUID: behavior == "allowAndName", Denied: behavior == "deny"}
	if as.ByGUID && a.Path == "" {
		return browserResponse{}, &Error{Kind: adapter.ErrInvalid, Text: "allowAndName names copies by their GUID", Hint: "give a download_path to copy to"}
	}
	if a.Path != "" && (behavior == "allow" || as.ByGUID) {
		within, err := s.place(filepath.Join(a.Path, "any"))
		if err != nil {
			return browserResponse{}, err
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
		v.put("note", "Chrome does not let extensions choose the folder: it saves where its settings say, and wait_for_download copies the file to path")
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
