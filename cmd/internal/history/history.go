// Package history keeps who did what on which site, and what came of it: lines of
// JSON in the state folder, without anything that a page said or that was typed.
//
//	b := history.Open(dir, log)
//	b.Note(history.Entry{Kind: history.Agent, Who: "claude-code", Did: "browser_click", Site: "https://example.com"})
//
// Note never waits; one goroutine writes. Several processes may write to a folder.
package history

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// The kinds of those who do something.
const (
	Agent  = "agent"
	Client = "client" // of CDP
)

// What an agent or a client does without a tool.
const (
	Connected = "connected"
	Left      = "left"
)

// Entry is something that was done.
type Entry struct {
	At      time.Time `json:"at"` // when it ended; each is later than the one before
	Kind    string    `json:"kind"`
	Who     string    `json:"who"`
	Did     string    `json:"did"` // the name of a tool, or a word from above
	Page    string    `json:"page,omitempty"`
	Site    string    `json:"site,omitempty"` // scheme and host where it was done
	To      string    `json:"to,omitempty"`   // where it led, if that is another
	Outcome string    `json:"outcome,omitempty"`
	Why     string    `json:"why,omitempty"`  // the kind of an error
	Ms      float64   `json:"ms,omitempty"`   // how long it took
	Lost    int       `json:"lost,omitempty"` // entries before this one that there was no room for
}

// Print writes an entry for a person, as a line.
func (e Entry) Print(w io.Writer) error {
	words := []string{e.At.Local().Format("2006-01-02 15:04:05"), e.Who}
	for _, word := range []string{e.Did, e.Page, e.Site} {
		if word != "" {
			words = append(words, word)
		}
	}
	if e.To != "" {
		words = append(words, "→", e.To)
	}
	if e.Outcome != "" {
		words = append(words, e.Outcome)
	}
	if e.Why != "" {
		words = append(words, e.Why)
	}
	if e.Ms > 0 {
		words = append(words, fmt.Sprintf("(%.0f ms)", e.Ms))
	}
	if e.Lost > 0 {
		words = append(words, fmt.Sprintf("[%d entries lost before]", e.Lost))
	}
	_, err := fmt.Fprintln(w, strings.Join(words, "  "))
	return err
}

const (
	// waiting is how many entries may wait to be written.
	waiting = 4096
	// behind is how many lines a follower may be behind before it is left.
	behind = 4096
)

// Book writes entries. A nil one takes none.
type Book struct {
	// Static after construction.
	file    *file
	log     *slog.Logger
	entries chan Entry
	clear   chan chan error
	written chan struct{} // closed when all is written

	// mu guards the following.
	mu        sync.Mutex
	closed    bool
	last      time.Time
	lost      int
	followers map[chan []byte]bool
}

// Open returns the history of a state folder; the caller closes it. Nothing is made
// before there is something to write.
func Open(dir string, log *slog.Logger) *Book {
	b := &Book{file: newFile(dir), log: log, entries: make(chan Entry, waiting), clear: make(chan chan error), written: make(chan struct{}), followers: map[chan []byte]bool{}}
	go b.write() // ends with Close
	return b
}

// Note adds an entry, as of now. What there is no room for is counted.
func (b *Book) Note(e Entry) {
	if b == nil {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		return
	}
	if e.At = time.Now().UTC(); !e.At.After(b.last) {
		e.At = b.last.Add(time.Nanosecond)
	}
	e.Lost = b.lost
	select {
	case b.entries <- e:
		b.last, b.lost = e.At, 0
	default:
		b.lost++
	}
}

// write writes what is noted, and clears when asked, until the book is closed.
func (b *Book) write() {
	defer close(b.written)
	failed := false
	for open := true; open; {
		select {
		case e, more := <-b.entries:
			if open = more; more {
				failed = b.enter(e, failed)
			}
		case done := <-b.clear:
			for left := len(b.entries); left > 0; left-- {
				<-b.entries
			}
			done <- b.file.clear()
		}
	}
	b.file.close()
}

// enter writes an entry and those that wait behind it, as much at once as there is.
// It reports whether that failed, which is logged once.
func (b *Book) enter(e Entry, failed bool) bool {
	var list [][]byte
	size := 0
	for more := true; more; {
		line, err := json.Marshal(e)
		if err == nil {
			list = append(list, append(line, '\n'))
			size += len(line)
		}
		more = false
		if size < batchSize {
			select {
			case e, more = <-b.entries:
			default:
			}
		}
	}
	err := b.file.append(list)
	if err != nil && !failed {
		b.log.Warn("the history cannot be written", "why", err)
	}
	b.tell(list)
	return err != nil
}

// Clear deletes all entries, those of other processes as well.
func (b *Book) Clear() error {
	if b == nil {
		return nil
	}
	done := make(chan error, 1)
	select {
	case b.clear <- done:
		return <-done
	case <-b.written:
		return nil
	}
}

// tell hands lines to those who follow; one that does not keep up is left.
func (b *Book) tell(list [][]byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for f := range b.followers {
		for _, line := range list {
			select {
			case f <- line:
				continue
			default:
			}
			delete(b.followers, f)
			close(f)
			break
		}
	}
}

// Follow returns the lines that are written from now on, until stop. The channel is
// closed when the book is, or when its reader does not keep up.
func (b *Book) Follow() (written <-chan []byte, stop func()) {
	f := make(chan []byte, behind)
	if b == nil {
		close(f)
		return f, func() {}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.closed {
		close(f)
		return f, func() {}
	}
	b.followers[f] = true
	return f, func() {
		b.mu.Lock()
		defer b.mu.Unlock()
		if b.followers[f] {
			delete(b.followers, f)
			close(f)
		}
	}
}

// Close writes what is left and ends.
func (b *Book) Close() {
	if b == nil {
		return
	}
	b.mu.Lock()
	was := b.closed
	b.closed = true
	b.mu.Unlock()
	if was {
		return
	}
	close(b.entries)
	<-b.written
	b.mu.Lock()
	defer b.mu.Unlock()
	for f := range b.followers {
		delete(b.followers, f)
		close(f)
	}
}
