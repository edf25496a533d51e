package tools

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/tabrelay/tabrelay/adapter"
)

// savedCopy is the copy of a download in the folder that the agent chose. done
// makes it, or waits until it is made; then the rest is set.
type savedCopy struct {
	done func()
	path string
	size int64 // in bytes; with secrets hidden, it is not the download's
	err  error
}

// copied returns the copy of a download that is complete, which it makes where
// the agent wants copies and there is none; nil where it does not.
func (s *Session) copied(d adapter.Download) *savedCopy {
	saving := s.saving()
	s.mu.Lock()
	c := s.copies[d.GUID]
	if c == nil && saving.Folder != "" {
		name := d.Name
		if saving.ByGUID {
			name = d.GUID
		}
		c = &savedCopy{}
		c.done = sync.OnceFunc(func() {
			if s.isElsewhere() {
				c.err = errElsewhere
				return
			}
			if c.path, c.err = s.copyIn(filepath.Join(saving.Folder, safeName(name)), d.Path); c.err == nil {
				c.size, c.err = sizeOf(c.path)
			}
		})
		if s.copies == nil {
			s.copies = map[string]*savedCopy{}
		}
		s.copies[d.GUID] = c
	}
	s.mu.Unlock()
	if c != nil {
		c.done()
	}
	return c
}

// copyDownloads copies each download when it is complete, until the connection
// ends.
func (s *Session) copyDownloads(b *adapter.Browser) {
	for since := 0; b.DownloadEnds(since) == nil; {
		var list []adapter.Download
		list, since = b.Downloads(since)
		for _, d := range list {
			if _, ok := s.ours(d); ok {
				s.copied(d)
			}
		}
	}
}

// downloaded lists what the session's browser downloaded since it was connected
// and is still there, and what is under way: what was canceled is no file.
func (s *Session) downloaded(b *adapter.Browser) []storedFile {
	list := []storedFile{}
	all, _ := b.Downloads(0)
	for _, d := range all {
		if info, ok := s.ours(d); ok {
			f := entryOf(d.Path, info)
			if c := s.copied(d); c != nil && c.err == nil {
				f.Path, f.Size = c.path, c.size
			}
			f.URL = d.URL
			list = append(list, f)
		} else if d.State == "inProgress" || d.State == "completed" && s.isElsewhere() {
			list = append(list, storedFile{Name: d.Name, Size: d.Bytes, State: stateOf(d.State), URL: d.URL})
		}
	}
	return list
}

// errElsewhere is why a download is neither copied nor deleted.
var errElsewhere = errors.New("it is on the machine of its browser")

func (s *Session) isElsewhere() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.link.elsewhere
}

// ours reports whether a download's file is where it was put, and as long as it
// was: another one of its name is not, nor is what a browser elsewhere names.
func (s *Session) ours(d adapter.Download) (fs.FileInfo, bool) {
	if s.isElsewhere() || d.State != "completed" || !filepath.IsAbs(d.Path) {
		return nil, false
	}
	info, err := os.Lstat(d.Path)
	if err != nil || !info.Mode().IsRegular() || info.Size() != d.Bytes {
		return nil, false
	}
	return info, true
}

// clearDownloads deletes the files of the session's downloads and their copies,
// and nothing else, and forgets those that have ended.
func (s *Session) clearDownloads(b *adapter.Browser) (browserResponse, error) {
	n := 0
	var failed error
	all, _ := b.Downloads(0)
	for _, d := range all {
		if d.State == "inProgress" {
			continue
		}
		if _, ok := s.ours(d); ok {
			if c := s.copied(d); c != nil && c.err == nil {
				failed = errors.Join(failed, c.remove())
			}
			if err := os.Remove(d.Path); err != nil {
				failed = errors.Join(failed, err)
				continue
			}
			n++
		}
		b.ForgetDownload(d.GUID) // the next one of its name is another
	}
	v := browserResponse{Data: map[string]any{"cleared": n, "note": "only files downloaded in this session"}}
	if failed != nil {
		v.Error = failed.Error()
	}
	return v, nil
}

// remove deletes a copy that is still as it was made.
func (c *savedCopy) remove() error {
	if size, err := sizeOf(c.path); err != nil || size != c.size {
		return nil
	}
	return os.Remove(c.path)
}

// sizeOf returns the length of a regular file, in bytes.
func sizeOf(path string) (int64, error) {
	info, err := os.Lstat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = errors.New("it is not a file")
	}
	if err != nil {
		return 0, err
	}
	return info.Size(), nil
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
	c := s.copied(d)
	switch {
	case c == nil:
	case c.err != nil:
		v.put("note", "it could not be copied: "+c.err.Error())
	default:
		v.put("filepath", c.path)
		v.put("original", d.Path)
	}
	return v, nil
}

// safeName is a download's name without folders and without a dot in front.
func safeName(name string) string {
	return cmp.Or(strings.TrimLeft(filepath.Base(name), "."), "download")
}
