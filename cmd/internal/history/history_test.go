package history

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// did returns what the entries of a folder say.
func did(t *testing.T, dir string) (list []string) {
	t.Helper()
	var last time.Time
	if err := Read(dir, func(e Entry, line []byte) error {
		if !e.At.After(last) {
			t.Errorf("%s comes after %s", line, last)
		}
		last = e.At
		list = append(list, e.Did)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	return list
}

func open(t *testing.T, dir string) *Book {
	t.Helper()
	b := Open(dir, slog.New(slog.DiscardHandler))
	t.Cleanup(b.Close)
	return b
}

func TestB95HistoryIsCompleteAndOrdered(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	lines, stop := b.Follow()
	defer stop()
	var wg sync.WaitGroup
	for who := range 4 {
		wg.Go(func() {
			for i := range 200 {
				b.Note(Entry{Kind: Agent, Who: fmt.Sprint(who), Did: fmt.Sprint(i)})
			}
		})
	}
	wg.Wait()
	b.Close()
	if got := did(t, dir); len(got) != 800 {
		t.Errorf("%d entries", len(got))
	}
	next := map[string]int{}
	if err := Read(dir, func(e Entry, _ []byte) error {
		if e.Did != fmt.Sprint(next[e.Who]) {
			t.Errorf("%+v; want %d", e, next[e.Who])
		}
		next[e.Who]++
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	followed := 0
	for range lines {
		followed++
	}
	if followed != 800 {
		t.Errorf("who follows heard of %d", followed)
	}
	info, err := os.Stat(filepath.Join(dir, Name))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", info.Mode(), err)
	}
	b.Note(Entry{Did: "after the end"})
	late, _ := b.Follow()
	select {
	case _, ok := <-late:
		if ok {
			t.Error("something is written after the end")
		}
	default:
		t.Error("who follows after the end waits for ever")
	}
	(*Book)(nil).Note(Entry{})
}

func TestB95HistoryIsBounded(t *testing.T) {
	dir := t.TempDir()
	b := open(t, dir)
	b.file.size = 2000
	for i := range 100 {
		b.Note(Entry{Kind: Agent, Who: "a", Did: fmt.Sprint(i)})
		lines, stop := b.Follow()
		b.Note(Entry{Kind: Agent, Who: "b", Did: "-"})
		<-lines // it was written by itself
		stop()
	}
	b.Close()
	files, _ := filepath.Glob(filepath.Join(dir, Name+"*"))
	if len(files) != fileCount {
		t.Errorf("files: %q", files)
	}
	for _, name := range files {
		if info, err := os.Stat(name); err != nil || info.Size() > 2000 {
			t.Errorf("%s: %v %v", name, info, err)
		}
	}
	if got := did(t, dir); got[len(got)-2] != "99" || len(got) >= 200 || len(got) < 50 {
		t.Errorf("%d entries, the last %s", len(got), got[len(got)-2])
	}
}

func TestB95HistoryEndsWithAge(t *testing.T) {
	dir := t.TempDir()
	write := func(name, did string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		line := fmt.Sprintf(`{"at":%q,"kind":"agent","who":"a","did":%q}`+"\n", at.Format(time.RFC3339Nano), did)
		if err := os.WriteFile(path, []byte("no JSON\n"+line), 0o600); err != nil {
			t.Fatal(err)
		}
		if name == Name {
			if err := os.WriteFile(path, []byte(line), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	now := time.Now()
	write(Name+".2", "ancient", now.Add(-keptFor-time.Hour))
	write(Name+".1", "old", now.Add(-keptFor/2))
	write(Name, "week", now.Add(-fileAge-time.Hour))
	b := open(t, dir)
	b.Note(Entry{Did: "now"})
	b.Close()
	if got := strings.Join(did(t, dir), " "); got != "old week now" {
		t.Errorf("kept: %s", got)
	}
	if data, _ := os.ReadFile(filepath.Join(dir, Name)); strings.Count(string(data), "\n") != 1 {
		t.Errorf("the week's file goes on: %s", data)
	}
}

func TestB95HistoryOfSeveralProcesses(t *testing.T) {
	dir := t.TempDir()
	a, b := open(t, dir), open(t, dir)
	note := func(book *Book, did string) {
		t.Helper()
		lines, stop := book.Follow()
		defer stop()
		book.Note(Entry{Did: did})
		<-lines
	}
	note(a, "1")
	note(b, "2")
	a.file.size = 1
	note(a, "3")
	note(b, "4") // in the file that a began
	if err := os.Remove(filepath.Join(dir, Name)); err != nil && runtime.GOOS != "windows" {
		t.Fatal(err)
	}
	note(b, "5") // the person took away what was there
	if got := strings.Join(did(t, dir), " "); got != "1 2 5" {
		t.Errorf("got %s", got)
	}
}
